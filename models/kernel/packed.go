package kernel

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A packing is memory for vectors laid out for batches. It is reused, because cross-validation and
// calibration make many small models one after the other.
type packing struct {
	wide   []float64
	narrow []float32
	short  []int16
}

var packings = sync.Pool{New: func() any { return new(packing) }}

// newPacking returns a packing with room for at least this many numbers of each type. Their
// contents are undefined.
func newPacking(wide, narrow, short int) *packing {
	p := packings.Get().(*packing)
	p.wide, p.narrow, p.short = grown(p.wide, wide), grown(p.narrow, narrow), grown(p.short, short)
	return p
}

// moreRoom: a packing has 1/moreRoom more room than was asked for, because later models may have a
// few more vectors. Memory that is not touched takes no room.
const moreRoom = 4

// grown returns s if it is long enough for n numbers, else a longer slice. Then the memory of s
// goes back to the system, because the garbage collector may not run before the program ends.
func grown[T pages.Number](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	pages.Drop(s)
	s = pages.Make[T](n + n/moreRoom)
	pages.Prepare(s[:n])
	return s
}

// free makes the memory available again. p may be nil.
func (p *packing) free() {
	if p != nil {
		packings.Put(p)
	}
}
