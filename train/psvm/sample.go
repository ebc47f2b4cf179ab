package psvm

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: fewer machines, with more of them where classes are hard to tell apart.
//
// Method, algorithms 5 (TRAINWITHSAMPLING) and 6 (REWEIGHT): train on a sample S; then,
// round by round, add a sample of the rows that are answered wrongly, all with the same
// weight, and train on S again, from the start. Samples are drawn with replacement, as
// those of boosting are; a row that is drawn twice is in S once. The last ensemble is the
// result. What would be drawn after the last round is not used, so that r rounds are r
// trainings.

// sampled returns the ensemble of all rounds, or of all rows.
func (r *run) sampled(ctx context.Context) (*outcome, error) {
	all := make([]int, r.d.Len())
	for i := range all {
		all[i] = i
	}
	if r.Sampling == 0 {
		return r.train(ctx, all, 0)
	}
	s := r.draw(all, r.FirstShare, 1)
	for round := 1; ; round++ {
		o, err := r.train(ctx, s, round)
		if err != nil || round == r.Sampling {
			return o, err
		}
		wrong, err := r.wrong(ctx, o.model, all)
		if err != nil {
			return nil, err
		}
		if len(wrong) == 0 {
			return o, nil
		}
		s = append(s, r.draw(wrong, r.NextShare, round+1)...)
		slices.Sort(s)
		s = slices.Compact(s)
	}
}

// draw returns some of the rows, in order: those of so many draws with replacement as
// are the share of the whole data set.
func (r *run) draw(rows []int, share float64, round int) []int {
	rng := r.stream(sampleStream, uint64(round))
	s := make([]int, max(1, int(math.Round(share*float64(r.d.Len())))))
	for k := range s {
		s[k] = rows[rng.IntN(len(rows))]
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// wrong returns the rows that an ensemble answers wrongly.
func (r *run) wrong(ctx context.Context, m *models.Model, rows []int) ([]int, error) {
	p, err := predict.New(m)
	if err != nil {
		return nil, err
	}
	right := make([]bool, len(rows))
	err = train.Answer(ctx, p, &r.d.X, rows, func(b *predict.Batch, at, k int) {
		right[k] = int(b.Predict(at)) == r.classes.Labels[r.class[rows[k]]]
	})
	if err != nil {
		return nil, err
	}
	var list []int
	for k, i := range rows {
		if !right[k] {
			list = append(list, i)
		}
	}
	return list, nil
}
