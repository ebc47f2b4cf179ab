package mkc

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestSystematic: a systematic sample has rows at equal distances, of many rows too, for which
// the product of two numbers of rows is beyond 32 bits.
func TestSystematic(t *testing.T) {
	const rows, columns = 100000, 40000
	s := Default()
	s.Sample, s.Columns = Systematic, columns
	got := s.columns(&train.Problem{Y: make([]float64, rows)})
	if len(got) != columns || got[0] != 0 || got[columns-1] != rows-3 || !slices.IsSorted(got) || len(slices.Compact(got)) != columns {
		t.Errorf("%d rows from %d to %d", len(got), got[0], got[len(got)-1])
	}
}
