package cs

import (
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestApart: costs that are compared together have the same results as each alone, in whatever
// order they are given. This includes costs for which nothing is solved, because the classifier of
// a lower cost has no errors.
func TestApart(t *testing.T) {
	tr := &Trainer{Settings: Default(), Kernel: kernel.RBF{Gamma: 2}}
	d := manyClasses(3, 60)
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	problems, err := tr.problems(t.Context(), d, classes, new(models.Model))
	if err != nil {
		t.Fatal(err)
	}
	costs := []float64{1e5, 0.1, 1e7, 1, 1e6}
	for k, p := range problems {
		task := &Task{Machine: k, Seed: 1, Rows: 60, HeldOut: 30, Try: costs, Steps: tr.Steps}
		all, err := task.Do(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, cost := range costs {
			one := *task
			one.Try = []float64{cost}
			alone, err := one.Do(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			a, b := all.Tried[i], alone.Tried[0]
			if a.Right != b.Right || a.HeldRight != b.HeldRight || a.HeldRightWeight != b.HeldRightWeight || a.HeldOut != b.HeldOut {
				t.Errorf("machine %d, cost %v: %+v, alone %+v", k, cost, a.Metrics, b.Metrics)
			}
		}
	}
}
