// Package pages makes long slices in memory of large pages. To touch memory for the
// first time costs a processor some microseconds a page of 4 KiB, more than to compute
// the kernel values that go there, and threads that do so get into each other's way.
package pages

import "unsafe"

// Size is the size of a large page in bytes, or a multiple of it.
const Size = 2 << 20

// A Number is what long slices hold.
type Number interface {
	~uint8 | ~int32 | ~uint64 | ~float32 | ~float64
}

// Drop gives the memory of s back to the system, as far as it is whole pages. s holds
// anything then, and takes memory again where it is written to.
func Drop[T Number](s []T) {
	if len(s) == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % smallest)
	if whole := (len(b) - skip) / smallest * smallest; whole > 0 {
		drop(b[skip : skip+whole])
	}
}

// smallest is a multiple of the smallest page's size.
const smallest = 64 << 10

// Make returns a slice of n zeros, with no room beyond. From Size bytes on it begins with
// a large page, and all that it fills are asked for; the system may decline. Memory that
// is not touched is not taken.
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
	ask(unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), whole))
	return s
}
