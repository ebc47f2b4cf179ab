package smo

import (
	"sync/atomic"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: compute kernel rows of sparse vectors with several threads. A row is made from sums
// whose order in memory differs from that of the row's values, so a thread that makes a part of the
// row reads what others have summed. If the processors have no common cache, that takes about as
// long as computing the row on one of them.
//
// Method: each thread computes whole rows. The owner of a problem offers its helpers the rows that
// are likely to be needed (ahead.go) and computes the one that it needs. If it needs one that no
// helper has begun, it computes that too; while one is being computed, it computes others. It never
// waits for a helper that has not begun.

// promises are rows that the helpers of a crew are to compute. The cache has room for them, and lists them
// among what it has; nobody looks there before the promise is kept. Methods are the owner's but for work.
type promises struct {
	crew   *team.Crew
	gram   *kernel.Gram
	moment int // values that take a microsecond
	made   int // that are not done with
	all    [mostPromises]promise
	errand func() // work
}

// A promise is one row. Each has lines of the cache for itself.
type promise struct {
	state atomic.Int32
	rows  [1]int
	dst   [1][]float32
	_     [88]byte
}

// The states of a promise. Who makes one that is offered begun computes the row.
const (
	noPromise = iota
	offered
	begun
	kept
)

// Of four rows that are likely to be asked for most are; of more, fewer.
const (
	perHelper    = 4
	mostPromises = 12
)

// use makes p promises of rows of a gram, so many values of which take a microsecond.
func (p *promises) use(g *kernel.Gram, crew *team.Crew, moment int) {
	if p.errand == nil {
		p.errand = p.work
	}
	p.gram, p.crew, p.moment = g, crew, moment
}

// room returns how many rows more may be offered, and calls for help if nobody is there.
func (p *promises) room() int {
	for k := range p.all {
		if a := &p.all[k]; a.state.Load() == kept {
			p.end(a)
		}
	}
	return min(perHelper*p.crew.Helpers(), mostPromises) - p.made
}

// offer offers row i, which goes to dst.
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

// call tells the helpers of offers that no helper has begun, if there are any: the helpers that were
// told of them may have left.
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

// await returns when row i is there, if it was promised.
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

// wait ends a promise that was begun.
func (p *promises) wait(a *promise) {
	n := len(a.dst[0])
	_, _, additions := p.gram.SumsLen(a.rows[0], 0, n)
	p.crew.Await(&a.state, kept, (n+additions)/p.moment)
	p.end(a)
}

// forget ends the promise of row i, if there is one, whose room is about to be used otherwise.
func (p *promises) forget(i int) {
	if a := p.of(i); a != nil {
		p.settle(a)
	}
}

// settle ends a promise. It reports whether the row is there.
func (p *promises) settle(a *promise) bool {
	if a.state.CompareAndSwap(offered, noPromise) {
		p.made--
		return false
	}
	p.wait(a)
	return true
}

// stop ends all promises and calls drop for rows that are not there.
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

// begin reports whether the row is the caller's to compute.
func (a *promise) begin() bool { return a.state.CompareAndSwap(offered, begun) }

func (p *promises) compute(a *promise) {
	p.gram.RowsTo(a.dst[:], a.rows[:], 0, len(a.dst[0]))
	a.state.Store(kept)
}

// one computes a row that nobody has begun, if there is one.
func (p *promises) one() bool {
	for k := range p.all {
		if a := &p.all[k]; a.begin() {
			p.compute(a)
			return true
		}
	}
	return false
}

// work computes rows until all are begun.
func (p *promises) work() {
	for p.one() {
	}
}
