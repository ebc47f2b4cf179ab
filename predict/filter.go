package predict

import (
	"math"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: find the answers of a classifier, which depend only on the signs of
//
//	f_m(x) = sum_i c_mi K(z_i, x) - rho_m
//
// as the predictor's Decisions are rounded.
//
// Method: a floating-point filter (S. Fortune and C. J. van Wyk, "Efficient exact arithmetic for
// computational geometry", 1993). The values are computed in a faster way, with a bound on their
// difference from the Decisions. Only values that are no larger than their bound, and on which the
// answer depends, are computed again.
//
// A bound is a multiple of M = sum_i |c_mi| |K(z_i, x)|. If K is positive, and the model is
// LIBSVM's, a machine's coefficients have one sign for each of its classes, so M is the sum of the
// sizes of two sums that are computed anyway. Otherwise |K| <= s w_i takes the place of K, with the
// size s of a row and weights w_i of the vectors, so that sum_i |c_mi| w_i is known beforehand.
// With u = 2^-24 and estimates K' of the values,
//
//	|f' - f| <= (e + (b+4) u + (n+8) 2^-50) 1.05 M' + a:
//
// e is the error of the row's estimates. c is rounded to float32, and b products at a time are
// summed in float32. n is the number of vectors, for sums in float64 on both sides. a covers what
// is too small for these terms. If estimates are of 1 - K, f is a constant less their sum, and all
// of this holds for 1 - K; only the rounding in float64 is a multiple of sum_i |c_mi|.

// filterBlock is the number b of vectors at a time, whose values fit the first level
// of a processor's cache.
const filterBlock = 32

// filterRows is the number of rows at a time.
const filterRows = kernel.EstimateRows

// Machines of many classes are worked on in blocks, whose sums the first-level cache holds, as estimates of all vectors serve
// all blocks: of up to keptVectors they are kept, up to 8 MB of them, less than the
// model; of more they are computed again for each, and so blocks are larger.
const (
	oneBlock                = 48 // classes, or less
	firstKept, secondKept   = 6, 6
	firstAgain, secondAgain = 60, 60
)

// keptVectors is what it is but in tests.
var keptVectors = 1 << 15

// A filter computes values with bounds for rows of a model.
type filter struct {
	layout
	estimator *kernel.Estimator // or
	weights   []weights         // of each block
	blocks    []block
	kept      bool                     // estimates of all vectors are
	ready     []atomic.Pointer[packed] // of each block that is kept
	asked     atomic.Int64             // how many times rows were
	share     float64                  // of M by which sums of estimates may be wrong, whatever rows and vectors
	absolute  []float64
	constant  []float64 // of each machine, what the sum of estimates is added to; nil: 0
	signless  []float64 // of each machine, a bound on M for rows of size 1; nil if sums by sign do
	mixed     []bool    // machines some of whose classes have not one sign; nil: none
	plain     bool      // values are sums of two classes, and M that of their sizes, and nothing but votes is asked for
}

// release gives the filter's memory to later ones.
func (f *filter) release() {
	if f.estimator != nil {
		f.estimator.Release()
	}
	for n := range f.ready {
		if p := f.ready[n].Load(); p != nil {
			packs.Put(p)
		}
	}
}

// relative returns the share of M by which machine i's values may be wrong that does not depend on rows.
func (f *filter) relative(i int) float64 {
	return float64(float64(len(f.model.Machines[i].Coef)+8)*0x1p-50) + f.share
}

// largestCoef bounds what may be summed in float32.
const largestCoef = 1 << 60

// newFilter returns a filter for p, nil if none is of use.
func newFilter(p *Predictor) *filter {
	m := p.model
	if m.Task.Regresses() || m.Vote == models.Ensemble || m.Vectors.Len() == 0 {
		return nil
	}
	f := &filter{layout: layout{m, p.start}, absolute: make([]float64, len(m.Machines))}
	for i := range m.Machines {
		size := 0.0
		for _, c := range m.Machines[i].Coef {
			if !(math.Abs(c) <= largestCoef) {
				return nil
			}
			size += math.Abs(c)
		}
		n := float64(len(m.Machines[i].Coef))
		f.absolute[i] = float64(size*(2*kernel.EstimateFloor)) + float64(n*0x1p-140) + float64(math.Abs(m.Machines[i].Rho)*0x1p-50)
	}
	k := m.Kernel
	if k == (kernel.Linear{}) {
		if f.blocks, f.weights = newWeights(&f.layout); f.weights != nil {
			return f
		}
		k = kernel.Poly{Degree: 1, Gamma: 1} // whose values are the same
	}
	if !f.summable() {
		return nil
	}
	if f.estimator = kernel.NewEstimator(k, &m.Vectors); f.estimator == nil {
		return nil
	}
	if !f.estimator.Pays() && !anyFilter || !f.fits() {
		f.estimator.Release()
		return nil
	}
	f.share = (filterBlock + 4) * 0x1p-24
	f.measure()
	f.plain = f.paired() && m.Vote == models.OneVsOne && f.signless == nil
	f.divide()
	return f
}

// summable reports whether coefficients times estimates are numbers of float32: other kernels
// than the Gaussian may have values of 2^100.
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

// anyFilter makes filters even where they do not pay, for tests.
var anyFilter = false

// fits reports whether coefficients of all vectors of the machines' runs take no more memory than the model.
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

// measure sets what bounds need to know of the machines.
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

// anyMixed reports whether the coefficients of a machine for a run have not one sign.
func (f *filter) anyMixed() (any bool) {
	f.eachMember(func(e member, _ models.Span) { any = any || mixed(e.coef) })
	return any
}

func mixed(coef []float64) bool {
	low, high := 0.0, 0.0
	for _, c := range coef {
		low, high = min(low, c), max(high, c)
	}
	return low < 0 && high > 0
}

// divide divides the machines into blocks.
func (f *filter) divide() {
	switch {
	case !f.paired() || len(f.model.Labels) <= oneBlock:
		f.blocks = []block{f.all()}
	case f.model.Vectors.Len() <= keptVectors:
		f.blocks, f.kept = f.layout.blocks(firstKept, secondKept), true
	default:
		f.blocks = f.layout.blocks(firstAgain, secondAgain)
	}
	f.ready = make([]atomic.Pointer[packed], len(f.blocks))
}
