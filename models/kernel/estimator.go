package kernel

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: compute kernel values in float32 with a bound on their error, for callers that need only
// the sign of a sum of them.
//
// Method: a lane of a vector register is a row x; EstimateRows of them are side by side.
// Polynomials and tanh are computed from gamma x.z + coef0. For the Gaussian kernel, with s =
// gamma/ln 2, exp(-gamma |x-z|^2) = 2^t where
//
//	t = 2s x.z - s|x|^2 - s|z|^2,
//
// a dot product, with 2s z stored instead of z, and two numbers that are known beforehand. If norms
// are large, the difference loses most digits; then t = -s |x-z|^2 is summed directly, which takes
// twice as long. If all exponents are near 0, as with a small gamma, values hardly differ, and 1 -
// 2^t is computed instead.
//
// The errors are bounded as in Higham, "Accuracy and Stability of Numerical Algorithms", section
// 3.1; estimate_error.go has the sums.

// An Estimator holds the vectors of a model in float32, to estimate kernel values with a bound on
// the error. It does not change, and several goroutines may use it at once.
type Estimator struct {
	kernel  Kernel
	zs      *vec.Matrix  // by numbers of its indices, if there are any
	numbers *vec.Numbers // of indices that are far apart; nil: they are not
	form    form         // asPanels, asLists or asSets; asLists if there are numbers
	columns columns
	scale   float64 // of the Gaussian kernel: s
	apart   bool    // asPanels: t is a distance
	near    bool    // of the Gaussian kernel: all values are near 1

	z      []float32 // in all columns, or asLists the entries; the Gaussian kernel's times 2s, unless apart
	starts []int     // asLists: where each vector's begin
	shifts []float32 // of the Gaussian kernel: -s|z|^2, or apart 0
	// the largest |z| and number of entries, and the |z| from which weights grow
	length  float64
	entries int
	usual   float64
	weights []float64 // of vectors, nil if all are 1
	whole   bool      // all values are integers
	// neither values nor the kernel's numbers are negative
	positive bool

	sets  []uint64  // asSets: the queries of basisBlock vectors
	table []float32 // asSets: values by the number of columns apart, or in common
	most  float64   // the largest of them

	packed *packing // what z is in
}

// Numbers beyond these are left alone, so that nothing overflows in float32 and what
// underflows is small.
const (
	estimateLength = 1 << 60
	estimateError  = 1. / 8 // of t, and of powers
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
		e.numbers = vec.NumbersOf(zs)
		near := zs.Renumbered(e.numbers)
		e.zs = &near
	}
	zs = e.zs
	c, ok := study(1, alone, zs, nil)
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

// mostSlots is the number of columns that rows of Estimates may have together: of 8 MB.
const mostSlots = 1 << 15

// estimable reports whether the kernel's numbers are such that float32 holds them.
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

// Pays reports whether estimates are faster than values. In plain Go that is so for sparse vectors,
// whose entries need not be merged with those of a row; for others only with vector instructions.
func (e *Estimator) Pays() bool { return e.form == asLists || simd.Current() > simd.Portable }

// gaussian reports whether the kernel is.
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

// nears reports whether values of vectors whose squared distance is up to square are near 1, with
// half of what there may be of rows that are longer.
func (e *Estimator) nears(square float64) bool {
	t := e.scale * square
	return t >= nearLeast && t <= nearMost/2
}

// nearLeast is the t below which what is subnormal would matter.
const nearLeast = 0x1p-50

// estimateFill is the share of entries from which a product of all columns is sooner
// done than one of those that are there; apartFill the one from which distances are
// summed of all columns, in no more memory than exact values take.
const (
	estimateFill = 0.25
	apartFill    = 0.125
)

// usualLeast bounds the share that the usual length is of the largest, so that weights
// do not overflow.
const usualLeast = 0x1p-20

// measure finds out what bounds depend on. It returns false if a vector is too long.
func (e *Estimator) measure() bool {
	least, sum := math.Inf(1), 0.0
	e.whole = true
	for i := range e.zs.Len() {
		row := e.zs.Row(i)
		e.entries = max(e.entries, len(row.Index))
		length := math.Sqrt(e.zs.SquaredNorm(i))
		e.length = max(e.length, length) // not a number if one is none
		sum += length
		if length > 0 {
			least = min(least, length)
		}
		e.whole = e.whole && whole(row.Value)
		e.positive = e.positive && notNegative(row.Value)
	}
	e.usual = sum / float64(e.zs.Len())
	if k, is := e.kernel.(Poly); is && k.Coef0 == 0 {
		e.usual = min(least, e.usual) // values are no larger than products of lengths
	}
	e.usual = max(e.usual, usualLeast*e.length)
	e.setWeights()
	if e.gaussian() { // what is kept of them is 2s z
		return e.scale*e.length*e.length <= estimateLength && 2*e.scale*e.length <= estimateLength
	}
	return e.length <= estimateLength // not so if it is no number
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

// pack makes the vectors' numbers in float32.
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

// packSets returns false if a value is too large.
func (e *Estimator) packSets() bool {
	square := float64(e.columns.constant * e.columns.constant)
	dots := make([]float64, 2*e.columns.count+1) // no more columns are apart
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
		OfDots(k, dots)
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
