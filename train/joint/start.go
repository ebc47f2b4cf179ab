package joint

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/kmeans"
)

// KMeans starts from k-means centres of the rows of every class, equally many of each class as far
// as it has enough rows. It ignores row weights. If there are fewer vectors than classes, or no
// classes, the centres are those of all rows.
type KMeans struct{}

// Name implements Basis.
func (KMeans) Name() string { return "kmeans" }

// Vectors implements Basis.
func (KMeans) Vectors(ctx context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (vec.Matrix, error) {
	zs, err := drawable(x, rng)
	if err != nil {
		return zs, err
	}
	for _, g := range groups(classes, n) {
		centres, err := kmeans.Centres(ctx, x, g.rows, g.n, rng)
		if err != nil {
			return zs, err
		}
		for _, z := range centres {
			zs.Append(z)
		}
	}
	return zs, nil
}

// RandomRows starts from random rows of every class, equally many of each class as far as it has
// enough.
type RandomRows struct{}

// Name implements Basis.
func (RandomRows) Name() string { return "random" }

// Vectors implements Basis.
func (RandomRows) Vectors(_ context.Context, x *vec.Matrix, classes [][]int, n int, rng *rand.Rand) (vec.Matrix, error) {
	zs, err := drawable(x, rng)
	if err != nil {
		return zs, err
	}
	for _, g := range groups(classes, n) {
		for _, k := range rng.Perm(len(g.rows))[:g.n] {
			zs.Append(x.Row(g.rows[k]))
		}
	}
	return zs, nil
}

// drawable returns an empty matrix for vectors, and an error if there is nothing to draw them from.
func drawable(x *vec.Matrix, rng *rand.Rand) (zs vec.Matrix, err error) {
	switch {
	case x == nil:
		err = errors.New("no rows")
	case rng == nil:
		err = train.ErrNoRand
	}
	return zs, err
}

// Given starts from given vectors. Their features are numbered as in the data; features that no row
// has are left out.
type Given struct {
	From string     // where they come from; a word
	Zs   vec.Matrix // any number of vectors
}

// Name implements Basis.
func (g Given) Name() string { return g.From }

// Vectors implements Basis.
func (g Given) Vectors(_ context.Context, _ *vec.Matrix, _ [][]int, n int, _ *rand.Rand) (vec.Matrix, error) {
	return g.Zs.Slice(0, min(n, g.Zs.Len())), nil
}

// asInData marks a Basis whose features are numbered as in the data.
func (g Given) asInData() {}

// A group has rows for which n vectors are made.
type group struct {
	rows []int
	n    int
}

// groups divides n vectors equally among classes, as far as they have that many rows. If n does not
// divide evenly, the first classes get one more.
func groups(classes [][]int, n int) []group {
	if len(classes) > n {
		classes = [][]int{slices.Concat(classes...)}
	}
	counts := make([]int, len(classes))
	for k, rows := range classes {
		counts[k] = len(rows)
	}
	var all []group
	for k, share := range kmeans.Evenly(counts, n) {
		if share > 0 {
			all = append(all, group{classes[k], share})
		}
	}
	return all
}
