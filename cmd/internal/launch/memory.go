package launch

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// The commands create little garbage, so the collector may run more often than usual,
// and their memory stays near what they hold. But many end before it is of use.
const (
	// gcPercent is by how much of what is held memory may grow between two
	// collections.
	gcPercent = 25

	// slack is how much a command may allocate in any case in between, since a small
	// heap would be looked through all the time. It is a share of memory that is
	// reserved and never touched.
	slack = 1 << 20

	// firstPercent puts the first collection off until the heap nears 16 MB, as the
	// runtime collects first at this percentage of 4 MB. The tables of a collection take
	// more memory than the garbage that it finds in a small heap.
	firstPercent = 400

	// sharedTimes is the factor of firstPercent on several processors, all of which a collection
	// stops: it sends signals to threads that are in assembly or wait for pages of memory until they
	// can be stopped, which then takes longer.
	sharedTimes = 4

	// sharedPercent is gcPercent there as long as no more than sharedMost is held, and makes slack four
	// times as much. With more held, as much again would be more than all that two processors gain.
	sharedPercent = 100
	sharedMost    = 48 << 20
)

// spare is the memory that is reserved for slack.
var spare atomic.Pointer[[slack * 100 / gcPercent]byte]

// tuneGC sets the collector.
func tuneGC() {
	times, percent := 1, gcPercent
	if runtime.GOMAXPROCS(0) > 1 {
		times, percent = sharedTimes, sharedPercent
	}
	debug.SetGCPercent(times * firstPercent)
	afterCollection(func() {
		debug.SetGCPercent(percent)
		if percent > gcPercent {
			tuneLargeHeap()
		}
		spare.Store(new([slack * 100 / gcPercent]byte))
	})
}

// tuneLargeHeap sets the collector to gcPercent once much memory is held. It is called after a
// collection, when the heap is about what is held. Asking for its size stops all goroutines for a
// moment, as the collection just did; the runtime's metrics would not, but their descriptions take a
// thirtieth of a small job's time, and 130 KB.
func tuneLargeHeap() {
	var held runtime.MemStats
	if runtime.ReadMemStats(&held); held.HeapAlloc > sharedMost {
		debug.SetGCPercent(gcPercent)
		return
	}
	afterCollection(tuneLargeHeap)
}

// afterCollection has f called after the next collection.
func afterCollection(f func()) {
	runtime.AddCleanup(new(gcSentinel), func(int) { f() }, 0)
}

// gcSentinel is something that the next collection finds. It has a pointer, without
// which it would share its memory with other things.
type gcSentinel struct{ _ *gcSentinel }
