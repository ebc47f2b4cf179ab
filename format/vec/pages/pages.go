// Package pages makes long slices in large memory pages, as long as the system provides these
// quickly, and gives memory back to the system. All requests to the system about memory are in this
// package.
//
// Touching a page of 4 KiB for the first time costs a processor some microseconds, more than
// computing the kernel values that go there, and threads that do so slow each other down. Large
// pages avoid that.
package pages

import (
	"os"
	"runtime"
	"unsafe"
)

// Size is the size of a large page in bytes, or a multiple of it.
const Size = 2 << 20

// A Number is an element of a long slice.
type Number interface {
	~uint8 | ~int16 | ~uint16 | ~int32 | ~uint64 | ~int | ~float32 | ~float64
}

// few is the number of bytes for which a system call, and the page faults when the memory is used
// again, do not pay. One of thousands of small models drops some pages many times in a millisecond.
const few = 256 << 10

// Drop gives the memory of s back to the system, as far as it is whole pages and more than a few.
// The contents of s are then undefined; writing to s takes memory again.
func Drop[T Number](s []T) {
	if b := inner(s); len(b) >= few {
		drop(b)
	}
}

// Move copies src to dst, which must be at least as long, and gives the memory of src back piece by
// piece, so that the two together never take much more than one of them. The contents of src are
// then undefined.
func Move[T Number](dst, src []T) {
	piece := 16 * few / int(unsafe.Sizeof(*new(T)))
	for len(src) > 0 {
		n := copy(dst[:min(piece, len(src))], src)
		Drop(src[:n])
		dst, src = dst[n:], src[n:]
	}
}

// Prepare asks the system to provide all pages of s in one call, if it can: providing each page
// when it is first written to interrupts the processor every time, which takes longer. The contents
// of s stay. Prepare does nothing for a few pages and nothing beyond 32 MiB: more is filled by
// several threads, each of which gets its part on the way, and the call cannot be interrupted.
func Prepare[T Number](s []T) {
	n := min(len(s)*int(unsafe.Sizeof(*new(T))), mostPrepared)
	if n < leastPrepared {
		return
	}
	page := uintptr(smallest)
	first := uintptr(unsafe.Pointer(&s[0]))
	begin, end := first/page*page, (first+uintptr(n)+page-1)/page*page
	populate(begin, end-begin) // by address, because the first and last page may contain other objects
	runtime.KeepAlive(s)
}

// PrepareBytes is how many bytes are prepared at once for memory that is written from its beginning
// on. A larger number would gain less than the memory that is never written to costs.
const PrepareBytes = 32 << 10

// The least number of bytes for which a system call pays, and the largest number for one call.
const leastPrepared, mostPrepared = 16 << 10, 32 << 20

// Touch writes to each page of s, which must hold zeros. A page that is read before it is written
// to costs the system twice: it first provides a page of zeros, and must tell all processors when
// it replaces that.
func Touch[T Number](s []T) {
	var zero T
	for k := 0; k < len(s); k += smallest / int(unsafe.Sizeof(zero)) {
		s[k] = 0
	}
}

// inner returns the part of s that consists of whole pages.
func inner[T Number](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
	skip := min(int(-uintptr(unsafe.Pointer(&b[0]))%uintptr(smallest)), len(b))
	return b[skip : skip+(len(b)-skip)/smallest*smallest]
}

// smallest is the size of a small page.
var smallest = os.Getpagesize()

// Make returns a slice of n zeros without spare capacity. From [Size] bytes on, it begins at a
// large page, and large pages are requested for the whole; the system may decline. Memory that is
// not touched is not taken, except for the first page if there is a clock: see [SetClock].
func Make[T Number](n int) []T {
	var zero T
	width := int(unsafe.Sizeof(zero))
	if !supported || n < Size/width {
		return make([]T, n)
	}
	s := make([]T, n+Size/width)
	skip := int(-uintptr(unsafe.Pointer(&s[0]))%Size) / width
	s = s[skip : skip+n : skip+n]
	whole := n * width / Size * Size
	system.begin(unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), whole))
	return s
}
