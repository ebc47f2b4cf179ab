//go:build !purego

package launch

import (
	"os"
	"syscall"
	"unsafe"
)

//go:generate sh -c "cd ../../../_generate && go run ./signals -out ../cmd/internal/launch/note_linux_amd64.s -stubs ../cmd/internal/launch/note_stubs_linux_amd64.go -pkg launch"

// canDefer says that signals can be deferred.
const canDefer = true

// noted has a byte for each signal, which is 1 when the signal came while it was deferred, or was relayed.
var noted [65]byte

// A sigaction is what the system does when a signal comes, in its own form. The zero one is what it
// does by default.
type sigaction struct{ handler, flags, restorer, mask uint64 }

// swap sets what the system does, unless set is nil, and returns what it did. There is nothing
// in which this could fail.
func swap(s os.Signal, set *sigaction) (before sigaction) {
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s.(syscall.Signal)),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(&before)), unsafe.Sizeof(before.mask), 0, 0)
	return before
}

// handled is what the system does for a handler: what it does for that of the runtime, which wants its
// handlers to run on the stack for signals, with another handler.
func handled(handler uint64) *sigaction {
	a := swap(syscall.SIGTERM, nil)
	a.handler = handler
	return &a
}

// defaultDropped has the signals that the runtime would drop do what they do by default, until others are deferred.
func defaultDropped() {
	for _, s := range dropped {
		swap(s, new(sigaction))
	}
}

// The signals from firstRealtime to lastRealtime mean what programs agree on, and end those that know
// of no meaning. The two signals before them are for C libraries.
const (
	firstRealtime = 34
	lastRealtime  = 64
)

// deferSignals makes signals, which the runtime handles, wait. release hands them back, and sends
// those that came meanwhile again. Those dropped come as SIGTERM from now on: the runtime need not
// be told of them, which takes it longer than all else that it does for a small job.
func deferSignals(signals []os.Signal) (release func()) {
	relay, note := handled(relayAddress()), handled(noteAddress())
	before := make([]sigaction, len(signals))
	for i, s := range signals {
		before[i] = swap(s, note)
	}
	for _, s := range dropped {
		swap(s, relay)
	}
	swap(syscall.Signal(firstRealtime), relay) // which the runtime leaves to the system: it would end the process now
	return func() {
		for s := syscall.Signal(firstRealtime); s <= lastRealtime; s++ { // a small job has ended
			swap(s, relay)
		}
		for i, s := range signals {
			swap(s, &before[i])
		}
		for _, s := range signals {
			if noted[s.(syscall.Signal)] != 0 {
				syscall.Kill(syscall.Getpid(), s.(syscall.Signal))
			}
		}
	}
}

// notifiable are the signals of which the runtime is asked to tell, of those that end this process.
func notifiable() []os.Signal { return unignored(ending) }

// origin returns the signal for which s came.
func origin(s os.Signal) os.Signal {
	if s != syscall.SIGTERM {
		return s
	}
	for _, u := range dropped {
		if noted[u.(syscall.Signal)] != 0 {
			return u
		}
	}
	for u := syscall.Signal(firstRealtime); u <= lastRealtime; u++ {
		if noted[u] != 0 {
			return u
		}
	}
	return s
}

// restoreDefault has a signal end the process.
func restoreDefault(s os.Signal) bool {
	swap(s, new(sigaction))
	return true
}
