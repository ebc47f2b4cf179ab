package vec_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestTableOfZeroCodes: a table of zero Codes panics with the reason. It took memory without end.
func TestTableOfZeroCodes(t *testing.T) {
	for _, table := range []func([]float32) *vec.Table{new(vec.Codes).CommonTable, new(vec.Codes).HammingTable} {
		func() {
			defer func() {
				if got, want := recover(), any("vec: a table of zero Codes: NewCodes returns some"); got != want {
					t.Errorf("panics with %v, want %v", got, want)
				}
			}()
			table([]float32{1})
		}()
	}
}
