package pages

import "unsafe"

// A Room is memory for slices that are made one after the other and given back together.
// The collector does not know of it: it neither counts it nor frees it. Memory is taken
// from the system as it is written to. The zero value is ready. It is for one goroutine.
type Room struct {
	// Much says that a large page will be filled. Otherwise the first are small ones.
	Much bool
	// Little says that all pages be small.
	Little bool

	free     []byte // of what was reserved last
	large    []byte // the large pages of it that were not asked for yet
	releases []func()
}

const (
	// roomAtOnce is how many bytes are reserved at a time.
	roomAtOnce = 16 << 20

	// little is how many bytes are in small pages if not Much is expected.
	little = Size / 2

	// align is what slices begin at a multiple of: a line of the cache.
	align = 64
)

// Take returns n numbers in r, which are 0 unless they were lent before. Nothing may use
// them after r.Release.
func Take[T Number](r *Room, n int) []T {
	s, size := next[T](r, n)
	if s == nil {
		return make([]T, n)
	}
	r.free = r.free[size:]
	return s
}

// Lend returns what Take would, and may return again; nil where the system has no such
// memory.
func Lend[T Number](r *Room, n int) []T {
	s, _ := next[T](r, n)
	return s
}

// next returns n numbers and how many bytes they take, or nil.
func next[T Number](r *Room, n int) (s []T, size int) {
	var zero T
	width := int(unsafe.Sizeof(zero))
	size = (n*width + align - 1) / align * align
	if size >= len(r.free) {
		small := little
		if r.Much || len(r.releases) > 0 {
			small = 0
		}
		length := max(roomAtOnce, size+align)
		if r.Little {
			small = length
		}
		more, large, release := reserve(length, small)
		if more == nil {
			return nil, 0
		}
		r.free, r.large, r.releases = more, large, append(r.releases, release)
	}
	r.reach(size)
	return unsafe.Slice((*T)(unsafe.Pointer(&r.free[0])), n), size
}

// reach asks for the large pages that the next size bytes are in.
func (r *Room) reach(size int) {
	if len(r.large) == 0 {
		return
	}
	// behind both is the same memory
	into := size - int(uintptr(unsafe.Pointer(&r.large[0]))-uintptr(unsafe.Pointer(&r.free[0])))
	if into <= 0 {
		return
	}
	n := min((into+Size-1)/Size*Size, len(r.large))
	system.begin(r.large[:n])
	r.large = r.large[n:]
}

// Release gives all memory back.
func (r *Room) Release() {
	for _, release := range r.releases {
		release()
	}
	r.releases, r.free, r.large = nil, nil, nil
}
