package kernel

import (
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestManyBytes: forms that would take too many bytes are refused also where a 32-bit int cannot
// hold their number.
func TestManyBytes(t *testing.T) {
	const columns = 9_000_000
	if panelsFit(10, columns, 8) {
		t.Errorf("panels of 10 rows of %d columns", columns)
	}
	var m vec.Matrix
	for range 300 {
		m.Append(vec.Vector{})
	}
	b := &Basis{zs: &m}
	if !b.large(columns) || b.large(8) {
		t.Errorf("queries of %d vectors of %d bytes are kept, or those of 8 are not", m.Len(), columns)
	}
}
