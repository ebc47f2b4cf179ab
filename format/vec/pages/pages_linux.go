package pages

import "golang.org/x/sys/unix"

const supported = true

// ask asks for large pages.
func ask(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
