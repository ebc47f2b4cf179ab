package rsvm

import (
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/traintest"
)

// TestFaultyKernels: a value of a caller's own kernel that is not finite is told as that, for few
// rows and many, in memory and from a stream; it is not the features, nor the costs, that are too
// large.
func TestFaultyKernels(t *testing.T) {
	const want = "a value of the kernel is not a finite number"
	for _, n := range []int{20, 900} {
		d := traintest.RowsOfOne(n)
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			o := DefaultOptions()
			o.Kernel, o.Set = traintest.FaultyKernel{Value: value, From: 7, To: 9}, Full{}
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
