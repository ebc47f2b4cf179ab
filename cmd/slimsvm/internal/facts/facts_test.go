package facts

import (
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/format"
)

// TestDensityOfMany: the density of more values than an int of 32 bits counts.
func TestDensityOfMany(t *testing.T) {
	f := Data{Rows: 1 << 17, nonzero: 1 << 24}
	f.used.n = 1 << 16
	f.finish(&format.Header{}, -1)
	if want := jsonline.Number(1.0 / 512); f.Density != want {
		t.Errorf("features: %v, want %v", f.Density, want)
	}
	f = Data{Rows: 1 << 30, Columns: make([]column, 6)}
	for i := range f.Columns {
		f.Columns[i].Nonzero, f.Columns[i].listed = 1<<29, 1<<30
	}
	f.finish(&format.Header{Attributes: make([]format.Attribute, 6)}, -1)
	if want := jsonline.Number(0.5); f.Density != want {
		t.Errorf("columns: %v, want %v", f.Density, want)
	}
}
