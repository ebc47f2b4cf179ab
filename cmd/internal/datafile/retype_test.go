package datafile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

const (
	codes = "code,kind\n007,spy\n7,clerk\nX,clerk\n" // code is 007, 7 or X
	days  = "@relation d\n@attribute d date yyyy-MM-dd\n@attribute k {a,b}\n@data\n1970-01-02,a\n1970-01-03,b\n"
	sizes = "size,k,y\n1,a,1\n2,b,3\n3,a,2\n" // y is the label
	years = "@relation y\n@attribute y date yyyy\n@attribute k {a,b}\n@data\n1970,a\n1971,b\n"
)

// TestRetype: what a column was in training it is in a file that does not say so,
// by what stands in its cells.
func TestRetype(t *testing.T) {
	for _, c := range []struct{ name, train, format, test, rows, told string }{
		{"labels that are the same number", codes, "csv", "code,kind\n007,spy\n7,clerk\n", "0 1:1; 1 2:1", ""},
		{"quoted", codes, "csv", "\"code\",\"kind\"\n\"007\",\"spy\"\n\"7\",\"clerk\"\n", "0 1:1; 1 2:1", ""},
		{"more of the number that two labels are", "code,kind\n7.0,spy\n7,clerk\nX,clerk\n", "csv", "code,kind\n7,spy\n7.0,clerk\n7.00,clerk\n+7,clerk\n", "0 2:1; 1 1:1; 1; 1", "code=7.00 code=+7"},
		{"a code is no other code", "code,kind\n007,spy\n8,clerk\nX,clerk\n", "csv", "code,kind\n7,spy\n008,spy\n8.0,spy\n", "0; 0; 0 2:1", "code=7 code=008"},
		{"a label that is zero", "code,kind\n0,spy\n0.5,clerk\nX,clerk\n", "csv", "code,kind\n0.0,spy\n.5,spy\n-0,spy\n00,spy\n", "0 1:1; 0 2:1; 0 1:1; 0", "code=00"},
		{"the label itself", "x,k\n1,01\n2,1\n3,A\n", "csv", "x,k\n1,01\n2,1\n3,1.0\n4,?\n", "0 1:1; 1 1:2; 1 1:3; NaN 1:4", ""},
		{"a record of several lines", codes, "csv", "code,kind,more\n007,spy,\"a\nb\"\n7,clerk,c\n", "0 1:1; 1 2:1", ""},
		{"text in ARFF", codes, "arff", "@relation r\n@attribute code string\n@attribute kind {clerk,spy}\n@data\n7,clerk\n'007',spy\n?,spy\nY,spy\n", "1 2:1; 0 1:1; 0 1:1; 0", "code=Y"},
		{"dates by their pattern", days, "csv", "k,d\na,1970-01-02\nb,1970-01-03\na,\n", "0 1:8.64e+07; 1 1:1.728e+08; 0 1:1.296e+08", ""},
		{"dates as CSV has them", days, "csv", "k,d\na,1970-01-02T00:00:00.000Z\nb,1970-01-03T00:00:00.001Z\n", "0 1:8.64e+07; 1 1:1.72800001e+08", ""},
		{"dates in text of ARFF", days, "arff", "@relation r\n@attribute k {a,b}\n@attribute d string\n@data\na,1970-01-02\nb,1970-01-03T00:00:00.001Z\na,?\n", "0 1:8.64e+07; 1 1:1.72800001e+08; 0 1:1.296e+08", ""},
		{"numbers in text of ARFF", sizes, "arff", "@relation r\n@attribute size string\n@attribute k {a,b}\n@attribute y string\n@data\n4,b,'5'\n'6e0',a,x\n?,a,?\n", "5 1:4 2:1; NaN 1:6; NaN 1:2", "y=x"},
		{"dates as ISO 8601 has them", years, "csv", "y,k\n1971-01-01,a\n1971-01-01T00:00:01,b\n1971-01-01 00:00:01.5,b\n1971-01-01T01:00:00+01:00,b\n",
			"0 1:3.1536e+10; 1 1:3.1536001e+10; 1 1:3.15360015e+10; 1 1:3.1536e+10", ""},
		{"dates that are numbers", years, "csv", "y,k\n1970,a\n1971,b\n", "0; 1 1:3.1536e+10", ""},
		{"numbers in quotes", sizes, "csv", "\"size\",k,y\n\"4\",b,\"5\"\n\"6\",a,\"7.5\"\n", "5 1:4 2:1; 7.5 1:6", ""},
		{"targets that are no numbers", sizes, "csv", "size,k,y\n\"4\",b,n/a\n6,a,7\n8,a,\n", "NaN 1:4 2:1; 7 1:6; NaN 1:8", "y=n/a"},
		{"a label that reads as no number", "c,k\nNaN,a\n1,b\nx,b\n", "csv", "c,k\nNaN,a\n\"NaN\",b\n1,b\n,b\n?,b\nnan,b\n", "0 1:1; 1 1:1; 1 2:1; 1 1:1; 1 1:1; 1 1:1", ""},
		{"it is the label", "x,k\n1,NaN\n2,1\n3,z\n", "csv", "x,k\n1,NaN\n2,\"NaN\"\n3,1\n4,\n5,nan\n", "0 1:1; 0 1:2; 1 1:3; NaN 1:4; NaN 1:5", ""},
		{"no label of training does", codes, "csv", "code,kind\nNaN,spy\n7,clerk\n", "0 1:1; 1 2:1", ""},
		{"no dates at all", days, "csv", "k,d\na,\n", "0 1:1.296e+08", ""},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.test), Options{Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRows(f, fitted(t, c.train))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantWritten(t, c.name, r, c.rows, c.told)
	}
}

func TestRetypeErrors(t *testing.T) {
	for _, c := range []struct{ train, format, test, want string }{
		{days, "csv", "k,d\na,1970-01-02\nb,\"1970\n\"\n", `standard input:3:3: column "d": expected a date like "yyyy-MM-dd", found "1970\n"`},
		{years, "csv", "k,y\na,1970\nb,1e5\n", `standard input:3:3: column "y": expected a date like "yyyy", found "e5" behind it`},
		{sizes, "csv", "y,size,k\n1,2,a\n1,NA,b\n", `standard input:3:3: column "size": expected a number, found "NA"`},
		{sizes, "csv", "y,size,k\n1,2,a\n1,\"1,5\",b\n1,x,b\n", `standard input:3:3: column "size": the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
		{sizes, "csv", "y,size,k\n1,2,a\n1,1e999,b\n1,x,b\n", `standard input:3:3: column "size": the number "1e999" is too large: expected less than 1.8e308`},
		{sizes, "csv", "y,size,k\nu,2,a\nv,2,b\n", `standard input: column "y": the column is of another type than in training: declared labels, expected numbers`},
		{days, "arff", "@relation y\n@attribute d string\n@attribute k {a,b}\n@data\n1970-01-02,a\nsoon,a\n", `standard input:6: column "d": expected a date like "yyyy-MM-dd", found "soon"`},
		{years, "csv", "k,y\na,1971-02-30\n", `standard input:2:3: column "y": expected a date like "yyyy", found "-02-30" behind it`},
		{sizes, "arff", "@relation y\n@attribute size string\n@attribute k {a,b}\n@data\n1,a\nx,a\n", `standard input:6: column "size": expected a number, found "x"`},
		{sizes, "arff", "@relation y\n@attribute size {1,2}\n@attribute k {a,b}\n@data\n1,a\n", `standard input: column "size": the column is of another type than in training: declared labels, expected numbers`},
		{years, "arff", "@relation y\n@attribute y numeric\n@data\n1970\n", `standard input: column "y": the column is of another type than in training: numbers, expected dates`},
		{"kind,x\na,1\nb,2\n", "arff", "@relation y\n@attribute kind numeric\n@data\n1970\n", `standard input: column "kind": the column is of another type than in training: numbers, expected declared labels`},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.test), Options{Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRows(f, fitted(t, c.train))
		if err == nil {
			_, _, err = written(r)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.test, err, c.want)
		}
	}
}

// TestRetypeManyLabels: a column of CSV with so many labels that it is taken for
// text is one of labels nevertheless.
func TestRetypeManyLabels(t *testing.T) {
	train, test, want := "city,x,kind\n", "city,x,kind\n", ""
	for i := range 200 {
		train += fmt.Sprintf("city%d,1,a\ncity%d,1,b\n", i%100, i%100)
	}
	for i := range 80 {
		test += fmt.Sprintf("city%d,1,a\n", i)
		want += fmt.Sprintf("; 0 %d:1 101:1", i+1)
	}
	for _, name := range []string{"csv", "arff"} {
		if name == "arff" {
			_, rows, _ := strings.Cut(test, "\n")
			test = "@relation r\n@attribute city string\n@attribute x numeric\n@attribute kind {b,a}\n@data\n" + rows
		}
		f, err := Open(t.Context(), "-", strings.NewReader(test), Options{Format: name})
		if err != nil {
			t.Fatal(err)
		}
		if h, err := f.Header(); err != nil || h.Attributes[0].Type != format.String {
			t.Fatalf("%s: %v, %v: the test is void", name, h, err)
		}
		r, err := NewRows(f, fitted(t, train))
		if errors.Is(err, encode.ErrColumnType) || err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if rows, told, err := written(r); "; "+rows != want || told != nil || err != nil {
			t.Errorf("%s: %s, told %q, %v", name, rows, told, err)
		}
	}
}

// TestNumberOf: a label is told by its number unless it is the text of a code, or no number.
func TestNumberOf(t *testing.T) {
	none := math.NaN()
	for text, want := range map[string]float64{
		"7": 7, "7.0": 7, "-7": -7, "+7e0": 7, "0": 0, "-0.5": -0.5, ".5": 0.5, "0e1": 0,
		"007": none, "-07": none, "00": none, "": none, "-": none, "x": none, "7 ": none, "7x": none,
	} {
		if got := numberOf(text); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestUnseen: what stands for labels that training did not have is none that it had.
func TestUnseen(t *testing.T) {
	labels := []string{"b", "another label'", "a"}
	for _, want := range []string{"another label", "another label''", "another label'''"} {
		if got := unseen(labels); got != want {
			t.Errorf("beside %q: %q, want %q", labels, got, want)
		}
		labels = append(labels, want)
	}
}
