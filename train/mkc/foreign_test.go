package mkc

import (
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// A faulty is a kernel of one feature with one value for the numbers from and to, in either order.
type faulty struct{ value, from, to float64 }

func (k faulty) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	for i := range dst {
		a, b := x.Value[0], zs.Row(i).Value[0]
		if dst[i] = math.Exp(-0.1 * (a - b) * (a - b)); min(a, b) == k.from && max(a, b) == k.to {
			dst[i] = k.value
		}
	}
}

func (k faulty) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = 1
	}
}

func (k faulty) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

// alternating returns rows of one feature, from 1 to n, of three classes.
func alternating(n int) *format.Dataset {
	d := new(format.Dataset)
	for i := range n {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}, Y: float64(i / 2 % 3), Weight: 1})
	}
	return d
}

// TestFaultyKernels: a value of a caller's own kernel that is not finite is told with the two rows
// that have it, whether kernel values are kept or computed when they are needed.
func TestFaultyKernels(t *testing.T) {
	d := alternating(60)
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, memory := range []float64{500, 1e-3} {
			s := Default()
			s.MatrixMB = memory
			_, err := Trainer{Solver: s, Kernel: faulty{value, 7, 9}}.Train(t.Context(), d, nil)
			fault := (*train.KernelError)(nil)
			if !errors.As(err, &fault) || !errors.Is(err, train.ErrOverflow) {
				t.Errorf("%v, %v MiB: %v", value, memory, err)
			} else if r := fault.Rows; r != [2]int{6, 8} && r != [2]int{8, 6} || math.IsNaN(fault.Value) != math.IsNaN(value) {
				t.Errorf("%v, %v MiB: %v", value, memory, err)
			}
		}
	}
}
