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

	free     []byte // unused part of the last reservation
	cold     []byte // the part of free that is not ready yet; both end at the same place
	large    []byte // large pages of free that were not requested yet
	releases []func()
}

const (
	// roomAtOnce is the number of bytes reserved at a time.
	roomAtOnce = 16 << 20

	// little is the number of bytes in small pages, unless Much is set.
	little = Size / 2

	// Slices begin at multiples of align, a cache line.
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

// next returns n numbers, or nil, the number of bytes that they take, and the large pages that they
// are the first to use.
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

// reach returns the large pages that the next size bytes are the first to use.
func (r *Room) reach(size int) []byte {
	if len(r.large) == 0 {
		return nil
	}
	// large is the end of free
	into := size - int(uintptr(unsafe.Pointer(&r.large[0]))-uintptr(unsafe.Pointer(&r.free[0])))
	if into <= 0 {
		return nil
	}
	n := min((into+Size-1)/Size*Size, len(r.large))
	reached := r.large[:n]
	r.large = r.large[n:]
	return reached
}

// prepare makes the next size bytes ready, and some more behind them.
func (r *Room) prepare(size int) {
	lacking := size - (len(r.free) - len(r.cold))
	if lacking <= 0 {
		return
	}
	n := min(max(lacking, Ahead), len(r.cold))
	if len(r.large) > 0 { // preparing large pages that were not requested yet would make them small pages
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
