package rsvm_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// classes returns data with the given numbers of classes and of rows in each.
func classes(many, rows int) *format.Dataset {
	d := &format.Dataset{}
	for i := range many * rows {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i % many), float64(i / many)}})
		d.Y = append(d.Y, float64(i%many))
	}
	return d
}

// TestTooLarge: reduced sets whose Newton systems or coefficients do not fit into memory are
// reported before the work, with the size that fits.
func TestTooLarge(t *testing.T) {
	growing := rsvm.DefaultSystematic()
	growing.MaxVectors = 400
	for _, c := range []struct {
		name string
		set  rsvm.Set
		rest bool
		d    *format.Dataset
		want string
	}{
		{"pairs", rsvm.Random{Vectors: 400}, false, classes(900, 4), "the reduced set is too large: 400 vectors, where 404550 machines, one for each pair of 900 classes, can have 330"},
		{"centres", rsvm.Random{Vectors: 400, Centres: true}, false, classes(900, 4), "404550 machines"},
		{"growth", growing, false, classes(900, 4), "400 vectors, where 404550 machines, one for each pair of 900 classes, can have 330"},
		{"against the rest", rsvm.Random{Vectors: 16400}, true, classes(3, 5500), "16400 vectors, where 3 machines, one for each class, can have 16383"},
		{"two", rsvm.Full{}, false, classes(2, 8200), "16400 vectors, where a machine can have 16383"},
		{"rows of the classes", rsvm.Full{}, false, classes(600, 380), "760 vectors, where 179700 machines, one for each pair of 600 classes, can have 745"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := rsvm.DefaultOptions()
			o.Kernel, o.Set = kernel.RBF{Gamma: 1}, c.set
			o.Report = func(e train.Event) {
				switch e.(type) {
				case train.Progress, train.RoundDone, train.Solved:
					t.Errorf("%T: something was computed", e)
				}
			}
			_, err := rsvm.Classifier{Options: o, OneVsRest: c.rest}.Train(context.Background(), c.d, nil)
			if !errors.Is(err, rsvm.ErrTooLarge) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
}

// TestTooLargeAtOnce: if the sums of all machines are needed at once, less fits into memory.
func TestTooLargeAtOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		set  rsvm.Set
		rest bool
		d    *format.Dataset
		want string
	}{
		{"pairs", rsvm.DefaultRandom(), false, classes(300, 1), "the reduced set is too large: 300 vectors, where 44850 machines, one for each pair of 300 classes, can have 76"},
		{"against the rest", rsvm.DefaultRandom(), true, classes(10, 550), "5500 vectors, where 10 machines, one for each class, can have 5180"},
		{"rows of the classes", rsvm.Full{}, false, classes(100, 200), "400 vectors, where 4950 machines, one for each pair of 100 classes, can have 231"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := rsvm.DefaultOptions()
			o.Kernel, o.Set = kernel.RBF{Gamma: 1}, c.set
			var labels []int
			for _, y := range c.d.Y {
				if len(labels) == 0 || int(y) > labels[len(labels)-1] {
					labels = append(labels, int(y))
				} else {
					break
				}
			}
			_, err := rsvm.Classifier{Options: o, OneVsRest: c.rest}.Begin(labels, c.d)
			if !errors.Is(err, rsvm.ErrTooLarge) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
		})
	}
}

// TestCosts: costs that overflow are reported as such, and weights that are not finite before
// anything else.
func TestCosts(t *testing.T) {
	d := classes(2, 20)
	for _, c := range []struct {
		change func(c *rsvm.Classifier)
		want   string
	}{
		{func(c *rsvm.Classifier) { c.Cost = 1e300 }, rsvm.ErrCosts.Error()},
		{func(c *rsvm.Classifier) { c.Weights = []train.ClassWeight{{Label: 1, Weight: 1e200}} }, rsvm.ErrCosts.Error()},
		{func(c *rsvm.Classifier) { c.Weights = []train.ClassWeight{{Label: 1, Weight: math.Inf(1)}} }, "weight +Inf of class 1 is not a positive number"},
	} {
		o := rsvm.DefaultOptions()
		o.Kernel = kernel.RBF{Gamma: 1}
		x := rsvm.Classifier{Options: o}
		c.change(&x)
		if _, err := x.Train(context.Background(), d, nil); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}

// nowhere is a kernel whose values are NaN unless the vectors are equal.
type nowhere struct{ kernel.RBF }

func (nowhere) EvaluateTo(dst []float64, _ vec.Vector, _ *vec.Matrix) {
	for i := range dst {
		dst[i] = math.NaN()
	}
}

// TestNoNumbers: kernel values that are NaN are reported as a fault of the kernel, and not of the
// costs.
func TestNoNumbers(t *testing.T) {
	o := rsvm.DefaultOptions()
	o.Kernel = nowhere{kernel.RBF{Gamma: 1}}
	if _, err := (rsvm.Classifier{Options: o}).Train(t.Context(), classes(2, 20), nil); !errors.Is(err, train.ErrOverflow) {
		t.Errorf("%v; want %v", err, train.ErrOverflow)
	}
}
