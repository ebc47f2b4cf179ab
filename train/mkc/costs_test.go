package mkc_test

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// few returns four rows of two classes on a line.
func few() *format.Dataset {
	d := &format.Dataset{Y: []float64{1, 1, 2, 2}}
	for i := range d.Y {
		d.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
	}
	return d
}

// TestCosts: costs that overflow are reported as such, and not as a fault of a row.
func TestCosts(t *testing.T) {
	for name, change := range map[string]func(t *mkc.Trainer){
		"nu":     func(t *mkc.Trainer) { t.Solver.Nu, t.Weights = 1e300, []train.ClassWeight{{Label: 1, Weight: 1e300}} },
		"mu":     func(t *mkc.Trainer) { t.Solver.Mu = 1e308 },
		"alpha":  func(t *mkc.Trainer) { t.Solver.Alpha = 1e308 },
		"weight": func(t *mkc.Trainer) { t.Weights = []train.ClassWeight{{Label: 1, Weight: 1e308}} },
	} {
		x := mkc.Trainer{Solver: mkc.Default(), Kernel: kernel.RBF{Gamma: 1}}
		change(&x)
		if _, err := x.Train(context.Background(), few(), nil); !errors.Is(err, mkc.ErrCosts) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOverflow: kernel values that overflow are reported as such.
func TestOverflow(t *testing.T) {
	d := few()
	for i := range d.Y {
		d.X.Row(i).Value[0] *= 1e60
	}
	x := mkc.Trainer{Solver: mkc.Default(), Kernel: kernel.Poly{Degree: 3, Gamma: 1}}
	if _, err := x.Train(context.Background(), d, nil); !errors.Is(err, train.ErrOverflow) {
		t.Errorf("%v", err)
	}
}

// TestNoVectors: a machine for which no vector is worth its cost is reported.
func TestNoVectors(t *testing.T) {
	for _, c := range []struct {
		nu   float64
		want bool
	}{{0.01, true}, {100, false}} {
		told := false
		x := mkc.Trainer{Solver: mkc.Default(), Kernel: kernel.RBF{Gamma: 1}}
		x.Solver.Nu = c.nu
		x.Solver.Report = func(e train.Event) { told = told || isNone(e) }
		m, err := x.Train(context.Background(), few(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if none := m.Vectors.Len() == 0; none != c.want || told != c.want {
			t.Errorf("nu %v: %d vectors, told: %v", c.nu, m.Vectors.Len(), told)
		}
	}
}

func isNone(e train.Event) bool {
	_, is := e.(train.NoVectors)
	return is
}
