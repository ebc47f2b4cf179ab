package predict

import (
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/internal/combine"
)

// Problem: the answers of a classifier, which depend on nothing but the signs of
//
//	f_m(x) = sum_i c_mi K(z_i, x) - rho_m
//
// as the Decisions of the predictor are rounded.
//
// Method: a floating-point filter (S. Fortune and C. J. van Wyk, "Efficient exact
// arithmetic for computational geometry", 1993). The values are computed sooner, with
// a bound on the difference to what the Decisions are, and only those that are no
// larger than their bound, and on which the answer depends, are computed again.
//
// A bound is a share of M = sum_i |c_mi| |K(z_i, x)|. Where K is positive the coefficients
// of a machine have one sign for each of its classes, if it is LIBSVM's, so that M is the
// sum of the sizes of two sums that are there anyway. Else |K| <= s w_i takes the
// place of K, with the size s of a row and weights w_i of the vectors, so that sum_i |c_mi| w_i
// is known before. With u = 2^-24 and estimates K' of the values,
//
//	|f' - f| <= (e + (b+4) u + (n+8) 2^-50) 1.05 M' + a:
//
// e is the error of the row's estimates; c is rounded to float32, and b products at a
// time are summed in it; n is the number of vectors, for sums in float64 there and
// here; a has what is too small for that. Where estimates are of 1 - K, f is a constant less
// their sum, and all of this is said of 1 - K; only what float64 rounds is a share of
// sum_i |c_mi|.

// filterBlock is the number b of vectors at a time, whose values fit the first level
// of a processor's cache.
const filterBlock = 32

// filterRows is the number of rows at a time.
const filterRows = kernel.EstimateRows

// A filter computes values with bounds for rows of a model.
type filter struct {
	model     *models.Model
	estimator *kernel.Estimator // or
	weights   *weights
	runs      []filterRun
	relative  []float64 // of each machine, the share of M that does not depend on rows
	absolute  []float64 // of each machine
	constant  []float64 // of each machine, what the sum of estimates is added to
	// of each machine, bounds on M for rows of size 1: for what is not summed by sign, and for all
	mixed, signless []float64
	coefs           []float32 // of all runs
}

// coefRooms is memory for coefs of filters to come.
var coefRooms = sync.Pool{New: func() any { return new([]float32) }}

// release gives the filter's memory to later ones.
func (f *filter) release() {
	if f.estimator != nil {
		f.estimator.Release()
	}
	if f.coefs != nil {
		coefRooms.Put(&f.coefs)
	}
}

type filterRun struct {
	models.Span
	machines []estimated
}

// estimated is a machine in a run.
type estimated struct {
	machine int
	coef    []float32
	mixed   bool // not all of one sign
}

// largestCoef bounds what may be summed in float32.
const largestCoef = 1 << 60

// newFilter returns a filter for p, nil if none is of use.
func newFilter(p *Predictor) *filter {
	m := p.model
	if m.Task.Regresses() || m.Vote == models.Ensemble || m.Vectors.Len() == 0 {
		return nil
	}
	f := &filter{model: m}
	for i := range m.Machines {
		size := 0.0
		for _, c := range m.Machines[i].Coef {
			if !(math.Abs(c) <= largestCoef) {
				return nil
			}
			size += math.Abs(c)
		}
		n := float64(len(m.Machines[i].Coef))
		f.relative = append(f.relative, (n+8)*0x1p-50)
		f.absolute = append(f.absolute, size*(2*kernel.EstimateFloor)+n*0x1p-140+math.Abs(m.Machines[i].Rho)*0x1p-50)
	}
	f.mixed, f.signless, f.constant = make([]float64, len(m.Machines)), make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
	if m.Kernel == (kernel.Linear{}) {
		if f.weights = newWeights(m, p.start); f.weights == nil {
			return nil
		}
		return f
	}
	if !f.summable() {
		return nil
	}
	if f.estimator = kernel.NewEstimator(m.Kernel, &m.Vectors); f.estimator == nil {
		return nil
	}
	if !f.estimator.Pays() && !anyFilter || !f.setRuns(p.start) {
		f.estimator.Release()
		return nil
	}
	for i := range m.Machines {
		f.relative[i] += (filterBlock + 4) * 0x1p-24
		if f.estimator.Complement() {
			size := 0.0
			for _, c := range m.Machines[i].Coef {
				f.constant[i] += c
				size += math.Abs(c)
			}
			f.absolute[i] += float64(len(m.Machines[i].Coef)+8) * 0x1p-50 * size
		}
	}
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

// setRuns sets the runs, unless they would take more memory than the model does.
func (f *filter) setRuns(start []int) bool {
	b := banks.Get().(*bank)
	defer b.release()
	b.model = f.model
	b.setRuns(start)
	places, coefs := 0, 0
	for g := range b.runs {
		for _, e := range b.runs[g].machines {
			places += b.runs[g].To - b.runs[g].From
			coefs += len(e.coef)
		}
	}
	if places > 4*coefs+f.model.Vectors.NNZ() {
		return false
	}
	sign := 1.0
	if f.estimator.Complement() {
		sign = -1
	}
	f.runs = make([]filterRun, len(b.runs))
	f.coefs = *coefRooms.Get().(*[]float32)
	f.coefs = slices.Grow(f.coefs[:0], places)[:places]
	clear(f.coefs)
	all := f.coefs
	for g := range b.runs {
		r := &b.runs[g]
		f.runs[g] = filterRun{r.Span, make([]estimated, 0, len(r.machines))}
		for _, e := range r.machines {
			n := r.To - r.From
			member := estimated{machine: e.machine, coef: all[:n:n]}
			all = all[n:]
			low, high, size := 0.0, 0.0, 0.0
			for k, c := range e.coef {
				at := k
				if e.listed != nil {
					at = int(e.listed[k]) - r.From
				}
				member.coef[at] = float32(sign * c)
				low, high = min(low, c), max(high, c)
				size += math.Abs(c) * f.estimator.Weight(r.From+at)
			}
			size *= 1.1 // estimates may be a tenth too large
			f.signless[e.machine] += size
			if member.mixed = low < 0 && high > 0; member.mixed {
				f.mixed[e.machine] += size
			}
			f.runs[g].machines = append(f.runs[g].machines, member)
		}
	}
	return true
}

// filtered is what a filter finds out about rows. The zero filtered is ready.
type filtered struct {
	sums, sizes []float64           // of machine m and row r, at [filterRows*m+r]: f + rho, and M
	errors      [filterRows]float64 // of each row, the share of M by which sums may be wrong beside the machine's
	estimates   kernel.Estimates
	tile        []float32
	run         []float64 // sums of a run
	into        [][]float64
	coef        [][]float32
}

// values computes sums, sizes and errors for xs, at most filterRows rows.
func (s *filtered) values(f *filter, xs []vec.Vector) {
	machines := len(f.model.Machines)
	s.sums, s.sizes = room(s.sums, machines*filterRows), room(s.sizes, machines*filterRows)
	if f.weights != nil {
		f.weights.valuesTo(s, xs)
		return
	}
	s.estimates.Pack(f.estimator, xs)
	for r := range xs {
		s.errors[r] = s.estimates.Error(r)
	}
	for m := range machines {
		sums, sizes := s.sums[m*filterRows:][:filterRows], s.sizes[m*filterRows:][:filterRows]
		for r := range xs {
			sums[r], sizes[r] = f.constant[m], f.mixed[m]*s.estimates.Size(r)
			if !s.estimates.Relative(r) {
				sizes[r] = f.signless[m] * s.estimates.Size(r)
			}
		}
	}
	if s.tile == nil {
		s.tile = make([]float32, filterBlock*filterRows)
	}
	for g := range f.runs {
		s.addRun(&f.runs[g])
	}
}

// addRun adds the machines' sums over the vectors of a run.
func (s *filtered) addRun(run *filterRun) {
	s.run = room(s.run, len(run.machines)*filterRows)
	clear(s.run)
	s.into = s.into[:0]
	for k := range run.machines {
		s.into = append(s.into, s.run[k*filterRows:][:filterRows])
	}
	for from := run.From; from < run.To; from += filterBlock {
		to := min(from+filterBlock, run.To)
		tile := s.tile[:(to-from)*filterRows]
		s.estimates.EvaluateTo(tile, from, to)
		s.coef = s.coef[:0]
		for k := range run.machines {
			s.coef = append(s.coef, run.machines[k].coef[from-run.From:to-run.From])
		}
		combine.AddEstimatesTo(s.into, s.coef, tile)
	}
	for k := range run.machines {
		e := &run.machines[k]
		sums, sizes := s.sums[e.machine*filterRows:][:filterRows], s.sizes[e.machine*filterRows:][:filterRows]
		if !e.mixed {
			combine.AddSizesTo((*[filterRows]float64)(sums), (*[filterRows]float64)(sizes), (*[filterRows]float64)(s.into[k]))
			continue
		}
		for r, v := range s.into[k][:filterRows] {
			sums[r] += v
		}
	}
}

// bound returns the bound on the error of machine m's value for row r.
func (s *filtered) bound(f *filter, m, r int) float64 {
	return (s.errors[r]+f.relative[m])*1.05*s.sizes[m*filterRows+r] + f.absolute[m]
}
