package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// EstimateRows is the largest number of rows of Estimates, and the distance of their
// values.
const EstimateRows = 64

// EstimateFloor is what an estimate may be wrong by beside Estimates.Error.
const EstimateFloor = 0x1p-120

// Estimates hold rows, ready for one estimator. The zero Estimates are empty and ready;
// those that are packed again use their memory again.
type Estimates struct {
	e       *Estimator
	panel   []float32 // element k of all rows at [EstimateRows*k]
	offsets [EstimateRows]float32
	errors  [EstimateRows]float64

	slots []int32 // asLists: by index, the place of the column in the panel; 0 is one of zeros
	used  []int32 // indices with a slot
	sets  vec.BitPanels
	extra [EstimateRows]uint32 // asSets: columns that no vector has
	some  bool                 // extra is not all 0
	most  int                  // asSets: the most columns that a row has
	tile  []uint32
}

// Pack makes b hold xs, at most EstimateRows rows.
func (b *Estimates) Pack(e *Estimator, xs []vec.Vector) {
	if len(xs) > EstimateRows {
		panic(fmt.Sprintf("kernel: estimates of %d rows", len(xs)))
	}
	if b.e != e {
		*b = Estimates{e: e}
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
		if b.errors[r] = e.error(x, norm); math.IsInf(b.errors[r], 1) {
			continue
		}
		b.offsets[r] = float32(-e.scale * norm)
		for k, index := range x.Index {
			if int(index) >= len(e.columns.of) || e.columns.of[index] < 0 {
				continue
			}
			at := e.columns.of[index]
			if e.form == asLists {
				at = b.slot(index)
			}
			b.panel[int(at)*EstimateRows+r] = float32(x.Value[k])
		}
	}
}

// clearSlots empties the panel, up to the column of zeros.
func (b *Estimates) clearSlots() {
	if b.slots == nil {
		b.slots = make([]int32, len(b.e.columns.of))
		b.panel = make([]float32, EstimateRows)
	}
	for _, index := range b.used {
		b.slots[index] = 0
	}
	b.used, b.panel = b.used[:0], b.panel[:EstimateRows]
}

// slot returns the place of an index in the panel.
func (b *Estimates) slot(index int32) int32 {
	if b.slots[index] == 0 {
		b.used = append(b.used, index)
		b.slots[index] = int32(len(b.used))
		n := len(b.panel)
		if cap(b.panel)-n < EstimateRows {
			b.panel = slices.Grow(b.panel, n) // few steps leave little behind
		}
		b.panel = b.panel[:n+EstimateRows]
		clear(b.panel[n:])
	}
	return b.slots[index]
}

func (b *Estimates) packSets(xs []vec.Vector) {
	e := b.e
	b.sets.Reset(EstimateRows, e.columns.count)
	b.most, b.some, b.extra = 0, false, [EstimateRows]uint32{}
	for r, x := range xs {
		b.errors[r] = 0x1p-23
		b.most = max(b.most, len(x.Index))
		for _, v := range x.Value {
			if v != 0 && v != e.columns.constant {
				b.errors[r] = math.Inf(1)
			}
		}
		out := b.sets.Set(r, x, e.columns.of)
		if out > e.columns.count {
			b.errors[r] = math.Inf(1)
			continue
		}
		b.extra[r], b.some = uint32(out), b.some || out > 0
	}
}

// Error returns a bound on the error of the estimates of row r: for each vector, the
// value that EvaluateTo of the kernel gives differs from the estimate by no more than
// the bound times the estimate, plus EstimateFloor. It is infinite if there is none.
func (b *Estimates) Error(r int) float64 { return b.errors[r] }

// error bounds the error for x, whose squared norm is known, with u = 2^-24 and |2s z|
// up to Z, s|z|^2 up to B:
//
//   - 2s z and x are rounded, and their n products and the sums: (n+2) u |x| Z;
//   - both norms are rounded, and two sums: u (2 |x| Z + 3 B + 2 s|x|^2);
//   - what is subnormal: less than 2^-60, since |x| and Z are not large;
//   - the value of EvaluateTo has errors of the same kind, in float64: m terms are
//     summed, of 2 (s|x|^2 + B) together at most, and so are the norms.
//
// That is the error of t. The polynomial of exp2 adds 2^-21.
func (e *Estimator) error(x vec.Vector, norm float64) float64 {
	if !(norm <= estimateLength*estimateLength) {
		return math.Inf(1)
	}
	const u, v = 0x1p-24, 0x1p-53
	product, norms := math.Sqrt(norm)*e.length, e.scale*norm+e.shift
	n := float64(min(e.entries, len(x.Index)))
	m := float64(e.entries + len(x.Index))
	t := 1.01*u*(float64((n+4)*product)+3*norms) + float64(8*(m+8)*v*norms) + 0x1p-60
	if !(t <= estimateError) {
		return math.Inf(1)
	}
	return 1.02 * (float64(0.7*t) + 0x1p-21)
}

// EvaluateTo sets dst[(i-from)*EstimateRows+r] to an estimate of K(xs[r], zs[i]) for
// from <= i < to and each row r; what it writes for other r, and for rows whose
// Error is infinite, has no meaning. dst has length (to-from)*EstimateRows.
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
		denseDots(level, dst, b.panel, e.z[from*d:to*d], d)
	case asLists:
		for i := from; i < to; i++ {
			z := e.z[e.starts[i]:e.starts[i+1]]
			sparseDots(level, dst[(i-from)*EstimateRows:][:EstimateRows], b.panel, b.slots, e.zs.Row(i).Index[:len(z)], z)
		}
	}
	exp2(level, dst, e.shifts[from:to], &b.offsets)
}

func (b *Estimates) setsTo(dst []float32, from, to int) {
	e := b.e
	w := vec.Words(e.columns.count)
	if b.tile == nil {
		b.tile = make([]uint32, basisBlock*EstimateRows)
	}
	// no more columns are apart than both rows have
	table := e.table
	if most := e.columns.longest + b.most + 1; most < len(table) {
		table = table[:most]
	}
	for first := from / basisBlock * basisBlock; first < to; first += basisBlock {
		rows := min(basisBlock, e.zs.Len()-first)
		counts := b.tile[:rows*EstimateRows]
		b.sets.ApartTo(counts, EstimateRows, e.sets[first*w:(first+rows)*w], rows, 0, EstimateRows/vec.PanelRows)
		lo, hi := max(first, from), min(first+basisBlock, to)
		counts = counts[(lo-first)*EstimateRows : (hi-first)*EstimateRows]
		if b.some {
			for i := range counts {
				counts[i] += b.extra[i%EstimateRows]
			}
		}
		lookup(dst[(lo-from)*EstimateRows:][:len(counts)], counts, table)
	}
}
