package smo

// An arena cuts rows of float32 from slabs: small ones first, so that a small
// problem takes little memory, then large ones in pages of the largest size that
// the system has, because memory that is touched for the first time can cost more
// than the kernel values in it.
type arena struct {
	stock *stock
	slabs [][]float32 // from the stock
	rest  []float32
}

const (
	slabLen    = 1 << 18 // of a small slab: 1 MiB
	bigSlabLen = 1 << 21 // of a large one: 8 MiB
	smallSlabs = 16      // before the first large one
)

// longRow is the length from which rows are allocated by themselves, because
// cutting them from slabs would waste too much of each.
const longRow = bigSlabLen / 8

// cut returns room for n values, which hold anything.
func (a *arena) cut(n int) []float32 {
	if n >= longRow {
		row := make([]float32, n)
		inLargePages(row)
		return row
	}
	if len(a.rest) < n {
		a.rest = a.slab(len(a.slabs) >= smallSlabs || n > slabLen/8)
		a.slabs = append(a.slabs, a.rest)
	}
	row := a.rest[:n:n]
	a.rest = a.rest[n:]
	return row
}

// slab returns a slab that holds anything.
func (a *arena) slab(big bool) []float32 {
	kind, n := 0, slabLen
	if big {
		kind, n = 1, bigSlabLen
	}
	if slab := take(a.stock, &a.stock.slabs[kind]); slab != nil {
		return slab
	}
	slab := make([]float32, n)
	if big {
		inLargePages(slab)
	}
	return slab
}

// release makes the slabs free for other arenas.
func (a *arena) release() {
	for _, slab := range a.slabs {
		kind := 0
		if len(slab) == bigSlabLen {
			kind = 1
		}
		give(a.stock, &a.stock.slabs[kind], slab)
	}
	*a = arena{stock: a.stock}
}
