package kernel

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A Basis holds the vectors of a model, prepared for prediction in batches. The values have the
// bits of Kernel.EvaluateTo. It does not change, and several goroutines may use it at once.
//
// The lanes of vector registers are rows to predict. The vectors are the queries, in blocks, so
// that the values of one vector stand together. For sparse vectors, only their own entries and the
// columns of a few rows at a time are visited.
type Basis struct {
	kernel       Kernel
	zs           *vec.Matrix
	form         form
	columns      columns
	block        int                 // number of vectors compared with a batch at once
	integral     bool                // asPanels: the vectors are small whole numbers
	wholes       once[[]int16]       // the queries of such vectors, block after block
	numbers      *columnTable        // memory for the table of columns
	blocks       once[[]float64]     // asPanels: the queries of blocks of vectors, block after block, unless they are too large
	pairs        once[*vectorPairs]  // the vectors as pairs, for sums; nil if that does not help
	asked        atomic.Int64        // number of values computed from pairs, by panels
	squareTables once[*squareTables] // nil if there are no such columns
	transposed   once[*transposed]   // the vectors as lanes, for single rows
	packed       [3]*packing         // memory of blocks or wholes, of pairs, and of squareTables
	sparePairs   *vectorPairs        // memory for other pairs
	sets         []uint64            // asSets: the queries, as words
	table        []float64           // asSets: values by the number of columns that differ or are common
	serials      serials             // for a precomputed kernel

	sizing  sync.Once
	largest float64 // largest absolute value in the vectors; set when Finite first needs it
	longest int     // largest number of entries of a vector
}

// basisBlock is the number of vectors that are compared with a batch at once. The rows of a batch
// stay in a near cache, so a larger number would not help. With panels, AVX2 compares panelBlock2
// vectors, which takes the fewest instructions.
const basisBlock, panelBlock2 = 4, 6

// NewBasis returns a basis of the rows of zs, with which it shares memory.
func NewBasis(k Kernel, zs *vec.Matrix) *Basis {
	b := new(Basis)
	b.Use(k, zs)
	return b
}

// Use makes b a basis as NewBasis returns it, reusing b's memory. b must be a zero Basis or a
// released one.
func (b *Basis) Use(k Kernel, zs *vec.Matrix) {
	*b = Basis{kernel: k, zs: zs, block: basisBlock, sparePairs: b.sparePairs}
	if k == (Precomputed{}) {
		b.serials.set(zs)
	}
	if !known(k) {
		return
	}
	if farApart(zs) {
		if finiteRows(zs) {
			b.form = asLists // this form needs no table of columns
		}
		return
	}
	b.numbers = columnTables.Get().(*columnTable)
	c, ok := numberColumns(1, serially, zs, &b.numbers.of)
	if !ok {
		return
	}
	b.columns = c
	fill := float64(c.entries) / (float64(c.count) * float64(zs.Len()))
	switch {
	case !math.IsNaN(c.constant) && c.setsFit(zs.Len()):
		b.form = asSets
		b.packSets()
	case c.aligned && simd.Current() == simd.Portable:
		// in plain Go, dense rows are fastest as they are
	case fill >= minFill()/2 && c.count <= mostColumns:
		b.form = asPanels
		if simd.Current() == simd.AVX2 {
			b.block = panelBlock2
		}
		b.integral = b.wholesPay()
	default:
		b.form = asLists
	}
}

// mostColumns is the largest number of columns for which panels hold all columns: a panel of 32
// rows then takes 16 MB. With more columns, strips hold only a range of them.
const mostColumns = 1 << 16

// A columnTable is memory for the table of the columns of a basis.
type columnTable struct{ of []int32 }

var columnTables = sync.Pool{New: func() any { return new(columnTable) }}

// once is a value that is created when it is first needed.
type once[T any] struct {
	sync.Once
	value T
}

// of returns the value. At the first call, by creates it from z.
func (o *once[T]) of(z *Basis, by func(z *Basis) T) T {
	o.Do(func() { o.value = by(z) })
	return o.value
}

// packPanels returns the queries of all vectors.
func (b *Basis) packPanels() []float64 {
	d := b.columns.count
	b.packed[0] = newPacking(b.zs.Len()*d, 0, 0)
	blocks := b.packed[0].wide
	b.eachBlock(0, b.zs.Len(), func(first, rows, _, _ int) { b.pack(blocks[first*d:][:rows*d], first, rows) })
	return blocks
}

// pack writes the query of some vectors: first element 0 of all of them, then element 1, and so on.
func (b *Basis) pack(query []float64, first, rows int) {
	if rows == 4 && b.whole(first, rows) {
		w, x, y, z := b.zs.Row(first).Value, b.zs.Row(first+1).Value, b.zs.Row(first+2).Value, b.zs.Row(first+3).Value
		x, y, z = x[:len(w)], y[:len(w)], z[:len(w)]
		for k := range w {
			q := query[4*k:][:4]
			q[0], q[1], q[2], q[3] = w[k], x[k], y[k], z[k]
		}
		return
	}
	clear(query)
	for r := range rows {
		x := b.zs.Row(first + r)
		for k, index := range x.Index {
			if c := b.columns.of[index]; c >= 0 {
				query[int(c)*rows+r] = x.Value[k]
			}
		}
	}
}

var firstRows = [basisBlock]int{0, 1, 2, 3}

// whole reports whether each of the vectors lists exactly the columns.
func (b *Basis) whole(first, vectors int) bool {
	var known *int32
	for i := range vectors {
		if !b.columns.all(b.zs.Row(first+i).Index, &known) {
			return false
		}
	}
	return true
}

// Release makes the memory of b available to other bases. Do not use b before Use, nor its batches
// before they are packed for another basis.
func (b *Basis) Release() {
	if b.pairs.value != nil {
		b.sparePairs = b.pairs.value
	}
	b.zs = nil
	for _, p := range b.packed {
		p.free()
	}
	b.packed = [3]*packing{}
	if b.numbers != nil {
		columnTables.Put(b.numbers)
		b.numbers, b.columns = nil, columns{}
	}
}

// byDistance reports whether the value depends on columns that only one of two rows has.
func (b *Basis) byDistance() bool {
	_, is := b.kernel.(RBF)
	return is
}

// Len returns the number of vectors.
func (b *Basis) Len() int { return b.zs.Len() }

// BatchRows is the largest number of rows in a [Batch].
const BatchRows = 128

// A Batch holds rows to predict, prepared for one basis. The zero Batch is empty and ready. Packing
// it again reuses its memory.
type Batch struct {
	basis    *Basis
	lanes    int
	xs       []vec.Vector
	panels   vec.Panels
	integral bool // the rows are in wholes instead of panels
	wholes   vec.WholePanels
	norms    []float64 // squared norms of the rows in wholes
	short    []int16   // query of a block of whole numbers that is not kept
	sets     vec.BitPanels
	strips   []vec.Strip
	stripped int        // number of strips in use
	long     int        // largest number of entries of a row in a strip
	alone    []int      // rows that do not fit the form of the basis
	part     vec.Matrix // part of the basis to compare with these; a local variable would be allocated for each call
	extra    []uint32   // for each lane, the number of columns that no vector of the basis has
	extras   bool       // some element of extra is not 0
	values   []float64
	counts   []uint32
	query    []float64 // query of a block that is not kept

	looked bool         // pairs is set
	pairs  *vectorPairs // the pairs of the basis, if values can be computed from them; else nil
	wide   *vec.Panels  // the rows for pairs: panels or filled
	filled vec.Panels
	coef   []float64
	work   []float64
}

// Pack makes the batch hold xs, at most [BatchRows] rows. The batch shares memory with them.
func (b *Batch) Pack(z *Basis, xs []vec.Vector) {
	if len(xs) > BatchRows {
		panic(fmt.Sprintf("kernel: %d rows in a batch", len(xs)))
	}
	b.basis, b.xs, b.alone, b.extras, b.looked, b.pairs = z, xs, b.alone[:0], false, false, nil
	b.lanes = (len(xs) + vec.PanelRows - 1) / vec.PanelRows * vec.PanelRows
	if b.integral = b.setWholes(); b.integral {
		return
	}
	switch z.form {
	case asPanels:
		b.panels.Reset(len(xs), z.columns.count)
	case asSets:
		b.sets.Reset(len(xs), z.columns.count)
		b.extra = room(&b.extra, b.lanes)
		clear(b.extra)
	}
	b.long = 0
	if z.form == asLists {
		entries := 0
		for _, x := range xs {
			entries += len(x.Index)
		}
		if b.long = entries/4 + longRow; len(xs) < fewInStrip {
			b.long = min(b.long, longRow)
		}
	}
	for r, x := range xs {
		if !b.set(r, x) {
			b.alone = append(b.alone, r)
		}
	}
	if z.form == asLists {
		b.setStrips()
	}
}

// longRow is how far the entries of a row may exceed a quarter of the batch's entries. A strip
// takes memory for as many entries in all lanes as its longest row has.
const longRow = 1 << 14

// fewInStrip is the number of rows below which long rows are faster to compare one by one.
const fewInStrip = 8

// setStrips puts the rows into strips. Rows in alone are left empty there.
func (b *Batch) setStrips() {
	rows, alone := b.xs, b.alone
	if len(alone) > 0 {
		rows = slices.Clone(rows)
		for _, r := range alone {
			rows[r] = vec.Vector{}
		}
	}
	most := vec.StripRows()
	b.stripped = (len(rows) + most - 1) / most
	for len(b.strips) < b.stripped {
		b.strips = append(b.strips, vec.Strip{})
	}
	p := 0
	for part := range slices.Chunk(rows, most) {
		b.strips[p].Set(part, b.basis.zs.MaxIndex())
		p++
	}
}

// set puts x into lane r. It returns false if x does not fit.
func (b *Batch) set(r int, x vec.Vector) bool {
	z := b.basis
	switch z.form {
	case asLists:
		return len(x.Index) <= b.long && finite(x)
	case asPanels:
		if !finite(x) {
			return false
		}
		return b.panels.Set(r, x, z.columns.of) == 0 || !z.byDistance()
	case asSets:
		for _, v := range x.Value {
			if v != 0 && v != z.columns.constant {
				return false
			}
		}
		out := b.sets.Set(r, x, z.columns.of)
		if out > 0 && z.byDistance() {
			if out > z.columns.count {
				return false
			}
			b.extra[r], b.extras = uint32(out), true
		}
		return true
	}
	return false
}

// Lanes returns the distance between the values of two vectors in EvaluateTo: the number of rows,
// rounded up.
func (b *Batch) Lanes() int { return b.lanes }

// EvaluateTo sets dst[(i-from)*Lanes()+r] = K(xs[r], zs[i]) for from <= i < to and each row r of
// the batch. The elements for other r below Lanes() are meaningless. dst has length
// (to-from)*Lanes(). The values of one vector of the basis stand together, so that sums over
// vectors run side by side for all rows.
func (b *Batch) EvaluateTo(dst []float64, from, to int) {
	if from < 0 || from > to || to > b.basis.Len() {
		panic(fmt.Sprintf("kernel: vectors %d to %d of %d", from, to-1, b.basis.Len()))
	}
	if len(dst) != (to-from)*b.lanes {
		panic(fmt.Sprintf("kernel: room for %d values, expected %d", len(dst), (to-from)*b.lanes))
	}
	if len(b.alone) < len(b.xs) {
		switch b.basis.form {
		case asPanels:
			if b.integral {
				b.wholesTo(dst, from, to)
			} else if !b.pairsTo(dst, from, to) {
				b.panelsTo(dst, from, to)
			}
		case asSets:
			b.setsTo(dst, from, to)
		case asLists:
			b.stripsTo(dst, from, to)
		}
	}
	if len(b.alone) == 0 || from == to {
		return
	}
	if b.basis.kernel == (Precomputed{}) {
		for i, serial := range b.basis.serials[from:to] {
			out := dst[i*b.lanes:][:len(b.xs)]
			for r := range out {
				out[r] = b.xs[r].Value[serial]
			}
		}
		return
	}
	values := room(&b.values, to-from)
	b.part = b.basis.zs.Slice(from, to)
	for _, r := range b.alone {
		b.basis.kernel.EvaluateTo(values, b.xs[r], &b.part)
		for i, v := range values {
			dst[i*b.lanes+r] = v
		}
	}
	b.part = vec.Matrix{}
}

// eachBlock calls f for the blocks that contain vectors from to to-1. Its arguments are the first
// vector of the block, the number of vectors in the block, and the range of those that are wanted.
func (z *Basis) eachBlock(from, to int, f func(first, rows, lo, hi int)) {
	for first := from / z.block * z.block; first < to; first += z.block {
		f(first, min(z.block, z.Len()-first), max(first, from), min(first+z.block, to))
	}
}

// mostBlocks is the largest size in bytes for which the queries of all vectors are kept. Larger
// ones would have to be read from memory each time, like the vectors themselves, and would take as
// much of it.
var mostBlocks = 32 << 20 // another one in tests

// large reports whether the queries of all vectors, of each bytes for a vector, are too large to
// keep.
func (z *Basis) large(each int) bool { return int64(z.Len())*int64(each) > int64(mostBlocks) }

func (b *Batch) panelsTo(dst []float64, from, to int) {
	z, lanes := b.basis, b.lanes
	d := z.columns.count
	tile := room(&b.values, z.block*lanes)
	large := z.large(8 * d)
	var blocks []float64
	if large {
		b.query = room(&b.query, z.block*d)
	} else {
		blocks = z.blocks.of(z, (*Basis).packPanels)
	}
	z.eachBlock(from, to, func(first, rows, lo, hi int) {
		var query []float64
		if large {
			query = b.query[:rows*d]
			z.pack(query, first, rows)
		} else {
			query = blocks[first*d : (first+rows)*d]
		}
		out := dst[(lo-from)*lanes : (hi-from)*lanes]
		if k, is := z.kernel.(RBF); is {
			b.panels.DistancesTo(tile[:rows*lanes], lanes, query, rows, 0, lanes/vec.PanelRows)
			expScaled(out, tile[(lo-first)*lanes:(hi-first)*lanes], -k.Gamma)
			return
		}
		if len(out) == rows*lanes {
			b.panels.DotsTo(out, lanes, query, rows, 0, lanes/vec.PanelRows)
		} else {
			b.panels.DotsTo(tile[:rows*lanes], lanes, query, rows, 0, lanes/vec.PanelRows)
			copy(out, tile[(lo-first)*lanes:])
		}
		FromDots(z.kernel, out)
	})
}

func (b *Batch) stripsTo(dst []float64, from, to int) {
	z, lanes := b.basis, b.lanes
	first := 0 // lane of the strip
	for p := range b.strips[:b.stripped] {
		width := b.strips[p].Lanes()
		tile := room(&b.values, (to-from)*width)
		k, byDistance := z.kernel.(RBF)
		if byDistance {
			b.strips[p].DistancesTo(tile, width, z.zs, from, to)
		} else {
			b.strips[p].DotsTo(tile, width, z.zs, from, to)
		}
		switch k := z.kernel.(type) {
		case Poly:
			k.mapDots(tile)
		case Sigmoid:
			k.mapDots(tile)
		}
		for i := range to - from {
			out, values := dst[i*lanes+first:][:width], tile[i*width:][:width]
			if byDistance {
				expScaled(out, values, -k.Gamma)
			} else {
				copy(out, values)
			}
		}
		first += width
	}
}
