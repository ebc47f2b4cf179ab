package reducedset

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestBasis: a basis proposes the vectors of the reduced model of the same rows, whatever the order
// of the classes in the data and the number of threads.
func TestBasis(t *testing.T) {
	d := waveform(t, 2)
	rows := make([][]int, 3)
	for i, y := range d.Y {
		rows[int(y)-1] = append(rows[int(y)-1], i)
	}
	machines := train.OneVsRest{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 1.0 / 32}, Task: models.CSVC}
	propose := func(threads, n int) vec.Matrix {
		zs, err := DefaultBasis(machines, threads).Vectors(t.Context(), &d.X, rows, n, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		if zs.Len() != n {
			t.Errorf("%d vectors, expected %d", zs.Len(), n)
		}
		return zs
	}
	one, two := propose(1, 9), propose(2, 9)
	for j := range one.Len() {
		if !slices.Equal(one.Row(j).Value, two.Row(j).Value) {
			t.Errorf("vector %d differs with two threads", j)
		}
	}
	// they are those of the machine that is trained on the rows
	r := DefaultBasis(machines, 1).Reducer
	r.Vectors = 9
	small, err := r.Reduce(t.Context(), oneVsRest(t, kernel.RBF{Gamma: 1.0 / 32}, d), d)
	if err != nil {
		t.Fatal(err)
	}
	for j := range one.Len() {
		near := math.Inf(1)
		dst := make([]float64, small.Vectors.Len())
		small.Vectors.SquaredDistanceTo(dst, one.Row(j))
		for _, v := range dst {
			near = min(near, v)
		}
		if near > 0.5 { // rows are 40 apart
			t.Errorf("vector %d is %v away from all vectors of the reduced model", j, near)
		}
	}
	propose(1, 2) // fewer than machines
	if _, err := DefaultBasis(machines, 1).Vectors(t.Context(), &d.X, rows[:1], 3, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, errClasses) {
		t.Errorf("one class: %v", err)
	}
}
