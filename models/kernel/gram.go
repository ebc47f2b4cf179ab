package kernel

import (
	"fmt"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A Gram computes rows of the matrix K(x_i, x_j) of a training problem in float32, the type in
// which training keeps them. Each value is float32 of what Kernel.RowTo computes. The vectors x_i
// have positions, which Swap exchanges.
//
// Several goroutines may call RowsTo and DiagTo at once. Swap and Release must not run beside other
// calls.
type Gram struct {
	kernel Kernel
	store  *Store
	n      int
	most   int  // largest number of rows of Grams that will reuse this one's memory
	again  bool // there will be more Grams of mostly the same rows
	form   form
	norms  []float64 // by position, like the following fields

	x        vec.Matrix        // asRows, asLists
	serials  serials           // of a precomputed kernel
	panels   vec.Panels        // asPanels, asMixed
	decimals vec.DecimalPanels // asMixed
	wholes   vec.WholePanels   // asWholes, asMixed
	dense    []float64         // asPanels, asMixed: a buffer for rows before they are packed
	sets     vec.BitPanels     // asSets
	codes    vec.CodePanels    // asSets: used instead of sets, if coded is set
	coded    bool
	counts   counts      // asSets
	lists    columnLists // asLists
	table    *table      // asTable: the values; else the table of the kernel, nil if there will be none
	at       []int32     // asTable, asMixed: the rows' numbers in the store
	runs     []int32     // asTable: where runs of neighbours in the store begin; unused if mixed is set
	mixed    bool        // asTable: such runs are short, or Swap has broken them
	near     float64     // asMixed: largest error of exp's argument, a power's base, or a dot product
	floor    float64     // asMixed: if both powers are larger than this, their bases have the same sign
	slack    slacks      // asMixed with a Gaussian kernel, like the following fields

	level   simd.Level // the level for which the fields are set
	scaled  []float64  // norms times -scale
	scale   float64    // gamma times nearUnit
	longest float64    // a bound of the length of a vector
}

// NewGram returns the kernel matrix of the rows of x, with which it shares memory.
func NewGram(k Kernel, x *vec.Matrix) *Gram { return NewStore(x).Gram(k, nil) }

// pack makes g hold the given rows of the store. It allocates memory for as many rows as most says.
func (g *Gram) pack(by packers, k Kernel, s *Store, rows []int, most int) {
	g.kernel, g.store, g.n = k, s, s.Len()
	if rows != nil {
		g.n = len(rows)
	}
	g.form = s.formOf(k, g.n)
	g.most, g.scaled = max(g.n, most), g.scaled[:0]
	if g.form == asRows || g.form == asLists {
		x := s.x
		if g.form == asLists {
			x = s.near
		}
		if rows != nil {
			g.x = x.Select(rows)
		} else {
			g.x = x.Clone()
		}
	}
	if g.form == asRows {
		if k == (Precomputed{}) {
			g.serials.set(&g.x)
		}
		return
	}
	g.norms = room(&g.norms, g.most)[:g.n]
	for i := range g.norms {
		g.norms[i] = s.x.SquaredNorm(at(rows, i))
	}
	switch g.form {
	case asPanels, asWholes:
		g.packPanels(by, rows)
	case asMixed:
		g.packMixed(by, rows)
	case asSets:
		g.counts.set(k, &s.columns)
		if g.coded = g.packCodes(rows); !g.coded {
			g.packSets(rows)
		}
	case asLists:
		g.lists.build(by, &g.x, &s.columns)
	}
}

// at returns the number in the store of row i.
func at(rows []int, i int) int {
	if rows == nil {
		return i
	}
	return rows[i]
}

func (g *Gram) packPanels(by packers, rows []int) {
	d := g.store.columns.count
	switch g.form {
	case asWholes:
		g.wholes.ResetWithin(g.n, g.most, d, g.store.bytes)
	case asPanels:
		g.panels.ResetWithin(g.n, g.most, d)
	}
	panels := (g.n + vec.PanelRows - 1) / vec.PanelRows
	parts := by.parts(g.n*d, panels)
	if g.form != asWholes && !g.store.columns.aligned {
		g.dense = room(&g.dense, parts*vec.PackRows*d)
	}
	if parts == 1 { // there may be thousands of such small Grams
		g.packRows(by, 0, g.n, g.dense, rows)
		return
	}
	by.do(parts, func(k int) {
		from, to := k*panels/parts*vec.PanelRows, min((k+1)*panels/parts*vec.PanelRows, g.n)
		g.packRows(by, from, to, g.dense[min(k*vec.PackRows*d, len(g.dense)):], rows)
	})
}

// packRows packs rows from to to-1 into panels. dense is a buffer.
func (g *Gram) packRows(by packers, from, to int, dense []float64, rows []int) {
	for ; from < to && by.goOn(); from += packStep {
		g.packSome(from, min(from+packStep, to), dense, rows)
	}
}

func (g *Gram) packSome(from, to int, dense []float64, rows []int) {
	s := g.store
	d := s.columns.count
	set := g.panels.SetRows
	switch {
	case g.form == asWholes || g.form == asMixed && s.kinds.wholes > 0:
		set = g.wholes.SetRows
	case g.form == asMixed && s.kinds.decimals > 0:
		set = g.decimals.SetRows
	}
	if s.columns.aligned {
		set(from, to, func(i int) []float64 { return s.near.Row(at(rows, i)).Value })
		return
	}
	if g.form == asWholes {
		for i := from; i < to; i++ {
			g.wholes.Set(i, s.near.Row(at(rows, i)), s.columns.of)
		}
		return
	}
	var known *int32
	set(from, to, func(i int) []float64 {
		values, x := dense[i%vec.PackRows*d:][:d], s.near.Row(at(rows, i))
		if s.columns.all(x.Index, &known) {
			return x.Value
		}
		clear(values)
		for k, index := range x.Index {
			if c := s.columns.of[index]; c >= 0 {
				values[c] = x.Value[k]
			}
		}
		return values
	})
}

func (g *Gram) packSets(rows []int) {
	s := g.store
	g.sets.ResetWithin(g.n, g.most, s.columns.count)
	if g.n == s.Len() { // there will hardly be another Gram
		for i := range g.n {
			g.sets.Set(i, s.near.Row(at(rows, i)), s.columns.of)
		}
		return
	}
	words, w := s.sets(), vec.Words(s.columns.count)
	for i := range g.n {
		from := at(rows, i) * w
		g.sets.SetWords(i, words[from:from+w])
	}
}

// Len returns the number of vectors.
func (g *Gram) Len() int { return g.n }

// Precomputed reports whether the values are given, as those of a precomputed kernel are. Such a
// matrix need not be symmetric.
func (g *Gram) Precomputed() bool { return g.kernel == Precomputed{} }

// Custom reports whether the kernel is not from this package, so that its values may be anything.
func (g *Gram) Custom() bool {
	_, own := FileName(g.kernel)
	return !own
}

// MaxLen returns the largest number of vectors that Grams of the same store are expected to have;
// at least Len.
func (g *Gram) MaxLen() int { return g.most }

// Repeated reports whether [Store.Repeat] was called before g was made.
func (g *Gram) Repeated() bool { return g.again }

// Panels of up to nearBytes stay in a core's second-level cache. Panels of more than farBytes fit
// into no cache.
const nearBytes, farBytes = 3 << 19, 32 << 20

// BlockRows returns how many rows are best computed in one call of RowsTo, from 1 to
// [MaxBlockRows]. If the vectors do not fit into the caches, several rows cost little more than
// one.
func (g *Gram) BlockRows() int {
	d, bytes := g.columns(), g.panels.Bytes()+g.decimals.Bytes()+g.wholes.Bytes()
	switch {
	case g.form == asSets && !g.direct():
		return 2
	case d == 0:
		return 1
	case simd.Current() == simd.Portable:
		return 1 // arithmetic is the limit
	case bytes <= nearBytes:
		switch {
		case d < 20:
			return 1
		case d < 30:
			return 2
		case simd.Current() == simd.AVX2: // its registers hold the sums of three rows
			return 3
		}
		return 4
	case d < 30:
		return 2
	case d < 64:
		return 3
	case bytes > farBytes && (d >= 128 || simd.Current() == simd.AVX2):
		return MaxBlockRows
	case simd.Current() == simd.AVX2:
		return 3
	case d < 128 || g.kernel == Linear{}: // fewer of the rows computed ahead will be used
		return 4
	}
	return MaxBlockRows
}

// columns returns how many columns of float64 take as long as the columns from which a value is
// computed. It is 0 if values are not computed from dense rows.
func (g *Gram) columns() int {
	switch g.form {
	case asPanels:
		return g.panels.Columns()
	case asWholes:
		return (g.wholes.Columns() + wholesAtOnce - 1) / wholesAtOnce
	case asMixed:
		return g.panels.Columns() + g.decimals.Columns() + (g.wholes.Columns()+wholesAtOnce-1)/wholesAtOnce
	}
	return 0
}

// cheapColumns is the largest number of columns for which values count as cheap.
const cheapColumns = 64

// Cheap reports whether a value takes only a few nanoseconds, as with vectors of few dense columns.
func (g *Gram) Cheap() bool {
	if d := g.columns(); d == 0 || g.Precomputed() || d > cheapColumns || simd.Current() == simd.Portable {
		return false
	}
	_, sigmoid := g.kernel.(Sigmoid)
	return !sigmoid
}

// MaxBlockRows is the largest number of rows in a call of [Gram.RowsTo].
const MaxBlockRows = vec.MaxQueries

// RowsTo sets dst[r][t-from] = float32(K(x[rows[r]], x[t])) for from <= t < to and each r. Every
// dst[r] has length to - from. There are at most [MaxBlockRows] rows.
func (g *Gram) RowsTo(dst [][]float32, rows []int, from, to int) { g.rowsOf(nil, dst, rows, from, to) }

// rowsOf is RowsTo with a prepared query of the rows, or nil.
func (g *Gram) rowsOf(q *Query, dst [][]float32, rows []int, from, to int) {
	if len(dst) != len(rows) || len(rows) > MaxBlockRows {
		panic(fmt.Sprintf("kernel: %d rows into %d", len(rows), len(dst)))
	}
	if from < 0 || from > to || to > g.n {
		panic(fmt.Sprintf("kernel: columns %d to %d of %d", from, to-1, g.n))
	}
	for _, d := range dst {
		if len(d) != to-from {
			panic(fmt.Sprintf("kernel: room for %d values, expected %d", len(d), to-from))
		}
	}
	if from == to {
		return
	}
	if g.form == asTable {
		for r, i := range rows {
			g.tableTo(dst[r], i, from)
		}
		return
	}
	g.count(len(rows) * (to - from))
	s := gramScratch.Get().(*scratch)
	defer gramScratch.Put(s)
	switch g.form {
	case asPanels, asWholes, asMixed:
		if q == nil || !q.collected() {
			q = &s.query
			g.collect(q, rows)
		}
		g.panelsTo(s, dst, rows, q, from, to)
	case asSets:
		g.setsTo(s, dst, rows, from, to)
	case asLists:
		g.listsTo(s, dst, rows, from, to)
	default:
		g.rowsTo(s, dst, rows, from, to)
	}
}

// scratch is the scratch memory of a call of RowsTo.
type scratch struct {
	values []float64
	query  Query
	words  []uint64
	codes  []uint8
	counts []uint32
}

var gramScratch = sync.Pool{New: func() any { return new(scratch) }}

// room returns n elements with undefined contents, in the memory of s if that is enough.
func room[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	return (*s)[:n]
}

// chunkPanels is the number of panels whose values are computed before they are rounded: few enough
// for the first-level cache.
const chunkPanels = 8

// chunk calls f for the panels of columns from to to-1, a few panels at a time. lo to hi-1 are the
// wanted columns in these panels.
func chunk(from, to int, f func(panel, panels, lo, hi int)) {
	for panel := from / vec.PanelRows; panel*vec.PanelRows < to; panel += chunkPanels {
		panels := min(chunkPanels, (to+vec.PanelRows-1)/vec.PanelRows-panel)
		f(panel, panels, max(from, panel*vec.PanelRows), min(to, (panel+panels)*vec.PanelRows))
	}
}

func (g *Gram) panelsTo(s *scratch, dst [][]float32, rows []int, q *Query, from, to int) {
	const stride = chunkPanels * vec.PanelRows
	tile := room(&s.values, len(rows)*stride)
	round := g.round
	if g.form == asMixed {
		round = g.roundNear
	}
	chunk(from, to, func(panel, panels, lo, hi int) {
		switch g.form {
		case asWholes:
			g.wholes.DotsTo(tile, stride, q.wholes, len(rows), panel, panels)
		case asMixed:
			g.nearDotsTo(tile, stride, q, len(rows), panel, panels)
		default:
			g.panels.DotsTo(tile, stride, q.values, len(rows), panel, panels)
		}
		first := panel * vec.PanelRows
		for r, i := range rows {
			round(dst[r][lo-from:hi-from], tile[r*stride+lo-first:r*stride+hi-first], i, lo)
		}
	})
}

// round sets dst to the values of row i for the columns from lo on. dots has their dot products,
// and is overwritten.
func (g *Gram) round(dst []float32, dots []float64, i, lo int) {
	switch k := g.kernel.(type) {
	case RBF:
		gauss(dst, dots, g.norms[lo:lo+len(dst)], g.norms[i], k.Gamma)
		return
	case Poly:
		k.mapDots(dots)
	case Sigmoid:
		tanhRoundTo(simd.Current(), dst, dots, k.Gamma, k.Coef0)
		return
	}
	roundTo(simd.Current(), dst, dots)
}

func (g *Gram) rowsTo(s *scratch, dst [][]float32, rows []int, from, to int) {
	if g.kernel == (Precomputed{}) {
		for r, i := range rows {
			g.serials[from:to].rowTo(dst[r], g.x.Row(i))
		}
		return
	}
	values := room(&s.values, to-from)
	part := g.x.Slice(from, to)
	for r, i := range rows {
		g.kernel.RowTo(values, g.x.Row(i), &part)
		roundTo(simd.Current(), dst[r], values)
	}
}

// DiagTo sets dst[i] = K(x[i], x[i]) for the first len(dst) positions.
func (g *Gram) DiagTo(dst []float64) {
	switch g.form {
	case asRows:
		g.kernel.DiagTo(dst, &g.x)
		return
	case asTable:
		for i, row := range g.at[:len(dst)] {
			dst[i] = g.table.diag[row]
		}
		return
	}
	copy(dst, g.norms[:len(dst)])
	switch k := g.kernel.(type) {
	case Poly:
		k.mapDots(dst)
	case Sigmoid:
		k.mapDots(dst)
	case RBF:
		k.mapNorms(dst)
	}
}

// Swap exchanges the vectors at positions i and j.
func (g *Gram) Swap(i, j int) {
	if g.form == asTable {
		g.at[i], g.at[j] = g.at[j], g.at[i]
		g.mixed = true
		return
	}
	if g.form != asRows {
		g.norms[i], g.norms[j] = g.norms[j], g.norms[i]
	}
	if len(g.scaled) > 0 {
		g.scaled[i], g.scaled[j] = g.scaled[j], g.scaled[i]
	}
	switch g.form {
	case asPanels:
		g.panels.Swap(i, j)
	case asWholes:
		g.wholes.Swap(i, j)
	case asMixed:
		g.panels.Swap(i, j)
		g.decimals.Swap(i, j)
		g.wholes.Swap(i, j)
		g.at[i], g.at[j] = g.at[j], g.at[i]
	case asSets:
		if g.coded {
			g.codes.Swap(i, j)
		} else {
			g.sets.Swap(i, j)
		}
	case asLists:
		g.x.Swap(i, j)
		g.lists.swap(i, j)
	default:
		g.x.Swap(i, j)
		if g.kernel == (Precomputed{}) {
			g.serials[i], g.serials[j] = g.serials[j], g.serials[i]
		}
	}
}

// Bytes returns the memory of the packed vectors, without what is shared with the matrix.
func (g *Gram) Bytes() int {
	return 8*(cap(g.norms)+cap(g.scaled)) + 4*cap(g.serials) + 4*cap(g.at) + 4*cap(g.runs) + g.panels.Bytes() + g.decimals.Bytes() + g.wholes.Bytes() + g.sets.Bytes() + g.codes.Bytes() + g.lists.bytes()
}

// Release returns the memory to the store, for the next Gram. Do not use the Gram afterwards.
func (g *Gram) Release() {
	s := g.store
	if g.form == asTable && s.given == nil {
		s.leave(g.table)
	}
	g.kernel, g.store, g.n, g.most, g.x, g.table = nil, nil, 0, 0, vec.Matrix{}, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, g)
}
