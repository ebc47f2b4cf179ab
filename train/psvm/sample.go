package psvm

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: get fewer machines, with more of them where classes are hard to separate.
//
// Method, algorithms 5 (TRAINWITHSAMPLING) and 6 (REWEIGHT): train on a sample S. Then, round by
// round, add a sample of the rows that are answered wrongly, all with the same weight, and train on
// S again from the start. Samples are drawn with replacement, as in boosting; a row that is drawn
// twice is in S once. The last ensemble is the result. What would be drawn after the last round is
// not used, so that r rounds are r trainings.

// ensemble returns the best ensemble.
func (r *run) ensemble(ctx context.Context) (*outcome, error) {
	all := make([]int, r.d.Len())
	for i := range all {
		all[i] = i
	}
	if n := r.drawn(len(all)); n < len(all) {
		all = r.some(n, all, rowsStream)
		if !r.rising { // else it has been reported
			r.Report.Send(train.RowsDrawn{Rows: len(all), Of: r.d.Len(), ByDefault: r.Rows == 0})
		}
	}
	forms := r.forms()
	if len(all) > r.most && (len(forms) > 1 || r.choosesHard()) {
		trial := *r
		trial.trial = true
		o, err := trial.choose(ctx, r.some(r.most, all, compareStream), forms)
		if err != nil {
			return nil, err
		}
		last := *r
		last.HardNegatives = o.hard
		outcomes, err := last.compare(ctx, all, []Form{o.form})
		if err != nil {
			return nil, err
		}
		return outcomes[0], nil
	}
	return r.choose(ctx, all, forms)
}

// choose returns the best ensemble of some forms. With AsNegatives, each is also trained with the
// thesis's probability of hard negatives.
func (r *run) choose(ctx context.Context, rows []int, forms []Form) (*outcome, error) {
	outcomes, err := r.compare(ctx, rows, forms)
	if err != nil {
		return nil, err
	}
	if r.choosesHard() {
		sparing := *r
		sparing.HardNegatives, sparing.sparing = thesisHard, true
		others, err := sparing.compare(ctx, rows, forms)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, others...)
	}
	return best(outcomes), nil
}

// choosesHard reports whether rows held out choose between AsNegatives and the thesis's probability
// of hard negatives.
func (r *run) choosesHard() bool {
	return r.HardNegatives == AsNegatives && r.Iterations > 0 && r.canHoldOut()
}

// drawn returns the largest number of rows to train on, of n.
func (t *Trainer) drawn(n int) int {
	switch {
	case t.Rows > 0:
		return t.Rows
	case t.Sampling > 0:
		return n
	}
	return MostRows
}

// compare returns the ensembles of some forms: after all rounds or, without sampling, of all rows.
func (r *run) compare(ctx context.Context, rows []int, forms []Form) ([]*outcome, error) {
	if r.Sampling == 0 {
		return r.train(ctx, rows, 0, forms)
	}
	s := r.draw(rows, r.FirstShare, len(rows), 1)
	outcomes, err := r.train(ctx, s, 1, forms)
	if err != nil {
		return nil, err
	}
	for k, o := range outcomes {
		if outcomes[k], err = r.resample(ctx, o, rows, s); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// resample returns the ensemble of the last round. o is that of the first round, with sample s.
func (r *run) resample(ctx context.Context, o *outcome, rows, s []int) (*outcome, error) {
	for round := 2; round <= r.Sampling; round++ {
		wrong, err := r.wrong(ctx, o.ensemble.model(), rows)
		if err != nil || len(wrong) == 0 {
			return o, err
		}
		s = append(slices.Clone(s), r.draw(wrong, r.NextShare, len(rows), round)...)
		slices.Sort(s)
		s = slices.Compact(s)
		outcomes, err := r.train(ctx, s, round, []Form{o.form})
		if err != nil {
			return nil, err
		}
		o = outcomes[0]
	}
	return o, nil
}

// draw returns some of the rows, in order: those that were drawn, with replacement, in a number of
// draws that is the share of all.
func (r *run) draw(rows []int, share float64, all, round int) []int {
	rng := r.stream(sampleStream, uint64(round))
	s := make([]int, max(1, int(math.Round(share*float64(all)))))
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
	defer p.Release()
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
