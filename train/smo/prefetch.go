package smo

import (
	"sync/atomic"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: compute kernel rows of sparse vectors with several threads. A row is made from sums
// whose order in memory differs from that of the row's values, so a thread that makes a part of the
// row reads what other threads have summed. If the processors have no common cache, that takes
// about as long as computing the whole row on one of them.
//
// Method: each thread computes whole rows. The owner of a problem queues for its helpers the rows
// that are likely to be needed (ahead.go) and computes the one that it needs. If it needs one that
// no helper has begun, it computes that too; while one is being computed, it computes others. It
// never waits for a helper that has not begun.

// A prefetcher has rows that helpers are to compute. The cache has room for them and
// lists them as present. Nobody reads a row before it is computed. Only the owner calls the
// methods, except work.
type prefetcher struct {
	helpers *team.Helpers
	gram    *kernel.Gram
	moment  int // values that take a microsecond
	pending int // number of rows in use
	all     [mostPending]pendingRow
	run     func() // calls work
}

// A pendingRow is one row. Each has cache lines of its own.
type pendingRow struct {
	state atomic.Int32
	rows  [1]int
	dst   [1][]float32
	_     [88]byte
}

// The states of a pendingRow. The thread that changes it from queued to computing computes the row.
const (
	unused = iota
	queued
	computing
	computed
)

// perHelper is the number of rows queued for each helper: of four likely rows, most are asked for
// later; of more, a smaller share.
const (
	perHelper   = 4
	mostPending = 12
)

// use makes p compute rows of a gram. moment of their values take a microsecond.
func (p *prefetcher) use(g *kernel.Gram, helpers *team.Helpers, moment int) {
	if p.run == nil {
		p.run = p.work
	}
	p.gram, p.helpers, p.moment = g, helpers, moment
}

// room ends the pending rows that are computed and returns how many more rows may be queued.
func (p *prefetcher) room() int {
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() == computed {
			p.end(a)
		}
	}
	return min(perHelper*p.helpers.Ready(), mostPending) - p.pending
}

// enqueue queues row i. Its values go to dst.
func (p *prefetcher) enqueue(i int, dst []float32) {
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() == unused {
			a.rows[0], a.dst[0] = i, dst
			a.state.Store(queued)
			p.pending++
			return
		}
	}
	panic("smo: more pending rows than there is room for")
}

// call asks the helpers for help if there are queued rows: the helpers that were asked before may
// have left.
func (p *prefetcher) call() {
	for k := range p.all {
		if p.all[k].state.Load() == queued {
			p.helpers.Async(p.run)
			return
		}
	}
}

func (p *prefetcher) end(a *pendingRow) {
	a.state.Store(unused)
	p.pending--
}

// find returns the pending row i, nil if there is none.
func (p *prefetcher) find(i int) *pendingRow {
	if p == nil || p.pending == 0 {
		return nil
	}
	for k := range p.all {
		if a := &p.all[k]; a.rows[0] == i && a.state.Load() != unused {
			return a
		}
	}
	return nil
}

// await returns when row i is computed, if it is pending.
func (p *prefetcher) await(i int) {
	if a := p.find(i); a != nil {
		if a.begin() {
			p.compute(a)
		}
		for a.state.Load() == computing && p.computeNext() {
		}
		p.wait(a)
	}
}

// wait waits until a row that is being computed is computed, and ends it.
func (p *prefetcher) wait(a *pendingRow) {
	n := len(a.dst[0])
	_, _, additions := p.gram.SumsLen(a.rows[0], 0, n)
	p.helpers.Await(&a.state, computed, (n+additions)/p.moment)
	p.end(a)
}

// cancel ends the pending row i, if there is one, because its memory is about to be reused.
func (p *prefetcher) cancel(i int) {
	if a := p.find(i); a != nil {
		p.finish(a)
	}
}

// finish ends a pending row. It reports whether the row was computed.
func (p *prefetcher) finish(a *pendingRow) bool {
	if a.state.CompareAndSwap(queued, unused) {
		p.pending--
		return false
	}
	p.wait(a)
	return true
}

// stop ends all pending rows and calls drop for the rows that were not computed.
func (p *prefetcher) stop(drop func(i int)) {
	if p == nil || p.pending == 0 {
		return
	}
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() != unused && !p.finish(a) {
			drop(a.rows[0])
		}
	}
}

// begin reports whether the caller has to compute the row.
func (a *pendingRow) begin() bool {
	return a.state.Load() == queued && a.state.CompareAndSwap(queued, computing) // to look is cheaper than to try
}

func (p *prefetcher) compute(a *pendingRow) {
	p.gram.RowsTo(a.dst[:], a.rows[:], 0, len(a.dst[0]))
	a.state.Store(computed)
}

// computeNext computes a row that nobody has begun. It reports whether there was one.
func (p *prefetcher) computeNext() bool {
	for k := range p.all {
		if a := &p.all[k]; a.begin() {
			p.compute(a)
			return true
		}
	}
	return false
}

// work computes rows until none is left to begin.
func (p *prefetcher) work() {
	for p.computeNext() {
	}
}
