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

// lateness is longer than small pages take in place of a large one, and shorter than a large page
// takes that is fetched from a host.
const lateness = 3 * time.Millisecond / 2

// After a late page, this many pages are not requested: at first, and at most.
const firstSpared, mostSpared = 16, 256

// TakenBack reports whether a virtual machine's host is told which memory is free, so that it takes
// that back and large pages may come late. A program that runs for some hundredths of a second is
// then faster without large pages, unless it runs right after another: one late large page takes as
// long as the small pages that would replace eight.
func TakenBack() bool { return takenBack() }

var takenBack = sync.OnceValue(reports) // the answer needs a file to be read

// pace decides whether to request large pages.
type pace struct {
	trial  sync.Mutex           // held while waiting for a page
	mu     sync.Mutex           // guards the other fields
	clock  func() time.Duration // nil: always request
	spared int                  // how many pages are still not to be requested
	next   int                  // value of spared after the next late page
}

var system pace

// SetClock makes large pages be requested only while the system provides them quickly by clock,
// which returns the time since any fixed moment and may be called from several goroutines. Without
// a clock, or with nil, they are always requested. The contents of memory do not depend on it.
func SetClock(clock func() time.Duration) {
	system.mu.Lock()
	defer system.mu.Unlock()
	system.clock, system.spared, system.next = clock, 0, firstSpared
}

// begin requests large pages for b, unless such pages have been late. b must consist of whole large
// pages of zeros, and is about to be written to from its beginning on.
func (p *pace) begin(b []byte) {
	if len(b) == 0 {
		return
	}
	clock, spared := p.upTo(len(b) / Size)
	switch {
	case spared:
		return
	case clock == nil:
		ask(b)
		return
	case !p.turn(len(b) > Size):
		return
	}
	defer p.trial.Unlock()
	first := b[:Size]
	ask(first)
	since := clock()
	first[0] = 0
	if p.took(clock()-since) && len(b) > Size {
		ask(b[Size:])
	}
}

// turn begins a trial. It returns false if another trial is running and wait is false, or if that
// trial turned out late.
func (p *pace) turn(wait bool) bool {
	if p.trial.TryLock() {
		return true
	}
	if !wait {
		return false
	}
	p.trial.Lock()
	p.mu.Lock()
	late := p.spared > 0
	p.mu.Unlock()
	if late {
		p.trial.Unlock()
	}
	return !late
}

// upTo reports whether n pages are to be spared. Otherwise it returns the clock with which to judge
// the first of them, nil if there is none.
func (p *pace) upTo(n int) (clock func() time.Duration, spared bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spared > 0 {
		p.spared = max(0, p.spared-n)
		return nil, true
	}
	return p.clock, false
}

// took records how long a page has taken and reports whether that was quick.
func (p *pace) took(long time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if long < lateness {
		p.next = firstSpared
		return true
	}
	p.spared, p.next = p.next, min(2*p.next, mostSpared)
	return false
}
