package encode_test

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// TestColumnFinder: many columns are where each of them is, names that are numbers, equal ones and
// none included.
func TestColumnFinder(t *testing.T) {
	for _, names := range [][]string{{"a", "2", "first", "a", "", "7", "last", "a"}, {"x", "y", "z"}, {"last"}, nil} {
		h := &format.Header{}
		for _, name := range names {
			h.Attributes = append(h.Attributes, format.Attribute{Name: name})
		}
		find := encode.ColumnFinder(h)
		for range 3 {
			for _, column := range []string{"a", "2", "7", "8", "9", "0", "first", "last", "", "b", "z", "1", "-1"} {
				want, wantErr := encode.FindColumn(h, column)
				if got, err := find(column); got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%q of %q: %d, %v, want %d, %v", column, names, got, err, want, wantErr)
				}
			}
		}
	}
}
