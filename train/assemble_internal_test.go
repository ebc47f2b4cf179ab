package train

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestPartStart: parts follow each other and are of nearly one size, for any number of things.
func TestPartStart(t *testing.T) {
	for _, n := range []int{manyMachines, 1999000, math.MaxInt32, math.MaxInt} {
		for _, parts := range []int{assembled, 7 * assembled, 64 * assembled} {
			if partStart(n, parts, 0) != 0 || partStart(n, parts, parts) != n {
				t.Fatalf("%d parts of %d: from %d to %d", parts, n, partStart(n, parts, 0), partStart(n, parts, parts))
			}
			for k := range parts {
				if size := partStart(n, parts, k+1) - partStart(n, parts, k); size != n/parts && size != n/parts+1 {
					t.Fatalf("%d parts of %d: part %d has %d", parts, n, k, size)
				}
			}
		}
	}
}

// firstThree is a solver whose coefficients are 0 except for three rows: the first two and one of
// the second class.
type firstThree struct{}

func (firstThree) Solve(_ context.Context, p *Problem) (*Solution, error) {
	coef := make([]float64, len(p.Y))
	for i, y := range p.Y {
		if y < 0 {
			coef[i] = math.Copysign(0, -1)
		}
	}
	coef[0], coef[1], coef[len(coef)-2] = 0.75, 0.25, -1
	return &Solution{Coef: coef}, nil
}

// TestListsOfFolds: in models of folds with many machines, these list their vectors, rather than to
// have coefficients in memory twice.
// Machines of a model that is kept have a coefficient for each vector.
func TestListsOfFolds(t *testing.T) {
	for _, classes := range []int{20, 142} { // the latter have more than 10,000 pairs
		d := new(format.Dataset)
		for i := range 3 * classes {
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(i % classes), Weight: 1})
		}
		o := OneVsOne{Solver: firstThree{}, Kernel: kernel.RBF{Gamma: 1}, Threads: 1}
		kept, err := o.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.arena = new(arena)
		fold, err := o.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		listed, start := 0, fold.GroupStart()
		for n := range fold.Machines {
			if kept.Machines[n].Index != nil {
				t.Fatalf("%d classes: machine %d of a model that is kept lists vectors", classes, n)
			}
			machine := fold.Machines[n]
			if machine.Index != nil {
				listed++
				spread := make([]float64, fold.Vectors.Len())
				for k, v := range machine.Index {
					spread[v] = machine.Coef[k]
				}
				spans := machine.Spans(start)
				machine.Coef = slices.Concat(spread[spans[0].From:spans[0].To], spread[spans[1].From:spans[1].To])
			}
			if !slices.Equal(machine.Coef, kept.Machines[n].Coef) { // 0 is -0
				t.Fatalf("%d classes: machine %d has the coefficients %v, that of a model that is kept %v", classes, n, machine.Coef, kept.Machines[n].Coef)
			}
		}
		want := 0
		if models.Pairs(classes) > mostAtOnce {
			want = len(fold.Machines)
		}
		if listed != want {
			t.Errorf("%d classes: %d machines list vectors, want %d", classes, listed, want)
		}
	}
}
