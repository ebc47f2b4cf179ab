// Package processor has threads of one program run on processors of their own.
//
// Problem: a goroutine that is woken may have to wait although a processor has nothing to do. On a
// virtual machine Linux takes one that sleeps for one that the host has taken away, and so has a
// thread that is woken wait for the processor of the one that wakes it. That one works on; at the next
// tick, some milliseconds later, the two begin to take turns, until the system looks around, often
// after dozens of milliseconds: by then a short job is done.
//
// Method: who wakes others says where it is, and offers its processor once, which takes less than
// a microsecond if nobody waits for it. Who is woken there, or on a processor that another one of these has
// taken, forbids it to itself for a moment, so that the system moves it at once.
//
// What threads may run on, as taskset says, stays what it is. Elsewhere than on Linux all this does nothing.
package processor

import (
	"math/bits"
	"runtime"
	"sync/atomic"
)

// A Place is where goroutines are woken from. The zero Place is nowhere.
type Place struct{ cpu atomic.Int32 } // and 1

// Note notes that the calling goroutine is about to wake others.
func (p *Place) Note() { p.cpu.Store(int32(here() + 1)) }

// Sleep notes that the calling goroutine is about to sleep: if it was on the place's processor, that is free.
func (p *Place) Sleep() {
	if cpu := p.cpu.Load(); cpu > 0 && int(cpu) == here()+1 {
		p.cpu.CompareAndSwap(cpu, 0)
	}
}

// Call has those begin whom the calling goroutine has woken. It must hold no lock that they need.
//
// The last that a goroutine wakes is the next that its thread runs, and others leave it alone for as long as it may be about to, which is
// 3 microseconds as Go has it, and 60 as Linux. So there is another one.
func Call() {
	go runtime.Gosched()
	Offer()
}

// mostProcessors is the number of processors that are told from each other. Others are nobody's.
const mostProcessors = 1024

const word = bits.UintSize

// A set of processors, as Linux has it.
type set [mostProcessors / word]uintptr

// seats are the processors on which goroutines work that have taken them.
var seats [mostProcessors / word]atomic.Uintptr

func (s *set) remove(cpu int) {
	if cpu >= 0 && cpu < mostProcessors {
		s[cpu/word] &^= 1 << (cpu % word)
	}
}

// A Seat is the processor that a goroutine has taken, for as long as it has work to do. The zero Seat is
// none.
type Seat int // and 1

// Take has the calling goroutine, which was woken from a place, take a processor: the one that it is
// on, if nobody else is there, and otherwise another, if there is one.
func (s *Seat) Take(from *Place) {
	cpu, waker := here(), int(from.cpu.Load())-1
	if cpu >= 0 && (cpu == waker || !claim(cpu)) {
		if move(func(allowed *set) bool { return others(allowed, cpu, waker) }) {
			cpu = here()
		}
		if !claim(cpu) {
			cpu = -1
		}
	}
	*s = Seat(cpu + 1)
}

// others leaves of a set, that of processors that a thread may run on, those that are neither cpu, where it is, nor waker, nor
// taken. If there is none, and cpu is waker, it leaves those that are taken. It reports whether there are any.
func others(allowed *set, cpu, waker int) bool {
	allowed.remove(cpu)
	allowed.remove(waker)
	free, any := *allowed, false
	for i := range free {
		free[i] &^= seats[i].Load()
		any = any || free[i] != 0
	}
	switch {
	case any:
		*allowed = free
		return true
	case cpu == waker:
		return *allowed != set{}
	default:
		return false
	}
}

// Leave gives the processor up.
func (s *Seat) Leave() {
	if cpu := int(*s) - 1; cpu >= 0 {
		seats[cpu/word].And(^(uintptr(1) << (cpu % word)))
	}
	*s = 0
}

// claim takes a processor, unless it is taken.
func claim(cpu int) bool {
	if cpu < 0 || cpu >= mostProcessors {
		return false
	}
	bit := uintptr(1) << (cpu % word)
	return seats[cpu/word].Or(bit)&bit == 0
}
