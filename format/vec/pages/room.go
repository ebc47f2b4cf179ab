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
	cold     []byte // of that, what was not made ready; it ends where free does
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

// Take returns n numbers in r, which are 0 unless they were lent before, to be written to at once. Nothing may use
// them after r.Release.
func Take[T Number](r *Room, n int) []T {
	s, size, large := next[T](r, n)
	if s == nil {
		return make([]T, n)
	}
	system.begin(large)
	r.prepare(size)
	r.free = r.free[size:]
	return s
}

// Cut is Take, but leaves it to the caller to have large pages asked for, before s is written to,
// which may take milliseconds: r may be used meanwhile. Nor need s be written to.
func Cut[T Number](r *Room, n int) (s []T, ask func()) {
	s, size, large := next[T](r, n)
	if s == nil {
		return make([]T, n), func() {}
	}
	r.free = r.free[size:]
	r.cold = r.cold[max(0, len(r.cold)-len(r.free)):]
	return s, func() { system.begin(large) }
}

// Lend returns what Take would, and may return again; nil where the system has no such
// memory.
func Lend[T Number](r *Room, n int) []T {
	s, size, large := next[T](r, n)
	if s != nil {
		system.begin(large)
		r.prepare(size)
	}
	return s
}

// next returns n numbers, or nil, how many bytes they take, and the large pages that they are the
// first to be in.
func next[T Number](r *Room, n int) (s []T, size int, reached []byte) {
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
			return nil, 0, nil
		}
		r.free, r.cold, r.large, r.releases = more, more, large, append(r.releases, release)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&r.free[0])), n), size, r.reach(size)
}

// reach returns the large pages that the next size bytes are the first to be in.
func (r *Room) reach(size int) []byte {
	if len(r.large) == 0 {
		return nil
	}
	// behind both is the same memory
	into := size - int(uintptr(unsafe.Pointer(&r.large[0]))-uintptr(unsafe.Pointer(&r.free[0])))
	if into <= 0 {
		return nil
	}
	n := min((into+Size-1)/Size*Size, len(r.large))
	reached := r.large[:n]
	r.large = r.large[n:]
	return reached
}

// prepare makes the next size bytes ready, and some behind them.
func (r *Room) prepare(size int) {
	lacking := size - (len(r.free) - len(r.cold))
	if lacking <= 0 {
		return
	}
	n := min(max(lacking, Ahead), len(r.cold))
	if len(r.large) > 0 { // large pages that were not asked for yet would become small ones
		n = min(n, int(uintptr(unsafe.Pointer(&r.large[0]))-uintptr(unsafe.Pointer(&r.cold[0]))))
	}
	Prepare(r.cold[:n])
	r.cold = r.cold[n:]
}

// Release gives all memory back.
func (r *Room) Release() {
	for _, release := range r.releases {
		release()
	}
	r.releases, r.free, r.cold, r.large = nil, nil, nil, nil
}
