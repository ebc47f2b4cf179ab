package csvfmt_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/vec"
)

func TestLossy(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"id,x\n12345678901234567890,1\n", "0 2:1 12345678901234567890; "},
		{"x,id\n1,9007199254740992\n1, 9007199254740993\n", "1 3:4 9007199254740993; "},
		{"x,id\n1,100000000000000000000000\n", "1 2:3 100000000000000000000000; "}, // the number is 99999999999999991611392
		{"x,zip\n1,4412\n1,-04412\n1,07\n", "1 3:3 -04412; "},
		{"x,zip\n1,\"007\"\n\"0\",8\n", "1 2:3 007; "},
		{"x\n00\n", "0 2:1 00; "},
		{"x\n1\n+07\n", "0 3:1 +07; "},
		{"007,1\n8,2\n", "0 1:1 007; "}, // the first line is a row
		{"a b c\n1 2 3\n1 \"2\" 3\n04 5 6\n", "0 4:1 04; "},
		// nothing gets lost
		{"x,y\n0,100000000000000000000\n-9007199254740992,0.5\n", ""},
		{"x,y\n0.12345678901234567890,1e99\n00.5,-0\n+1,infinity\n", ""},
		// text keeps its digits
		{"x,y\n007,1\nb,2\n", ""},
		{"x,y\n\"007\",a\n\"008\",b\n", ""},
	} {
		r := csvfmt.NewReader(strings.NewReader(c.text))
		if _, err := r.Header(); err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		got := ""
		for _, l := range r.Lossy() {
			got += fmt.Sprintf("%d %d:%d %s; ", l.Attribute, l.Line, l.Column, l.Text)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	r := csvfmt.NewReader(strings.NewReader("x,y\n1,2\n7,3\n"))
	r.Missing = []string{"7"} // numbers are looked at one by one
	if _, err := r.Header(); err != nil || r.Lossy() != nil {
		t.Errorf("%v, %v", r.Lossy(), err)
	}
}

// A writer that is told the texts of numbers writes them, and a missing value or what
// is no number as if it were not told.
func TestWriterText(t *testing.T) {
	const text = "id,x,c\n007,1.50,a\n,2,b\n12345678901234567891,3,b\n"
	r := csvfmt.NewReader(strings.NewReader(text))
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	r.KeepTexts([]int32{0})
	var out bytes.Buffer
	w := csvfmt.NewWriter(&out)
	w.Text = func(column int) []byte {
		switch column {
		case 0:
			b, _, _ := r.Text(0)
			return b
		case 1:
			return []byte("1\n2")
		}
		return nil
	}
	if err := w.WriteHeader(h); err != nil {
		t.Fatal(err)
	}
	for {
		var in format.Instance
		if in, err = r.Read(); err != nil {
			break
		}
		if err := w.Write(in); err != nil {
			t.Fatal(err)
		}
	}
	if w.Flush(); err != io.EOF {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(text, "1.50", "1.5"); out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

// TestWriterTextComma: a number whose text has a comma keeps it, in quotes, since a comma is taken
// for what separates; what is not a number is not written.
func TestWriterTextComma(t *testing.T) {
	for _, c := range []struct {
		separator  byte
		text, want string
	}{
		{';', "1,50", `"1,50";2`},
		{',', "1,50", `"1,50",2`},
		{';', "1.50", "1.50;2"},
		{',', "1.50", "1.50,2"},
		{',', "1,2,3", "1.5,2"},
		{';', "1,2,3", "1.5;2"},
		{';', "1;5", "1.5;2"},
		{';', "x", "1.5;2"},
		{';', "", "1.5;2"},
	} {
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		w.Separator = c.separator
		w.Text = func(column int) []byte {
			if column == 0 {
				return []byte(c.text)
			}
			return nil
		}
		h := &format.Header{Class: -1, Attributes: []format.Attribute{{Name: "a"}, {Name: "b"}}}
		row := format.Instance{X: vec.Vector{Index: []int32{0, 1}, Value: []float64{1.5, 2}}, Weight: 1}
		if err := errors.Join(w.WriteHeader(h), w.Write(row), w.Flush()); err != nil {
			t.Fatal(err)
		}
		if _, rows, _ := strings.Cut(out.String(), "\n"); rows != c.want+"\n" {
			t.Errorf("%q with %c: %q, want %q", c.text, c.separator, rows, c.want)
		}
	}
}
