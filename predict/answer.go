package predict

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Answer makes the batch answer for xs as Decide does, but by Predict only, which for
// classifiers and one-class models is sooner done: their answers are found without
// the machines' values where the signs are certain.
func (b *Batch) Answer(xs []vec.Vector) {
	b.answers = b.answers[:0]
	b.n = len(xs)
	if len(xs) < fewRows {
		for _, x := range xs {
			b.answers = append(b.answers, b.p.Predict(x))
		}
		return
	}
	if b.p.model.Vote == models.Ensemble {
		b.answerEnsemble(xs)
		return
	}
	f := b.p.filter()
	if f == nil || b.rest > 0 {
		b.rest = max(b.rest-1, 0)
		b.decide(xs)
		return
	}
	b.doubts, b.at = b.doubts[:0], b.at[:0]
	for from := 0; from < len(xs); from += filterRows {
		part := xs[from:min(from+filterRows, len(xs))]
		b.filtered.values(f, part)
		b.settler.count(f, &b.filtered, len(part))
		for r, x := range part {
			answer, sure := b.settler.settle(b.p, f, &b.filtered, x, r)
			if !sure {
				b.doubts, b.at = append(b.doubts, x), append(b.at, from+r)
			}
			b.answers = append(b.answers, answer)
		}
	}
	if len(b.doubts) > 0 && 2*len(b.doubts) > len(xs) {
		b.rest = restBatches
	}
	b.answerDoubts()
	b.n = len(xs)
}

// answerDoubts puts the answers for b.doubts at their places.
func (b *Batch) answerDoubts() {
	if len(b.doubts) < fewRows {
		for k, x := range b.doubts {
			b.answers[b.at[k]] = b.p.Predict(x)
		}
		return
	}
	answers := b.answers
	b.decide(b.doubts)
	b.answers = b.answers[:0]
	for k, at := range b.at {
		answers[at] = b.Predict(k)
	}
	b.answers = answers
}

// fewRows is the number of rows from which they are sooner computed side by side;
// restBatches that of batches without a filter after one in which it was of no use.
const (
	fewRows     = 4
	restBatches = 15
)
