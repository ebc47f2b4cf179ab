package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute kernel values in float32 with a bound on their error, for callers that need only
// the sign of a weighted sum of values.
//
// Method: a lane of a vector register is a row x; EstimateRows of them are side by side.
// Polynomials and tanh are computed from gamma x.z + coef0. For the Gaussian kernel, with s =
// gamma/ln 2, exp(-gamma |x-z|^2) = 2^t where
//
//	t = 2s x.z - s|x|^2 - s|z|^2.
//
// This is a dot product, with 2s z stored instead of z, and two numbers that are known beforehand.
// If norms are large, the difference loses most digits; then t = -s |x-z|^2 is summed directly,
// which takes twice as long. If all exponents are near 0, as with a small gamma, values hardly
// differ, and 1 - 2^t is computed instead.
//
// The errors are bounded as in Higham, "Accuracy and Stability of Numerical Algorithms", section
// 3.1; estimate_error.go derives the bounds.

// An Estimator holds the vectors of a model in float32, to estimate kernel values with a bound on
// the error. It does not change, and several goroutines may use it at once.
type Estimator struct {
	kernel  Kernel
	zs      *vec.Matrix   // renumbered, if there are numbers
	numbers *vec.IndexSet // of indices that are far apart; nil: indices are used as they are
	form    form          // asPanels, asLists or asSets; asLists if there are numbers
	columns columns
	scale   float64 // Gaussian kernel: s
	apart   bool    // asPanels: t is computed from a distance
	near    bool    // Gaussian kernel: all values are near 1

	z      []float32 // all columns of the vectors, or asLists their entries; times 2s for the Gaussian kernel, unless apart
	starts []int     // asLists: where the entries of each vector begin
	shifts []float32 // Gaussian kernel: -s|z|^2 for each vector, or 0 if apart
	// the largest |z|, the largest number of entries, and the |z| from which weights are above 1
	length  float64
	entries int
	usual   float64
	weights []float64 // weights of the vectors; nil: all are 1
	whole   bool      // all values in the vectors are integers
	// no value in the vectors and no kernel parameter is negative
	positive bool

	sets  []uint64  // asSets: queries of blocks of basisBlock vectors
	table []float32 // asSets: values by the number of columns that differ or are common
	most  float64   // the largest value in the table

	packed *packing // memory of z
}

// Limits of the numbers involved, so that nothing overflows in float32 and what underflows is
// negligible. Beyond them there are no estimates.
const (
	estimateLength = 1 << 60
	estimateError  = 1. / 8 // for the error of t, and of powers
	estimateMost   = 0x1p100
	estimateDegree = 16
)

// NewEstimator returns an estimator of the rows of zs, with which it shares memory, or nil if there
// is none for this kernel or these vectors.
func NewEstimator(k Kernel, zs *vec.Matrix) *Estimator {
	if !estimable(k) {
		return nil
	}
	e := &Estimator{kernel: k, zs: zs}
	if farApart(zs) {
		e.numbers = vec.IndexSetOf(zs)
		near := zs.Renumbered(e.numbers)
		e.zs = &near
	}
	zs = e.zs
	c, ok := numberColumns(1, serially, zs, nil)
	if !ok {
		return nil
	}
	e.columns = c
	switch k := k.(type) {
	case RBF:
		e.scale = k.Gamma / math.Ln2
	case Poly:
		e.positive = k.Gamma >= 0 && k.Coef0 >= 0
	case Sigmoid:
		e.positive = k.Gamma >= 0 && k.Coef0 >= 0
	}
	if e.numbers == nil && !math.IsNaN(c.constant) && c.setsFit(zs.Len()) {
		e.form = asSets
		if !e.packSets() {
			return nil
		}
		return e
	}
	if !e.measure() {
		return nil
	}
	fill := float64(c.entries) / (float64(c.count) * float64(zs.Len()))
	e.near = e.gaussian() && e.nears(4*e.length*e.length)
	e.apart = e.gaussian() && !e.near && fill >= apartFill && e.apartPays() && e.numbers == nil
	e.form = asLists
	if e.numbers == nil && fill >= estimateFill || e.apart {
		e.form = asPanels
	}
	if e.form == asPanels && c.count > mostSlots {
		return nil
	}
	e.pack()
	return e
}

// EstimatesFit returns how many of xs, from the first on and at most [EstimateRows], [Estimates]
// for vectors zs can hold within the memory that they may use.
func EstimatesFit(zs *vec.Matrix, xs []vec.Vector) int {
	n := min(len(xs), EstimateRows)
	if zs.MaxIndex() < mostSlots {
		return n
	}
	entries := 0
	for r, x := range xs[:n] {
		if entries += len(x.Index); entries > mostSlots {
			return r
		}
	}
	return n
}

// mostSlots is the largest number of columns that the rows of Estimates may have together: they
// take 8 MB.
const mostSlots = 1 << 15

// estimable reports whether float32 can hold the kernel's parameters.
func estimable(k Kernel) bool {
	fits := func(gamma, coef0 float64) bool {
		gamma = math.Abs(gamma)
		return (gamma == 0 || gamma >= 1/estimateMost) && gamma <= estimateLength && math.Abs(coef0) <= estimateLength
	}
	switch k := k.(type) {
	case RBF:
		return k.Gamma >= 0
	case Poly:
		return k.Degree >= 0 && k.Degree <= estimateDegree && fits(k.Gamma, k.Coef0)
	case Sigmoid:
		return fits(k.Gamma, k.Coef0)
	}
	return false
}

// Release makes the memory of e available to other estimators. Do not use e, nor Estimates packed
// for it, afterwards.
func (e *Estimator) Release() {
	e.packed.free()
	e.packed = nil
}

// Worthwhile reports whether estimates are faster than values. In plain Go that is so for sparse
// vectors, whose entries need not be merged with those of a row; for others only with vector
// instructions.
func (e *Estimator) Worthwhile() bool { return e.form == asLists || simd.Current() > simd.Portable }

// gaussian reports whether the kernel is Gaussian.
func (e *Estimator) gaussian() bool {
	_, is := e.kernel.(RBF)
	return is
}

// Complement reports whether the estimates are of 1 - K, because K is near 1: for tanh if nothing
// is negative, and for the RBF kernel if the vectors are near each other.
func (e *Estimator) Complement() bool {
	_, is := e.kernel.(Sigmoid)
	return is && e.positive || e.near
}

// Weight returns the weight of vector i in error bounds: see [Estimates.Error].
func (e *Estimator) Weight(i int) float64 {
	if e.weights == nil {
		return 1
	}
	return e.weights[i]
}

// nears reports whether the values of vectors with a squared distance of up to square are near 1.
// It leaves half of the allowed range for rows that are longer than the vectors.
func (e *Estimator) nears(square float64) bool {
	t := e.scale * square
	return t >= nearLeast && t <= nearMost/2
}

// nearLeast is the t below which subnormal numbers would matter.
const nearLeast = 0x1p-50

// estimateFill is the share of nonzero entries from which a product over all columns is faster than
// one over the entries. apartFill is the share from which distances may be summed over all columns:
// the memory is then no more than that of exact values.
const (
	estimateFill = 0.25
	apartFill    = 0.125
)

// usualLeast is the smallest ratio of the usual to the largest length, so that weights do not
// overflow.
const usualLeast = 0x1p-20

// measure finds the quantities on which the bounds depend. It returns false if a vector is too
// long.
func (e *Estimator) measure() bool {
	least, sum := math.Inf(1), 0.0
	e.whole = true
	for i := range e.zs.Len() {
		row := e.zs.Row(i)
		e.entries = max(e.entries, len(row.Index))
		length := math.Sqrt(e.zs.SquaredNorm(i))
		e.length = max(e.length, length) // NaN if a length is NaN
		sum += length
		if length > 0 {
			least = min(least, length)
		}
		e.whole = e.whole && whole(row.Value)
		e.positive = e.positive && notNegative(row.Value)
	}
	e.usual = sum / float64(e.zs.Len())
	if k, is := e.kernel.(Poly); is && k.Coef0 == 0 {
		e.usual = min(least, e.usual) // if coef0 is 0, values are no larger than products of lengths
	}
	e.usual = max(e.usual, usualLeast*e.length)
	e.setWeights()
	if e.gaussian() { // z holds 2s z
		return e.scale*e.length*e.length <= estimateLength && 2*e.scale*e.length <= estimateLength
	}
	return e.length <= estimateLength // false for NaN
}

func (e *Estimator) setWeights() {
	if e.gaussian() || !(e.usual > 0) {
		return
	}
	e.weights = make([]float64, e.zs.Len())
	for i := range e.weights {
		w := max(1, math.Sqrt(e.zs.SquaredNorm(i))/e.usual)
		if k, is := e.kernel.(Poly); is {
			w = Power(w, k.Degree)
		}
		e.weights[i] = w
	}
}

// whole reports whether all values are integers.
func whole(values []float64) bool {
	for _, v := range values {
		if v != math.Trunc(v) {
			return false
		}
	}
	return true
}

func notNegative(values []float64) bool {
	for _, v := range values {
		if !(v >= 0) {
			return false
		}
	}
	return true
}

// pack converts the vectors to float32.
func (e *Estimator) pack() {
	n := e.zs.Len()
	if e.form == asPanels {
		e.packed = newPacking(0, n*e.columns.count, 0)
		e.z = e.packed.narrow[:n*e.columns.count]
	} else {
		e.packed = newPacking(0, e.zs.NNZ(), 0)
		e.z = e.packed.narrow[:0]
		e.starts = make([]int, n+1)
	}
	factor := 1.0
	if e.gaussian() {
		e.shifts = make([]float32, n)
		if !e.apart {
			factor = 2 * e.scale
			for i := range e.shifts {
				e.shifts[i] = float32(-e.scale * e.zs.SquaredNorm(i))
			}
		}
	}
	var known *int32
	for i := range n {
		row := e.zs.Row(i)
		if e.form == asPanels {
			to := e.z[i*e.columns.count:][:e.columns.count]
			if e.columns.all(row.Index, &known) {
				for k, v := range row.Value[:len(to)] {
					to[k] = float32(factor * v)
				}
				continue
			}
			clear(to)
			for k, index := range row.Index {
				if c := e.columns.of[index]; c >= 0 {
					to[c] = float32(factor * row.Value[k])
				}
			}
			continue
		}
		for _, v := range row.Value {
			e.z = append(e.z, float32(factor*v))
		}
		e.starts[i+1] = len(e.z)
	}
}

// packSets prepares sets and table. It returns false if a value is too large.
func (e *Estimator) packSets() bool {
	square := float64(e.columns.constant * e.columns.constant)
	dots := make([]float64, 2*e.columns.count+1) // the number of columns that differ is at most twice the count
	for i := range dots[1:] {
		dots[i+1] = dots[i] + square
	}
	switch k := e.kernel.(type) {
	case RBF:
		e.near = e.nears(dots[min(2*e.columns.longest, len(dots)-1)])
		for i, d := range dots {
			dots[i] = Exp(-k.Gamma * d)
		}
	default:
		dots = dots[:e.columns.count+1]
		FromDots(k, dots)
	}
	e.table = make([]float32, len(dots), max(len(dots), mediumTable))
	for i, v := range dots {
		if e.Complement() {
			v = 1 - v
		}
		e.table[i] = float32(v)
		e.most = max(e.most, math.Abs(v))
	}
	e.sets = setQueries(e.zs, &e.columns)
	return e.most <= estimateMost
}

// setQueries returns the queries of all blocks of basisBlock vectors.
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
