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
	b.checkFill(xs)
	b.findAnswers(xs)
	b.n, b.state = len(xs), stateAnswered
}

// findAnswers sets b.answers to those for xs. The batch has others of these rows then, or none.
func (b *Batch) findAnswers(xs []vec.Vector) {
	b.answers = b.answers[:0]
	if len(xs) < fewRows {
		for _, x := range xs {
			b.answers = append(b.answers, b.p.Predict(x))
		}
		return
	}
	if b.p.model.Vote == models.Ensemble {
		b.answerEnsemble(xs, false)
		return
	}
	var f *filter
	if b.skipFilter == 0 && (b.p.model.Kernel == kernel.Linear{} || estimable(b.p.model, xs) > 0) {
		f = b.p.filter()
	}
	if f == nil {
		b.skipFilter = max(b.skipFilter-1, 0)
		b.answers = room(b.answers, len(xs))
		b.answerTo(b.answers, xs)
		return
	}
	w := filterScratches.Get().(*filterScratch)
	b.undecided, b.undecidedAt = b.undecided[:0], b.undecidedAt[:0]
	for from := 0; from < len(xs); {
		rows := min(filterRows, len(xs)-from)
		if f.weights == nil {
			rows = estimable(f.model, xs[from:])
		}
		if rows == 0 {
			for r, x := range xs[from:] {
				b.undecided, b.undecidedAt = append(b.undecided, x), append(b.undecidedAt, from+r)
				b.answers = append(b.answers, 0)
			}
			break
		}
		part := xs[from : from+rows]
		w.resolver.prepare(f, &w.filtered, part)
		for r, x := range part {
			answer, sure := w.resolver.resolve(b.p, f, &w.filtered, x, r)
			if !sure {
				b.undecided, b.undecidedAt = append(b.undecided, x), append(b.undecidedAt, from+r)
			}
			b.answers = append(b.answers, answer)
		}
		from += rows
	}
	filterScratches.Put(w)
	if len(b.undecided) > 0 && 2*len(b.undecided) > len(xs) {
		b.skipFilter = skipBatches
	}
	b.answerUndecided()
}

// estimable returns how many of xs, from the first on, estimates can cover at once: filterRows, or
// fewer if they have many entries. It is 0 if too few would fit into the memory allowed.
func estimable(m *models.Model, xs []vec.Vector) int {
	n := kernel.EstimatesFit(&m.Vectors, xs)
	if n < fewEstimable && n < len(xs) {
		return 0
	}
	return n
}

// A filterScratch is the memory for finding answers with a filter.
type filterScratch struct {
	filtered filtered
	resolver resolver
}

// filterScratches holds unused scratch memory, for all predictors.
var filterScratches = sync.Pool{New: func() any { return new(filterScratch) }}

// answerUndecided finds the answers for b.undecided and puts them into their places.
func (b *Batch) answerUndecided() {
	if len(b.undecided) < fewRows {
		for k, x := range b.undecided {
			b.answers[b.undecidedAt[k]] = b.p.Predict(x)
		}
		return
	}
	b.recomputed = room(b.recomputed, len(b.undecided))
	b.answerTo(b.recomputed, b.undecided)
	for k, at := range b.undecidedAt {
		b.answers[at] = b.recomputed[k]
	}
}

// answerTo sets dst to the answers for xs, computed from the values of all machines.
func (b *Batch) answerTo(dst []float64, xs []vec.Vector) {
	if l := (layout{b.p.model, b.p.start}); l.manyClasses() {
		w := filterScratches.Get().(*filterScratch)
		defer filterScratches.Put(w)
		for part := range slices.Chunk(xs, blockRows) {
			votes := &w.resolver.certain
			b.pack(part).vote(votes, &b.rows, len(part))
			for r := range part {
				dst[r] = float64(b.p.model.Labels[votes.best[r]])
			}
			dst = dst[len(part):]
		}
		return
	}
	b.Decide(xs)
	s := b.p.scratch()
	defer scratches.Put(s)
	for r := range xs {
		b.load(s, r)
		dst[r] = b.p.vote(s)
	}
}

// fewRows is the number of rows from which computing them side by side is faster. fewEstimable is
// the number from which estimates help. skipBatches is the number of batches that do without the
// filter after it did not help in one.
const (
	fewRows      = 4
	fewEstimable = filterRows / 4
	skipBatches  = 15
)
