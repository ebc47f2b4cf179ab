package kernel

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A packing is memory for vectors that are laid out for batches. Cross-validation and
// calibration make many small models one after the other.
type packing struct {
	wide   []float64
	narrow []float32
	short  []int16
}

var packings = sync.Pool{New: func() any { return new(packing) }}

// newPacking returns one with room for so many numbers of each kind, which hold anything.
func newPacking(wide, narrow, short int) *packing {
	p := packings.Get().(*packing)
	p.wide, p.narrow, p.short = grown(p.wide, wide), grown(p.narrow, narrow), grown(p.short, short)
	return p
}

// moreRoom is which part of what is asked for there is more room for: later models have
// somewhat more vectors, and what is not touched takes no memory.
const moreRoom = 4

// grown returns s if that is long enough for n numbers, else something longer, and the memory
// of s goes back to the system: the collector may not run before the end.
func grown[T pages.Number](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	pages.Drop(s)
	s = pages.Make[T](n + n/moreRoom)
	pages.Prepare(s[:n])
	return s
}

// free gives the memory to whoever is next, if there is any.
func (p *packing) free() {
	if p != nil {
		packings.Put(p)
	}
}
