package smo

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page, or a multiple of it.
const hugePage = 2 << 20

// inLargePages asks for large pages where the memory of a slice covers them. The
// system may decline.
func inLargePages(s []float32) {
	if len(s) == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s))
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % hugePage)
	if n := (len(b) - skip) / hugePage * hugePage; n > 0 {
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_HUGEPAGE)
	}
}
