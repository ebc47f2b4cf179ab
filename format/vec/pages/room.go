package pages

import "unsafe"

// A Room is memory for slices that are made one after the other and released together. The garbage
// collector does not know of it and neither counts nor frees it. The system provides the memory as
// it is written to. The zero Room is ready. Only one goroutine may use it.
type Room struct {
	// Much says that a large page will be filled. Otherwise the first pages are small ones.
	Much bool
	// Little says that all pages are small.
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

// Take returns n numbers in r, to be written to at once. They are 0 unless the memory was lent
// before. Do not use them after r.Release.
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

// Cut is [Take], but the caller calls ask to request large pages. That may take milliseconds,
// during which r may be used, and must be done before s is written to. s need not be written to.
func Cut[T Number](r *Room, n int) (s []T, ask func()) {
	s, size, large := next[T](r, n)
	if s == nil {
		return make([]T, n), func() {}
	}
	r.free = r.free[size:]
	r.cold = r.cold[max(0, len(r.cold)-len(r.free)):]
	return s, func() { system.begin(large) }
}

// Lend returns what [Take] would return and may return again. It returns nil if the system has no
// such memory.
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
