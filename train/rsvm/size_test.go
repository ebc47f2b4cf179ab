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

// classes returns data of many classes, each with so many rows.
func classes(many, rows int) *format.Dataset {
	d := &format.Dataset{}
	for i := range many * rows {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i % many), float64(i / many)}})
		d.Y = append(d.Y, float64(i%many))
	}
	return d
}

// TestTooLarge: reduced sets whose Newton systems have no room are told before the work,
// with what there is room for.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		name string
		set  rsvm.Set
		rest bool
		d    *format.Dataset
		want string
	}{
		{"pairs", rsvm.Random{Vectors: 120}, false, classes(300, 4), "the reduced set is too large: 120 vectors, where 44850 machines, one for each pair of 300 classes, can have 76"},
		{"centres", rsvm.Random{Vectors: 120, Centres: true}, false, classes(300, 4), "44850 machines"},
		{"growth", rsvm.DefaultSystematic(), false, classes(300, 4), "200 vectors, where 44850 machines, one for each pair of 300 classes, can have 76"},
		{"against the rest", rsvm.Random{Vectors: 5500}, true, classes(10, 600), "5500 vectors, where 10 machines, one for each class, can have 5180"},
		{"two", rsvm.Full{}, false, classes(2, 8200), "16400 vectors, where a machine can have 16383"},
		{"rows of the classes", rsvm.Full{}, false, classes(100, 200), "400 vectors, where 4950 machines, one for each pair of 100 classes, can have 231"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := rsvm.DefaultOptions()
			o.Kernel, o.Set = kernel.RBF{Gamma: 1}, c.set
			o.Report = func(e train.Event) {
				switch e.(type) {
				case train.Progress, train.Grown, train.Solved:
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

// TestCosts: costs that leave the range of numbers are told as such, and weights that are no
// numbers before anything else.
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
