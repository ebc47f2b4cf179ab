package pages

import "golang.org/x/sys/unix"

const supported = true

// drop gives pages back.
func drop(b []byte) { _ = unix.Madvise(b, unix.MADV_DONTNEED) }

// populate makes the system give pages, as if they were written to.
func populate(b []byte) { _ = unix.Madvise(b, unix.MADV_POPULATE_WRITE) }

// ask asks for large pages.
func ask(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
