package predict

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: find the answers of a classifier, which depend only on the signs of
//
//	f_m(x) = sum_i c_mi K(z_i, x) - rho_m,
//
// rounded as in the predictor's Decisions.
//
// Method: a floating-point filter (S. Fortune and C. J. van Wyk, "Efficient exact arithmetic for
// computational geometry", 1993). The values are computed in a faster way, with a bound on their
// difference from the Decisions. Only values whose size is no larger than their bound, and on which
// the answer depends, are computed again.
//
// A bound is a multiple of M = sum_i |c_mi| |K(z_i, x)|. If K is positive, and a machine's
// coefficients have one sign for each of its classes, as in LIBSVM's models, M is the sum of the
// sizes of two sums that are computed anyway. Otherwise |K| <= s w_i takes the place of |K|, with
// the size s of a row and weights w_i of the vectors, so that sum_i |c_mi| w_i is known beforehand.
// With u = 2^-24 and estimates K' of the values,
//
//	|f' - f| <= (e + (b+4) u + (n+8) 2^-50) 1.05 M' + a.
//
// Here f' and M' are computed from K', and e is the error of the row's estimates. c is rounded to
// float32, and b products at a time are summed in float32. n is the number of vectors, for the sums
// in float64 on both sides. a covers what is too small for these terms. If the estimates are of
// 1 - K, then f is a constant minus their sum, and all of this holds for 1 - K; only the rounding
// in float64 is a multiple of sum_i |c_mi|.

// filterBlock is b, the number of vectors processed at a time. Their values fit into the
// first-level cache.
const filterBlock = 32

// filterRows is the number of rows processed at a time.
const filterRows = kernel.EstimateRows

// Machines of many classes are processed in blocks, because the first-level cache can hold a
// block's sums. Estimates of all vectors serve all blocks. For up to keptVectors vectors they are
// kept; they take up to 8 MB and less than the model. For more vectors they are computed again for
// each block, so blocks are larger.
const (
	oneBlock                = 48 // with the pairs of up to this many classes, there is one block
	firstKept, secondKept   = 6, 6
	firstAgain, secondAgain = 60, 60
)

// keptVectors is a variable because tests change it.
var keptVectors = 1 << 15

// A filter computes values with bounds for rows of a model.
type filter struct {
	layout
	estimator *kernel.Estimator // nil if weights are used
	weights   []weights         // for linear machines: of each block
	blocks    []block
	kept      bool                     // estimates of all vectors are kept
	ready     []atomic.Pointer[packed] // for each block, its packed machines if they are kept
	claimed   []atomic.Bool            // for each block, whether a goroutine has begun to pack it there
	spare     []*packed                // for each block, memory to pack it; nil: there is none
	asked     atomic.Int64             // how many times rows were filtered
	share     float64                  // share of M by which sums of estimates may be wrong, for any rows and vectors
	absolute  []float64                // for each machine, a
	constant  []float64                // for each machine, a constant to add to the sum of estimates; nil: 0
	signless  []float64                // for each machine, a bound on M for rows of size 1; nil if M is computed from sums by sign
	mixed     []bool                   // machines that have coefficients of both signs for a class; nil: there are none
	plain     bool                     // values are sums over two classes, M is the sum of their sizes, and only votes are needed
}

// release makes the filter ready for another model. Much of its memory is used again: the folds of a
// cross-validation have blocks of nearly the same sizes.
func (f *filter) release() {
	if f.estimator != nil {
		f.estimator.Release()
	}
	for n := range f.ready {
		if p := f.ready[n].Load(); p != nil {
			f.spare[n] = p
		}
	}
	clear(f.ready)
	clear(f.claimed)
	*f = filter{absolute: f.absolute, blocks: f.blocks[:0], ready: f.ready[:0], claimed: f.claimed[:0], spare: f.spare}
}

// relative returns the share of M by which machine i's values may be wrong for any row.
func (f *filter) relative(i int) float64 {
	return float64(float64(len(f.model.Machines[i].Coef)+8)*0x1p-50) + f.share
}

// largestCoef is the largest size of numbers that may be summed in float32.
const largestCoef = 1 << 60

// newFilter returns a filter for p, or nil if no filter helps.
func newFilter(p *Predictor) *filter {
	m := p.model
	if m.Task.Regresses() || m.Vote == models.Ensemble || m.Vectors.Len() == 0 {
		return nil
	}
	f := p.spareFilter
	if f == nil {
		f = new(filter)
	}
	p.spareFilter = nil
	f.layout = layout{m, p.start}
	if !f.use(m) {
		f.release()
		p.spareFilter = f
		return nil
	}
	return f
}

// use prepares the filter for its model. It returns false if it does not help.
func (f *filter) use(m *models.Model) bool {
	f.absolute = room(f.absolute, len(m.Machines))
	for i := range m.Machines {
		size := 0.0
		for _, c := range m.Machines[i].Coef {
			if !(math.Abs(c) <= largestCoef) {
				return false
			}
			size += math.Abs(c)
		}
		n := float64(len(m.Machines[i].Coef))
		f.absolute[i] = float64(size*(2*kernel.EstimateFloor)) + float64(n*0x1p-140) + float64(math.Abs(m.Machines[i].Rho)*0x1p-50)
	}
	k := m.Kernel
	if k == (kernel.Linear{}) {
		if f.blocks, f.weights = newWeights(&f.layout); f.weights != nil {
			return true
		}
		k = kernel.Poly{Degree: 1, Gamma: 1} // has the same values
	}
	if !f.summable() {
		return false
	}
	if f.estimator = kernel.NewEstimator(k, &m.Vectors); f.estimator == nil {
		return false
	}
	if !f.estimator.Worthwhile() && !anyFilter || !f.fits() {
		return false
	}
	f.share = (filterBlock + 4) * 0x1p-24
	f.measure()
	f.plain = f.paired() && m.Vote == models.OneVsOne && f.signless == nil
	f.divide()
	return true
}

// summable reports whether float32 can hold products of coefficients and estimates: the values of
// kernels other than the Gaussian may be as large as 2^100.
func (f *filter) summable() bool {
	if _, is := f.model.Kernel.(kernel.RBF); is {
		return true
	}
	for i := range f.model.Machines {
		for _, c := range f.model.Machines[i].Coef {
			if c := math.Abs(c); c > 1<<20 || c < 0x1p-100 && c > 0 {
				return false
			}
		}
	}
	return true
}

// anyFilter makes newFilter return filters that do not pay, for tests.
var anyFilter = false

// fits reports whether coefficients for all vectors of the machines' runs take no more memory than
// the model.
func (f *filter) fits() bool {
	places, coefs := 0, 0
	for i := range f.model.Machines {
		c := &f.model.Machines[i]
		spans := c.Spans(f.start)
		places += spans[0].To - spans[0].From + spans[1].To - spans[1].From
		coefs += len(c.Coef)
	}
	return places <= 4*coefs+f.model.Vectors.NNZ()
}

// measure sets the constants of the machines on which bounds depend.
func (f *filter) measure() {
	m := f.model
	complement := f.estimator.Complement()
	if complement {
		f.constant = make([]float64, len(m.Machines))
		for i := range m.Machines {
			size := 0.0
			for _, c := range m.Machines[i].Coef {
				f.constant[i] += c
				size += math.Abs(c)
			}
			f.absolute[i] += float64(float64(len(m.Machines[i].Coef)+8) * 0x1p-50 * size)
		}
	}
	if _, is := m.Kernel.(kernel.RBF); is && !complement && !f.anyMixed() {
		return
	}
	f.signless, f.mixed = make([]float64, len(m.Machines)), make([]bool, len(m.Machines))
	f.eachMember(func(e member, run models.Span) {
		size := 0.0
		for k, c := range e.coef {
			at := run.From + k
			if e.listed != nil {
				at = int(e.listed[k])
			}
			size += float64(math.Abs(c) * f.estimator.Weight(at))
		}
		f.signless[e.machine] += float64(1.1 * size) // estimates may be a tenth too large
		f.mixed[e.machine] = f.mixed[e.machine] || mixed(e.coef)
	})
}

// eachMember calls f for the members of all runs.
func (l *layout) eachMember(f func(e member, run models.Span)) {
	for i := range l.model.Machines {
		runs := [...]int{0, 0}
		if c := &l.model.Machines[i]; l.paired() {
			runs = [...]int{c.Pos, c.Neg}
		}
		for k, g := range runs {
			if k == 0 || g != runs[0] {
				f(l.member(i, i, g), l.run(g))
			}
		}
	}
}

// anyMixed reports whether some machine has coefficients of both signs for a run.
func (f *filter) anyMixed() bool {
	for i := range f.model.Machines {
		c := &f.model.Machines[i]
		first := len(c.Coef) // coefficients for the first run
		if f.paired() {
			first = f.run(c.Pos).To - f.run(c.Pos).From
			if c.Index != nil {
				first, _ = slices.BinarySearch(c.Index, int32(f.run(c.Pos).To))
			}
		}
		if mixed(c.Coef[:first]) || mixed(c.Coef[first:]) {
			return true
		}
	}
	return false
}

// mixed reports whether coefficients have both signs. It has no branch, which would often be
// predicted wrongly.
func mixed(coef []float64) bool {
	above, below := uint64(0), uint64(0)
	for _, c := range coef {
		bits := math.Float64bits(c)
		size, negative := bits<<1, uint64(int64(bits)>>63)
		above |= size &^ negative
		below |= size & negative
	}
	return above != 0 && below != 0
}

// divide divides the machines into blocks.
func (f *filter) divide() {
	switch {
	case !f.manyClasses():
		f.blocks = append(f.blocks, f.all())
	case f.model.Vectors.Len() <= keptVectors:
		f.blocks, f.kept = f.layout.blocks(f.blocks, firstKept, secondKept), true
	default:
		f.blocks = f.layout.blocks(f.blocks, firstAgain, secondAgain)
	}
	n := len(f.blocks)
	f.ready, f.claimed = slices.Grow(f.ready, n)[:n], slices.Grow(f.claimed, n)[:n]
	clear(f.spare[min(n, len(f.spare)):]) // what is not of use may be much
	f.spare = append(f.spare, make([]*packed, max(n-len(f.spare), 0))...)
}
