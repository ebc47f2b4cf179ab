package arff

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// rowsOf reads a text and returns its rows as meaning_test.go says them, one a
// line, then the error if there is one.
func rowsOf(r *Reader) string {
	m, err := readMeaning(r)
	var lines []string
	if m != nil {
		lines = m.rows
	}
	if err != nil {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// What Weka reads quietly and a strict reader refuses, in Weka's reading.
func TestQuietReadings(t *testing.T) {
	for _, tt := range []struct{ text, rows string }{
		{numbers + "1,2,3\n4,5\n", "dense [1, 2]\ndense [4, 5]"},
		{numbers + "1,2,3,4,5\n", "dense [1, 2]\ndense [4, 5]"},
		{numbers + "1,2,3,4,5,6\n7,8\n", "dense [1, 2]\ndense [4, 5]\ndense [7, 8]"},
		{numbers + "1,2,3,4\n", "dense [1, 2]\n" + `5:8: expected a value of attribute "b", found the end of the line: 1 value of 2`},
		{numbers + "1,2,3,{0 4}\n", "dense [1, 2]\nsparse [4, 0]"},
		{numbers + "1,,2\n", "dense [1, 2]"},
		{numbers + ",1,,2,,\n,,\n", "dense [1, 2]"},
		{numbers + "1,2}\n", "dense [1, 2]"},
		{numbers + "1,2,?\n", "dense [1, 2]"},
		{numbers + "1,2,{NaN}\n", "dense [1, 2]"},
		{numbers + "1,2,{x 3,4\n", "dense [1, 2]\ndense [3, 4]"},
		{numbers + "1,2,{x}\n", "dense [1, 2]\n" + `5:7: expected a value of attribute "a", found "}"`},
		{"@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n@data\n1,,2,3\n", "dense [1, 2, 3]"},
		{"@relation r\n@attribute n numeric\n@attribute s string\n@data\n1,'abc\n", `dense [1, "abc"]`},
		{texts + "it's,x\n", `dense ["it", "s,x"]`},
		{texts + "'ab'cd\n", `dense ["ab", "cd"]`},
		{texts + "ab'cd'\n", `dense ["ab", "cd"]`},
		{texts + "x,'a\\\nb\n", `dense ["x", "a\nb"]`},
		{texts + "x,'a\\\r\nb,c\n", "dense [\"x\", \"a\\r\"]\ndense [\"b\", \"c\"]"},
		{texts + "x,'a\\\rb'\ny,z\n", "dense [\"x\", \"a\\rb\"]\ndense [\"y\", \"z\"]"},
		{texts + "'a\\\nb'\n", `6:3: expected a value of attribute "t", found the end of the line: 1 value of 2`},
		{texts + "'a\\\r\n", `5:5: expected a value of attribute "t", found the end of the line: 1 value of 2`},
		{texts + "'a\\\n\\\nb' c\ny,§\n", "dense [\"a\\n\\nb\", \"c\"]\ndense [\"y\", \"§\"]"},
		{texts + "x,'a\\", `dense ["x", "a\uffff"]`},
		{texts + "x,caf\xe9\n", "dense [\"x\", \"caf\ufffd\"]"},
		{"@relation r\n@attribute n numeric\n@attribute s string\n@attribute c numeric\n@data\n'1''s',1\n", `dense [1, "s", 1]`},
		{numbers + "{0 1} junk\n", "sparse [1, 0]"},
		{numbers + "{0 1} junk 5 6\n", "sparse [1, 0]\ndense [5, 6]"},
		{texts + "@attribute d\n", `dense ["@attribute", "d"]`},
		{"@relation r\n@attribute c {caf\xe9,x}\n@data\ncaf\xff\n", "dense [\"caf\ufffd\"]"},
		{"@relation r\n@attribute d date yyyy-MM-dd\n@data\n2001-04-03junk\n", "dense [9.86256e+11]"},
		{"@relation r\n@attribute d date yyyy-MM-dd HH:mm\n@data\n2001-04-03\n", "dense [9.86256e+11]"},
		{"@relation r\n@attribute a {x,y} junk\n@data\nx\n", `dense ["x"]`},
		{"@relation 'r\n@attribute a {x,y'z}\n}\n@attribute b numeric\n@data\n", "2:21: expected a label or a closing brace, found the end of the line"},
		{"@relation r\n@attribute a numeric '\\\n@attribute b numeric\n@data\n1\n", "dense [1]"},
		{"@relation r\n@attribute a numeric\n@data 1\n2\n", "dense [1]\ndense [2]"},
		{"@relation r\n@attribute a numeric\n@data 1", "dense [1]"},
		{texts + "a,b\n{1 c}\n{}\nd,e\n", "dense [\"a\", \"b\"]\nsparse [\"a\", \"c\"]\nsparse [\"a\", \"b\"]\ndense [\"d\", \"e\"]"},
		{texts + "?,b\n{0 a}\n{1 c}\n", "dense [missing, \"b\"]\nsparse [\"a\", \"b\"]\nsparse [\"a\", \"c\"]"},
		{texts + "{1 b}\n", `5:1: the row leaves out attribute "s", of which no row before has a value`},
		{bags + "1,'2,a'\n{0 5}\n", "dense [1, {dense [2, \"a\"]}]\nsparse [5, {dense [2, \"a\"]}]"},
		{bags + "1,'2,a\\n{0 3}'\n4,'{0 5}\\n6,b'\n", "dense [1, {dense [2, \"a\"]; sparse [3, \"a\"]}]\ndense [4, {sparse [5, \"a\"]; dense [6, \"b\"]}]"},
		{bags + "1,'{0 3}'\n", `8:4: in relation "bag": the row leaves out attribute "s", of which no row before has a value`},
		{bags + "1,'2,a,7\\n3,b 8 4 c'\n", "dense [1, {dense [2, \"a\"]; dense [3, \"b\"]; dense [4, \"c\"]}]"},
	} {
		r := NewReader(strings.NewReader(tt.text))
		r.Weka = true
		if got := rowsOf(r); got != tt.rows {
			t.Errorf("%q:\n%s\nwant\n%s", tt.text, got, tt.rows)
		}
		if _, err := readMeaning(NewReader(strings.NewReader(tt.text))); err == nil {
			t.Errorf("%q: no error from the strict reader", tt.text)
		}
	}
}

// What both ways of reading take alike.
func TestReadings(t *testing.T) {
	for _, tt := range []struct{ text, rows string }{
		{numbers, ""},
		{strings.TrimSuffix(numbers, "\n"), ""},
		{"\ufeff" + numbers + "1,2\n", "dense [1, 2]"},
		{numbers + "1,2", "dense [1, 2]"},
		{numbers + "1,2,", "dense [1, 2]"},
		{numbers + "1,2, % rest\n", "dense [1, 2]"},
		{numbers + "1,2{3}\n1 2 {3},\n1,2,{ '3' }%\n{0 1}{3}\n{0 1},{3}\n", "dense weight 3 [1, 2]\ndense weight 3 [1, 2]\ndense weight 3 [1, 2]\nsparse weight 3 [1, 0]\nsparse weight 3 [1, 0]"},
		{numbers + "1,2,{Infinity}\n1,2,{0}\n1,2,{-1}\n", "dense weight +Inf [1, 2]\ndense weight 0 [1, 2]\ndense weight -1 [1, 2]"},
		{numbers + "1,2%,3\n", "dense [1, 2]"},
		{numbers + "{0 1,}\n{}\n{ }\n{,1,,2}\n{'1',\"2\"}\n", "sparse [1, 0]\nsparse [0, 0]\nsparse [0, 0]\nsparse [0, 2]\nsparse [0, 2]"},
		{numbers + "' 1 ',\"\t2\x00\"\n", "dense [1, 2]"},
		{numbers + "1\x0c2\r3\x0b4\r\n\x1a", "dense [1, 2]\ndense [3, 4]"},
		{"@relation'r'\n@attribute'a b'numeric\n@attribute c{x,y}\n@attribute\"d\"{z}\n@data\n1 x z\n", `dense [1, "x", "z"]`},
		{"@relation r\n@attribute a real [0,10]\n@attribute b integer [0,10] % x\n@attribute c string it is\n@data\n1.5,2.5,z\n", `dense [1.5, 2.5, "z"]`},
		{"'@relation' r\n\"@attribute\" a 'NUMERIC'\n'@data'\n1\n", "dense [1]"},
		{"@relation r\n@attribute a {'?',?x,''}\n@data\n?\n'?'\n?x\n''\n", "dense [missing]\ndense [\"?\"]\ndense [\"?x\"]\ndense [\"\"]"},
		{"@relation r\n@attribute a {?}\n@data\n?\n'?'\n", "dense [missing]\ndense [\"?\"]"},
		{texts + "\u00a0,\u2028x\n", "dense [\"\\u00a0\", \"\\u2028x\"]"},
		{texts + "'\\351\\60','\\é\\8\\\\'\n", "dense [\"é0\", \"é8\\\\\"]"},
		{texts + "@data,@end\n@relation x\n", "dense [\"@data\", \"@end\"]\ndense [\"@relation\", \"x\"]"},
		{texts + "'@attribute',@attribute\n", "dense [\"@attribute\", \"@attribute\"]"},
		{bags + "1,'1,a\\r\\n\\r2,\\'b c\\' % note\\n'\n2,''\n3,?\n4,'5,?'\n", "dense [1, {dense [1, \"a\"]; dense [2, \"b c\"]}]\ndense [2, {}]\ndense [3, missing]\ndense [4, {dense [5, missing]}]"},
		{"@relation r\n@attribute a date yyyy\n@data\n' 2001 '\n\"2001\t\"\n", "dense [9.783072e+11]\ndense [9.783072e+11]"},
	} {
		strict, weka := rowsOf(NewReader(strings.NewReader(tt.text))), ""
		r := NewReader(strings.NewReader(tt.text))
		r.Weka = true
		weka = rowsOf(r)
		if strict != tt.rows || weka != tt.rows {
			t.Errorf("%q:\n%s\nas Weka\n%s\nwant\n%s", tt.text, strict, weka, tt.rows)
		}
	}
}

func TestAttributes(t *testing.T) {
	const text = `@relation 'a b'
@attribute a numeric {2.5}
@attribute b string {-1} rest
@attribute c {x, 'y z',,"it's"} {0x1p3}
@attribute d date
@attribute e date 'yyyy MM' {1e3}
@attribute f DATE {2}
@attribute g relational {3}
@attribute a {p} {1}
@attribute h relational
@attribute a integer [1,5]
@end 'H'
@end G
@data
`
	weka := NewReader(strings.NewReader(text))
	weka.Weka = true
	strict := NewReader(strings.NewReader(strings.Replace(text, "rest", "", 1)))
	for _, r := range []*Reader{strict, weka} {
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%q %+v", h.Relation, *h); !strings.Contains(got, "Class:-1") {
			t.Error(got)
		}
		var got []string
		for i := range h.Attributes {
			got = append(got, sayAttribute(&h.Attributes[i]))
		}
		want := []string{
			`"a" numeric weight 2.5`, `"b" string weight -1`, `"c" nominal ["x" "y z" "it's"] weight 8`,
			`"d" date "yyyy-MM-dd'T'HH:mm:ss"`, `"e" date "yyyy MM" weight 1000`, `"f" date "yyyy-MM-dd'T'HH:mm:ss" weight 2`,
			`"g" relational ("a" nominal ["p"]) ("h" relational ("a" numeric)) weight 3`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if again, err := r.Header(); err != nil || again != h {
			t.Error("a second call returns another header")
		}
	}
}

func TestNesting(t *testing.T) {
	nested := func(depth int) string {
		return "@relation r\n" + strings.Repeat("@attribute b relational\n", depth) + "@attribute x numeric\n" + strings.Repeat("@end b\n", depth) + "@data\n"
	}
	if _, err := NewReader(strings.NewReader(nested(maxDepth))).Header(); err != nil {
		t.Error(err)
	}
	for _, weka := range []bool{false, true} {
		r := NewReader(strings.NewReader(nested(maxDepth + 1)))
		r.Weka = weka
		if _, err := r.Header(); err == nil || err.Error() != "18:14: relations nest more than 16 deep" {
			t.Error(err)
		}
	}
}

func TestOptions(t *testing.T) {
	text := "@relation caf\xe9\n@attribute \xe4 {\xf6,\xc3\xb6,'\\351\xe9'}\n@attribute s string\n@data\n\xc3\xb6,\xfc\n'\\351\xe9','\\\xfc\xb5'\n{0 \xf6,1 x}\n"
	for _, weka := range []bool{false, true} {
		r := NewReader(strings.NewReader(text))
		r.Latin1, r.Weka = true, weka
		h, err := r.Header()
		if err != nil || h.Relation != "café" || h.Attributes[0].Name != "ä" {
			t.Fatal(h, err)
		}
		if got, want := rowsOf(r), "dense [\"Ã¶\", \"ü\"]\ndense [\"éé\", \"üµ\"]\nsparse [\"ö\", \"x\"]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for century, want := range map[int]string{1950: "-631152000000", 1951: "2524608000000", 1900: "-631152000000", 2000: "2524608000000"} {
		r := NewReader(strings.NewReader("@relation r\n@attribute d date yy\n@data\n50\n"))
		r.Century = century
		in, err := r.Read()
		if err != nil || fmt.Sprintf("%.0f", in.X.At(0)) != want {
			t.Errorf("century from %d: %v %v, want %s", century, in.X.Value, err, want)
		}
	}
}

// All faults of a text, by going on behind each.
func TestSkip(t *testing.T) {
	for _, tt := range []struct{ text, log string }{
		{numbers + "1,2\n1,x\n3,4,5\n'6,7\n8,9\n", "dense [1, 2]|6:3: expected a number|7:5: expected the end of the row|8:1: expected a closing quote|dense [8, 9]"},
		{numbers + "1,x", "5:3: expected a number"},
		{numbers + "1,x\r\n2,3", "5:3: expected a number|dense [2, 3]"},
		{"1 1:2\n-1 1:3\n", "1:1: expected @relation|3:1: expected @attribute, found the end of the file|end"},
		{"@elation r\n@attribute a numeric\n@attribute k {x,y}\n@data\n1,x\n2,y\n", "1:1: expected @relation|dense [1, \"x\"]|dense [2, \"y\"]"},
		{"@atribute a numeric\n@attribute k {x,y}\n@data\n1,x\n", "1:1: expected @relation|dense [\"1\", \"x\"]"},
		{"@attribute a float\n@attribute k {x,y}\n@data\n1,x\n", "1:1: expected @relation|dense [\"1\", \"x\"]"},
		{"junk\n@attribute a numeric\n@data\n1\n", "1:1: expected @relation|dense [1]"},
		{"junk\n@relation r\n@attribute a numeric\n@data\n1\n", "1:1: expected @relation|dense [1]"},
		{"junk\nmore junk\n@title x\n % note\n@RELATION r\n@attribute a numeric\n@data\n1\n", "1:1: expected @relation|3:1: expected @attribute or @data|dense [1]"},
		{"junk\n@relation\n@relation r\n@attribute a numeric\n@data\n1\n", "1:1: expected @relation|2:10: expected the name|3:1: expected @attribute or @data|dense [1]"},
		{"junk\n@relation r\nmore junk\n@attribute a numeric\n@relation b\n@data\n1\n", "1:1: expected @relation|3:1: expected @attribute or @data|5:1: expected @attribute or @data|dense [1]"},
		{"'junk\nmore junk\n@relation r\n@attribute a numeric\n@data\n1\n", "1:1: expected a closing quote|dense [1]"},
		{"'junk\n@attribute a numeric\n@data\n1\n", "1:1: expected a closing quote|dense [1]"},
		{"'junk\n", "1:1: expected a closing quote|2:1: expected @attribute, found the end of the file|end"},
		{"@elation r\n@relation r\n@attribute a numeric\n@data\n1\n", "1:1: expected @relation|dense [1]"},
		{"@attribute a numeric\n@relation r\n@data\n1\n", "1:1: expected @relation|2:1: expected @attribute or @data|dense [1]"},
		{"@data\n1\n", "1:1: expected @relation|end"},
		{"@relation r\n@relation b\n@attribute a numeric\n@data\n1\n", "2:1: expected @attribute or @data|dense [1]"},
		{"@relation r\n@attribute a numeric\n@relation b {x}\n@end x\n@end\n@data\n1\n", "3:1: expected @attribute or @data|4:1: expected @attribute or @data|5:1: expected @attribute or @data|dense [1]"},
		{"@relation r\n@attribute a numeric\n@end x\n@attribute b {x}\n@data\n1,x\n1\n", "3:1: expected @attribute or @data|dense [1, \"x\"]|7:2: expected a value of attribute \"b\""},
		{"@relation r\n@attribute a numeric\n@title what it is\n@data\n1\n", "3:1: expected @attribute or @data|dense [1]"},
		{"@relation r\n@attribute a numeric\n@attrib b float\n@data\n1,x\n", "3:1: expected @attribute or @data|dense [1, \"x\"]"},
		{"@relation r\n@column a numeric\n@attribute b numeric\n@data\n1,2\n,2\n1\n", "2:1: expected @attribute or @data|dense [\"1\", 2]|6:1: expected a value|7:2: expected a value of attribute \"b\""},
		{"@relation r\n@column b relational\n@attribute x numeric\n@end b\n@data\n'1'\n", "2:1: expected @attribute or @data|dense [{dense [1]}]"},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@ende b\n@attribute n numeric\n@data\n'1',2\n", "4:1: expected @attribute or @end \"b\"|dense [{dense [1]}, 2]"},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@data\n'1'\n", "4:1: expected @attribute or @end \"b\"|dense [{dense [1]}]"},
		{"@relation r\n@attribute a numeric\njunk line\n@attribute k {x,y}\n@data\n1,x\n", "3:1: expected @attribute or @data|dense [1, \"x\"]"},
		{"@relation r\n@attribute a string\nword\r\r\n % note\r\n , @DATA\r\n1\r\n", "3:1: expected @attribute or @data|dense [\"1\"]"},
		{"@relation r\n@attribute a numeric\nx\n2\ny\n@database\n", "3:1: expected @attribute or @data|dense [2]|5:1: expected a number|6:1: expected a number"},
		{"\xef\xbb\xbf@attribute a numeric\n@data\n1\n", "1:4: expected @relation|dense [1]"},
		{"@attribute a numeric\n@data\n1\n", "1:1: expected @relation|dense [1]"},
		{"@relation r x\n@attribute a numeric\n@data\n1\n", "1:13: expected the end of the line|dense [1]"},
		{"@relation r\n@attribute a float\n@attribute b numeric\n@data\n1,2\nx y,3\nx,4\n?,5\n{1 3}\n", "2:14: expected a type|dense [\"1\", 2]|6:3: expected a number|dense [\"x\", 4]|dense [missing, 5]|sparse [ , 3]"},
		{"@relation r\n@atribute a numeric\n@attribute a numeric\n@attribute a {x,x}\n@attribute {}\n@data\n1,2,3,4\n", "2:1: expected @attribute or @data|4:12: attribute \"a\" is declared in line 3 already|5:12: expected the name|dense [\"1\", 2, \"3\", \"4\"]"},
		{"@relation r\n@attribute a {x,x}\n@attribute b numeric\n@dta\n1,2\n", "2:17: attribute \"a\" has the label|4:1: expected @attribute or @data|dense [\"1\", 2]"},
		{"@relation r\n@attribute a numeric\n1\n2\n", "3:1: expected @attribute or @data|dense [1]|dense [2]"},
		{"@relation r\n@attribute a numeric\n@data 1\n2\n", "3:7: expected the end of the line after @data|dense [2]"},
		{"@relation r\n@data\n1\n", "2:1: expected @attribute before @data|end"},
		{"@relation r\n@dat\n@attribute a numeric\n@data\n1\n", "2:1: expected @attribute or @data|dense [1]"},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n@end c\n@attribute n numeric\n@data\n'1\\n2',3\n'x',3\n", "4:6: expected @end \"b\"|dense [{dense [1]; dense [2]}, 3]|8:2: in relation \"b\": expected a number"},
		{"@relation r\n@attribute b relational\n@attribute x numeric\n'1\\n2'\n", "4:1: expected @attribute or @end \"b\"|dense [{dense [1]; dense [2]}]"},
		{"\xff\xfe@\x00", "1:1: the text is UTF-16|end"},
	} {
		r := NewReader(strings.NewReader(tt.text))
		if r.Skip() {
			t.Errorf("%q: Skip without a fault", tt.text)
		}
		var log []string
		for {
			in, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				if _, again := r.Read(); again != err {
					t.Errorf("%q: first %v, then %v", tt.text, err, again)
				}
				if r.header == nil {
					if h, again := r.Header(); h != nil || again != err {
						t.Errorf("%q: first %v, then the header %v, %v", tt.text, err, h, again)
					}
				}
				log = append(log, err.Error())
				if !r.Skip() {
					log = append(log, "end")
					break
				}
				continue
			}
			h, err := r.Header()
			if err != nil {
				t.Fatal(err)
			}
			s := ""
			if in.Sparse && len(in.Strings) == 0 && h.Attributes[0].Type == format.String {
				s = fmt.Sprintf("sparse [ , %v]", in.X.At(1)) // nothing was made of what is left out
			} else {
				s = sayRow(h.Attributes, &in)
			}
			log = append(log, s)
		}
		want := strings.Split(tt.log, "|")
		ok := len(log) == len(want)
		for i := range min(len(log), len(want)) {
			ok = ok && strings.HasPrefix(log[i], want[i])
		}
		if !ok {
			t.Errorf("%q:\n%q\nwant\n%q", tt.text, log, want)
		}
		if r.Skip() {
			t.Errorf("%q: Skip at the end", tt.text)
		}
	}
}

func TestLine(t *testing.T) {
	r := NewReader(strings.NewReader(numbers + "1,2\n\r\n% c\r3,4\n"))
	var lines []int
	for {
		if _, err := r.Read(); err != nil {
			break
		}
		lines = append(lines, r.Line())
	}
	if !slices.Equal(lines, []int{5, 8}) {
		t.Errorf("rows in lines %v, want 5 and 8", lines)
	}
}

// A device that fails behind a backslash is not the end of the file.
func TestReadErrorInJoinedLine(t *testing.T) {
	failed := errors.New("failed")
	r := NewReader(io.MultiReader(strings.NewReader(texts+"x,'a\\\n"), failingReader{failed}))
	r.Weka = true
	for range 2 {
		if in, err := r.Read(); err != failed {
			t.Errorf("%v, %v", in, err)
		}
	}
	if r.Skip() {
		t.Error("Skip goes on behind a failed device")
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// rowsReader is an endless text of equal rows.
type rowsReader struct {
	header, row string
	rows        int
	rest        string
}

func (r *rowsReader) Read(p []byte) (n int, err error) {
	if r.header != "" {
		r.rest, r.header = r.header, ""
	}
	for n < len(p) {
		if r.rest == "" {
			if r.rows == 0 {
				return n, io.EOF
			}
			r.rest = r.row
			r.rows--
		}
		k := copy(p[n:], r.rest)
		r.rest = r.rest[k:]
		n += k
	}
	return n, nil
}

// Reading takes the same memory for any number of rows, and rows of numbers and
// labels take none of their own.
func TestMemory(t *testing.T) {
	for _, tt := range []struct {
		name, row, end string
		weka           bool
	}{
		{"dense", "1,yes,2001-02-03", "\n", false},
		{"dense, as Weka", "1.5 , no,2001-02-03", "\n", true},
		{"carriage returns", "1.5,no,?", "\r", false},
		{"sparse", "{0 7, 1 no}", "\n", false},
		{"sparse, quoted", "{'0' '7',1 'no',2 \"2001-02-03\"},{0.5}", "\r\n", false},
	} {
		r := NewReader(&rowsReader{header: strings.Replace(mixed, "@attribute s string\n", "", 1), row: tt.row + tt.end, rows: 100_000})
		r.Weka = tt.weka
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 1
		for ; ; n++ {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if n != 100_000 {
			t.Errorf("%s: %d rows", tt.name, n)
		}
		if b := after.TotalAlloc - before.TotalAlloc; b > 100_000 {
			t.Errorf("%s: %d bytes allocated for %d rows", tt.name, b, n)
		}
	}
}

func TestMissingIsNaN(t *testing.T) {
	r := NewReader(strings.NewReader(numbers + "?,NaN\n"))
	in, err := r.Read()
	if err != nil || !math.IsNaN(in.X.Value[0]) || !math.IsNaN(in.X.Value[1]) || !slices.Equal(in.X.Index, []int32{0, 1}) {
		t.Errorf("%v %v", in, err)
	}
}

// TestMarkedJoinedLine: a byte order mark does not shift what Weka joins to the first
// line.
func TestMarkedJoinedLine(t *testing.T) {
	r := NewReader(strings.NewReader("\xef\xbb\xbf@relation 'a\\\nb'\n@attribute x numeric\n@data\n1\n"))
	r.Weka = true
	if h, err := r.Header(); err != nil || h.Relation != "a\nb" {
		t.Errorf("%+v, %v", h, err)
	}
}
