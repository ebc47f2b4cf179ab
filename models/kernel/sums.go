package kernel

import (
	"fmt"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute sums of Gaussian kernel values times coefficients, sum_i c_i K(x_r, z_i), for
// many rows x_r, when the values are not needed for anything else. The bits must be those of adding
// EvaluateTo's values in order. Also compute the values themselves in the same way.
//
// Method: a processor has separate units for additions and multiplications. The squared distances
// are mostly additions, exp mostly multiplications. So the distances of a pair of vectors (with
// AVX2, of one vector) from 32 rows are computed while exp of those of the pair before is under
// way. Values are added, or written, as they come, without storing distances in memory.

const (
	sumsLeastColumns = 8  // the assembly needs as many; columns of zeros are added, which change no sum
	sumsMostColumns  = 64 // 32 rows then take 16 KB and stay in the first-level cache

	// Sizes of scratch memory, in addition to the columns of 32 rows: for the assembly, for the
	// table of exp, and for beginning at a cache line.
	sumsOwn, sumsTableLen = 328, 256
	sumsWork              = sumsOwn + sumsTableLen + 7
)

// vectorPairs has the vectors of a basis in pairs, for sums.
type vectorPairs struct {
	queries   []float64 // element k of the vectors of pair p is at 2(columns p + k); an odd last vector is there twice
	columns   int
	most      float64 // largest absolute value in the queries
	ranging   sync.Once
	low, high []float64 // range of each column, set when first needed
}

// newVectorPairs returns nil if sums by pairs are not possible or not faster than EvaluateTo.
func newVectorPairs(z *Basis) *vectorPairs {
	if _, gaussian := z.kernel.(RBF); !gaussian || z.form != asPanels || z.columns.count > sumsMostColumns || z.Len() == 0 {
		return nil
	}
	s := z.sparePairs
	if s == nil {
		s = new(vectorPairs)
	}
	*s = vectorPairs{columns: max(z.columns.count, sumsLeastColumns)}
	n := (z.Len() + 1) / 2 * 2 * s.columns
	z.packed[1] = newPacking(n+2*s.columns, 0, 0)
	wide := z.packed[1].wide
	s.queries, s.low, s.high = wide[:n], wide[n:n+s.columns], wide[n+s.columns:n+2*s.columns]
	clear(s.queries)
	for i := range n / s.columns {
		pair := s.queries[i/2*2*s.columns:][:2*s.columns]
		x := z.zs.Row(min(i, z.Len()-1))
		for k, index := range x.Index {
			if c := z.columns.of[index]; c >= 0 {
				pair[2*int(c)+i%2] = x.Value[k]
			}
		}
	}
	s.most = largest(s.queries)
	return s
}

// near reports whether all arguments of exp, for any vector and any row of the panel, are smaller
// than expPlain.
func (s *vectorPairs) near(panel []float64, gamma float64) bool {
	gamma = math.Abs(gamma)
	far := largest(panel[:s.columns*vec.PanelRows]) + s.most
	if gamma*(float64(s.columns)*far*far) < expPlain-1 {
		return true
	}
	s.ranging.Do(s.ranges)
	sum := 0.0
	for k := range s.low {
		x := panel[k*vec.PanelRows:][:vec.PanelRows]
		least, most := x[0], x[0]
		for _, v := range x {
			if v < least {
				least = v
			}
			if v > most {
				most = v
			}
			if v-v != 0 { // infinite or NaN
				return false
			}
		}
		far := max(most-s.low[k], s.high[k]-least)
		sum += float64(far * far)
	}
	return gamma*sum < expPlain-1
}

// ranges sets low and high.
func (s *vectorPairs) ranges() {
	for k := range s.low {
		s.low[k], s.high[k] = s.queries[2*k], s.queries[2*k]
	}
	for at := 0; at < len(s.queries); at += 2 * s.columns {
		for k, v := range s.queries[at:][:2*s.columns] {
			s.low[k/2], s.high[k/2] = min(s.low[k/2], v), max(s.high[k/2], v)
		}
	}
}

// AddTo adds coef[i-from] * K(xs[r], zs[i]) to sums[r], for from <= i < to in order and for each
// row r of the batch. Each product and each sum is rounded. sums has length [Batch.Lanes] and no
// element -0; the elements beyond the rows become meaningless. If EvaluateTo is the better way to
// the same bits, AddTo does nothing and returns false.
func (b *Batch) AddTo(sums, coef []float64, from, to int) bool {
	z := b.basis
	if from < 0 || from > to || to > z.Len() || len(coef) != to-from || len(sums) != b.lanes {
		panic(fmt.Sprintf("kernel: %d coefficients for vectors %d to %d of %d, %d sums of %d rows", len(coef), from, to-1, z.Len(), len(sums), len(b.xs)))
	}
	if from == to {
		return false
	}
	s := b.vectorPairs()
	if s == nil {
		return false
	}
	// pairs begin at even vectors; an additional vector gets coefficient 0
	first, last := from&^1, (to+1)&^1
	if first != from || last != to {
		b.coef = append(b.coef[:0], make([]float64, from-first)...)
		b.coef = append(append(b.coef, coef...), make([]float64, last-to)...)
		coef = b.coef
	}
	t := b.tables(s, first, last)
	for p := range b.lanes / vec.PanelRows {
		addSums(t.level, (*[vec.PanelRows]float64)(sums[p*vec.PanelRows:]), coef, b.wide.Panel(p), t.queries, s.columns, t.scale, t.work, t.tables)
	}
	return true
}

// vectorPairs returns the basis' vectors as pairs, with b.wide set, or nil if the batch's values
// cannot be computed from them.
func (b *Batch) vectorPairs() *vectorPairs {
	if !b.looked {
		b.looked, b.pairs = true, b.findPairs()
	}
	return b.pairs
}

func (b *Batch) findPairs() *vectorPairs {
	z := b.basis
	if simd.Current() == simd.Portable || len(b.alone) > 0 || b.integral {
		return nil
	}
	s := z.pairs.of(z, newVectorPairs)
	if s == nil {
		return nil
	}
	gamma := z.kernel.(RBF).Gamma
	b.packForPairs(s)
	for p := range b.lanes / vec.PanelRows {
		if !s.near(b.wide.Panel(p), gamma) {
			return nil
		}
	}
	return s
}

// pairArgs has the arguments of the functions for pairs, except the panel.
type pairArgs struct {
	level         simd.Level
	queries, work []float64
	scale         float64
	tables        *squareTables
}

// tables returns the arguments for the vectors from first to last-1, which must be whole pairs.
// They include tables if these pay.
func (b *Batch) tables(s *vectorPairs, first, last int) pairArgs {
	z := b.basis
	t := pairArgs{level: simd.Current(), queries: s.queries, scale: -z.kernel.(RBF).Gamma}
	if z.asked.Add(int64(b.lanes/vec.PanelRows*(min(last, z.Len())-first))) > int64(repeatsAfter*z.Len()) && fastLoads() {
		if t.tables = z.squareTables.of(z, newSquareTables); t.tables.pays(last - first) {
			t.queries = t.tables.queries
		} else {
			t.tables = nil
		}
	}
	t.queries = t.queries[first*s.columns : last*s.columns]
	t.work = room(&b.work, sumsWork+vec.PanelRows*s.columns+t.tables.room())
	return t
}

// pairsTo is EvaluateTo computed from pairs, if AddTo is possible and the vectors may be kept as
// pairs. Otherwise it does nothing and returns false.
func (b *Batch) pairsTo(dst []float64, from, to int) bool {
	if z := b.basis; from == to || z.large(8*z.columns.count) {
		return false
	}
	s := b.vectorPairs()
	if s == nil {
		return false
	}
	values := func(dst []float64, first, last int) {
		if first == last {
			return
		}
		t := b.tables(s, first, last)
		for p := range b.lanes / vec.PanelRows {
			at := p * vec.PanelRows
			setValues(t.level, dst[at:(last-first-1)*b.lanes+at+vec.PanelRows], b.lanes, b.wide.Panel(p), t.queries, s.columns, t.scale, t.work, t.tables)
		}
	}
	// computes one vector of a pair
	single := func(i int) {
		pair := room(&b.values, 2*b.lanes)
		values(pair, i&^1, i&^1+2)
		copy(dst[(i-from)*b.lanes:][:b.lanes], pair[i%2*b.lanes:])
	}
	first, last := (from+1)&^1, to&^1
	if from%2 > 0 {
		single(from)
	}
	if to%2 > 0 {
		single(to - 1)
	}
	values(dst[(first-from)*b.lanes:], first, max(first, last))
	return true
}

// packForPairs sets b.wide to the rows with as many columns as s has.
func (b *Batch) packForPairs(s *vectorPairs) {
	if s.columns == b.panels.Columns() {
		b.wide = &b.panels
		return
	}
	b.wide = &b.filled
	b.wide.Reset(len(b.xs), s.columns)
	for r, x := range b.xs {
		b.wide.Set(r, x, b.basis.columns.of)
	}
}

// addSumsPortable adds coef[i] exp(scale d) to each of the sums, where d is the squared distance of
// vector i of the queries from the corresponding row of the panel.
func addSumsPortable(sums *[vec.PanelRows]float64, coef, panel, queries []float64, columns int, scale float64) {
	for i, c := range coef {
		query := queries[i/2*2*columns:]
		for r := range sums {
			d := 0.0
			for k := range columns {
				e := panel[k*vec.PanelRows+r] - query[2*k+i%2]
				d += float64(e * e)
			}
			sums[r] += float64(c * Exp(scale*d))
		}
	}
}
