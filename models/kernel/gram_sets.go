package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute kernel rows of vectors whose entries are all one constant v, such as one-hot
// codes.
//
// Method: a vector is a set of columns. A dot product with c common columns is the sum of c terms
// v*v, each sum rounded, which is a function of c. So is a kernel that is a function of the dot
// product: it is a table. The Gaussian kernel is a table indexed by the number h of columns that
// exactly one of the two vectors has, since |x|^2 + |z|^2 - 2 x.z = v*v h, as long as all these
// numbers are exact, as with small whole v. Otherwise its dot products come from the table of sums.
//
// If the processor has no instruction that counts the ones in a vector register, sets are stored as
// codes (vec.Codes), if the table is small.
type counts struct {
	of     tableKey
	apart  bool       // table is indexed by h, else by c
	table  []float32  // values; empty: only sums can be used
	values *vec.Table // the same, for vec
	coded  *vec.Table // the same, for codes; nil until it is made
	sums   []float64  // sums[c] is the sum of c terms v*v
}

// tableKey is what the tables depend on.
type tableKey struct {
	kernel         Kernel
	constant       float64
	longest, count int
}

// set makes the tables of k. If they are there already it does nothing: thousands of small problems
// use one Gram after the other.
func (t *counts) set(k Kernel, c *columns) {
	of := tableKey{k, c.constant, c.longest, c.count}
	if t.of == of {
		return
	}
	t.of, t.table, t.values, t.coded = of, nil, nil, nil
	t.sums = t.sums[:0]
	square := float64(c.constant * c.constant)
	sum := 0.0
	for range c.longest + 1 {
		t.sums = append(t.sums, sum)
		sum += square
	}
	values := append([]float64(nil), t.sums...)
	t.apart = false
	switch k := k.(type) {
	case Poly:
		k.mapDots(values)
	case Sigmoid:
		k.mapDots(values)
	case RBF:
		if !exactMultiples(square, 2*c.longest) {
			return
		}
		t.apart = true
		values = values[:0]
		for h := range min(2*c.longest, c.count) + 1 {
			values = append(values, Exp(-k.Gamma*float64(square*float64(h))))
		}
	}
	// capacity for the sizes of tables that can be looked up in registers
	t.table = append(make([]float32, 0, max(128, len(values))), make([]float32, len(values))...)
	for i, v := range values {
		t.table[i] = float32(v)
	}
	t.values = vec.NewTable(t.table)
}

// exactMultiples reports whether all multiples of x up to n times are exact, and so all sums of
// multiples up to that size.
func exactMultiples(x float64, n int) bool {
	f, e := math.Frexp(x) // f in [1/2, 1)
	if x == 0 || math.IsInf(x, 0) || e < -900 || e > 900 {
		return false
	}
	for range 53 {
		if f == math.Trunc(f) {
			break
		}
		f *= 2
	}
	return f*float64(n) <= 1<<53
}

// code makes the table for codes. It reports whether the table is small enough.
func (t *counts) code(c *vec.Codes) bool {
	switch {
	case t.coded != nil:
	case t.apart:
		t.coded = c.HammingTable(t.table)
	default:
		t.coded = c.CommonTable(t.table)
	}
	return t.coded.Small()
}

// mostCoded is the size of table beyond which no table for codes is taken to be small: all counts
// of two words are hardly ever multiples of a number above 2.
const mostCoded = 256

// packCodes packs the codes of the given rows. It returns false if codes are not used.
func (g *Gram) packCodes(rows []int) bool {
	s, n := g.store, len(g.counts.table)
	if simd.Current() != simd.AVX2 || n == 0 || n > mostCoded || s.columns.count*g.n/4 > directBytes {
		return false
	}
	c := s.codes()
	if !g.counts.code(c) {
		return false
	}
	g.codes.Reset(c, rows, g.most)
	return true
}

// codes returns the codes of all rows.
func (s *Store) codes() *vec.Codes {
	s.encoded.Do(func() {
		w := vec.Words(s.columns.count)
		words := make([]uint64, s.Len()*w)
		for i := range s.Len() {
			vec.SetBits(words[i*w:(i+1)*w], s.near.Row(i), s.columns.of)
		}
		s.coded = vec.NewCodes(words, s.Len(), s.columns.count)
	})
	return s.coded
}

// directBytes is the size of sets up to which each row is best computed separately, in one step:
// loading the sets is fast. With larger sets, computing several rows at once takes less time.
const directBytes = 8 << 20

// direct reports whether rows are computed from sets in one step.
func (g *Gram) direct() bool {
	return g.form == asSets && (g.coded || len(g.counts.table) > 0 &&
		vec.Words(g.store.columns.count) <= vec.MaxValuesWords && g.sets.Bytes() <= directBytes)
}

// keptBytes is a part of a core's second-level cache, which also has to hold the sets and the
// gradient.
const keptBytes = 256 << 10

// CacheBytes returns how much memory it is useful to spend on keeping rows. Rows computed from sets
// of columns are faster to compute than to fetch from beyond a core's second-level cache.
func (g *Gram) CacheBytes() int {
	if g.direct() && simd.Current() > simd.Portable {
		return keptBytes
	}
	return math.MaxInt
}

// PartValues returns the number of values that is worth a waiting thread's while, and about how
// many microseconds they take: one, unless vectors are long.
func (g *Gram) PartValues() (values, microseconds int) {
	switch g.form {
	case asPanels, asWholes, asMixed:
		d := g.columns()
		values = max(panelProducts/max(d, 1), vec.PanelRows)
		return values, max(values*d/panelProducts, 1)
	case asSets:
		if g.direct() && simd.Current() > simd.Portable {
			return 4 << 10, 1
		}
		return 512, 1
	}
	return 1 << 10, 1
}

// panelProducts is the number of products that take a microsecond.
const panelProducts = 16 << 10

func (g *Gram) setsTo(s *scratch, dst [][]float32, rows []int, from, to int) {
	switch {
	case g.coded:
		for r, i := range rows {
			if g.counts.apart {
				g.codes.HammingValuesTo(dst[r], &s.codes, i, g.counts.coded, from)
			} else {
				g.codes.CommonValuesTo(dst[r], &s.codes, i, g.counts.coded, from)
			}
		}
		return
	case g.direct():
		for r := range rows {
			s.words = g.sets.QueryTo(s.words[:0], rows[r:r+1])
			if g.counts.apart {
				g.sets.HammingValuesTo(dst[r], s.words, g.counts.values, from)
			} else {
				g.sets.CommonValuesTo(dst[r], s.words, g.counts.values, from)
			}
		}
		return
	}
	const stride = chunkPanels * vec.PanelRows
	s.words = g.sets.QueryTo(s.words[:0], rows)
	tile := room(&s.counts, len(rows)*stride)
	chunk(from, to, func(panel, panels, lo, hi int) {
		if g.counts.apart {
			g.sets.HammingTo(tile, stride, s.words, len(rows), panel, panels)
		} else {
			g.sets.CommonTo(tile, stride, s.words, len(rows), panel, panels)
		}
		first := panel * vec.PanelRows
		for r, i := range rows {
			row, counts := dst[r][lo-from:hi-from], tile[r*stride+lo-first:r*stride+hi-first]
			if len(g.counts.table) > 0 {
				lookup(row, counts, g.counts.table)
				continue
			}
			dots := room(&s.values, len(counts))
			for t, c := range counts {
				dots[t] = g.counts.sums[c]
			}
			g.round(row, dots, i, lo)
		}
	})
}
