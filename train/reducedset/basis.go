package reducedset

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// A Basis proposes the vectors of a reduced model for a method to begin with: it trains
// a model on the rows, all of which cost the same there, and reduces it. Package joint asks it
// several times at once: so the trainer's Report, if it has one, and the reducer's Each and Found are called.
type Basis struct {
	Trainer train.Trainer // of classifiers
	Reducer Reducer       // but for its number of vectors
}

// DefaultBasis returns a basis of the models of a trainer by Burges's method: vectors
// that imitate the model's machines each by themselves, and closely, and leave it to
// what comes after to share them.
func DefaultBasis(t train.Trainer, threads int) Basis {
	r := Default()
	r.Method, r.Search.Starts, r.Threads = Burges, basisStarts, threads
	return Basis{t, r}
}

// basisStarts is the number of starts of the search for a vector: those of one
// machine are moved together in the end, so that it need not be thorough.
const basisStarts = 4

// Name returns where the vectors are from.
func (Basis) Name() string { return "reduced" }

var errClasses = errors.New("reduced sets to begin with are those of classifiers")

// Vectors returns at most n vectors for rows of x, which are given by class.
func (b Basis) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (zs vec.Matrix, err error) {
	if len(classes) < 2 {
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
