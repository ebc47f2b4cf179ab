package csvfmt_test

import (
	"bytes"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// FuzzSkipFault: a text of which rows with faults are passed over is read as the text without the lines
// of these rows, with the same faults at its end.
func FuzzSkipFault(f *testing.F) {
	for _, text := range []string{
		"a,b\n1\n2,3,\"4\n5\"\n6\n7,8\n",
		"a,b\n\"x\ny\",2,3\n4,5\n\"x\n\ny\"\n\"p\nq\"r,5\n\"x\n\xff\",\"y\nz\"\nu,7\n",
		"1,2\n\"3,4\n5,6\n7,\"8\n9\n", "a,b\n1\n\"x\n\",\",4,5\n6,7\n", "1,2\n3,\x00\n\"4\n\"\"5\"6,\n\n7,8\n", "1,2\n3,4\"5\n6\n\"7\",\"8\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.IndexByte(text, '\r') >= 0 {
			return // lines could end otherwise without some of them
		}
		set := func(text []byte) *csvfmt.Reader {
			r := csvfmt.NewReader(bytes.NewReader(text))
			r.Separator, r.FirstLine = ',', csvfmt.FirstLineRow
			return r
		}
		lines := bytes.Split(bytes.Clone(text), []byte{'\n'})
		r := set(text)
		studied, before := false, 0
		r.SkipFault = func(error) bool {
			first, last := r.Skipping()
			if !studied && first <= before {
				t.Fatalf("lines %d to %d are passed over behind line %d", first, last, before)
			}
			before = last
			if studied { // such a row has told what columns hold
				return false
			}
			for k := first; k <= last; k++ {
				lines[k-1] = nil
			}
			return true
		}
		if _, err := r.Header(); err != nil {
			return
		}
		studied = true
		got := meaning(r)
		if want := meaning(set(bytes.Join(lines, []byte{'\n'}))); got != want {
			t.Errorf("%q is read as\n%.500s\nwithout the lines of rows that are passed over\n%.500s", text, got, want)
		}
	})
}
