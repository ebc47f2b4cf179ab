package cs

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// A Basis proposes the synthetic points of classifiers as initial vectors for another method, such
// as package joint: equally many for each class against the rest.
type Basis struct {
	Settings
	Kernel kernel.Kernel // see CheckKernel
}

// Name returns the method's name.
func (Basis) Name() string { return "cs" }

// Vectors returns at most n points for rows of x. classes lists the rows of each class. The last
// stage approximates each class's machine by its share of the points.
func (b Basis) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (zs vec.Matrix, err error) {
	k := len(classes)
	switch {
	case x == nil:
		return zs, errNoRows
	case rng == nil:
		return zs, train.ErrNoRand
	}
	if k < 2 {
		return zs, fmt.Errorf("points of chunking-synthetic classifiers need classes")
	}
	if n < 1 {
		return zs, nil
	}
	if k == 2 {
		k = 1
	}
	k = min(k, n) // if there are fewer points than classes, the first classes have one each
	var problems []*train.Problem
	for c := range k {
		p := &train.Problem{Kernel: b.Kernel}
		var rows []int
		for other, of := range classes {
			for _, i := range of {
				y := -1.0
				if other == c {
					y = 1
				}
				rows, p.Y = append(rows, i), append(p.Y, y)
			}
		}
		p.X = x.Select(rows)
		problems = append(problems, p)
	}
	s := b.Settings
	s.Points, s.Whole, s.Seed = (n+k-1)/k, true, s.Seed^rng.Uint64()
	stages, _, err := s.run(ctx, problems, nil, true, nil)
	if err != nil {
		return zs, err
	}
	// take from each class in turn, so that none is left out
	final := stages[len(stages)-1].Outcomes
	for j := range s.Points {
		for _, runs := range final {
			if of := runs[0].Z; j < len(of) && zs.Len() < n {
				zs.Append(of[j])
			}
		}
	}
	return zs, nil
}
