package pages

import "unsafe"

// small is how much of mapped memory is in small pages: little would take a large one.
const small = Size / 2

// Map returns n zeros in memory that the collector does not know of: it neither counts
// it nor frees it. Memory is taken from the system as it is written to, in small pages
// first, in large ones behind. Nothing may use it after release is called.
func Map[T Number](n int) (s []T, release func()) {
	var zero T
	width := int(unsafe.Sizeof(zero))
	b := mapped(n*width + Size)
	if b == nil {
		return make([]T, n), func() {}
	}
	skip := int((small - uintptr(unsafe.Pointer(&b[0]))) % Size)
	all := b[skip:]
	if whole := (n*width - small) / Size * Size; whole > 0 {
		ask(all[small : small+whole])
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&all[0])), n), func() { unmap(b) }
}
