package psvm

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// ensembleOf returns an outcome whose members are of these classes.
func ensembleOf(accuracy float64, classes ...int) *outcome {
	e := new(ensemble)
	for _, c := range classes {
		e.machines = append(e.machines, machine{classes: []int{c, models.Rest}})
	}
	return &outcome{ensemble: e, accuracy: accuracy}
}

// areAlike is outcome.alike of an ensemble's members.
func areAlike(m *models.Model) bool {
	var classes []int
	for i := range m.CountMembers() {
		of, _ := m.Member(i)
		classes = append(classes, m.Machines[of.From].Pos)
	}
	return ensembleOf(0, classes...).alike()
}

// TestBest: of equally good ensembles, the smallest that does not answer all rows alike is the
// best. One that does is the best only if it answers more rows rightly.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		of   []*outcome
		best int
	}{
		{[]*outcome{ensembleOf(0.9, 0, 0), ensembleOf(0.9, 0, 1, 1), ensembleOf(0.9, 0, 1, 1, 1)}, 1},
		{[]*outcome{ensembleOf(0.9, 0, 1, 1), ensembleOf(0.9, 0), ensembleOf(0.9, 1, 0)}, 2},
		{[]*outcome{ensembleOf(0.9, 0, 1), ensembleOf(0.95, 0, 0)}, 1},
		{[]*outcome{ensembleOf(0.9, 0, 1), ensembleOf(0.9)}, 0},
		{[]*outcome{ensembleOf(0.9, 1, 1), ensembleOf(0.9, 1)}, 1},
	} {
		if got := best(c.of); got != c.of[c.best] {
			t.Errorf("%d members with %v is the best, want %d with %v", got.members(), got.accuracy, c.of[c.best].members(), c.of[c.best].accuracy)
		}
	}
	several := &ensemble{machines: []machine{{classes: []int{2, 0, 1}}}}
	if o := (&outcome{ensemble: several}); !o.alike() {
		t.Error("one member, and its class is not the answer to each row")
	}
	several.machines = append(several.machines, machine{classes: []int{0, 1, 2}})
	if o := (&outcome{ensemble: several}); o.alike() {
		t.Error("members of two classes answer alike")
	}
}

// TestFewHeldOut: with few held-out rows, ensembles of machines of one class, which are small and
// as good on these rows, are not taken if others are as good.
func TestFewHeldOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	alike, likely, right, one := 0, 0, 0, 0
	const sets = 40
	for range sets {
		draw := func(rows int) *format.Dataset {
			d := new(format.Dataset)
			for i := range rows {
				y := float64(i % 2)
				x := vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{2*y + rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}}
				d.Append(format.Instance{X: x, Y: y, Weight: 1})
			}
			return d
		}
		d, test := draw(10), draw(50)
		m, n := trained(t, Default(), d, test)
		right += n
		if areAlike(m) {
			alike++
		}
		s := Default()
		s.Form = Others
		_, n = trained(t, s, d, test)
		one += n
		s.Form = OwnLikely
		if m, _ = trained(t, s, d, test); areAlike(m) {
			likely++
		}
	}
	if likely > sets/10 { // of the iterations of one form
		t.Errorf("%d of %d ensembles of form own-likely answer all rows alike", likely, sets)
	}
	if share := float64(right) / (50 * sets); alike > sets/8 || share < float64(one)/(50*sets)-0.02 {
		t.Errorf("%d of %d ensembles answer all rows alike; %v of other rows are answered rightly, %v with the first form", alike, sets, share, float64(one)/(50*sets))
	}
}
