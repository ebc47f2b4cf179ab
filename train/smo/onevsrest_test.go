package smo_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func threeClasses(t *testing.T) *format.Dataset {
	set, ok := generate.Lookup("waveform")
	if !ok {
		t.Fatal("no set waveform")
	}
	return set.Generate(150, 1)
}

func rest() train.OneVsRest {
	return train.OneVsRest{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.03125}, Task: models.CSVC}
}

func values(t *testing.T, m *models.Model, d *format.Dataset) [][]float64 {
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for i := range d.Len() {
		v := make([]float64, len(m.Machines))
		p.Decisions(v, d.X.Row(i))
		all = append(all, v)
	}
	return all
}

// TestOneVsRest: each machine is the one of its class against all others, also with class weights;
// the largest value wins.
func TestOneVsRest(t *testing.T) {
	d := threeClasses(t)
	for _, weights := range [][]train.ClassWeight{nil, {{Label: 2, Weight: 3}, {Label: 2, Weight: 0.5}}} {
		trainer := rest()
		trainer.Weights = weights
		m, err := trainer.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Vote != models.OneVsRest || len(m.Machines) != 3 || !m.Extended() {
			t.Fatalf("%v, %d machines", m.Vote, len(m.Machines))
		}
		got := values(t, m, d)
		for c, label := range m.Labels {
			two := &format.Dataset{X: d.X, Y: slices.Clone(d.Y)}
			for i, y := range d.Y {
				two.Weight = append(two.Weight, 1)
				if weights != nil && y == 2 {
					two.Weight[i] = 1.5
				}
				if two.Y[i] = -1; int(y) == label {
					two.Y[i] = 1
				}
			}
			one, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: trainer.Kernel, Task: models.CSVC}.Train(t.Context(), two, nil)
			if err != nil {
				t.Fatal(err)
			}
			sign := 1.0
			if one.Labels[0] == -1 {
				sign = -1
			}
			for i, v := range values(t, one, d) {
				if !(math.Abs(sign*v[0]-got[i][c]) <= 1e-9) {
					t.Fatalf("class %d, row %d: value %v, want %v", label, i, got[i][c], sign*v[0])
				}
			}
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			best := m.Labels[slices.Index(v, slices.Max(v))]
			if answer := p.Predict(d.X.Row(i)); answer != float64(best) {
				t.Fatalf("row %d: %v, want %v", i, answer, best)
			}
		}
	}
}

func TestOneVsRestTwoClasses(t *testing.T) {
	d := threeClasses(t)
	for i, y := range d.Y {
		d.Y[i] = min(y, 2)
	}
	m, err := rest().Train(t.Context(), d, nil)
	if err != nil || m.Extended() || len(m.Machines) != 1 {
		t.Errorf("%v, %+v", err, m)
	}
	if _, err := rest().Train(t.Context(), &format.Dataset{}, nil); err != train.ErrNoData {
		t.Errorf("no rows: %v", err)
	}
}

func TestOneVsRestProbability(t *testing.T) {
	d := threeClasses(t)
	trainer := rest()
	trainer.Probability = true
	var models [2]*models.Model
	for i := range models {
		trainer.Threads = 1 + 2*i
		var err error
		if models[i], err = trainer.Train(t.Context(), d, train.NewRand(1)); err != nil {
			t.Fatal(err)
		}
	}
	m := models[0]
	for c := range m.Machines {
		if a, b := m.Machines[c].Sigmoid, models[1].Machines[c].Sigmoid; *a != *b || a.A >= 0 {
			t.Errorf("sigmoids %v and %v", a, b)
		}
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	right, dst := 0, make([]float64, 3)
	for i, y := range d.Y {
		answer, _ := p.Probabilities(dst, d.X.Row(i))
		sum := dst[0] + dst[1] + dst[2]
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Fatalf("probabilities %v", dst)
		}
		if answer == y {
			right++
		}
	}
	if right < 120 {
		t.Errorf("%d of 150 rows", right)
	}
}

func TestOneVsRestEvents(t *testing.T) {
	d := threeClasses(t)
	d.Y[0] += 0.5
	trainer := rest()
	trainer.Weights = []train.ClassWeight{{Label: 9, Weight: 2}}
	counts := map[string]int{}
	trainer.Report = func(e train.Event) { counts[fmt.Sprintf("%T", e)]++ }
	if _, err := trainer.Train(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	for event, want := range map[string]int{"train.WeightUnused": 1, "train.LabelsMerged": 1, "train.Solved": 3, "train.ModelAssembled": 1} {
		if counts[event] != want {
			t.Errorf("%d %s, want %d", counts[event], event, want)
		}
	}
	counts = map[string]int{}
	nu := trainer
	nu.Solver, nu.Task = smo.NuSVC{Nu: 0.2, Options: smo.DefaultOptions()}, models.NuSVC // class weights have no effect, but are reported
	if _, err := nu.Train(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	if counts["train.WeightUnused"] != 1 {
		t.Errorf("nu-SVC: %d WeightUnused", counts["train.WeightUnused"])
	}
	trainer.Weights[0].Weight = -1
	if _, err := trainer.Train(t.Context(), d, nil); err == nil {
		t.Error("a negative weight is taken")
	}
	trainer.Weights = nil
	trainer.Solver = smo.CSVC{C: -1, Options: smo.DefaultOptions()}
	_, err := trainer.Train(t.Context(), d, nil)
	t.Log(err)
	if err == nil {
		t.Error("a negative cost is taken")
	}
}

// TestOneVsRestNu: nu is told of each machine, unless costs differ between rows.
func TestOneVsRestNu(t *testing.T) {
	d := threeClasses(t)
	alike := *d
	alike.Weight = slices.Repeat([]float64{2}, d.Len())
	for _, c := range []struct {
		data    *format.Dataset
		weights []train.ClassWeight
		want    string
	}{{d, nil, "nu"}, {d, []train.ClassWeight{{Label: 77, Weight: 2}}, "nu"}, {d, []train.ClassWeight{{Label: int(d.Y[0]), Weight: 2}}, ""}, {&alike, nil, ""}} {
		trainer := rest()
		trainer.Weights = c.weights
		var names []string
		trainer.Report = func(e train.Event) {
			if e, ok := e.(train.Solved); ok {
				names = append(names, e.Name)
			}
		}
		if _, err := trainer.Train(t.Context(), c.data, nil); err != nil {
			t.Fatal(err)
		}
		if want := slices.Repeat([]string{c.want}, 3); !slices.Equal(names, want) {
			t.Errorf("class weights %v, row weights %v: machines are told with %q, want %q", c.weights, c.data.Weight != nil, names, want)
		}
	}
}

// TestOneVsRestMany: thousands of classes with fewer than two rows each are refused, by the number of
// their machines, one for each class. With two rows each they are told of and trained.
func TestOneVsRestMany(t *testing.T) {
	d := new(format.Dataset)
	for i := range 6002 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(i / 2), Weight: 1})
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := rest()
	r.Report = func(e train.Event) {
		if e == (train.ManyClasses{Classes: 3001, Rows: 6002}) {
			cancel()
		}
	}
	if _, err := r.Train(ctx, d, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("two rows each: %v", err)
	}
	d.X, d.Y, d.Weight = d.X.Slice(0, 6001), d.Y[:6001], nil
	if _, err := rest().Train(t.Context(), d, nil); err == nil || !strings.HasPrefix(err.Error(), "3001 classes in 6001 rows would need 3001 machines;") {
		t.Errorf("%v", err)
	}
}

func TestOneVsRestConformance(t *testing.T) {
	traintest.Run(t, func(r train.Report) train.Trainer {
		o := smo.DefaultOptions()
		o.Report = r
		return train.OneVsRest{Solver: smo.CSVC{C: 4, Options: o}, Kernel: kernel.RBF{Gamma: 0.5}, Task: models.CSVC, Report: r}
	}, traintest.Options{Accuracy: 0.95})
}

// TestOneVsRestLabels: a label that is no class is an error of its row.
func TestOneVsRestLabels(t *testing.T) {
	for _, label := range []float64{1e10, math.NaN(), math.Inf(-1)} {
		d := new(format.Dataset)
		for i, y := range []float64{1, 2, 3, label} {
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: y, Weight: 1})
		}
		_, err := rest().Train(t.Context(), d, nil)
		if at := (*train.RowError)(nil); !errors.As(err, &at) || at.Row != 3 {
			t.Errorf("label %v: %v", label, err)
		}
	}
}
