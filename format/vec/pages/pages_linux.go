package pages

import (
	"bytes"
	"os"
	"strconv"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

const supported = true

// drop gives pages back.
func drop(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

// populate makes the system give pages, as if they were written to: from Linux 5.14 on.
func populate(address, size uintptr) {
	if unable.Load() {
		return
	}
	if _, _, err := unix.Syscall(unix.SYS_MADVISE, address, size, unix.MADV_POPULATE_WRITE); err == unix.EINVAL {
		unable.Store(true)
	}
}

// unable says that the system does not know how to populate.
var unable atomic.Bool

// ask asks for large pages.
func ask(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

// reports reports whether the system tells a host of memory that is free, as a guest with virtio's balloon or
// of Hyper-V may. It says from which order of pages on, or one that there is not.
func reports() bool {
	text, err := os.ReadFile("/sys/module/page_reporting/parameters/page_reporting_order")
	order, bad := strconv.Atoi(string(bytes.TrimSpace(text)))
	return err == nil && bad == nil && 0 <= order && order < 64
}
