package main

import (
	"context"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// The grid of C, and gamma times the number of features.
var (
	gridC     = []float64{1, 10, 100}
	gridGamma = []float64{0.1, 0.3, 1, 3}
)

// A tried is a C and gamma of the grid and the rows that models without them get
// wrong.
type tried struct {
	c, gamma float64
	wrong    []bool
	errors   int
}

func (t *tried) figures() (f figures) {
	f.add("", "C", t.c)
	f.add("", "gamma", t.gamma)
	f.add("", "error", 100*float64(t.errors)/float64(len(t.wrong)))
	return f
}

// choose returns the C and gamma with the least errors in 5-fold cross-validation, of
// equals the smoothest; and the error in per cent.
func (b *bench) choose(ctx context.Context, d *format.Dataset, vote models.Vote) (figures, error) {
	all, err := b.tryGrid(ctx, d, vote)
	if err != nil {
		return nil, err
	}
	return least(all).figures(), nil
}

// chooseSmooth returns the smoothest kernel that is not significantly worse than the
// one with the least errors.
func (b *bench) chooseSmooth(ctx context.Context, d *format.Dataset, vote models.Vote) (figures, error) {
	all, err := b.tryGrid(ctx, d, vote)
	if err != nil {
		return nil, err
	}
	return smoothest(all).figures(), nil
}

// tryGrid cross-validates the grid, the smoothest kernels first: in the order of gamma
// and then C.
func (b *bench) tryGrid(ctx context.Context, d *format.Dataset, vote models.Vote) ([]tried, error) {
	folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 5, train.NewRand(1), nil)
	if err != nil {
		return nil, err
	}
	cs, gammas := gridC, gridGamma
	if b.quick {
		cs, gammas = cs[1:2], gammas[2:3]
	}
	var all []tried
	for _, gamma := range gammas {
		for _, c := range cs {
			t := tried{c: c, gamma: gamma / float64(features(d)), wrong: make([]bool, d.Len())}
			predicted, err := train.CrossValidate(ctx, b.trainer(vote, t.c, t.gamma), d, folds, train.NewRand(1), nil)
			if err != nil {
				return nil, err
			}
			for i, y := range predicted {
				if y != d.Y[i] {
					t.wrong[i] = true
					t.errors++
				}
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// least returns the first of those with the least errors.
func least(all []tried) *tried {
	best := &all[0]
	for i := range all {
		if all[i].errors < best.errors {
			best = &all[i]
		}
	}
	return best
}

// significance is the probability of McNemar's test at which a kernel counts as worse.
const significance = 0.05

// smoothest returns the first that is not worse than the one with the least errors.
func smoothest(all []tried) *tried {
	best := least(all)
	for i := range all {
		worse, better := 0, 0
		for k, wrong := range all[i].wrong {
			switch {
			case wrong && !best.wrong[k]:
				worse++
			case !wrong && best.wrong[k]:
				better++
			}
		}
		if tail(worse, worse+better) > significance {
			return &all[i]
		}
	}
	return best
}

// tail returns the probability that a fair coin falls heads at least k times of n:
// McNemar's exact test, one-sided, of k rows that one classifier alone gets wrong and
// n-k that the other does.
func tail(k, n int) float64 {
	probability := 1.0 // of exactly j heads, over that of none
	sum, all := 0.0, 0.0
	for j := 0; j <= n; j++ {
		if probability > 1e200 {
			probability, sum, all = probability/1e200, sum/1e200, all/1e200
		}
		all += probability
		if j >= k {
			sum += probability
		}
		probability *= float64(n-j) / float64(j+1)
	}
	return sum / all
}

// features returns the number of features that occur.
func features(d *format.Dataset) int {
	seen := map[int32]bool{}
	for i := range d.Len() {
		for _, f := range d.X.Row(i).Index {
			seen[f] = true
		}
	}
	return len(seen)
}
