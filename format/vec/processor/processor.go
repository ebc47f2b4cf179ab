// Package processor has threads of one program run on processors of their own.
//
// Problem: a goroutine that is woken may have to wait although a processor has nothing to do. On a
// virtual machine Linux takes one that sleeps for one that the host has taken away, and so has a
// thread that is woken wait for the processor of the one that wakes it. That one works on; at the next
// tick, some milliseconds later, the two begin to take turns, until the system looks around, often
// after dozens of milliseconds: by then a short job is done.
//
// Method: who works has a seat, and says from time to time that it is still there. Where its thread is on a processor
// that is another's seat, it forbids that to itself for a moment, so that the system moves it at once to one that is
// nobody's. Who wakes others offers its processor to them, which takes less than a microsecond if nobody waits for it.
//
// What threads may run on, as taskset says, stays what it is. Elsewhere than on Linux all this does nothing.
package processor

import (
	"math/bits"
	"runtime"
	"sync/atomic"
)

// mostProcessors is the number of processors that are told from each other. Others are nobody's.
const mostProcessors = 1024

const word = bits.UintSize

// A set of processors, as Linux has it.
type set [mostProcessors / word]uintptr

// taken are the processors that are seats.
var taken [mostProcessors / word]atomic.Uintptr

// A Seat is the processor that a goroutine works on. The zero Seat is none yet. If several goroutines
// have one, one of them has it.
type Seat struct{ cpu atomic.Int32 } // and 1

// Keep says that the calling goroutine works. On a processor that is another's seat it is moved to one that is
// nobody's, if there is one. That takes some dozens of microseconds, and a tenth of one else.
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

// Leave says that the calling goroutine is about to sleep, or has ended its work.
func (s *Seat) Leave() {
	if cpu := int(s.cpu.Swap(0)) - 1; cpu >= 0 {
		taken[cpu/word].And(^(uintptr(1) << (cpu % word)))
	}
}

// claim makes a processor a seat, unless it is one.
func claim(cpu int) bool {
	if cpu < 0 || cpu >= mostProcessors {
		return false
	}
	bit := uintptr(1) << (cpu % word)
	return taken[cpu/word].Or(bit)&bit == 0
}

// free leaves of a set what is nobody's seat, and reports whether there is any.
func free(s *set) bool {
	for i := range s {
		s[i] &^= taken[i].Load()
	}
	return *s != set{}
}

// Call has those begin whom the calling goroutine has woken. It must hold no lock that they need.
//
// The last that a goroutine wakes is the next that its thread runs, and others leave it alone for as long as it may be about to, which is
// 3 microseconds as Go has it, and 60 as Linux. So there is another one.
func Call() {
	go runtime.Gosched()
	yield()
}
