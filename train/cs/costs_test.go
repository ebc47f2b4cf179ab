package cs_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// many are rows of as many classes.
func many(n int) *format.Dataset {
	d := &format.Dataset{}
	for i := range n {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i % 7), float64(i % 5)}})
		d.Y = append(d.Y, float64(i))
	}
	return d
}

// TestCosts: costs that leave the range of numbers are told as such, not as a row's.
func TestCosts(t *testing.T) {
	x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 1}, Weights: []train.ClassWeight{{Label: 1, Weight: 1e308}}}
	if _, err := x.Train(context.Background(), many(4), nil); !errors.Is(err, cs.ErrCosts) {
		t.Error(err)
	}
	x.Weights[0].Weight = math.Inf(1)
	const want = "weight +Inf of class 1 is not a positive number"
	if _, err := x.Train(context.Background(), many(4), nil); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestNoVectors: a model without vectors, for which the choice of the cost may end in small
// data, is told of.
func TestNoVectors(t *testing.T) {
	for _, rest := range []bool{true, false} {
		told := false
		x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.5}, OneVsRest: rest}
		x.Report = func(e train.Event) {
			if _, is := e.(train.NoVectors); is {
				told = true
			}
		}
		m, err := x.Train(context.Background(), many(12), nil)
		if err != nil {
			t.Fatal(err)
		}
		if none := m.Vectors.Len() == 0; none != rest || told != none {
			t.Errorf("against the rest %v: %d vectors, told: %v", rest, m.Vectors.Len(), told)
		}
	}
}

// TestTinyClasses: machines of one row a class begin and end with the same rows, which are
// vectors once.
func TestTinyClasses(t *testing.T) {
	x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.5}}
	x.Nu = []float64{100}
	m, err := x.Train(context.Background(), many(12), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Vectors.Len(); n < 2 || n > 12 {
		t.Errorf("%d vectors of 12 rows", n)
	}
}
