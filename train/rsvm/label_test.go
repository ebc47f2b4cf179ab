package rsvm

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestNoLabel: labels that are not 32-bit integers belong to no class, whatever integer a processor
// converts them to: some make 0 of them, some the smallest integer.
func TestNoLabel(t *testing.T) {
	d := new(format.Dataset)
	for i, y := range []float64{0, math.MinInt32, math.MaxInt32} {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: y, Weight: 1})
	}
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	labels := []int{0, math.MinInt32, math.MaxInt32}
	j, err := Classifier{Options: o}.Begin(labels, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1 << 31, 1 << 32, -1 << 32} {
		d.Y[1] = y
		want := fmt.Sprintf("row 2: label %v is of no class of the problem", y)
		if _, err := (Classifier{Options: o}).Begin(labels, d); err == nil || err.Error() != want {
			t.Errorf("a reduced set: error %v, want %s", err, want)
		}
		if _, err := j.Sum(t.Context(), rowsOf(d, 0, 3)); err == nil || err.Error() != want {
			t.Errorf("rows: error %v, want %s", err, want)
		}
	}
}
