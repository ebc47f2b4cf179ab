//go:build !purego

package launch

import (
	"os"
	"syscall"
	"unsafe"
)

//go:generate sh -c "cd ../../../_generate && go run ./signals -out ../cmd/internal/launch/note_linux_amd64.s -stubs ../cmd/internal/launch/note_stubs_linux_amd64.go -pkg launch"

// holds says that signals can be held.
const holds = true

// noted has a byte for each signal, which is 1 when the signal came while it was held.
var noted [65]byte

// A sigaction is what the system does when a signal comes, in its own form.
type sigaction struct{ handler, flags, restorer, mask uint64 }

// swap sets what the system does, unless set is nil, and returns what it did. There is nothing
// in which this could fail.
func swap(s os.Signal, set *sigaction) (before sigaction) {
	syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s.(syscall.Signal)),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(&before)), unsafe.Sizeof(before.mask), 0, 0)
	return before
}

// hold makes signals, which the runtime handles, wait. release hands them back, and sends
// those that came meanwhile again.
func hold(signals []os.Signal) (release func()) {
	before := make([]sigaction, len(signals))
	for i, s := range signals {
		before[i] = swap(s, nil)
		held := before[i] // on the stack for signals, as the runtime wants it
		held.handler = noteAddress()
		swap(s, &held)
	}
	return func() {
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
