package smo_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// alone is a solver that is given the rows of each pair, and computes their kernel values.
type alone struct{ solver train.Solver }

func (a alone) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	return a.solver.Solve(ctx, p)
}

// TestManyClasses: classes whose pairs share their kernel values have the model of classes whose
// pairs compute their own: in any number of threads, in a part of the rows of a store, with
// probabilities, with classes that are too large to share, and where most pairs need few of the
// values.
func TestManyClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 31))
	for trial := range 6 {
		d := &format.Dataset{}
		columns := []int{3, 9, 20, 40}[trial%4]
		for class := range 6 + 3*trial {
			centre := make([]float64, columns)
			for c := range centre {
				centre[c] = r.NormFloat64()
			}
			n := 1 + r.IntN(25)
			if class == 2 {
				n = 70
			}
			for range n {
				x := make([]float64, columns)
				for c := range x {
					x[c] = centre[c] + []float64{0.1, 1}[trial/2%2]*r.NormFloat64()
				}
				d.X.Append(dense(x))
				d.Y = append(d.Y, float64(class))
			}
		}
		r.Shuffle(len(d.Y), func(i, j int) {
			d.X.Swap(i, j)
			d.Y[i], d.Y[j] = d.Y[j], d.Y[i]
		})
		k := []kernel.Kernel{kernel.RBF{Gamma: 0.25}, kernel.Linear{}, kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}}[trial%3]
		solver := train.StoreSolver(smo.DefaultCSVC())
		if trial == 4 {
			nu := smo.DefaultNuSVC()
			nu.Nu = 0.02
			solver = nu
		}
		task := models.CSVC
		if trial == 4 {
			task = models.NuSVC
		}
		trainer := func(s train.Solver, threads int) train.OneVsOne {
			return train.OneVsOne{Solver: s, Kernel: k, Task: task, Threads: threads, Probability: trial == 3}
		}
		want := text(t, trainer(alone{solver}, 1), d)
		for threads := 1; threads <= 3; threads++ {
			if got := text(t, trainer(solver, threads), d); got != want {
				t.Errorf("trial %d, %d threads: the models differ", trial, threads)
			}
		}
		// the rows of d among those of a store, behind others
		var all format.Dataset
		order := r.Perm(len(d.Y))
		place := make([]int, len(d.Y))
		for range 5 {
			all.X.Append(dense(make([]float64, columns)))
		}
		for _, i := range order {
			place[i] = all.X.Len()
			all.X.Append(d.X.Row(i))
		}
		if got := text(t, trainer(solver, 2).OnStore(kernel.NewStore(&all.X), place), d); got != want {
			t.Errorf("trial %d: the model of rows of a store differs", trial)
		}
	}
}

// dense returns a vector that lists all columns.
func dense(x []float64) (v vec.Vector) {
	for c := range x {
		v.Index = append(v.Index, int32(c+1))
	}
	v.Value = x
	return v
}

// text returns a model as svm-train writes it.
func text(t *testing.T, trainer train.Trainer, d *format.Dataset) string {
	t.Helper()
	m, err := trainer.Train(context.Background(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(fmt.Errorf("%T: %w", trainer, err))
	}
	var b bytes.Buffer
	if err := models.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
