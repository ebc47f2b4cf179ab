package predict

import (
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Answer fills the batch with xs as Decide does, but only [Batch.Predict] may be asked afterwards.
// For classifiers and one-class models it is faster than Decide: where the signs of decision values
// are certain, it does not compute the values.
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
	var f *filter
	if b.rest == 0 && (b.p.model.Kernel == kernel.Linear{} || sifted(b.p.model, xs) > 0) {
		f = b.p.filter()
	}
	if f == nil {
		b.rest = max(b.rest-1, 0)
		b.answers = room(b.answers, len(xs))
		b.answerTo(b.answers, xs)
		b.n = len(xs)
		return
	}
	w := sieves.Get().(*sieve)
	b.doubts, b.at = b.doubts[:0], b.at[:0]
	for from := 0; from < len(xs); {
		rows := min(filterRows, len(xs)-from)
		if f.weights == nil {
			rows = sifted(f.model, xs[from:])
		}
		if rows == 0 {
			for r, x := range xs[from:] {
				b.doubts, b.at = append(b.doubts, x), append(b.at, from+r)
				b.answers = append(b.answers, 0)
			}
			break
		}
		part := xs[from : from+rows]
		w.settler.sift(f, &w.filtered, part)
		for r, x := range part {
			answer, sure := w.settler.settle(b.p, f, &w.filtered, x, r)
			if !sure {
				b.doubts, b.at = append(b.doubts, x), append(b.at, from+r)
			}
			b.answers = append(b.answers, answer)
		}
		from += rows
	}
	sieves.Put(w)
	if len(b.doubts) > 0 && 2*len(b.doubts) > len(xs) {
		b.rest = restBatches
	}
	b.answerDoubts()
	b.n = len(xs)
}

// sifted returns how many of xs, from the first on, estimates can cover at once: filterRows, or
// fewer if they have many entries. It is 0 if too few would fit into the memory allowed.
func sifted(m *models.Model, xs []vec.Vector) int {
	n := kernel.EstimatesFit(&m.Vectors, xs)
	if n < fewSifted && n < len(xs) {
		return 0
	}
	return n
}

// A sieve is the memory for finding answers with a filter.
type sieve struct {
	filtered filtered
	settler  settler
}

// sieves holds unused sieves, for all predictors.
var sieves = sync.Pool{New: func() any { return new(sieve) }}

// answerDoubts finds the answers for b.doubts and puts them into their places.
func (b *Batch) answerDoubts() {
	if len(b.doubts) < fewRows {
		for k, x := range b.doubts {
			b.answers[b.at[k]] = b.p.Predict(x)
		}
		return
	}
	b.told = room(b.told, len(b.doubts))
	b.answerTo(b.told, b.doubts)
	for k, at := range b.at {
		b.answers[at] = b.told[k]
	}
}

// answerTo sets dst to the answers for xs, computed from the values of all machines.
func (b *Batch) answerTo(dst []float64, xs []vec.Vector) {
	if l := (layout{b.p.model, b.p.start}); l.manyClasses() {
		w := sieves.Get().(*sieve)
		defer sieves.Put(w)
		for part := range slices.Chunk(xs, blockRows) {
			votes := &w.settler.certain
			b.pack(part).vote(votes, &b.rows)
			for r := range part {
				dst[r] = float64(b.p.model.Labels[votes.best[r]])
			}
			dst = dst[len(part):]
		}
		return
	}
	b.decide(xs)
	s := b.p.scratch()
	defer scratches.Put(s)
	for r := range xs {
		b.load(s, r)
		dst[r] = b.p.vote(s)
	}
}

// fewRows is the number of rows from which computing them side by side is faster. fewSifted is the
// number from which estimates help. restBatches is the number of batches that do without the filter
// after it did not help in one.
const (
	fewRows     = 4
	fewSifted   = filterRows / 4
	restBatches = 15
)
