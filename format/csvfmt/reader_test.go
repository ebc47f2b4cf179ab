package csvfmt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// meaning returns what a reader reads as text: the columns, then the rows.
//
//	a *b{x,y} c"" | 1 x "t" | ? y ?
//
// is a Numeric column a, a Nominal b, the class, with two labels, and a String c.
func meaning(r *csvfmt.Reader) string {
	h, err := r.Header()
	if err != nil {
		return err.Error()
	}
	var columns []string
	for k, a := range h.Attributes {
		s := a.Name
		if k == h.Class {
			s = "*" + s
		}
		switch a.Type {
		case format.Nominal:
			s += "{" + strings.Join(a.Labels, ",") + "}"
		case format.String:
			s += `""`
		}
		columns = append(columns, s)
	}
	records := []string{strings.Join(columns, " ")}
	for {
		in, err := r.Read()
		if err == io.EOF {
			return strings.Join(records, " | ")
		}
		if err != nil {
			return strings.Join(append(records, err.Error()), " | ")
		}
		var cells []string
		for k, v := range in.X.Value {
			cells = append(cells, cellOf(h.Attributes[k], v, in.Strings))
		}
		records = append(records, strings.Join(cells, " "))
	}
}

func cellOf(a format.Attribute, v float64, texts []string) string {
	switch {
	case math.IsNaN(v):
		return "?"
	case a.Type == format.Nominal:
		return a.Labels[int(v)]
	case a.Type == format.String:
		return fmt.Sprintf("%q", texts[int(v)])
	}
	return fmt.Sprint(v)
}

type options func(r *csvfmt.Reader)

// wantMeaning checks what a text means, from inputs that can be read again and
// from others.
func wantMeaning(t *testing.T, set options, text, want string) {
	t.Helper()
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		r := csvfmt.NewReader(in)
		if set != nil {
			set(r)
		}
		if got := meaning(r); got != want {
			t.Errorf("%.200q means\n\t%.500s\nwant\n\t%s", text, got, want)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a,b,c\n1,x,3\n2,y,4\n", "a b{x,y} *c | 1 x 3 | 2 y 4"},
		// numbers
		{"a\n1\n-1\n+1\n.5\n5.\n1e3\n1E-3\n-1.5e+2\n007\n", "*a | 1 | -1 | 1 | 0.5 | 5 | 1000 | 0.001 | -150 | 7"},
		{"a\ninf\n-Infinity\n1\n", "*a | +Inf | -Inf | 1"},
		{"a\n1\nnan\n-NaN\n", "*a | 1 | ? | ?"},
		{"a\n1e-400\n4e-324\n", "*a | 0 | 5e-324"},
		{"a\n1\n0x10\n", "*a{1,0x10} | 1 | 0x10"},
		{"a\n1\n1_000\n", "*a{1,1_000} | 1 | 1_000"},
		{"a\n1\n1 000\n", "*a{1,1 000} | 1 | 1 000"},
		{"a\n1\ninfin\n", "*a{1,infin} | 1 | infin"},
		{"a\n1\nnan(1)\n", "*a{1,nan(1)} | 1 | nan(1)"},
		{"a\n1\n1e\n1e+\n", "*a{1,1e,1e+} | 1 | 1e | 1e+"},
		{"a\n1\n-\n.\n", "*a{1,-,.} | 1 | - | ."},
		{"a\n1\n12:30\n", "*a{1,12:30} | 1 | 12:30"},
		// labels come in their order, numbers among them
		{"a,b\nz,1\nb,2\nz,3\na,4\n", "a{z,b,a} *b | z 1 | b 2 | z 3 | a 4"},
		{"a,b\n3,1\n1,2\nx,3\n3,4\n2,5\n", "a{3,1,x,2} *b | 3 1 | 1 2 | x 3 | 3 4 | 2 5"},
		{"a,b\n1,1\n1.0,2\nx,3\n01,4\n", "a{1,1.0,x,01} *b | 1 1 | 1.0 2 | x 3 | 01 4"},
		{"a,b\nyes,1\nYes,2\n\" yes\",3\n yes ,4\n", "a{yes,Yes, yes} *b | yes 1 | Yes 2 |  yes 3 | yes 4"},
		{"a,b\n\"1a,2\",1\n\"3;,\",2\n\"4\"\"\",3\n", "a{1a,2,3;,,4\"} *b | 1a,2 1 | 3;, 2 | 4\" 3"},
		// missing values
		{"a,b\n1,\n?,x\n,y\n ? , \n", "a *b{x,y} | 1 ? | ? x | ? y | ? ?"},
		{"a,b\n1,2\n3, \n4,5 \n", "a *b | 1 2 | 3 ? | 4 5"},
		{"a,b\n1,\"?\"\n2,\"\"\n", "a *b{?,} | 1 ? | 2 "},
		{"a,b\n1,\n2,?\n", "a *b | 1 ? | 2 ?"},
		{"a,b\n", "a *b"},
		// quotes
		{"a,b\n\"1\",\"x\"\n\"2\",\"y\"\n", "a{1,2} *b{x,y} | 1 x | 2 y"},               // the names are free
		{"\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n", "a *b{x,y} | 1 x | 2 y"},            // nothing is
		{"\"a\",\"b\"\n\"1\",\"x\"\n\"2\",y\n", "a{1,2} *b{x,y} | 1 x | 2 y"},           // something is
		{"\"a\",\"b\"\n1,\"x\"\n\"2\",y\n", "a *b{x,y} | 1 x | 2 y"},                    // not all of the column
		{"a,b\n\"x \"\"y\"\"\",1\n\"\"\"\",2\n", "a{x \"y\",\"} *b | x \"y\" 1 | \" 2"}, // doubled
		{"a,b\n\"x\ny\r\nz\",1\n \"x,y\" ,2\n", "a{x\ny\r\nz,x,y} *b | x\ny\r\nz 1 | x,y 2"},
		{"\"a\",\"b\"\n1,\"2\"\n3,\"4\"\n", "a *b{2,4} | 1 2 | 3 4"},
		{"a,b\n'x',1\nit's,2\n", "a{'x',it's} *b | 'x' 1 | it's 2"},
		{"a,b\n\"\",\"\"\n", "a{} *b{} |  "},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
}

func TestFirstLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// text over numbers: names
		{"a,b\n1,x\n", "a *b{x} | 1 x"},
		{"v\n1\n2\n", "*v | 1 | 2"},
		{",a\n0,1\n1,2\n", "att1 *a | 0 1 | 1 2"}, // pandas's index
		{"\"\",\"a\"\n\"r1\",1\n\"r2\",2\n", "\"\" *a | \"r1\" 1 | \"r2\" 2"},
		{"\"\",\"a\"\n\"1\",0.5\n\"2\",0.7\n", "\"\" *a | \"1\" 0.5 | \"2\" 0.7"}, // R's row names
		{"\"\",\"a\"\n\"1\",0.5\n\"1\",0.7\n", "{1} *a | 1 0.5 | 1 0.7"},          // and what are none
		{"\"\",\"a\"\n\"1\",0.5\n\"2\",0.7\n,0.9\n", "{1,2} *a | 1 0.5 | 2 0.7 | ? 0.9"},
		{"\"b\",\"\",\"a\"\n1,\"r1\",0.5\n2,\"r2\",0.7\n", "b {r1,r2} *a | 1 r1 0.5 | 2 r2 0.7"},
		{"\"\",\"a\"\nr1,0.5\n\"r2\",0.7\n", "{r1,r2} *a | r1 0.5 | r2 0.7"},
		{"\"a\",\"\"\n0.5,\"x\"\n0.7,\"y\"\n", "a *{x,y} | 0.5 x | 0.7 y"},
		{"a,b\n?,1\n,2\n", "a *b | ? 1 | ? 2"},
		{"a,b,\n1,x,\n", "a b{x} *att3 | 1 x ?"},
		{"male,x\n1,male\n", "male *x{male} | 1 male"},
		{"a,b\n1,b\n2,c\n", "a *b{b,c} | 1 b | 2 c"},
		{"NA,K\n1,2\n", "NA *K | 1 2"},
		{"NA,kind\n1,x\n", "NA *kind{x} | 1 x"},
		// numbers, missing values, equal texts: a row
		{"1,2\n3,4\n", "att1 *att2 | 1 2 | 3 4"},
		{"5.1,setosa\n4.9,setosa\n", "att1 *att2{setosa} | 5.1 setosa | 4.9 setosa"},
		{"\"1\",\"2\"\n\"3\",\"4\"\n", "att1 *att2 | 1 2 | 3 4"},
		{"1,2,x\n3,4,\n5,6,\n", "att1 att2 *att3{x} | 1 2 x | 3 4 ? | 5 6 ?"},
		{"?,x\ny,z\n", "att1{y} *att2{x,z} | ? x | y z"},
		{"x,x\ny,z\n", "att1{x,y} *att2{x,z} | x x | y z"},
		{"1", "*att1 | 1"},
		{"x,1", "att1{x} *att2 | x 1"},
		{"1,2\nx,4\n3,5\n", "att1{1,x,3} *att2 | 1 2 | x 4 | 3 5"},
		{"b,2\nx,4\n3,5\n", "att1{b,x,3} *att2 | b 2 | x 4 | 3 5"},
		// text over text: names, unless one comes again
		{"outlook,play\nsunny,yes\nsunny,no\n", "outlook{sunny} *play{yes,no} | sunny yes | sunny no"},
		{"p,x,s\ne,x,y\np,b,s\n", "att1{p,e} att2{x,b} *att3{s,y} | p x s | e x y | p b s"},
		{"EI,d1,ACG\nEI,d2,CCA\nN,d3,GGT\n", "att1{EI,N} att2{d1,d2,d3} *att3{ACG,CCA,GGT} | EI d1 ACG | EI d2 CCA | N d3 GGT"},
		{"name,city\nBob,Paris\n", "name{Bob} *city{Paris} | Bob Paris"},
		{"name,city", "name *city"},
		{"name", "*name"},
		{"\"1\",\"2\"\n", "1 *2"},
		{",", "att1 *att2"},
		// all in quotes, and some column below not: names, whatever they are
		{"\"1990\",\"1991\"\n1,2\n3,4\n", "1990 *1991 | 1 2 | 3 4"},
		{"\"x\",\"y\"\n1,y\n2,y\n", "x *y{y} | 1 y | 2 y"},
		{"\"x\",\"?\"\nx,y\ny,\n", "x{x,y} *?{y} | x y | y ?"},
		// unclear
		{"N/A,5\n3,6\n", `1:1: cannot tell whether the first line holds names: there are only numbers below "N/A", but "5" in column 2 is no name; say which it is, or which words are missing values`},
		{"5,x\n3,6\n", `1:3: cannot tell whether the first line holds names: there are only numbers below "x", but "5" in column 1 is no name; say which it is, or which words are missing values`},
		{"label,0,1\n5,0,0\n", `1:1: cannot tell whether the first line holds names: there are only numbers below "label", but "0" in column 2 is no name; say which it is, or which words are missing values`},
		{"NA,yes\n3,yes\n4,no\n", `1:1: cannot tell whether the first line holds names: there are only numbers below "NA", but "yes" in column 2 comes again; say which it is, or which words are missing values`},
		{"x,?\n3,yes\n4,no\n", `1:1: cannot tell whether the first line holds names: there are only numbers below "x", but "?" in column 2 is no name; say which it is, or which words are missing values`},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	names := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineNames }
	rows := func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineRow }
	wantMeaning(t, names, "label,0,1\n5,0,0\n", "label 0 *1 | 5 0 0")
	wantMeaning(t, names, "1,2\n3,4\n", "1 *2 | 3 4")
	wantMeaning(t, names, "1,2\n", "1 *2")
	wantMeaning(t, names, "?,x\n3,4\n", "? *x | 3 4")
	wantMeaning(t, names, "x,y,x\n3,4,5\n", `1:5: another column has the name "x" already`)
	wantMeaning(t, names, "att2,\n3,4\n", "att2 *att2_2 | 3 4")
	wantMeaning(t, names, ",att1,\n2,3,4\n", "att1_2 att1 *att3 | 2 3 4")
	wantMeaning(t, names, ",att1,att1_2,\"\",\n2,3,4,5,6\n", "att1_3 att1 att1_2  *att5 | 2 3 4 5 6")
	wantMeaning(t, names, ",att1,att1\n2,3,4\n", `1:7: another column has the name "att1" already`)
	wantMeaning(t, rows, "N/A,5\n3,6\n", "att1{N/A,3} *att2 | N/A 5 | 3 6")
	wantMeaning(t, rows, "N/A,5\n3,6\n4,5\nN/A,3\n", "att1{N/A,3,4} *att2 | N/A 5 | 3 6 | 4 5 | N/A 3")
	wantMeaning(t, rows, "name,city\nBob,Paris\n", "att1{name,Bob} *att2{city,Paris} | name city | Bob Paris")
	wantMeaning(t, rows, "x\n", "*att1{x} | x")
}

func TestDialects(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a;b\n1;2\n", "a *b | 1 2"},
		{"a\tb\n1\t2\n", "a *b | 1 2"},
		{"a|b\n1|2\n", "a *b | 1 2"},
		// in quotes that it takes for the comma alone
		{"x,g\n\"1,5\",a\n\"2,5\",b\n\"1,500\",b\n", `x *g{a,b} | 2:1: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
		{"g,x\na,\"1,5\"\nb,\n", `g{a,b} *x | 2:3: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
		// and in others, which mean that it is a text
		{"x,g\n\"1,5\",a\n\"2\",b\n", `x{1,5,2} *g{a,b} | 1,5 a | 2 b`},
		{"x;g\n\"1,5\";a\n\"2,5\";b\n", `x{1,5,2,5} *g{a,b} | 1,5 a | 2,5 b`},
		{"a;b\n1,500;2\n1;3\n", `a *b | 2:1: the number "1,500" has a comma: expected a decimal point, and nothing between thousands`},
		{"a,b\nx;y,1\nz;u,2\n", "a{x;y,z;u} *b | x;y 1 | z;u 2"},
		{"id\tname\n1\tSmith, J\n2\tDoe, J\n", "id *name{Smith, J,Doe, J} | 1 Smith, J | 2 Doe, J"},
		{"1,Toy (1995),A|C\n2,Heat (1995),A|D\n", "att1 att2{Toy (1995),Heat (1995)} *att3{A|C,A|D} | 1 Toy (1995) A|C | 2 Heat (1995) A|D"},
		{"a,b\n\"1;2;3\",4\n\"1;2;3\",5\n", "a{1;2;3} *b | 1;2;3 4 | 1;2;3 5"},
		{"a;b\n\"x,y\";2\n\"z,y\";2\n", "a{x,y,z,y} *b | x,y 2 | z,y 2"},
		{"a;b,c\n1;2", "a *b,c | 1 2"},
		{"a;b,c\n1;2\n3;4,5,6\n", "a *b,c{2,4,5,6} | 1 2 | 3 4,5,6"},
		{"\"a\nb\",c\n1,2\n", "a\nb *c | 1 2"},
		{"a b\n1 2\n", "*a b{1 2} | 1 2"},
		{"a, b ,c\n 1,2 ,\t3\t\n", "a b *c | 1 2 3"},
		{"a\t b \tc\n1\t 2\t\n\t\t\n", "a b *c | 1 2 ? | ? ? ?"},
		{"a,b\r1,2\r3,4", "a *b | 1 2 | 3 4"},
		{"\"a\rb\",c\n1,2\n", "a\rb *c | 1 2"},
		{"\"a\",b\r\"1\rx\",2\r", "a{1\nx} *b | 1\nx 2"},
		{"\"a\",b\r\"1\r\nx\",2\r", "a{1\nx} *b | 1\nx 2"},
		{"a,b\r1,2\r\n3\r", "a *b | 1 2 | 3:2: the line ends after 1 cell, expected 2 as in the first"},
		{"a,b\r1,2\r\n3,4\n5,6\r", "a *b | 1 2 | 3 4 | 5 6"},
		{"a,b\n1,2\r3,4\n", "a *b | 2:4: carriage return inside a line: expected quotes around the cell"},
		{"a,b\r\n1,2\r\n\r\n3,4\r", "a *b | 1 2 | 3 4"},
		{"\xef\xbb\xbf\"a\",b\n1,2\n", "a *b | 1 2"},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	semicolon := func(r *csvfmt.Reader) { r.Separator = ';' }
	wantMeaning(t, semicolon, "a,b\n1,2\n", "*a,b | 2:1: the number \"1,2\" has a comma: expected a decimal point, and nothing between thousands")
	single := func(r *csvfmt.Reader) { r.Quote = '\'' }
	wantMeaning(t, single, "a,b\n'x, ''y''',1\n\"u\",2\n", "a{x, 'y',\"u\"} *b | x, 'y' 1 | \"u\" 2")
	wantMeaning(t, single, "a,b\nit's,1\n", `a *b | 2:3: unexpected '\'' inside the cell "it's": expected quotes around the cell, and doubled inside`)
}

// Weka's CSV has backslashes before quotes and other characters, in quotes only.
func TestBackslash(t *testing.T) {
	weka := func(r *csvfmt.Reader) { r.Quote, r.Backslash = '\'', true }
	wantMeaning(t, weka, `'n\'m',b
'it\'s','50\%'
'say \"hi\"','C:\\temp'
C:\new,'\\'
'\\\'','\\n'
'\'','x\r\n\ty'
'\u001E\u0041',''
`, "n'm{it's,say \"hi\",C:\\new,\\',',\x1eu0041} *b{50%,C:\\temp,\\,\\n,x\r\n\ty,} | it's 50% | say \"hi\" C:\\temp | C:\\new \\ | \\' \\n | ' x\r\n\ty | \x1eu0041 ")
	wantMeaning(t, weka, "a;b\n'x;\\'y';1\n'''';2\n", "a{x;'y,'} *b | x;'y 1 | ' 2")
	wantMeaning(t, weka, "a,b\n'x\\',1\n", "a *b | 2:1: the quote that opens here is not closed")
	wantMeaning(t, weka, "'a\\'\n',b\r1,x\r2,y\r", "a'\n *b{x,y} | 1 x | 2 y")
	wantMeaning(t, func(r *csvfmt.Reader) { r.Backslash = true }, "a,b\n\"x\\\"\\ty\",1\n", "a{x\"\ty} *b | x\"\ty 1")
	wantMeaning(t, func(r *csvfmt.Reader) { r.Quote = '\'' }, `a,b
'50\%',1
`, `a{50\%} *b | 50\% 1`)
}

// Faults in a first record have no rows in front of them.
func TestFirstRecordFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "there is no line, expected names or a row",
		"\n\r\n  \n":                    "there is no line, expected names or a row",
		"\"a":                           "1:1: the quote that opens here is not closed",
		"a,\"b\" c\n1,2":                `1:7: expected ',' or the end of the line behind the closing quote, found "c"`,
		"a,b\x00\n":                     "1:4: unexpected NUL byte: expected a text in UTF-8",
		"\xfe\xff\x00a":                 "1:1: the text is UTF-16, expected UTF-8",
		"\x00\x00\xfe\xff\x00\x00\x00a": "1:1: the text is UTF-32, expected UTF-8",
	} {
		wantMeaning(t, nil, text, want)
	}
	wide := strings.Repeat(",", 1<<20)
	wantMeaning(t, nil, wide, "1:1048577: more than 1048576 columns")
}

func TestMissingWords(t *testing.T) {
	words := func(words ...string) options {
		return func(r *csvfmt.Reader) { r.Missing = words }
	}
	text := "a,b,c\nNA,x,-99\n1,NA,2\n,\"NA\",?\n"
	wantMeaning(t, nil, text, "a{NA,1} b{x,NA} *c | NA x -99 | 1 NA 2 | ? NA ?")
	wantMeaning(t, words("NA"), text, "a b{x,NA} *c | ? x -99 | 1 ? 2 | ? NA ?")
	wantMeaning(t, words("NA", "-99"), text, "a b{x,NA} *c | ? x ? | 1 ? 2 | ? NA ?")
	wantMeaning(t, words("x", "1"), text, "a{NA} b{NA} *c | NA ? -99 | ? NA 2 | ? NA ?")
	wantMeaning(t, words("N/A"), "N/A,5\n3,6\n", "att1 *att2 | ? 5 | 3 6")
}

func TestClass(t *testing.T) {
	text := "first,2,a\n1,2,3\n"
	for class, want := range map[string]string{
		"": "first 2 *a", "last": "first 2 *a", "first": "*first 2 a", "1": "*first 2 a", "3": "first 2 *a", "2": "first *2 a", "a": "first 2 *a",
		"4":                    `there is no column "4" for the class: expected a number from 1 to 3`,
		"0":                    `there is no column "0" for the class: expected a number from 1 to 3`,
		"-1":                   `there is no column "-1" for the class: expected a number from 1 to 3`,
		"b":                    `there is no column "b" for the class: expected the name of one, first, last, or a number from 1 to 3`,
		"A":                    `there is no column "A" for the class: expected the name of one, first, last, or a number from 1 to 3`,
		"1.0":                  `there is no column "1.0" for the class: expected the name of one, first, last, or a number from 1 to 3`,
		"99999999999999999999": `there is no column "99999999999999999999" for the class: expected a number from 1 to 3`,
	} {
		if !strings.HasPrefix(want, "there") {
			want += " | 1 2 3"
		}
		wantMeaning(t, func(r *csvfmt.Reader) { r.Class = class; r.FirstLine = csvfmt.FirstLineNames }, text, want)
	}
	wantMeaning(t, func(r *csvfmt.Reader) { r.Class = "att1" }, "1,2\n", "*att1 att2 | 1 2")
	wantMeaning(t, func(r *csvfmt.Reader) { r.Class = "last" }, "last,b\n1,2\n", "*last b | 1 2")
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		set  options
		want string
	}{
		{func(r *csvfmt.Reader) { r.Separator = '"' }, `csvfmt: '"' cannot separate cells`},
		{func(r *csvfmt.Reader) { r.Separator = '\v' }, `csvfmt: '\v' cannot separate cells`},
		{func(r *csvfmt.Reader) { r.Separator = csvfmt.Blanks }, `*a,b | 2:1: the number "1,2" has a comma: expected a decimal point, and nothing between thousands`},
		{func(r *csvfmt.Reader) { r.Separator = 'e' }, `csvfmt: 'e' cannot separate cells`},
		{func(r *csvfmt.Reader) { r.Separator = '\n' }, `csvfmt: '\n' cannot separate cells`},
		{func(r *csvfmt.Reader) { r.Separator = 0xe9 }, `csvfmt: 'é' cannot separate cells`},
		{func(r *csvfmt.Reader) { r.Quote = '`' }, "csvfmt: '`' cannot be a quote, expected \" or '"},
		{func(r *csvfmt.Reader) { r.FirstLine = 3 }, "csvfmt: there is no FirstLine 3"},
		{func(r *csvfmt.Reader) { r.Separator = ':' }, `*a,b | 2:1: the number "1,2" has a comma: expected a decimal point, and nothing between thousands`},
		{func(r *csvfmt.Reader) { r.Numeric = true }, "a *b | 1 2"},
	} {
		wantMeaning(t, c.set, "a,b\n1,2\n", c.want)
	}
	numeric := func(r *csvfmt.Reader) { r.Numeric = true }
	wantMeaning(t, numeric, "a,b\n1,2\n3,x\n", `a *b | 1 2 | 3:3: expected a number, found "x"`)
	wantMeaning(t, numeric, "a,b\n1,2\n0x10,\n", `a *b | 1 2 | 3:1: expected a number, found "0x10"`)
	wantMeaning(t, numeric, "a,b\n\"1\",2\n\"2\",?\n", "a *b | 1 2 | 2 ?")
	wantMeaning(t, numeric, "a,b\n\"\",2\n", "a *b | ? 2")
	wantMeaning(t, numeric, "a,b\n\" \",2\n", `a *b | 2:1: expected a number, found " "`)
	// what is missing has no quotes even where all else has
	wantMeaning(t, nil, "\"a\",,\"c\"\n\"1\",\"2\",\"3\"\n", "a att2 *c | 1 2 3")
	wantMeaning(t, nil, "\"a\",\"b\"\n\"1\",\n,\"2\"\n", "a *b | 1 ? | ? 2")
	wantMeaning(t, nil, "\"a\",b\n\"1\",\n,\"2\"\n", "a{1} *b{2} | 1 ? | ? 2")
	wantMeaning(t, func(r *csvfmt.Reader) { r.QuotedNumbers = true }, "a,b\n\"1\",x\n\"2\",y\n", "a *b{x,y} | 1 x | 2 y")
}

func TestMixed(t *testing.T) {
	r := csvfmt.NewReader(strings.NewReader("a,b,c,d\n1,x,1,\"1\"\n2,y,?,\"2\"\n?,1,n a,\"3\"\n\"u\nv\",  1O ,x,\"4\"\n"))
	if m := r.Mixed(); m != nil {
		t.Errorf("before Header: %v", m)
	}
	if _, err := r.Header(); err != nil {
		t.Fatal(err)
	}
	want := []csvfmt.Mixed{
		{Attribute: 0, Numbers: 2, Texts: 1, Line: 5, Column: 1, Text: "u\nv"},
		{Attribute: 1, Numbers: 1, Texts: 3, Line: 2, Column: 3, Text: "x"},
		{Attribute: 2, Numbers: 1, Texts: 2, Line: 4, Column: 5, Text: "n a"},
	}
	if m := r.Mixed(); !slices.Equal(m, want) {
		t.Errorf("%v, want %v", m, want)
	}
	for k, m := range want {
		if one := r.OneText(m); one != (k == 0) {
			t.Errorf("column %d has one text: %t", k+1, one)
		}
	}
}

// TestMixedNaN: where no number but nan stands among words, that is told of, and not the words.
func TestMixedNaN(t *testing.T) {
	for text, want := range map[string]string{
		"x,k\nred,1\nNaN,2\nred,3\nnan,4\nnan,5\n": "[{0 0 3 0 0 NaN}]",
		"x,k\nnan,1\nred,2\nblue,3\n":              "[{0 0 1 0 0 nan}]",
		"x,k\nnan,1\nred,2\n7,3\n":                 "[{0 2 1 3 1 red}]",
		"x,k\nred,1\ninf,2\n":                      "[{0 1 1 2 1 red}]",
		"x,k\nnan,1\nNA,2\nnan,3\n":                "[{0 2 1 3 1 NA}]",
		"x,k\nNA,1\nred,2\nnan,3\n":                "[{0 0 1 0 0 nan}]",
		"x,k\nnan(1),1\nred,2\n":                   "[]",
		"x,k\nnan,1\n,2\n3,5\n":                    "[]",
	} {
		r := csvfmt.NewReader(strings.NewReader(text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		m := r.Mixed()
		if got := fmt.Sprint(m); got != want {
			t.Errorf("%q: mixed %s, want %s", text, got, want)
		}
		if len(m) > 0 && m[0].Numbers == 0 && !m[0].LooksMissing() {
			t.Errorf("%q: nan does not look missing", text)
		}
	}
}

// All spellings of what may be missing are told of at once. Among words, none and - may well be labels.
func TestLookMissing(t *testing.T) {
	for text, want := range map[string]string{
		"x,k\nred,1\nNaN,2\nnone,3\nNAN,4\nNA,5\n-,6\n":      "[NaN NAN NA]",
		"x,k\nNA,1\nred,2\nnan,3\nblue,4\n":                  "[nan NA]",
		"x,k\nred,1\nNaN,2\nNaN,3\n":                         "[NaN]",
		"x,k\n1,1\nN/A,2\n-,3\n2,4\nnan,5\nx,6\nna,7\n":      "[N/A - na]",
		"x,k\n1,1\nlots,2\nNA,3\n2,4\n":                      "[]",
		"x,k\n1,1\n" + strings.Repeat("NA,3\nN/A,4\n", 2000): "[NA N/A]",
	} {
		r := csvfmt.NewReader(strings.NewReader(text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		m := r.Mixed()
		if len(m) != 1 {
			t.Fatalf("%q: mixed %v", text, m)
		}
		if got := fmt.Sprint(r.LookMissing(m[0])); got != want {
			t.Errorf("%.80q: look missing %s, want %s", text, got, want)
		}
	}
}

// A file that is another when it is read again is an error.
func TestChangedFile(t *testing.T) {
	text := "a,b\n1,x\n2,y\n3,x\n"
	for next, rows := range map[string]int{
		"": 0, "a,b\n1,x\n": 1, "a,b\n1,x\n2,z\n3,x\n": 1, "a,b\n1,x\nx,y\n3,x\n": 1, "a,b\n1,x\n2.y\n3,x\n": 1, "a,b\n1,x,9\n2,y\n3,x\n": 0,
		"a,b\n\"1\",x,9\n2,y\n3,x\n": 0, "a,b\n\"1\n2,y\n3,x\n\"": 0,
	} {
		c := &changing{Reader: strings.NewReader(text), next: next}
		r := csvfmt.NewReader(c)
		var err error
		for n := 0; ; n++ {
			if _, err = r.Read(); err != nil {
				if n != rows {
					t.Errorf("%q: %d rows, want %d", next, n, rows)
				}
				break
			}
		}
		if !errors.Is(err, format.ErrChanged) {
			t.Errorf("%q: %v", next, err)
		}
	}
}

// A survey stops soon after its context.
func TestCancelledSurvey(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	line := []byte("1,2,3,4,5,6,7,8\n")
	n := 0
	endless := readerFunc(func(p []byte) (int, error) {
		if n++; n == 100 {
			cancel()
		}
		if n == 100_000 {
			return 0, io.EOF
		}
		return copy(p, line), nil
	})
	if _, err := csvfmt.Parse(ctx, endless); !errors.Is(err, context.Canceled) || n == 100_000 {
		t.Errorf("after %d readings: %v", n, err)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// changing is a file that holds something else when it is read again.
type changing struct {
	io.Reader
	next string
	read bool
}

func (c *changing) Read(p []byte) (int, error) {
	c.read = true
	return c.Reader.Read(p)
}

func (c *changing) Seek(int64, int) (int64, error) {
	if c.read {
		c.Reader = strings.NewReader(c.next)
	}
	return 0, nil
}

// TestReadErrors: what keeps a text from being read is the error, not that a quote is open in the
// part before it, and is no fault to pass over.
func TestReadErrors(t *testing.T) {
	for _, text := range []string{"", "a,b", "\"a", "a,b\n1,2", "a,b\n1,\"x", "a,b\n1,\"x\ny", "a,b\n1,2\n3,\"\"\n\"4\n\n"} {
		for _, skip := range []bool{false, true} {
			r := csvfmt.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(iotest.ErrTimeout)))
			if skip {
				r.SkipFault = func(fault error) bool { t.Errorf("%q: passes over %v", text, fault); return true }
			}
			var err error
			for err == nil {
				_, err = r.Read()
			}
			if !errors.Is(err, iotest.ErrTimeout) {
				t.Errorf("%q: %v, want %v", text, err, iotest.ErrTimeout)
			}
		}
	}
}
