package pages

import "unsafe"

// An Arena is memory for slices that are made one after the other and released together. The
// garbage collector does not know of it and neither counts nor frees it. The system provides the
// memory as it is written to. The zero Arena is ready. Only one goroutine may use it.
type Arena struct {
	// LargeFirst says that a large page will be filled. Otherwise the first pages are small ones.
	LargeFirst bool
	// SmallOnly says that all pages are small.
	SmallOnly bool

	free     []byte // unused part of the last reservation
	cold     []byte // the part of free that is not ready yet; both end at the same place
	large    []byte // large pages of free that were not requested yet
	releases []func()
}

const (
	// arenaBytes is the number of bytes reserved at a time.
	arenaBytes = 16 << 20

	// smallBytes is the number of bytes in small pages, unless LargeFirst is set.
	smallBytes = Size / 2

	// Slices begin at multiples of align, a cache line.
	align = 64
)

// Alloc returns n numbers in a, to be written to at once. They are 0 unless AllocScratch returned the
// memory before. Do not use them after a.Release.
func Alloc[T Number](a *Arena, n int) []T {
	s, size, large := next[T](a, n)
	if s == nil {
		return make([]T, n)
	}
	system.begin(large)
	a.prepare(size)
	a.free = a.free[size:]
	return s
}

// AllocDeferred is [Alloc], but the caller calls ask to request large pages. That may take
// milliseconds, during which a may be used, and must be done before s is written to. s need not be
// written to.
func AllocDeferred[T Number](a *Arena, n int) (s []T, ask func()) {
	s, size, large := next[T](a, n)
	if s == nil {
		return make([]T, n), func() {}
	}
	a.free = a.free[size:]
	a.cold = a.cold[max(0, len(a.cold)-len(a.free)):]
	return s, func() { system.begin(large) }
}

// AllocScratch returns what [Alloc] would return and may return again. It returns nil if the system
// has no such memory.
func AllocScratch[T Number](a *Arena, n int) []T {
	s, size, large := next[T](a, n)
	if s != nil {
		system.begin(large)
		a.prepare(size)
	}
	return s
}

// next returns n numbers, or nil, the number of bytes that they take, and the large pages that they
// are the first to use.
func next[T Number](a *Arena, n int) (s []T, size int, reached []byte) {
	var zero T
	width := int(unsafe.Sizeof(zero))
	size = (n*width + align - 1) / align * align
	if size >= len(a.free) {
		small := smallBytes
		if a.LargeFirst || len(a.releases) > 0 {
			small = 0
		}
		length := max(arenaBytes, size+align)
		if a.SmallOnly {
			small = length
		}
		more, large, release := reserve(length, small)
		if more == nil {
			return nil, 0, nil
		}
		a.free, a.cold, a.large, a.releases = more, more, large, append(a.releases, release)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&a.free[0])), n), size, a.reach(size)
}

// reach returns the large pages that the next size bytes are the first to use.
func (a *Arena) reach(size int) []byte {
	if len(a.large) == 0 {
		return nil
	}
	// large is the end of free
	into := size - int(uintptr(unsafe.Pointer(&a.large[0]))-uintptr(unsafe.Pointer(&a.free[0])))
	if into <= 0 {
		return nil
	}
	n := min((into+Size-1)/Size*Size, len(a.large))
	reached := a.large[:n]
	a.large = a.large[n:]
	return reached
}

// prepare makes the next size bytes ready, and some more behind them.
func (a *Arena) prepare(size int) {
	lacking := size - (len(a.free) - len(a.cold))
	if lacking <= 0 {
		return
	}
	n := min(max(lacking, PrepareBytes), len(a.cold))
	if len(a.large) > 0 { // preparing large pages that were not requested yet would make them small pages
		n = min(n, int(uintptr(unsafe.Pointer(&a.large[0]))-uintptr(unsafe.Pointer(&a.cold[0]))))
	}
	Prepare(a.cold[:n])
	a.cold = a.cold[n:]
}

// Release gives all memory back.
func (a *Arena) Release() {
	for _, release := range a.releases {
		release()
	}
	a.releases, a.free, a.cold, a.large = nil, nil, nil, nil
}
