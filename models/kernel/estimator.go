package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: values of the Gaussian kernel in float32 with a bound on their error, for
// those who need no more than the sign of a sum of them.
//
// Method: with s = gamma/ln 2, exp(-gamma |x-z|^2) = 2^t where
//
//	t = 2s x.z - s|x|^2 - s|z|^2,
//
// a dot product, with 2s z kept instead of z, and two numbers that are known before.
// A lane of a vector register is a row x; EstimateRows of them stand side by side.
// The error is bounded as in Higham, "Accuracy and Stability of Numerical
// Algorithms", section 3.1; Estimates.Error has the sum.

// An Estimator holds the vectors of a model in float32. It does not change and may be
// used by several goroutines at once.
type Estimator struct {
	zs      *vec.Matrix
	form    form // asPanels, asLists or asSets
	columns columns
	scale   float64 // s

	z      []float32 // asPanels: 2s z, of all columns; asLists: of the entries
	starts []int     // asLists: where each vector's begin
	shifts []float32 // -s|z|^2
	// the largest |2s z|, s|z|^2 and number of entries
	length, shift float64
	entries       int

	sets  []uint64  // asSets: the queries of basisBlock vectors
	table []float32 // asSets: values by the number of columns apart

	packed *packing // what z is in
}

// Numbers beyond these are left alone, so that nothing overflows in float32 and what
// underflows is small.
const (
	estimateLength = 1 << 60
	estimateError  = 1. / 128 // of t
)

// NewEstimator returns an estimator of the rows of zs, with which it shares memory; nil
// if there is none for such a kernel or such vectors.
func NewEstimator(k Kernel, zs *vec.Matrix) *Estimator {
	gaussian, is := k.(RBF)
	if !is || !(gaussian.Gamma >= 0) {
		return nil
	}
	c, ok := study(1, alone, zs)
	if !ok {
		return nil
	}
	e := &Estimator{zs: zs, columns: c, scale: gaussian.Gamma / math.Ln2}
	fill := float64(c.entries) / (float64(c.count) * float64(zs.Len()))
	switch {
	case !math.IsNaN(c.constant) && 8*vec.Words(c.count)*zs.Len() <= 16*c.entries+64*zs.Len():
		e.form = asSets
		e.packSets(gaussian)
	case fill >= estimateFill:
		e.form = asPanels
	default:
		e.form = asLists
	}
	if e.form != asSets && !e.pack() {
		return nil
	}
	return e
}

// Release gives the memory of what e has laid out to later ones. e and what was packed for
// it must not be used again.
func (e *Estimator) Release() {
	e.packed.free()
	e.packed = nil
}

// Pays reports whether estimates are sooner computed than values. In plain Go that is
// so with sparse vectors, whose entries need not be merged with those of a row, and
// for the others only with vector instructions.
func (e *Estimator) Pays() bool { return e.form == asLists || simd.Current() > simd.Portable }

// estimateFill is the share of entries from which a product of all columns is sooner
// done than one of those that are there.
const estimateFill = 0.25

// pack makes the vectors' numbers in float32, unless one is too large.
func (e *Estimator) pack() bool {
	n := e.zs.Len()
	e.shifts = make([]float32, n)
	if e.form == asPanels {
		e.packed = newPacking(0, n*e.columns.count)
		e.z = e.packed.narrow[:n*e.columns.count]
		clear(e.z)
	} else {
		e.packed = newPacking(0, e.zs.NNZ())
		e.z = e.packed.narrow[:0]
		e.starts = make([]int, n+1)
	}
	for i := range n {
		row := e.zs.Row(i)
		e.entries = max(e.entries, len(row.Index))
		norm := e.zs.SquaredNorm(i)
		e.shift = max(e.shift, e.scale*norm)
		e.length = max(e.length, 2*e.scale*math.Sqrt(norm))
		e.shifts[i] = float32(-e.scale * norm)
		if e.form == asPanels {
			to := e.z[i*e.columns.count:]
			for k, index := range row.Index {
				if c := e.columns.of[index]; c >= 0 {
					to[c] = float32(2 * e.scale * row.Value[k])
				}
			}
			continue
		}
		for _, v := range row.Value {
			e.z = append(e.z, float32(2*e.scale*v))
		}
		e.starts[i+1] = len(e.z)
	}
	return e.length <= estimateLength && e.shift <= estimateLength // not so if they are no numbers
}

func (e *Estimator) packSets(k RBF) {
	e.sets = setQueries(e.zs, &e.columns)
	square := float64(e.columns.constant * e.columns.constant)
	sum := 0.0
	e.table = make([]float32, 0, max(2*e.columns.count+1, mediumTable))
	for range 2*e.columns.count + 1 {
		e.table = append(e.table, float32(Exp(-k.Gamma*sum)))
		sum += square
	}
}

// setQueries returns the queries of basisBlock vectors after each other.
func setQueries(zs *vec.Matrix, c *columns) (queries []uint64) {
	var p vec.BitPanels
	queries = make([]uint64, 0, zs.Len()*vec.Words(c.count))
	for from := 0; from < zs.Len(); from += basisBlock {
		rows := min(basisBlock, zs.Len()-from)
		p.Reset(rows, c.count)
		for i := range rows {
			p.Set(i, zs.Row(from+i), c.of)
		}
		queries = p.QueryTo(queries, firstRows[:rows])
	}
	return queries
}
