package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// EstimateRows is the largest number of rows of [Estimates], and the distance between the values of
// two vectors.
const EstimateRows = 64

// EstimateFloor is the error that an estimate may have in addition to [Estimates.Error].
const EstimateFloor = 0x1p-120

// ComplementFloor is the largest error of 1 - K from the rounding of K.
const ComplementFloor = 0x1p-51

// Estimates hold rows, prepared for one [Estimator]. The zero Estimates are empty and ready.
// Packing them again reuses their memory.
type Estimates struct {
	e       *Estimator
	panel   []float32 // element k of row r at EstimateRows*k+r
	offsets [EstimateRows]float32
	bounds  [EstimateRows]bound

	slots []int32 // asLists: for each index, the place of its column in the panel; 0 is a column of zeros
	used  []int32 // indices that have a slot
	sets  vec.BitPanels
	extra [EstimateRows]uint32 // asSets: for each row, the number of columns that no vector has
	some  bool                 // some element of extra is not 0
	most  int                  // asSets: largest number of columns of a row
	tile  []uint32
}

// Pack makes b hold xs, at most [EstimateRows] rows.
func (b *Estimates) Pack(e *Estimator, xs []vec.Vector) {
	if len(xs) > EstimateRows {
		panic(fmt.Sprintf("kernel: estimates of %d rows", len(xs)))
	}
	if b.e != e {
		b.reset(e)
	}
	clear(b.offsets[:])
	switch e.form {
	case asSets:
		b.packSets(xs)
		return
	case asPanels:
		n := e.columns.count * EstimateRows
		if cap(b.panel) < n {
			b.panel = make([]float32, n)
		}
		b.panel = b.panel[:n]
		clear(b.panel)
	case asLists:
		b.clearSlots()
	}
	for r, x := range xs {
		norm := vec.SquaredNorm(x)
		b.bounds[r] = e.bound(x, norm)
		if b.bounds[r] == boundless {
			continue
		}
		extra := 0.0 // sum of squares in columns that no vector has
		for k, index := range x.Index {
			v := x.Value[k]
			if e.numbers != nil {
				number, is := e.numbers.Rank(index)
				if !is {
					extra += float64(v * v)
					continue
				}
				index = number
			}
			if int(index) >= len(e.columns.of) || e.columns.of[index] < 0 {
				extra += float64(v * v)
				continue
			}
			at := e.columns.of[index]
			if e.form == asLists {
				at = b.slot(index)
			}
			b.panel[int(at)*EstimateRows+r] = float32(v)
		}
		if !e.apart {
			extra = norm
		}
		b.offsets[r] = float32(-e.scale * extra)
	}
}

// reset makes b empty, for another estimator. It keeps b's memory.
func (b *Estimates) reset(e *Estimator) {
	b.emptySlots()
	*b = Estimates{e: e, panel: b.panel[:0], slots: b.slots, used: b.used, sets: b.sets, tile: b.tile}
}

// clearSlots empties the panel, except for the column of zeros.
func (b *Estimates) clearSlots() {
	b.emptySlots()
	if n := len(b.e.columns.of); len(b.slots) < n {
		b.slots = make([]int32, n)
		pages.Touch(b.slots[:min(n, manySlots)])
	}
	b.panel = room(&b.panel, EstimateRows)
	clear(b.panel)
}

func (b *Estimates) emptySlots() {
	for _, index := range b.used {
		b.slots[index] = 0
	}
	b.used = b.used[:0]
}

// manySlots is a number of slots beyond which most pages may never be written to.
const manySlots = 1 << 16

// slot returns the place of an index in the panel. It adds a column if there is none.
func (b *Estimates) slot(index int32) int32 {
	if b.slots[index] == 0 {
		b.used = append(b.used, index)
		b.slots[index] = int32(len(b.used))
		n := len(b.panel)
		if cap(b.panel)-n < EstimateRows {
			b.panel = doubled(b.panel)
		}
		b.panel = b.panel[:n+EstimateRows]
		clear(b.panel[n:])
	}
	return b.slots[index]
}

// doubled returns s with twice the room. Doubling needs few steps, so little memory is left behind.
// A large old slice is returned to the system.
func doubled(s []float32) []float32 {
	n := len(s)
	if n < largePanel {
		return slices.Grow(s, n)
	}
	more := pages.Make[float32](2 * n)
	copy(more, s)
	pages.Drop(s[:cap(s)])
	return more[:n]
}

// largePanel is the length of a panel of 256 KB.
const largePanel = 1 << 16

func (b *Estimates) packSets(xs []vec.Vector) {
	e := b.e
	b.sets.Reset(EstimateRows, e.columns.count)
	b.most, b.some, b.extra = 0, false, [EstimateRows]uint32{}
	for r, x := range xs {
		b.bounds[r] = bound{0x1p-23, e.most, e.gaussian() || e.positive}
		b.most = max(b.most, len(x.Index))
		for _, v := range x.Value {
			if v != 0 && v != e.columns.constant {
				b.bounds[r] = boundless
			}
		}
		out := b.sets.Set(r, x, e.columns.of)
		if out > e.columns.count {
			b.bounds[r] = boundless
			continue
		}
		b.extra[r], b.some = uint32(out), b.some || out > 0
	}
}

// Error returns a bound e on the error of the estimates of row r. An estimate differs from the
// value that the kernel's EvaluateTo gives by at most
//
//	e * Size(r) * the vector's Weight + EstimateFloor    if not Relative(r)
//	e * the estimate, which is positive, + EstimateFloor if Relative(r)
//
// Complement estimates differ from 1 minus the value by at most that plus ComplementFloor. The
// bound is infinite if none is known.
func (b *Estimates) Error(r int) float64 { return b.bounds[r].share }

// Relative reports whether the Error of row r is relative to the estimate.
func (b *Estimates) Relative(r int) bool { return b.bounds[r].relative }

// Size returns a number s for row r such that the estimates, and the values that they estimate, are
// at most s times the vector's Weight, up to a tenth and EstimateFloor. It is meaningless if Error
// is infinite.
func (b *Estimates) Size(r int) float64 { return b.bounds[r].size }

// EvaluateTo sets dst[(i-from)*EstimateRows+r] to an estimate of K(xs[r], zs[i]) for from <= i < to
// and each row r. The elements for other r, and for rows whose Error is infinite, are meaningless.
// dst has length (to-from)*EstimateRows.
func (b *Estimates) EvaluateTo(dst []float32, from, to int) {
	e := b.e
	if from < 0 || from > to || to > e.zs.Len() {
		panic(fmt.Sprintf("kernel: vectors %d to %d of %d", from, to-1, e.zs.Len()))
	}
	if len(dst) != (to-from)*EstimateRows {
		panic(fmt.Sprintf("kernel: room for %d values, expected %d", len(dst), (to-from)*EstimateRows))
	}
	level := simd.Current()
	switch e.form {
	case asSets:
		b.setsTo(dst, from, to)
		return
	case asPanels:
		d := e.columns.count
		if e.apart {
			denseApart(level, dst, b.panel, e.z[from*d:to*d], d)
		} else {
			denseDots(level, dst, b.panel, e.z[from*d:to*d], d)
		}
	case asLists:
		for i := from; i < to; i++ {
			z := e.z[e.starts[i]:e.starts[i+1]]
			sparseDots(level, dst[(i-from)*EstimateRows:][:EstimateRows], b.panel, b.slots, e.zs.Row(i).Index[:len(z)], z)
		}
	}
	switch k := e.kernel.(type) {
	case Poly:
		powers(level, dst, float32(k.Gamma), float32(k.Coef0), k.Degree)
	case Sigmoid:
		of := [4]float32{float32(2 / math.Ln2 * k.Gamma), float32(2 / math.Ln2 * k.Coef0), -2, 1}
		if e.Complement() {
			of[2], of[3] = 2, 0
		}
		tanhs(level, dst, &of)
	default:
		if e.near {
			nears(level, dst, e.shifts[from:to], &b.offsets)
			return
		}
		factor := float32(1)
		if e.apart {
			factor = float32(-e.scale)
		}
		exp2(level, dst, e.shifts[from:to], &b.offsets, factor)
	}
}

func (b *Estimates) setsTo(dst []float32, from, to int) {
	e := b.e
	w := vec.Words(e.columns.count)
	if b.tile == nil {
		b.tile = make([]uint32, basisBlock*EstimateRows)
	}
	// the number of columns that differ is at most the sum of both rows' columns; the number of
	// common ones is at most either row's
	table := e.table
	most := e.columns.longest + b.most
	if !e.gaussian() {
		most = min(e.columns.longest, b.most)
	}
	if most < len(table) {
		table = table[:most+1]
	}
	for first := from / basisBlock * basisBlock; first < to; first += basisBlock {
		rows := min(basisBlock, e.zs.Len()-first)
		counts := b.tile[:rows*EstimateRows]
		queries, panels := e.sets[first*w:(first+rows)*w], EstimateRows/vec.PanelRows
		if e.gaussian() {
			b.sets.HammingTo(counts, EstimateRows, queries, rows, 0, panels)
		} else {
			b.sets.CommonTo(counts, EstimateRows, queries, rows, 0, panels)
		}
		lo, hi := max(first, from), min(first+basisBlock, to)
		counts = counts[(lo-first)*EstimateRows : (hi-first)*EstimateRows]
		if b.some && e.gaussian() {
			for i := range counts {
				counts[i] += b.extra[i%EstimateRows]
			}
		}
		lookup(dst[(lo-from)*EstimateRows:][:len(counts)], counts, table)
	}
}
