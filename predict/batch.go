package predict

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// BatchRows is the largest number of rows in a batch. Full batches are the fastest.
const BatchRows = kernel.BatchRows

// A Batch answers for many rows at once, with the same bits as the Predictor's answers for single
// rows. Fill it with one of the methods Decide, Answer and AnswerProbabilities, or for an ensemble
// DecideMembers and DecideVotes, then ask it for row r of those. These methods panic if there are
// more than [BatchRows] rows. It can be filled again and again. Only one goroutine may use it at a
// time.
type Batch struct {
	p     *Predictor
	rows  kernel.Batch
	n     int // number of rows
	lanes int
	state batchState
	each  []vec.Vector // rows whose values are computed when they are asked for; nil: sums are set
	sums  []float64    // sums[m*lanes+r] is the value of machine m for row r

	some   *someValues  // for rows of each; nil: none
	copies []vec.Vector // rows for each, in the memory of kept
	kept   rows

	memberBatch memberBatch
	membership  membership // of the members in memberSets
	memberSets  []uint64   // for an ensemble: sets of members, row by row
	coupled     coupled
	given       []float64    // for an ensemble: what members give class c for row r, at [c*lanes+r]
	chances     []float64    // and what they give it by probability
	best        []float64    // of rows for which no member votes, the largest value or probability
	class       []int        // and the class of its member
	answers     []float64    // the answer for each row
	answered    bool         // answers are those of a batch that may be asked for values too
	undecided   []vec.Vector // rows still to be decided
	undecidedAt []int        // places of these rows
	recomputed  []float64    // answers for these rows
	skipFilter  int          // number of batches that will do without the filter
}

// A batchState says what a batch has of its rows, and so what it may be asked for.
type batchState int

const (
	stateDecided  batchState = iota // the machines' values, for all but EachVote
	stateAnswered                   // answers, for Predict
	stateMembers                    // member sets, for PositiveMembers or LikelyMembers
	statePacked                     // only the rows, for EachVote
)

// NewBatch returns an empty batch.
func (p *Predictor) NewBatch() *Batch { return &Batch{p: p} }

// Use makes b an empty batch of p and reuses b's memory. With p nil, the batch must be given
// another predictor before it is filled.
func (b *Batch) Use(p *Predictor) {
	b.dropValues()
	b.p, b.n, b.state, b.skipFilter, b.each = p, 0, stateDecided, 0, nil
	b.coupled.known, b.answered = false, false
}

// Decide fills the batch with the machines' values for xs, at most BatchRows rows that pass
// [Predictor.Check]. The other methods then answer for row r of them. With hundreds of classes,
// or an ensemble of thousands of machines, values are computed for a few rows at a time, so ask for
// all of one row before the next.
func (b *Batch) Decide(xs []vec.Vector) {
	b.checkFill(xs)
	if b.valuesLater(len(xs)) {
		b.decideLater(xs)
		return
	}
	bank := b.pack(xs)
	b.sums = room(b.sums, len(bank.model.Machines)*b.lanes)
	bank.decide(b.sums, &b.rows)
	b.state = stateDecided
}

// checkFill panics if the batch has no model, or if xs are too many for it: how many are packed, and
// so seen by kernel.Batch, depends on the model and on the rows.
func (b *Batch) checkFill(xs []vec.Vector) {
	if b.p == nil {
		panic("predict: a batch without a predictor: NewBatch or Use gives it one")
	}
	b.p.checkModel()
	if len(xs) > BatchRows {
		panic(fmt.Sprintf("predict: %d rows in a batch, expected at most %d", len(xs), BatchRows))
	}
}

// pack prepares the batch to compute sums for xs.
func (b *Batch) pack(xs []vec.Vector) *bank {
	b.dropValues()
	b.membership, b.coupled.known, b.answered, b.each = noMembers, false, false, nil
	bank := b.p.bank()
	b.rows.Pack(&bank.basis, xs)
	b.n, b.lanes = len(xs), b.rows.Lanes()
	return bank
}

// room returns a slice of length n with undefined contents, in the memory of s if that is enough.
func room(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// Len returns the number of rows.
func (b *Batch) Len() int { return b.n }

// check panics unless there are values for row r.
func (b *Batch) check(r int) {
	b.checkRow(r)
	b.checkDecided()
}

func (b *Batch) checkRow(r int) {
	if r < 0 || r >= b.n {
		panic("predict: no such row in the batch")
	}
}

// checkDecided panics unless the batch was decided.
func (b *Batch) checkDecided() {
	if b.state != stateDecided {
		panic("predict: the batch has answers only")
	}
}

// load sets s.decisions to the values for row r.
func (b *Batch) load(s *scratch, r int) {
	if b.each != nil {
		copy(s.decisions, b.valuesOf(r))
		return
	}
	for m := range s.decisions {
		s.decisions[m] = b.sums[m*b.lanes+r]
	}
}

// Decisions is [Predictor.Decisions] for row r.
func (b *Batch) Decisions(dst []float64, r int) {
	if len(dst) != len(b.p.model.Machines) {
		panic("predict: dst needs one place for each machine")
	}
	b.check(r)
	s := b.p.scratch()
	defer scratches.Put(s)
	b.load(s, r)
	copy(dst, s.decisions)
}

// Predict is [Predictor.Predict] for row r.
func (b *Batch) Predict(r int) float64 {
	if b.state == stateAnswered || b.answered {
		b.checkRow(r)
		return b.answers[r]
	}
	b.check(r)
	s := b.p.scratch()
	defer scratches.Put(s)
	b.load(s, r)
	return b.p.vote(s)
}

// Probabilities is [Predictor.Probabilities] for row r.
func (b *Batch) Probabilities(dst []float64, r int) (answer float64, limit bool) {
	b.p.checkOutcomes(dst)
	b.check(r)
	b.couple()
	if c := &b.coupled; c.known {
		copy(dst, c.of[r*len(dst):])
		return float64(b.p.model.Labels[argMax(dst)]), c.limits[r]
	}
	s := b.p.scratch()
	defer scratches.Put(s)
	b.load(s, r)
	return b.p.couple(s, dst)
}
