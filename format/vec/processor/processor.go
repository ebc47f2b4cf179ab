// Package processor keeps the threads of a program on processors of their own. On systems other
// than Linux, seats have no effect, and Offer yields to other goroutines.
//
// Problem: a goroutine that is woken may have to wait although a processor is idle. On a virtual
// machine, Linux takes an idle processor for one that the host has taken away. A woken thread then
// waits for the processor of the thread that woke it. That one keeps working. At the next tick,
// some milliseconds later, the two begin to take turns, until the system rebalances, often after
// tens of milliseconds. By then a short job is done.
//
// Method: a working goroutine has a [Seat] and says from time to time that it is still there. If
// its thread is on a processor that is another's seat, it forbids itself that processor for a
// moment, so that the system moves it at once to a processor that is nobody's seat. A goroutine
// that wakes others offers them its processor, which takes less than a microsecond if nobody waits
// for it.
//
// The processors on which threads may run, as set by taskset, stay the same.
package processor

import (
	"math/bits"
	"runtime"
	"sync/atomic"
)

// mostProcessors is the number of processors that can be seats. Others are never taken.
const mostProcessors = 1024

const word = bits.UintSize

// A set of processors in Linux's format.
type set [mostProcessors / word]uintptr

// taken has the processors that are seats.
var taken [mostProcessors / word]atomic.Uintptr

// A Seat is the processor that a goroutine works on. The zero Seat has no processor yet. If several
// goroutines are on the same processor, one of them has it as its seat.
type Seat struct{ cpu atomic.Int32 } // number of the processor + 1

// Keep says that the calling goroutine works. If it is on a processor that is another's seat, it is
// moved to one that is nobody's, if there is one. That takes some tens of microseconds, and a tenth
// of one otherwise.
func (s *Seat) Keep() {
	cpu := here()
	if cpu < 0 || cpu == int(s.cpu.Load())-1 {
		return
	}
	s.Leave()
	if !claim(cpu) {
		if !move(free) {
			return
		}
		if cpu = here(); !claim(cpu) {
			return
		}
	}
	s.cpu.Store(int32(cpu + 1))
}

// Leave says that the calling goroutine is about to sleep or has finished its work.
func (s *Seat) Leave() {
	if cpu := int(s.cpu.Swap(0)) - 1; cpu >= 0 {
		taken[cpu/word].And(^(uintptr(1) << (cpu % word)))
	}
}

// claim makes a processor a seat. It returns false if it is one already.
func claim(cpu int) bool {
	if cpu < 0 || cpu >= mostProcessors {
		return false
	}
	bit := uintptr(1) << (cpu % word)
	return taken[cpu/word].Or(bit)&bit == 0
}

// free removes all seats from a set and reports whether anything is left.
func free(s *set) bool {
	for i := range s {
		s[i] &^= taken[i].Load()
	}
	return *s != set{}
}

// Call makes the goroutines that the calling goroutine has woken begin to run. The caller must not
// hold a lock that they need.
//
// The goroutine that is woken last is the next that its thread runs, and other threads leave it
// alone while it may be about to run: 3 microseconds by Go's rule, 60 in practice on Linux. So Call
// wakes one more.
func Call() {
	go runtime.Gosched()
	yield()
}
