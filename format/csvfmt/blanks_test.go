package csvfmt_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Tables whose cells stand apart by blanks are found out where nothing else fits and
// a text of one column would not look like that.
func TestBlanks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a b c\n1 2 x\n3 4 y\n", "a b *c{x,y} | 1 2 x | 3 4 y"},
		{" 0.006  18.0\t 2.31  24.0\n 0.02   0.0 \t7.07  21.6\n 0.03   0.0   7.07  34.7 \n", "att1 att2 att3 *att4 | 0.006 18 2.31 24 | 0.02 0 7.07 21.6 | 0.03 0 7.07 34.7"},
		{"ADT1 0.58 0.61 MIT\r\nADT2 0.43 0.67 MIT\r\nADT3 0.64 0.62 CYT\r\n", "att1{ADT1,ADT2,ADT3} att2 att3 *att4{MIT,CYT} | ADT1 0.58 0.61 MIT | ADT2 0.43 0.67 MIT | ADT3 0.64 0.62 CYT"},
		{"1\t2\t\t3\n4\t5\t6\n7\t\t8\t9\n", "att1 att2 *att3 | 1 2 3 | 4 5 6 | 7 8 9"},
		{"a\tb c\n1\t2 3\n4\t5 6\n7\t8 9\n", "a b *c | 1 2 3 | 4 5 6 | 7 8 9"},
		{"18.0  8  307.\t\"chevy\"\n15.0  8  350.\t\"buick\"\n", "att1 att2 att3 *att4{chevy,buick} | 18 8 307 chevy | 15 8 350 buick"},
		{"18.0  8  307.\t\"a chevy\"\n15.0  8  350.\t\"a buick\"\n", "att1 att2 att3 *att4{a chevy,a buick} | 18 8 307 a chevy | 15 8 350 a buick"},
		// as R writes them
		{"\"a\" \"b\"\n\"x y\" 1\n\"z\" 2\n", "a{x y,z} *b | x y 1 | z 2"},
		{"\"a\" \"b\"\n\"1\" 1 \"x\"\n\"2\" NA \"y\"\n\"3\" 3 \"x\"\n", "a{1,NA,3} *b{x,y} | 1 x | NA y | 3 x"},
		{"\"a\" \"b\"\n\"r one\" 1 \"x\"\n", "a *b{x} | 1 x"},
		{"\"a\"\n\"1\" 5\n\"2\" 6\n", "*a | 5 | 6"},
		{"a b\nr1 1 x\nr2 2 y\nr3 3 x\n", "a *b{x,y} | 1 x | 2 y | 3 x"},
		{"\"a\" \"b\"\n\"1\" 1 \"say \\\"x\\\" \"\n\"2\" 2 \"C:\\dir\"\n\"3\" 3 \"a \"\"b\"\"\"\n", "a *b{say \"x\" ,C:\\dir,a \"b\"} | 1 say \"x\"  | 2 C:\\dir | 3 a \"b\""},
		{"\"a\" \"b\"\n\"1\" 1 \"x\ny\"\n\"2\" 2 \"z\"\n", "a *b{x\ny,z} | 1 x\ny | 2 z"},
		{"\"a\" \"b\"\n\"1\" 1 \"\"\n\"2\" 2 \"z\"\n", "a *b{,z} | 1  | 2 z"},
		// with a fault
		{"\"a\" \"b\"\n\"x y\" 1\n\"z\" 2\n\"z\"3\n", `a{x y,z} *b | x y 1 | z 2 | 4:4: expected a blank or the end of the line behind the closing quote, found "3"`},
		{"a b\n" + strings.Repeat("1 x\n", 9) + "2\n", "a *b{x} | " + strings.Repeat("1 x | ", 9) + "11:2: the line ends after 1 cell, expected 2 as in the first"},
		// which are no such tables
		{"a b\n" + strings.Repeat("1 x\n", 8) + "2\n", "*a b{1 x,2} | " + strings.Repeat("1 x | ", 8) + "2"},
		{"a b\n1 2\n", "*a b{1 2} | 1 2"},
		{"New York\nLos Angeles\nSan Jose\n", "*New York{Los Angeles,San Jose} | Los Angeles | San Jose"},
		{"when\n2024-01-01 12:00\n2024-01-01 12:01\n2024-01-02 12:00\n", "*when{2024-01-01 12:00,2024-01-01 12:01,2024-01-02 12:00} | 2024-01-01 12:00 | 2024-01-01 12:01 | 2024-01-02 12:00"},
		{"address\nMain 12\nOak 5\nElm 7\n", "*address{Main 12,Oak 5,Elm 7} | Main 12 | Oak 5 | Elm 7"},
		{"a b,c\n1 2,3\n4 5,6\n7 8,9\n", "a b{1 2,4 5,7 8} *c | 1 2 3 | 4 5 6 | 7 8 9"},
		{"1 000\t2\n3 000\t5\n4 100\t6\n", "att1{1 000,3 000,4 100} *att2 | 1 000 2 | 3 000 5 | 4 100 6"},
		{"1 2\t5\nJane Doe\t6\nJim Poe\t6\n", "att1{1 2,Jane Doe,Jim Poe} *att2 | 1 2 5 | Jane Doe 6 | Jim Poe 6"},
		{"John Smith\t5\nJane Doe\t6\nJim Poe\t6\n", "att1{John Smith,Jane Doe,Jim Poe} *att2 | John Smith 5 | Jane Doe 6 | Jim Poe 6"},
		{"1\t\t3\n4\t\t6\n7\t\t9\n", "att1 att2 *att3 | 1 ? 3 | 4 ? 6 | 7 ? 9"},
		{"1 1:2 2:3\n-1 1:1 2:4\n1 1:0 2:5\n", "*1 1:2 2:3{-1 1:1 2:4,1 1:0 2:5} | -1 1:1 2:4 | 1 1:0 2:5"},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	blanks := func(r *csvfmt.Reader) { r.Separator = csvfmt.Blanks }
	for _, c := range []struct{ text, want string }{
		{"a b\n1 2\n", "a *b | 1 2"},
		{"  a\t b \n\n \t\n1 2\n", "a *b | 1 2"},
		{"when t\n2024-01-01 12:00\n", "when{2024-01-01} *t{12:00} | 2024-01-01 12:00"},
		{"a b\n1 2\n3\n", "a *b | 1 2 | 3:2: the line ends after 1 cell, expected 2 as in the first"},
		{"a b\n1 2\n3 4 x\n", `a *b | 1 2 | 3:5: cell 3 is one too many: expected 2 as in the first line, found "x"`},
		{"a b\n1 \"2\"x\n", `a *b | 2:6: expected a blank or the end of the line behind the closing quote, found "x"`},
		{"a b\n1 x\"y\n", `a *b | 2:4: unexpected '"' inside the cell "x\"y": expected quotes around the cell, and doubled inside`},
		{"a b\nr1 1 2\nr2 3\nr3 4 5\n", "a *b | 1 2 | 3:5: the line ends after 2 cells, expected 3: the row's name and one for each name in the first"},
		{"a b\nr1 1 2\nr2 3 4 5\nr3 4 5\n", `a *b | 1 2 | 3:8: cell 4 is one too many: expected the row's name and one for each of 2 names in the first line, found "5"`},
		{"a b\r1 2\r\"x\ry\" 3\r", "a{1,x\ny} *b | 1 2 | x\ny 3"},
		{"x", "*x"},
		{" \t\n", "there is no line, expected names or a row"},
	} {
		wantMeaning(t, blanks, c.text, c.want)
	}
}

// Names of rows stand in front of the cells, with none above them.
func TestRowNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\"a\",\"b\"\n\"1\",5,\"x\"\n\"2\",6,\"y\"\n", "a *b{x,y} | 5 x | 6 y"},
		{"\"a\",\"b\"\n\"1\",5,6\n\"2\",7,\n", "a *b | 5 6 | 7 ?"},
		{"a\tb\ng1\t5\tx\ng2\t6\ty\n", "a *b{x,y} | 5 x | 6 y"},
		{"a;b\ng1;5,x;1\ng2;6,x;2\n", "a{5,x,6,x} *b | 5,x 1 | 6,x 2"},
		{"\"a\"\t\"b\"\n\"1\"\t\"x\ty\"\t7\n\"2\"\t\"z\"\t8\n", "a{x\ty,z} *b | x\ty 7 | z 8"},
		{"a|b;k\nu|v|w;1\nx|y|z;2\n", "a|b{u|v|w,x|y|z} *k | u|v|w 1 | x|y|z 2"}, // without, if that fits
		// which are none
		{"a,b\n1,5,2\n2,5,3\n", `a *b | 2:5: cell 3 is one too many: expected 2 as in the first line, found "2"`},
		{"a,\"b\"\n\"1\",5,6\n\"2\",7,8\n", `a *b | 2:7: cell 3 is one too many: expected 2 as in the first line, found "6"`},
		{"a\t?\n1\t2\t3\n2\t4\t5\n", `att1{a} *att2 | a ? | 2:5: cell 3 is one too many: expected 2 as in the first line, found "3"`},
		{"a;b\n1;2;\n3;4;\n", `a *b | 2:5: cell 3 is one too many: expected 2 as in the first line, found ""`},
		{"a\tb\n1\t2\t\n3\t4\t\n", "a *b | 1 2 | 3 4"},
		{"a;b,c\n1;2,3\n2;3,4\n", "a *b,c | 2:3: the number \"2,3\" has a comma: expected a decimal point, and nothing between thousands"},
		{"a\tb\n1\t2\t3\n1\t4\t5\n", `a *b | 2:5: cell 3 is one too many: expected 2 as in the first line, found "3"`},
		{"a\tb\n1\t2\t3\n", `a *b | 2:5: cell 3 is one too many: expected 2 as in the first line, found "3"`},
		{"a\tb\n1\t2\t3\n2\t4\n3\t4\n", `a *b | 2:5: cell 3 is one too many: expected 2 as in the first line, found "3"`},
		{"1\tb\n1\t2\t3\n2\t4\t5\n", `att1 *att2{b} | 1 b | 2:5: cell 3 is one too many: expected 2 as in the first line, found "3"`},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	rows := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineRow }
	wantMeaning(t, rows, "a\tb\ng1\t5\tx\ng2\t6\ty\n", `att1{a} *att2{b} | a b | 2:6: cell 3 is one too many: expected 2 as in the first line, found "x"`)
	names := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineNames }
	wantMeaning(t, names, "1\t2\ng1\t5\tx\ng2\t6\ty\n", "1 *2{x,y} | 5 x | 6 y")
}

// A first line sep=X says what separates, as in Excel, and is neither names nor a row.
func TestSeparatorLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sep=;\na;k\n1;x\n2;y\n3;x\n", "a *k{x,y} | 1 x | 2 y | 3 x"},
		{"\xef\xbb\xbfsep=,\r\na,k\r\n1,x;y\r\n2,z;y\r\n", "a *k{x;y,z;y} | 1 x;y | 2 z;y"},
		{"sep=;\ra;k\r1;x\r2;y\r", "a *k{x,y} | 1 x | 2 y"},
		{"sep=\t\na\tk\n1\tx\n", "a *k{x} | 1 x"},
		{"sep=:\na:k\n1:x\n\n2:y:z\n", `a *k{x} | 1 x | 5:5: cell 3 is one too many: expected 2 as in the first line, found "z"`},
		{"sep=;\n", "there is no line, expected names or a row"},
		{"sep=;\n5;6\n7;8\n", "att1 *att2 | 5 6 | 7 8"},
		{"sep=;\n\"a\";\"k\"\n\"1\";2;\"x\"\n\"2\";3;\"y\"\n", "a *k{x,y} | 2 x | 3 y"},
		// which are names
		{"\"sep=;\"\nx\n", "*sep=;{x} | x"},
		{"sep=x\n1\n", "*sep=x | 1"},
		{"sep=;,a\n1,2\n", "sep=; *a | 1 2"},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	comma := func(r *csvfmt.Reader) { r.Separator = ',' }
	wantMeaning(t, comma, "sep=;\na,k\n1,x\n", "a *k{x} | 1 x")
}

// What a reader might take for separated cells or for the line that names a separator
// is written in quotes.
func TestWriterBlanks(t *testing.T) {
	for _, c := range []struct {
		separator byte
		columns   []format.Attribute
		rows      []format.Instance
		want      string
	}{
		{0, []format.Attribute{nominal("a b", "1 2", "3 4")}, []format.Instance{at([]float64{0}), at([]float64{1}), at([]float64{0})}, "\"a b\"\n\"1 2\"\n\"3 4\"\n\"1 2\"\n"},
		{0, []format.Attribute{nominal("sep=:", "x"), numeric("n")}, []format.Instance{at([]float64{0, 1})}, "\"sep=:\",n\nx,1\n"},
		{'\t', []format.Attribute{nominal("a", "1 2", "x y"), numeric("n")}, []format.Instance{at([]float64{0, 1}), at([]float64{1, 2})}, "a\tn\n\"1 2\"\t1\nx y\t2\n"},
	} {
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		w.Separator = c.separator
		if got := written(w, &out, &format.Header{Attributes: c.columns}, c.rows...); got != c.want {
			t.Errorf("written as %q, want %q", got, c.want)
		}
		h, err := csvfmt.NewReader(strings.NewReader(c.want)).Header()
		if err != nil || len(h.Attributes) != len(c.columns) || h.Attributes[0].Name != c.columns[0].Name {
			t.Errorf("%q reads as %v, %v", c.want, h, err)
		}
	}
}

// Content tells such tables where a name does not.
func TestSniffBlanks(t *testing.T) {
	for text, want := range map[string]bool{
		"sep=;\na\n": true, "sep=x\na\n": false, "1 2\n3 4\n5 6\n": true, "1 2\n3 4\n": false, "\"a\" \"b\"\n\"r\" 1 2\n": true,
		"1 1:2\n-1 1:3\n1 1:4\n": false, "a b\nc d\ne f\n": false,
	} {
		if got := csvfmt.Codec.Sniff([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// TestTabsOfLongRecords: where no more than the first of some records is looked at, and a name has
// a blank, tabs separate.
func TestTabsOfLongRecords(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	r := csvfmt.NewReader(strings.NewReader("a a\t" + long + "\tb\t\",\"\n1\t\t2\t" + long + "\n"))
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Attributes) != 4 || h.Attributes[0].Name != "a a" {
		t.Errorf("%d columns, the first is %q", len(h.Attributes), h.Attributes[0].Name)
	}
}
