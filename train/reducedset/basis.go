package reducedset

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// A Basis proposes the vectors of a reduced model to a method that starts from given vectors, such
// as package joint. It trains a model on the rows, with equal costs for all, and reduces it.
// Package joint calls it from several goroutines at once, and so the trainer's Report, and the
// reducer's Each and Found, if they are set.
type Basis struct {
	Trainer train.Trainer // of classifiers
	Reducer Reducer       // its number of vectors is not used
}

// DefaultBasis returns a basis that reduces the models of t by Burges's method. That gives each
// machine vectors of its own that imitate it closely; the method that comes after makes the
// machines share them.
func DefaultBasis(t train.Trainer, threads int) Basis {
	r := Default()
	r.Method, r.Search.Starts, r.Threads = Burges, basisStarts, threads
	return Basis{t, r}
}

// basisStarts is the number of starts of the search for a vector. The search need not be thorough,
// because the vectors of a machine are finally moved together.
const basisStarts = 4

// Name returns where the vectors come from.
func (Basis) Name() string { return "reduced" }

var errClasses = errors.New("reduced sets to begin with are those of classifiers")

// Vectors returns at most n vectors for rows of x. classes lists the rows of each class.
func (b Basis) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (zs vec.Matrix, err error) {
	switch {
	case b.Trainer == nil:
		return zs, errors.New("no trainer")
	case x == nil:
		return zs, errors.New("no rows")
	case rng == nil:
		return zs, train.ErrNoRand
	case len(classes) < 2:
		return zs, errClasses
	}
	var d format.Dataset
	for c, rows := range classes {
		for _, i := range rows {
			d.X.Append(x.Row(i))
			d.Y = append(d.Y, float64(c))
		}
	}
	m, err := b.Trainer.Train(ctx, &d, train.NewRand(rng.Uint32()))
	if err != nil {
		return zs, err
	}
	r := b.Reducer
	r.Vectors, r.Seed = n, rng.Uint64()
	small, err := r.Reduce(ctx, m, &d)
	if err != nil {
		return zs, err
	}
	return small.Vectors, nil
}
