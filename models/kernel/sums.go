package kernel

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: sums of Gaussian kernel values times coefficients, sum_i c_i K(x_r, z_i), for
// many rows x_r, where the values are needed for nothing else, with the bits of summing
// those of EvaluateTo in order.
//
// Method: additions and multiplications have units of their own in a processor. The squared
// distances are mostly additions, exp mostly multiplications. So the distances of a pair of
// vectors from 32 rows, with AVX2 of one vector, are computed while exp of those of the pair
// before is under way, and values are added as they come, without a way through memory.

const (
	sumsLeastColumns = 8  // what the function needs: fewer are filled up by zeros, which change no sum
	sumsMostColumns  = 64 // so that 32 rows, 16 KB, stay in the first cache

	// Numbers to work in: besides the columns of 32 rows, what the function needs, the table of
	// exp, and room to begin where a line of the cache does.
	sumsOwn, sumsTableLen = 328, 256
	sumsWork              = sumsOwn + sumsTableLen + 7
)

// summed is the vectors of a basis as pairs, for sums.
type summed struct {
	queries   []float64 // element k of the vectors of pair p at 2(columns p + k); the last may be there twice
	columns   int
	low, high []float64 // of each column
}

// newSummed returns nil if the basis' sums are not to be had sooner than its values.
func newSummed(z *Basis) *summed {
	if _, gaussian := z.kernel.(RBF); !gaussian || z.form != asPanels || z.columns.count > sumsMostColumns || z.Len() == 0 {
		return nil
	}
	s := &summed{columns: max(z.columns.count, sumsLeastColumns)}
	n := (z.Len() + 1) / 2 * 2 * s.columns
	z.packed[1] = newPacking(n+2*s.columns, 0)
	wide := z.packed[1].wide
	s.queries, s.low, s.high = wide[:0:n], wide[n:n+s.columns], wide[n+s.columns:n+2*s.columns]
	for k := range s.low {
		s.low[k], s.high[k] = math.Inf(1), math.Inf(-1)
	}
	p := &z.packed[1].panels
	for from := 0; from < z.Len(); from += 2 {
		p.Reset(2, s.columns)
		for i := range 2 {
			p.Set(i, z.zs.Row(min(from+i, z.Len()-1)), z.columns.of)
		}
		at := len(s.queries)
		s.queries = p.QueryTo(s.queries, firstRows[:2])
		for k, v := range s.queries[at:] {
			s.low[k/2], s.high[k/2] = min(s.low[k/2], v), max(s.high[k/2], v)
		}
	}
	return s
}

// near reports whether no argument of exp, of any vector with a row of the panel, is as
// large as expPlain.
func (s *summed) near(panel []float64, gamma float64) bool {
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
			if v-v != 0 { // infinite, or no number
				return false
			}
		}
		far := max(most-s.low[k], s.high[k]-least)
		sum += far * far
	}
	return math.Abs(gamma)*sum < expPlain-1
}

// AddTo adds coef[i-from] * K(xs[r], zs[i]) to sums[r], for from <= i < to in order and
// each row r of the batch, product and sum rounded each; sums has length Lanes(), of which
// those beyond the rows get no meaning, and none is -0. It does nothing and returns false
// where EvaluateTo is the better way to the same bits.
func (b *Batch) AddTo(sums, coef []float64, from, to int) bool {
	z := b.basis
	if from < 0 || from > to || to > z.Len() || len(coef) != to-from || len(sums) != b.lanes {
		panic(fmt.Sprintf("kernel: %d coefficients for vectors %d to %d of %d, %d sums of %d rows", len(coef), from, to-1, z.Len(), len(sums), len(b.xs)))
	}
	level := simd.Current()
	if level == simd.Portable || len(b.alone) > 0 || from == to {
		return false
	}
	s := z.summed.of(z, newSummed)
	if s == nil {
		return false
	}
	gamma := z.kernel.(RBF).Gamma
	panels := b.lanes / vec.PanelRows
	b.packSummed(s)
	for p := range panels {
		if !s.near(b.wide.Panel(p), gamma) {
			return false
		}
	}
	// pairs begin at even places; a vector too many gets the coefficient 0
	first, last := from&^1, (to+1)&^1
	if first != from || last != to {
		b.coef = append(b.coef[:0], make([]float64, from-first)...)
		b.coef = append(append(b.coef, coef...), make([]float64, last-to)...)
		coef = b.coef
	}
	work := room(&b.work, sumsWork+vec.PanelRows*s.columns)
	queries := s.queries[first*s.columns : last*s.columns]
	for p := range panels {
		addSums(level, (*[vec.PanelRows]float64)(sums[p*vec.PanelRows:]), coef, b.wide.Panel(p), queries, s.columns, -gamma, work)
	}
	return true
}

// packSummed makes b.wide the rows with as many columns as s has.
func (b *Batch) packSummed(s *summed) {
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

// addSumsPortable adds coef[i] exp(scale d) to each of the sums, with d the squared distance
// of vector i of the queries from that row of the panel.
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
