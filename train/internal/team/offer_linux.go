package team

import "syscall"

// offer offers the processor to who else waits for it, of this program or another. Go's
// scheduler is not told: to tell it has it look after this goroutine, ten thousand times a
// second, on one of the processors that are needed.
func offer() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
