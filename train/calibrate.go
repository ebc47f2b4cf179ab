package train

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// calibrate finds the machine of a pair and fits its sigmoid. The rows, first
// class first, are shuffled and cut into five folds; each gets its decision values
// from a machine trained on the other four. A fold whose training part has one
// class only is given that class's sign, without any class 0.
func (p *pair) calibrate(ctx context.Context, rng *Rand) (c pairCoefs, rho float64, sigmoid *models.Sigmoid, err error) {
	l := p.list()
	defer listings.Put(l)
	rows, labels := l.rows, l.y
	l.perm, l.values = slices.Grow(l.perm[:0], p.most), slices.Grow(l.values[:0], p.most)
	perm, values := l.perm[:len(rows)], l.values[:len(rows)] // the folds set all values
	for i := range perm {
		perm[i] = i
	}
	rng.Shuffle(perm)

	// the machine itself is one more task, whose events come after the sigmoid's
	var events []Event
	err = inOrder(ctx, calibrationFolds+1, func(i int) int { return i / calibrationFolds }, p.Report, func(ctx context.Context, fold int, report Report) (err error) {
		q := *p
		if q.Report = report; fold < calibrationFolds {
			return q.decide(ctx, values, rows, labels, perm, fold)
		}
		if p.Report != nil {
			q.Report = func(e Event) { events = append(events, e) }
		}
		c, rho, err = q.solve(ctx)
		return err
	})
	if err != nil {
		return c, 0, nil, err
	}
	s := FitSigmoid(values, labels, p.Report)
	for _, e := range events {
		p.Report(e)
	}
	return c, rho, &s, nil
}

// decide sets the decision values of the rows in a fold.
func (p *pair) decide(ctx context.Context, values []float64, rows []int, labels []float64, perm []int, fold int) error {
	n := len(rows)
	begin, end := fold*n/calibrationFolds, (fold+1)*n/calibrationFolds
	out := perm[begin:end]
	s, release := newSubset(ctx)
	defer release()
	s.reserve(p.most)
	pos := 0
	for _, others := range [][]int{perm[:begin], perm[end:]} {
		for _, i := range others {
			s.add(rows[i], labels[i])
			if labels[i] > 0 {
				pos++
			}
		}
	}
	constant := 0.0
	switch {
	case len(s.rows) == 0:
	case pos == len(s.rows):
		constant = 1
	case pos == 0:
		constant = -1
	default:
		m, err := p.inner(s).Train(ctx, s.of(p.d), nil)
		if err != nil {
			return p.named(err)
		}
		predictor, err := predict.New(m)
		if err != nil {
			return err
		}
		defer predictor.Release()
		decided := s.decided[:0]
		for _, i := range out {
			decided = append(decided, rows[i])
		}
		s.decided = decided
		return Decide(ctx, predictor, &p.d.X, decided, func(b *predict.Batch, r, k int) {
			b.Decisions(values[out[k]:out[k]+1], r)
		})
	}
	for _, i := range out {
		values[i] = constant
	}
	return nil
}

// inner returns the trainer of machines on parts of the pair, whose labels are 1
// and -1, for a part of the data set.
func (p *pair) inner(part *subset) OneVsOne {
	inner := p.OneVsOne
	inner.Probability = false
	inner.Weights = nil
	inner.room = &part.room
	inner.part, inner.origin = true, p.stored(&part.stored, part.rows)
	for _, w := range p.posFactor {
		inner.Weights = append(inner.Weights, ClassWeight{1, w})
	}
	for _, w := range p.negFactor {
		inner.Weights = append(inner.Weights, ClassWeight{-1, w})
	}
	return inner
}
