package kernel

import (
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A packing is memory for vectors that are laid out for batches. Cross-validation and
// calibration make many small models one after the other.
type packing struct {
	wide   []float64
	narrow []float32
	panels vec.Panels // of a few vectors at a time
}

var packings = sync.Pool{New: func() any { return new(packing) }}

// newPacking returns one with room for so many numbers of each kind, which hold anything.
func newPacking(wide, narrow int) *packing {
	p := packings.Get().(*packing)
	if cap(p.wide) < wide {
		p.wide = make([]float64, wide)
	}
	if cap(p.narrow) < narrow {
		p.narrow = make([]float32, narrow)
	}
	return p
}

// free gives the memory to whoever is next, if there is any.
func (p *packing) free() {
	if p != nil {
		packings.Put(p)
	}
}
