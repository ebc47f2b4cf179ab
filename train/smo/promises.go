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
// Method: each thread computes whole rows. The owner of a problem offers its helpers the rows that
// are likely to be needed (ahead.go) and computes the one that it needs. If it needs one that no
// helper has begun, it computes that too; while one is being computed, it computes others. It never
// waits for a helper that has not begun.

// promises are rows that the helpers of a crew are to compute. The cache has room for them and
// lists them as present. Nobody reads a row before its promise is kept. Only the owner calls the
// methods, except work.
type promises struct {
	crew   *team.Crew
	gram   *kernel.Gram
	moment int // values that take a microsecond
	made   int // number of promises that have not ended
	all    [mostPromises]promise
	errand func() // calls work
}

// A promise is one row. Each has cache lines of its own.
type promise struct {
	state atomic.Int32
	rows  [1]int
	dst   [1][]float32
	_     [88]byte
}

// The states of a promise. The thread that changes it from offered to begun computes the row.
const (
	noPromise = iota
	offered
	begun
	kept
)

// perHelper is the number of rows offered for each helper: of four likely rows, most are asked for
// later; of more, a smaller share.
const (
	perHelper    = 4
	mostPromises = 12
)

// use makes p promises of rows of a gram. moment of their values take a microsecond.
func (p *promises) use(g *kernel.Gram, crew *team.Crew, moment int) {
	if p.errand == nil {
		p.errand = p.work
	}
	p.gram, p.crew, p.moment = g, crew, moment
}

// room ends the promises that are kept and returns how many more rows may be offered.
func (p *promises) room() int {
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() == kept {
			p.end(a)
		}
	}
	return min(perHelper*p.crew.Helpers(), mostPromises) - p.made
}

// offer offers row i. Its values go to dst.
func (p *promises) offer(i int, dst []float32) {
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() == noPromise {
			a.rows[0], a.dst[0] = i, dst
			a.state.Store(offered)
			p.made++
			return
		}
	}
	panic("smo: more promises than there is room for")
}

// call asks the helpers for help if there are offers that nobody has begun: the helpers that were
// asked before may have left.
func (p *promises) call() {
	for k := range p.all {
		if p.all[k].state.Load() == offered {
			p.crew.Errand(p.errand)
			return
		}
	}
}

func (p *promises) end(a *promise) {
	a.state.Store(noPromise)
	p.made--
}

// of returns the promise of row i, nil if there is none.
func (p *promises) of(i int) *promise {
	if p == nil || p.made == 0 {
		return nil
	}
	for k := range p.all {
		if a := &p.all[k]; a.rows[0] == i && a.state.Load() != noPromise {
			return a
		}
	}
	return nil
}

// await returns when row i is computed, if it was promised.
func (p *promises) await(i int) {
	if a := p.of(i); a != nil {
		if a.begin() {
			p.compute(a)
		}
		for a.state.Load() == begun && p.one() {
		}
		p.wait(a)
	}
}

// wait waits until a promise that was begun is kept, and ends it.
func (p *promises) wait(a *promise) {
	n := len(a.dst[0])
	_, _, additions := p.gram.SumsLen(a.rows[0], 0, n)
	p.crew.Await(&a.state, kept, (n+additions)/p.moment)
	p.end(a)
}

// forget ends the promise of row i, if there is one, because its memory is about to be reused.
func (p *promises) forget(i int) {
	if a := p.of(i); a != nil {
		p.settle(a)
	}
}

// settle ends a promise. It reports whether the row was computed.
func (p *promises) settle(a *promise) bool {
	if a.state.CompareAndSwap(offered, noPromise) {
		p.made--
		return false
	}
	p.wait(a)
	return true
}

// stop ends all promises and calls drop for the rows that were not computed.
func (p *promises) stop(drop func(i int)) {
	if p == nil || p.made == 0 {
		return
	}
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() != noPromise && !p.settle(a) {
			drop(a.rows[0])
		}
	}
}

// begin reports whether the caller has to compute the row.
func (a *promise) begin() bool { return a.state.CompareAndSwap(offered, begun) }

func (p *promises) compute(a *promise) {
	p.gram.RowsTo(a.dst[:], a.rows[:], 0, len(a.dst[0]))
	a.state.Store(kept)
}

// one computes a row that nobody has begun. It reports whether there was one.
func (p *promises) one() bool {
	for k := range p.all {
		if a := &p.all[k]; a.begin() {
			p.compute(a)
			return true
		}
	}
	return false
}

// work computes rows until none is left to begin.
func (p *promises) work() {
	for p.one() {
	}
}
