package smo

import (
	"context"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

func dataset(t *testing.T, name string, rows int) *format.Dataset {
	t.Helper()
	set, ok := generate.Lookup(name)
	if !ok {
		t.Fatalf("no set %q", name)
	}
	return set.Generate(rows, 1)
}

// logged returns options that collect the events.
func logged(log *[]train.Event) Options {
	o := DefaultOptions()
	o.Report = func(e train.Event) { *log = append(*log, e) }
	return o
}

// values returns the decision values of a model of one machine.
func values(t *testing.T, m *models.Model, d *format.Dataset) []float64 {
	t.Helper()
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, d.Len())
	for i := range v {
		p.Decisions(v[i:i+1], d.X.Row(i))
	}
	return v
}

// TestCSVC tests the conditions of the margin: rows without a coefficient are beyond it, bounded
// ones inside it, free ones on it; and nu is the sum of the coefficients.
func TestCSVC(t *testing.T) {
	d := dataset(t, "gauss", 200)
	for _, c := range []float64{0.01, 1, 100} {
		var log []train.Event
		m, err := train.OneVsOne{Kernel: kernel.RBF{Gamma: 0.5}, Solver: CSVC{C: c, Options: DefaultOptions()}, Report: logged(&log).Report}.
			Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := last[train.Solved](t, log)
		near(t, "nu", e.Value, total(m.Machines[0].Coef)/(c*float64(d.Len())), 1e-12)
		near(t, "the sum of the coefficients", sum(m.Machines[0].Coef), 0, 1e-9*c)
		coef := make([]float64, d.Len())
		for k, row := range m.Origin {
			coef[row-1] = m.Machines[0].Coef[k]
		}
		for i, f := range values(t, m, d) {
			y := 1.0
			if d.Y[i] != float64(m.Labels[0]) {
				y = -1
			}
			margin, a := y*f, y*coef[i]
			const tolerance = 0.002
			if a == 0 && margin < 1-tolerance || a == c && margin > 1+tolerance || a > 0 && a < c && !(math.Abs(margin-1) <= tolerance) || a < 0 || a > c {
				t.Errorf("C %v, row %d: margin %v with coefficient %v", c, i, margin, a)
			}
		}
	}
}

// TestNuProperty: nu bounds the share of margin errors from above and that of support vectors from
// below.
func TestNuProperty(t *testing.T) {
	for _, nu := range []float64{0.05, 0.2, 0.6} {
		var log []train.Event
		d := dataset(t, "gauss", 200)
		n := float64(d.Len())
		if _, err := (train.OneVsOne{Kernel: kernel.RBF{Gamma: 0.5}, Solver: NuSVC{Nu: nu, Options: DefaultOptions()}, Report: logged(&log).Report}).
			Train(context.Background(), d, nil); err != nil {
			t.Fatal(err)
		}
		e := last[train.Solved](t, log)
		if float64(e.Vectors) < nu*n || float64(e.Bounded) > nu*n {
			t.Errorf("nu-SVC, nu %v: %d vectors, %d of them bounded, of %v rows", nu, e.Vectors, e.Bounded, n)
		}
		m, err := OneClass{Nu: nu, Kernel: kernel.RBF{Gamma: 0.5}, Options: logged(&log)}.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		e = last[train.Solved](t, log)
		near(t, "one-class: the sum of the coefficients", sum(m.Machines[0].Coef), nu*n, 1e-9*n)
		if float64(e.Vectors) < nu*n || float64(e.Bounded) > nu*n {
			t.Errorf("one-class, nu %v: %d vectors, %d of them bounded, of %v rows", nu, e.Vectors, e.Bounded, n)
		}
		outside := 0.0
		for _, f := range values(t, m, d) {
			if f < -0.002 {
				outside++
			}
		}
		if outside > nu*n {
			t.Errorf("one-class, nu %v: %v of %v rows are outside", nu, outside, n)
		}
	}
}

// TestTube: rows inside the tube have no coefficient, those outside have the largest, with the sign
// of their side. The tube of nu-SVR has the width that it reports.
func TestTube(t *testing.T) {
	d := dataset(t, "sinc", 200)
	k := kernel.RBF{Gamma: 1}
	const c, epsilon, nu = 5, 0.05, 0.3
	var log []train.Event
	for name, trainer := range map[string]train.Trainer{
		"epsilon-SVR": EpsilonSVR{C: c, Epsilon: epsilon, Kernel: k, Options: logged(&log)},
		"nu-SVR":      NuSVR{C: c, Nu: nu, Kernel: k, Options: logged(&log)},
	} {
		m, err := trainer.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		width := epsilon
		e := last[train.Solved](t, log)
		if e.Name == "epsilon" {
			width = e.Value
			if n := float64(d.Len()); float64(e.Vectors) < nu*n || float64(e.Bounded) > nu*n {
				t.Errorf("nu-SVR: %d vectors, %d of them bounded, of %v rows", e.Vectors, e.Bounded, n)
			}
		} else {
			near(t, "nu", e.Value, total(m.Machines[0].Coef)/(c*float64(d.Len())), 1e-12)
		}
		near(t, name+": the sum of the coefficients", sum(m.Machines[0].Coef), 0, 1e-9)
		coef := make([]float64, d.Len())
		for i, row := range m.Origin {
			coef[row-1] = m.Machines[0].Coef[i]
		}
		for i, f := range values(t, m, d) {
			residual := d.Y[i] - f
			const tolerance = 0.002
			inside, a := math.Abs(residual) < width-tolerance, coef[i]
			beyond := !(math.Abs(residual) <= width+tolerance)
			if inside && a != 0 || beyond && a != math.Copysign(c, residual) {
				t.Errorf("%s, row %d: residual %v in a tube of %v with coefficient %v", name, i, residual, width, a)
			}
		}
	}
}
