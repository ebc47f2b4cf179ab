package processor

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Yield yields the processor to any other thread that waits for it, of this program or another.
// Go's scheduler is not informed: if it were, it would look after this goroutine ten thousand times a
// second, on one of the processors that are needed.
func Yield() { yield() }

func yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// here returns the number of the processor on which the calling thread runs, -1 if it is unknown.
func here() int {
	var cpu uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); e != 0 {
		return -1
	}
	return int(cpu)
}

// move makes the thread run on one of the processors that choose leaves in the set of allowed ones,
// and then allows the same processors as before. It returns false if choose leaves none or the
// system refuses.
func move(choose func(allowed *set) bool) bool {
	thread, _, _ := unix.RawSyscall(unix.SYS_GETTID, 0, 0, 0) // the following calls name the thread, because the goroutine may continue on another one
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
