package train_test

import (
	"context"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
	"github.com/slimsvm/slimsvm/train/smo"
)

// sized is a solver that tells how many threads it has.
type sized struct {
	smo.CSVC
	threads *[]int
}

func (s sized) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	*s.threads = append(*s.threads, team.Size(ctx))
	return s.CSVC.Solve(ctx, p)
}

// The threads of a classifier's trainer serve its solver, whose own number of threads does not count.
func TestThreadsOfSolver(t *testing.T) {
	moons, _ := generate.Lookup("moons")
	d := moons.Generate(40, 1)
	for _, want := range []int{1, 3} {
		var got []int
		solver := sized{smo.DefaultCSVC(), &got}
		solver.Threads = 4 - want
		for _, trainer := range []train.Trainer{
			train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: 1}, Threads: want},
			train.OneVsRest{Solver: solver, Kernel: kernel.RBF{Gamma: 1}, Threads: want},
		} {
			got = nil
			if _, err := trainer.Train(t.Context(), d, nil); err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || got[0] != want {
				t.Errorf("%T with %d threads, a solver of %d: solved with %d threads", trainer, want, solver.Threads, got)
			}
		}
	}
}
