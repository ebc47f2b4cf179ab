package mkc

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestSystematic: a systematic sample has rows at equal distances, also of so many rows that the
// product of two numbers of rows overflows 32 bits.
func TestSystematic(t *testing.T) {
	const rows, columns = 100000, 40000
	s := Default()
	s.Sample, s.Columns = Systematic, columns
	got := s.columns(&train.Problem{Y: make([]float64, rows)})
	if len(got) != columns || got[0] != 0 || got[columns-1] != rows-3 || !slices.IsSorted(got) || len(slices.Compact(got)) != columns {
		t.Errorf("%d rows from %d to %d", len(got), got[0], got[len(got)-1])
	}
}

// TestColumnsOf: by default, of up to 5000 rows 1000 may become vectors, and of more rows fewer.
func TestColumnsOf(t *testing.T) {
	for _, c := range [][2]int{{0, 0}, {1, 1}, {1000, 1000}, {1001, 1000}, {5000, 1000}, {8000, 625}, {20000, 250}, {50000, 100}, {1 << 30, 100}} {
		if got := ColumnsOf(c[0]); got != c[1] {
			t.Errorf("%d of %d rows, expected %d", got, c[0], c[1])
		}
		if c[0] > 50000 {
			continue
		}
		if got := Default().columns(&train.Problem{Y: make([]float64, c[0])}); len(got) != c[1] {
			t.Errorf("%d columns of %d rows, expected %d", len(got), c[0], c[1])
		}
	}
}
