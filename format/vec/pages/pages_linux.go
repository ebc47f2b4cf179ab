package pages

import (
	"bytes"
	"os"
	"strconv"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

const supported = true

// drop returns pages to the system.
func drop(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

// populate asks the system to provide pages as if they were written to. Linux can from version 5.14
// on.
func populate(address, size uintptr) {
	if unable.Load() {
		return
	}
	if _, _, err := unix.Syscall(unix.SYS_MADVISE, address, size, unix.MADV_POPULATE_WRITE); err == unix.EINVAL {
		unable.Store(true)
	}
}

// unable says that the system cannot populate.
var unable atomic.Bool

// ask requests large pages.
func ask(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

// reports reports whether the system tells a host which memory is free, as a guest with virtio's
// balloon or of Hyper-V may. The file gives the order of pages from which it does, or an impossible
// order if it does not.
func reports() bool {
	text, err := os.ReadFile("/sys/module/page_reporting/parameters/page_reporting_order")
	order, bad := strconv.Atoi(string(bytes.TrimSpace(text)))
	return err == nil && bad == nil && 0 <= order && order < 64
}
