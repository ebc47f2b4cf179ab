package launch

import (
	"strconv"
	"syscall"
)

// Go's runtime has a thread that looks at the others every 20 microseconds in the first
// milliseconds of a process, a fifteenth of what a job of so many takes in all. When a call of
// the system or a goroutine takes long it makes room for others, which can wait a little.

// calmest is by how many nanoseconds that thread may sleep longer than it asks for.
const calmest = 5_000_000

// manyTried is how many numbers behind the process's are tried: that thread is the first
// that the process starts, but other processes begin too.
const manyTried = 32

// calm lets the thread sleep longer, where the system allows that: to those who may set the
// priorities of processes.
func calm() {
	pid := syscall.Getpid()
	for tid := pid + 1; tid <= pid+manyTried; tid++ {
		if syscall.Tgkill(pid, tid, 0) != nil { // it is no thread of this process
			continue
		}
		fd, err := syscall.Open("/proc/"+strconv.Itoa(tid)+"/timerslack_ns", syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			return
		}
		_, _ = syscall.Write(fd, strconv.AppendInt(nil, calmest, 10))
		_ = syscall.Close(fd)
		return
	}
}
