package train_test

import (
	"context"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestSortClasses: classes that are sorted have the rows, costs, decision values and probabilities of
// LIBSVM's order, and of those with as many votes the smallest label is predicted.
func TestSortClasses(t *testing.T) {
	var d format.Dataset
	for i, row := range [][]float64{{0, 4}, {3, 0}, {4, 4}, {1, 4}, {4, 0}, {4, 3}, {0, 3}, {3, 1}, {3, 4}, {1, 1}} {
		d.Append(format.Instance{X: vec.FromSlice(row), Y: []float64{7, -3, 5}[i%3], Weight: 1})
	}
	t0 := train.OneVsOne{
		Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.25}, Task: models.CSVC,
		Weights: []train.ClassWeight{{Label: 5, Weight: 2}},
	}
	var of [2]*models.Model
	for k := range of {
		t0.SortClasses = k == 1
		m, err := t0.Train(context.Background(), &d, nil)
		if err != nil {
			t.Fatal(err)
		}
		of[k] = m
	}
	if got, want := of[0].Labels, []int{7, -3, 5}; !slices.Equal(got, want) {
		t.Errorf("classes %v, want %v, as they first occur", got, want)
	}
	if got, want := of[1].Labels, []int{-3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("sorted classes %v, want %v", got, want)
	}
	value := func(m *models.Model, x vec.Vector, a, b int) float64 {
		values := make([]float64, len(m.Machines))
		predictor(t, m).Decisions(values, x)
		for k, machine := range m.Machines {
			switch pos, neg := m.Labels[machine.Pos], m.Labels[machine.Neg]; {
			case pos == a && neg == b:
				return values[k]
			case pos == b && neg == a:
				return -values[k]
			}
		}
		t.Fatalf("no machine of %d and %d", a, b)
		return 0
	}
	for i := range d.Len() {
		for _, pair := range [][2]int{{7, -3}, {7, 5}, {-3, 5}} {
			x := d.X.Row(i)
			if a, b := value(of[0], x, pair[0], pair[1]), value(of[1], x, pair[0], pair[1]); a-b > 2e-3 || b-a > 2e-3 {
				t.Errorf("row %d, classes %v: decision value %v, sorted %v", i+1, pair, a, b)
			}
		}
	}

	// machines without vectors: each class of three wins once
	tie := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Labels: []int{1, 2, 3}}
	tie.Machines = []models.Machine{{Pos: 0, Neg: 1, Rho: -1}, {Pos: 0, Neg: 2, Rho: 1}, {Pos: 1, Neg: 2, Rho: -1}}
	if got := predictor(t, tie).Predict(vec.FromSlice([]float64{1})); got != 1 {
		t.Errorf("of three classes with a vote each, %v is predicted, want the first", got)
	}
}

func predictor(t *testing.T, m *models.Model) *predict.Predictor {
	t.Helper()
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
