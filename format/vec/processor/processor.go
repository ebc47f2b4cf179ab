// Package processor keeps the threads of a program on processors of their own. On systems other
// than Linux, claims have no effect, and Yield yields to other goroutines.
//
// Problem: a goroutine that is woken may have to wait although a processor is idle. On a virtual
// machine, Linux takes an idle processor for one that the host has taken away. A woken thread then
// waits for the processor of the thread that woke it. That one keeps working. At the next tick,
// some milliseconds later, the two begin to take turns, until the system rebalances, often after
// tens of milliseconds. By then a short job is done.
//
// Method: a working goroutine has a [Claim] to a processor and renews it from time to time. If its
// thread is on a processor that another goroutine claims, it forbids itself that processor for a
// moment, so that the system moves it at once to a processor that nobody claims. A goroutine that
// wakes others yields its processor, which takes less than a microsecond if nobody waits for it.
//
// The processors on which threads may run, as set by taskset, stay the same.
package processor

import (
	"math/bits"
	"runtime"
	"sync/atomic"
)

// mostProcessors is the number of processors that can be claimed. Others are never taken.
const mostProcessors = 1024

const word = bits.UintSize

// A set of processors in Linux's format.
type set [mostProcessors / word]uintptr

// taken has the processors that are claimed.
var taken [mostProcessors / word]atomic.Uintptr

// A Claim is a goroutine's claim to the processor that it works on. The zero Claim has no processor
// yet. If several goroutines are on the same processor, one of them claims it.
type Claim struct{ cpu atomic.Int32 } // number of the processor + 1

// Renew claims the processor that the calling goroutine is on, in place of an earlier one. If another
// goroutine claims that, the caller is moved to one that nobody claims, if there is one. That takes
// some tens of microseconds, and a tenth of one otherwise.
func (c *Claim) Renew() {
	cpu := here()
	if cpu < 0 || cpu == int(c.cpu.Load())-1 {
		return
	}
	c.Release()
	if !claim(cpu) {
		if !move(free) {
			return
		}
		if cpu = here(); !claim(cpu) {
			return
		}
	}
	c.cpu.Store(int32(cpu + 1))
}

// Release ends the claim. Call it before the goroutine sleeps, and when it has finished its work.
func (c *Claim) Release() {
	if cpu := int(c.cpu.Swap(0)) - 1; cpu >= 0 {
		taken[cpu/word].And(^(uintptr(1) << (cpu % word)))
	}
}

// claim claims a processor. It returns false if that is claimed already.
func claim(cpu int) bool {
	if cpu < 0 || cpu >= mostProcessors {
		return false
	}
	bit := uintptr(1) << (cpu % word)
	return taken[cpu/word].Or(bit)&bit == 0
}

// free removes all claimed processors from a set and reports whether anything is left.
func free(s *set) bool {
	for i := range s {
		s[i] &^= taken[i].Load()
	}
	return *s != set{}
}

// StartWoken makes the goroutines that the calling goroutine has woken begin to run. The caller must
// not hold a lock that they need.
//
// The goroutine that is woken last is the next that its thread runs, and other threads leave it
// alone while it may be about to run: 3 microseconds by Go's rule, 60 in practice on Linux. So
// StartWoken wakes one more.
func StartWoken() {
	go runtime.Gosched()
	yield()
}
