package mkc_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// TestLeaveOneOutMany: the leave-one-out bound in a model of many classes holds for its answers.
// The mean of its machines' bounds would not.
func TestLeaveOneOutMany(t *testing.T) {
	const classes = 8 // around a circle, each between its neighbours
	rng := rand.New(rand.NewPCG(1, 2))
	d := new(format.Dataset)
	for i := range 64 {
		angle := 2 * math.Pi * float64(i%classes) / classes
		d.Append(format.Instance{
			X: vec.Vector{Index: []int32{1, 2}, Value: []float64{math.Cos(angle) + 0.35*rng.NormFloat64(), math.Sin(angle) + 0.35*rng.NormFloat64()}},
			Y: float64(i%classes + 1), Weight: 1,
		})
	}
	s := mkc.Default()
	s.Mu, s.Nu = 0, 10
	var machines []train.Minimised
	of := func(d *format.Dataset) *models.Model {
		machines = nil
		s.Report = func(e train.Event) {
			if m, is := e.(train.Minimised); is {
				machines = append(machines, m)
			}
		}
		m, err := mkc.Trainer{Solver: s, Kernel: kernel.RBF{Gamma: 2}, Threads: 1}.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := of(d)
	mean := 0.0
	for _, e := range machines {
		mean += float64(e.LeaveOneOutErrors) / float64(e.Of) / float64(len(machines))
		if len(e.LeaveOneOutRows) != e.LeaveOneOutErrors {
			t.Errorf("%d rows, %d are listed", e.LeaveOneOutErrors, len(e.LeaveOneOutRows))
		}
	}
	failures, rows := mkc.LeaveOneOutErrors(machines)
	bound := float64(failures) / float64(rows)
	kept := ""
	for _, p := range m.Provenance.Parameters {
		if p.Name == "loo_error" {
			kept = p.Value
		}
	}
	if rows != d.Len() || kept != strconv.FormatFloat(bound, 'g', -1, 64) {
		t.Errorf("bound %s of %d rows, want %v", kept, rows, bound)
	}
	wrong := 0
	for i, y := range d.Y {
		var rest format.Dataset
		for k := range d.Y {
			if k != i {
				rest.Append(format.Instance{X: d.X.Row(k), Y: d.Y[k], Weight: 1})
			}
		}
		p, err := predict.New(of(&rest))
		if err != nil {
			t.Fatal(err)
		}
		if p.Predict(d.X.Row(i)) != y {
			wrong++
		}
	}
	t.Logf("%d of %d rows are wrong when left out, bound %d, mean of the machines' bounds %.3f", wrong, rows, failures, mean)
	if wrong > failures || failures == rows {
		t.Errorf("%d of %d rows are wrong when left out, bound %d", wrong, rows, failures)
	}
	if float64(wrong) <= mean*float64(rows) {
		t.Errorf("the machines' mean bound %v holds too: the test tells nothing", mean)
	}
}

// TestLeaveOneOutWeights: the bound also holds for rows with little weight, whose multipliers are
// small compared with others.
func TestLeaveOneOutWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	all := new(format.Dataset)
	for i := range 60 {
		x := []float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}
		y, weight := 1.0, 1.0
		if x[0]+x[1] > 0 {
			y = 2
		}
		if i >= 20 {
			y, weight = float64(1+rng.IntN(2)), 1e-8
		}
		all.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: x}, Y: y, Weight: weight})
	}
	s := mkc.Default()
	s.Mu, s.Nu = 0, 10
	failures := 0
	of := func(d *format.Dataset) *models.Model {
		s.Report = func(e train.Event) {
			if m, is := e.(train.Minimised); is {
				failures = m.LeaveOneOutErrors
			}
		}
		m, err := mkc.Trainer{Solver: s, Kernel: kernel.RBF{Gamma: 0.5}, Threads: 1}.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	of(all)
	bound, wrong := failures, 0
	for i, y := range all.Y {
		rest := new(format.Dataset)
		for k := range all.Y {
			if k != i {
				rest.Append(format.Instance{X: all.X.Row(k), Y: all.Y[k], Weight: all.Weight[k]})
			}
		}
		p, err := predict.New(of(rest))
		if err != nil {
			t.Fatal(err)
		}
		if p.Predict(all.X.Row(i)) != y {
			wrong++
		}
	}
	t.Logf("%d of %d rows are wrong when left out, bound %d", wrong, all.Len(), bound)
	if wrong > bound || bound == all.Len() {
		t.Errorf("%d of %d rows are wrong when left out, bound %d", wrong, all.Len(), bound)
	}
}
