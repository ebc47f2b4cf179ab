package processor

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offer offers the processor to any other thread that waits for it, of this program or another.
// Go's scheduler is not told: if it were, it would look after this goroutine ten thousand times a
// second, on one of the processors that are needed.
func Offer() { yield() }

func yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// here returns the number of the processor that the calling thread is on, -1 if it is not known.
func here() int {
	var cpu uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
		return -1
	}
	return int(cpu)
}

// move has the thread run on one of the processors that choose leaves of those that it may run on, if any, and reports
// whether it does. It may run on all as before then.
func move(choose func(allowed *set) bool) bool {
	thread, _, _ := unix.RawSyscall(unix.SYS_GETTID, 0, 0, 0) // all of this is about it, should the goroutine go on in another one
	var allowed set
	n, _, e := unix.RawSyscall(unix.SYS_SCHED_GETAFFINITY, thread, unsafe.Sizeof(allowed), uintptr(unsafe.Pointer(&allowed)))
	if e != 0 || n > unsafe.Sizeof(allowed) {
		return false
	}
	other := allowed
	if !choose(&other) {
		return false
	}
	confine := func(to *set) bool {
		_, _, e := unix.RawSyscall(unix.SYS_SCHED_SETAFFINITY, thread, n, uintptr(unsafe.Pointer(to)))
		return e == 0
	}
	return confine(&other) && confine(&allowed)
}
