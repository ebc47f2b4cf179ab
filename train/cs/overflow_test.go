package cs

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestFarClassifier: a classifier whose norm overflows is not taken for one of norm 0: it is an
// error, and is not replaced by random points.
func TestFarClassifier(t *testing.T) {
	points := []vec.Vector{{Index: []int32{1}, Value: []float64{1}}, {Index: []int32{1}, Value: []float64{2}}}
	p := &train.Problem{Kernel: kernel.RBF{Gamma: 1}}
	task := &Task{Steps: Default().Steps}
	for _, c := range []struct {
		u    float64
		want error
	}{{1, nil}, {1e200, train.ErrOverflow}} {
		of := &Classifier{Points: points, Coef: []float64{c.u, -c.u}}
		if _, _, err := task.approximate(t.Context(), p, of, new(Outcome), points); !errors.Is(err, c.want) {
			t.Errorf("coefficients %v: error %v", c.u, err)
		}
	}
}
