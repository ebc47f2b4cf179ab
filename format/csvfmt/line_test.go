package csvfmt

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestLine: a row is told by the line in which it begins, also behind empty lines and rows of several
// lines.
func TestLine(t *testing.T) {
	for text, want := range map[string][]int{
		"a,b\n1,2\n3,4\n":                   {2, 3},
		"1,2\n3,4\n":                        {1, 2},
		"\n\na,b\n\n1,2\n\n\n3,4":           {5, 8},
		"a,b\n1,\"x\ny\nz\"\n2,w\n":         {2, 5},
		"a,b\r\n\"1\",x\r\n\r\n2,\"y\"\r\n": {2, 4},
	} {
		r := NewReader(strings.NewReader(text))
		if r.Line() != 0 {
			t.Errorf("%q: line %d before the first row", text, r.Line())
		}
		var got []int
		for {
			_, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			got = append(got, r.Line())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: rows begin in lines %v, want %v", text, got, want)
		}
	}
}
