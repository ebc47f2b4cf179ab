package pages

import (
	"sync"
	"time"
)

// Problem: usually a large page is provided in a quarter of the time of the small ones that it
// replaces. In a guest system whose host takes back free memory it is the other way round: hosts
// take back large pages, and each must be fetched again, piece by piece, when it is next written
// to, which takes five to ten times as long. Smaller free pieces remain with the guest. Only the
// time that a page takes shows which of the two is the case at a given moment.
//
// Method: with a clock, the first of several large pages that are about to be requested is written
// to. If that takes longer than small pages would, neither the others nor the next ones are
// requested; their number doubles each time that this happens again. While one goroutine waits for
// a large page, others use small pages, or wait too if they need many.

// lateAfter is longer than small pages take in place of a large one, and shorter than a large page
// takes that is fetched from a host.
const lateAfter = 3 * time.Millisecond / 2

// After a late page, this many pages are not requested: at first, and at most.
const firstSkipped, mostSkipped = 16, 256

// FreePageReporting reports whether a virtual machine's host is told which memory is free, so that it takes
// that back and large pages may come late. A program that runs for some hundredths of a second is
// then faster without large pages, unless it runs right after another: one late large page takes as
// long as the small pages that would replace eight.
func FreePageReporting() bool { return takenBack() }

var takenBack = sync.OnceValue(reports) // the answer needs a file to be read

// largePagePolicy decides whether to request large pages.
type largePagePolicy struct {
	trial  sync.Mutex           // held while waiting for a page
	mu     sync.Mutex           // guards the other fields
	clock  func() time.Duration // nil: always request
	toSkip int                  // how many pages are still not to be requested
	next   int                  // value of toSkip after the next late page
}

var system largePagePolicy

// SetClock makes large pages be requested only while the system provides them quickly by clock,
// which returns the time since any fixed moment and may be called from several goroutines. Without
// a clock, or with nil, they are always requested. The contents of memory do not depend on it.
func SetClock(clock func() time.Duration) {
	system.mu.Lock()
	defer system.mu.Unlock()
	system.clock, system.toSkip, system.next = clock, 0, firstSkipped
}

// begin requests large pages for b, unless such pages have been late. b must consist of whole large
// pages of zeros, and is about to be written to from its beginning on.
func (p *largePagePolicy) begin(b []byte) {
	if len(b) == 0 {
		return
	}
	clock, spared := p.skip(len(b) / Size)
	switch {
	case spared:
		return
	case clock == nil:
		ask(b)
		return
	case !p.beginTrial(len(b) > Size):
		return
	}
	defer p.trial.Unlock()
	first := b[:Size]
	ask(first)
	since := clock()
	first[0] = 0
	if p.record(clock()-since) && len(b) > Size {
		ask(b[Size:])
	}
}

// beginTrial begins a trial. It returns false if another trial is running and wait is false, or if
// that trial turned out late.
func (p *largePagePolicy) beginTrial(wait bool) bool {
	if p.trial.TryLock() {
		return true
	}
	if !wait {
		return false
	}
	p.trial.Lock()
	p.mu.Lock()
	late := p.toSkip > 0
	p.mu.Unlock()
	if late {
		p.trial.Unlock()
	}
	return !late
}

// skip reports whether n pages are to be skipped. Otherwise it returns the clock with which to judge
// the first of them, nil if there is none.
func (p *largePagePolicy) skip(n int) (clock func() time.Duration, spared bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.toSkip > 0 {
		p.toSkip = max(0, p.toSkip-n)
		return nil, true
	}
	return p.clock, false
}

// record records how long a page has taken and reports whether that was quick.
func (p *largePagePolicy) record(long time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if long < lateAfter {
		p.next = firstSkipped
		return true
	}
	p.toSkip, p.next = p.next, min(2*p.next, mostSkipped)
	return false
}
