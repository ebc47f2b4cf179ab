// Package pages makes long slices in memory of large pages, while these come soon. To touch memory for the
// first time costs a processor some microseconds a page of 4 KiB, more than to compute
// the kernel values that go there, and threads that do so get into each other's way. It also
// gives memory back to the system, that of the program itself too: what the system is asked
// about memory is all here.
package pages

import (
	"os"
	"runtime"
	"unsafe"
)

// Size is the size of a large page in bytes, or a multiple of it.
const Size = 2 << 20

// A Number is what long slices hold.
type Number interface {
	~uint8 | ~int16 | ~uint16 | ~int32 | ~uint64 | ~int | ~float32 | ~float64
}

// few is memory that is not worth a call of the system and the faults of whoever has it next: one of
// thousands of small models drops some pages many times a millisecond.
const few = 256 << 10

// Drop gives the memory of s back to the system, as far as it is whole pages and not a few
// only. s holds anything then, and takes memory again where it is written to.
func Drop[T Number](s []T) {
	if b := inner(s); len(b) >= few {
		drop(b)
	}
}

// Move copies src to dst, which is at least as long, and gives the memory of src back piece by piece, so that at no
// time there is much more of both than of one. src holds anything then.
func Move[T Number](dst, src []T) {
	piece := 16 * few / int(unsafe.Sizeof(*new(T)))
	for len(src) > 0 {
		n := copy(dst[:min(piece, len(src))], src)
		Drop(src[:n])
		dst, src = dst[n:], src[n:]
	}
}

// Prepare has the system give all pages that s is in, if it can do so, in one call: to give each when it is
// first written to interrupts the processor every time, which takes longer than to give it. s holds what it did.
// Of less than some pages nothing is done, and nothing beyond 32 MiB: several threads may fill so much, each of which
// is given its part as it goes, and who asks cannot be stopped meanwhile.
func Prepare[T Number](s []T) {
	n := min(len(s)*int(unsafe.Sizeof(*new(T))), mostPrepared)
	if n < leastPrepared {
		return
	}
	page := uintptr(smallest)
	first := uintptr(unsafe.Pointer(&s[0]))
	begin, end := first/page*page, (first+uintptr(n)+page-1)/page*page
	populate(begin, end-begin) // by address: pages may begin and end in other things of the collector's
	runtime.KeepAlive(s)
}

// Ahead is how many bytes are prepared together where memory is written to from its beginning on: with more, less
// would be gained than the memory that is never written to.
const Ahead = 32 << 10

// How many bytes are worth a call of the system, and how many are given by one.
const leastPrepared, mostPrepared = 16 << 10, 32 << 20

// Touch writes to each page of s, which holds zeros. A page that is read before it is written
// to takes the system twice: first it lends one of zeros, and when it takes that back it tells
// all processors.
func Touch[T Number](s []T) {
	var zero T
	for k := 0; k < len(s); k += smallest / int(unsafe.Sizeof(zero)) {
		s[k] = 0
	}
}

// inner returns the bytes of s that are whole pages.
func inner[T Number](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
	skip := min(int(-uintptr(unsafe.Pointer(&b[0]))%uintptr(smallest)), len(b))
	return b[skip : skip+(len(b)-skip)/smallest*smallest]
}

// smallest is the smallest page's size.
var smallest = os.Getpagesize()

// Make returns a slice of n zeros, with no room beyond. From Size bytes on it begins with
// a large page, and all that it fills are asked for; the system may decline. Memory that
// is not touched is not taken, but for the first page's where there is a clock: see SetClock.
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
