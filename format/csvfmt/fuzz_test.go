package csvfmt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// FuzzReader: any text is read without a panic and to an end, with the same
// result whether it can be read again or has to be kept, in one piece, byte by
// byte or in blocks, row by row or at once; faults have a place in the text. What could be
// read and can be written comes back.
func FuzzReader(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(strings.NewReplacer("§", "", "¶", "").Replace(s.Text)), byte(0), byte(0), "")
	}
	for _, text := range []string{
		"a;b\r\n1,5;2\r\n", "a\tb\n?\t\"x\"\"y\"\n", "1|2\r3|4\r", "'a,'',b',1\n", "\"a\",\"b\"\n\"1\",\"2\"\n", "NA,x\n1,x\n", ",\n,\n", "a\n\"\r\"\n",
	} {
		f.Add([]byte(text), byte(0), byte(0), "")
		f.Add([]byte(text), byte(';'), byte(0x1f), "first")
	}
	f.Fuzz(func(t *testing.T, text []byte, separator, flags byte, class string) {
		set := func(in io.Reader) *csvfmt.Reader {
			r := csvfmt.NewReader(in)
			r.Separator, r.Class = separator, class
			r.FirstLine = csvfmt.FirstLine((flags & 3) % 3)
			r.Numeric, r.QuotedNumbers = flags&4 != 0, flags&8 != 0
			if flags&16 != 0 {
				r.Quote, r.Backslash = '\'', flags&1 == 0
			}
			if flags&32 != 0 {
				r.Missing = []string{"NA", "-99"}
			}
			if flags&64 != 0 {
				r.Nominal = []string{"first"}
			}
			return r
		}
		r := set(bytes.NewReader(text))
		want := meaning(r)
		if got := meaning(set(iotest.OneByteReader(bytes.NewReader(text)))); got != want {
			t.Errorf("byte by byte:\n%.500s\nwant\n%.500s", got, want)
		}
		blocks := set(inPieces{bytes.NewReader(text), 13})
		csvfmt.InBlocks(blocks, 3, 24)
		if got := meaning(blocks); got != want {
			t.Errorf("in blocks:\n%.500s\nwant\n%.500s", got, want)
		}
		_, err := r.Read()
		if e := (*format.Error)(nil); err != io.EOF && errors.As(err, &e) {
			if e.Line < 0 || e.Line > bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r"))+1 || e.Column < 0 || e.Column > len(text)+1 || e.Path != "" {
				t.Errorf("place of %v", err)
			}
		}
		if err == io.EOF {
			again(t, set, text)
		}
		if separator == 0 && flags == 0 && class == "" {
			d, perr := csvfmt.Parse(context.Background(), bytes.NewReader(text))
			if (perr == nil) != (err == io.EOF) || perr != nil && perr.Error() != err.Error() {
				t.Errorf("Parse: %v, want %v", perr, err)
			}
			if perr == nil && d.Len() != strings.Count(want, " | ") && !strings.Contains(string(text), "|") {
				t.Errorf("Parse: %d rows of\n%s", d.Len(), want)
			}
		}
	})
}

// again writes what a reader reads and reads it again.
func again(t *testing.T, set func(io.Reader) *csvfmt.Reader, text []byte) {
	var out bytes.Buffer
	first := set(bytes.NewReader(text))
	n, err := format.Copy(csvfmt.NewWriter(&out), first)
	if err != nil {
		if !strings.Contains(err.Error(), "could not tell the name") && !strings.Contains(err.Error(), "would take labels for numbers") {
			t.Errorf("cannot be written: %v", err)
		}
		return
	}
	written := out.String()
	second := csvfmt.NewReader(strings.NewReader(written))
	m := 0
	for {
		if _, err = second.Read(); err != nil {
			break
		}
		m++
	}
	if err != io.EOF {
		t.Errorf("what was written cannot be read: %v\n%s", err, written)
	}
	if err == io.EOF && m != n {
		t.Errorf("%d rows were written, %d read, in\n%s", n, m, written)
	}
	h1, _ := first.Header()
	h2, _ := second.Header()
	for k := range h1.Attributes {
		if a, b := h1.Attributes[k].Name, h2.Attributes[k].Name; a != b {
			t.Errorf("the name %q comes back as %q in\n%s", a, b, written)
		}
	}
	if len(h1.Attributes) != len(h2.Attributes) {
		t.Error(fmt.Sprint(len(h2.Attributes), " columns instead of ", len(h1.Attributes)))
	}
}
