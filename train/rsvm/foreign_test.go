package rsvm

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

// TestFaultyKernels: a value of a caller's own kernel that is not finite is told as that, for few
// rows and many, in memory and from a stream; it is not the features, nor the costs, that are too
// large.
func TestFaultyKernels(t *testing.T) {
	const want = "a value of the kernel is not a finite number"
	for _, n := range []int{20, 900} {
		d := alternating(n)
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			o := DefaultOptions()
			o.Kernel, o.Set = faulty{value, 7, 9}, Full{}
			check := func(what string, err error) {
				if pair := (*train.PairError)(nil); errors.As(err, &pair) {
					err = pair.Err
				}
				if err == nil || err.Error() != want || !errors.Is(err, train.ErrOverflow) {
					t.Errorf("%d rows, %v, %s: %v, want %s", n, value, what, err, want)
				}
			}
			_, err := Classifier{Options: o}.Train(t.Context(), d, nil)
			check("a classifier", err)
			_, err = Classifier{Options: o}.TrainStream(t.Context(), rowsOf(d, 0, n))
			check("a classifier of a stream", err)
			_, err = Regression{Options: o}.Train(t.Context(), d, nil)
			check("a regression", err)
		}
	}
}
