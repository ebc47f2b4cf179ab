package mkc

import (
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestFaultyKernels: a value of a caller's own kernel that is not finite is told with the two rows
// that have it, whether kernel values are kept or computed when they are needed.
func TestFaultyKernels(t *testing.T) {
	d := traintest.RowsOfOne(60)
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, memory := range []float64{500, 1e-3} {
			s := Default()
			s.MatrixMB = memory
			_, err := Trainer{Solver: s, Kernel: traintest.FaultyKernel{Value: value, From: 7, To: 9}}.Train(t.Context(), d, nil)
			fault := (*train.KernelError)(nil)
			if !errors.As(err, &fault) || !errors.Is(err, train.ErrOverflow) {
				t.Errorf("%v, %v MiB: %v", value, memory, err)
			} else if r := fault.Rows; r != [2]int{6, 8} && r != [2]int{8, 6} || math.IsNaN(fault.Value) != math.IsNaN(value) {
				t.Errorf("%v, %v MiB: %v", value, memory, err)
			}
		}
	}
}
