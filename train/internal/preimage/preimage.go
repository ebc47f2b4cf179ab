// Package preimage finds vectors whose images approximate a point of a kernel's feature space.
package preimage

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
)

// Problem: given Psi = sum_i eta_i phi(x_i), find the vector z whose image, times some beta, is
// nearest to it. The best beta for z is g(z)/h(z), with
//
//	g(z) = Psi.phi(z) = sum_i eta_i k(x_i, z),   h(z) = k(z, z),
//
// and the squared distance that remains is |Psi|^2 - g^2/h. So z minimises
//
//	rho(z) = -g(z)^2 / h(z)
//
// whatever |Psi| is: it depends on the angle between Psi and phi(z). Its gradient is
//
//	-(2 g grad(g) h - g^2 grad(h)) / h^2.
//
// Method: rho is minimised from several starts, by differential evolution, descent or fixed-point
// iteration (see the type Method).
//
// Tang and Mazzoni, "Multiclass reduced-set support vector machines", ICML 2006, equations (8) and
// (9).

// Errors of targets for which there is no search for pre-images.
var (
	ErrKernel = errors.New("pre-images need a linear, polynomial or RBF kernel")
	ErrRBF    = errors.New("fixed-point iteration needs an RBF kernel")
	ErrZero   = errors.New("the point of feature space is 0: it has no direction")
	// ErrFar reports that the square of the point's norm overflows.
	ErrFar = errors.New("the point of feature space is too far from 0")
)

// mostDense is the largest number of values that a target's points may have if stored densely: 16
// GB.
const mostDense = 1 << 31

var denseLimit float64 = mostDense // smaller in a test

// Values returns about how many numbers the search holds in memory for a target with the given
// numbers of points and features. Points that are held sparsely take less.
func (s Search) Values(points, features int) float64 {
	members := s.Starts
	if s.Method == Evolution {
		members = 2 * s.population(features) // each member has a trial
	}
	n, m := float64(points), float64(members)
	return float64((n+m)*float64(features)) + float64(n*min(m, MaxPopulation))
}

// A Target is a point of feature space.
type Target struct {
	kernel kernel.Kernel
	index  []int32 // numbers of the features that occur
	*points
	eta   []float64 // 0 for the padding
	norms []float64
	// unit is a power of two by which features are divided, and kernel is the kernel with the same
	// values on the divided features: the rules that end searches expect features of usual size.
	unit float64
	// origin is subtracted from features before they are divided; nil: nothing is. It is used for
	// RBF kernels, which depend on differences only.
	origin []float64
	given  given
}

// given is the input from which a target was made.
type given struct {
	kernel kernel.Kernel
	points *vec.Matrix
	eta    []float64
}

// usualFrom and usualTo are the binary exponents of the largest feature for which features are not
// divided.
const usualFrom, usualTo = -2, 8

// unitOf returns the unit for features of at most the given size, and the kernel for divided
// features. If the kernel parameters cannot be scaled exactly, the unit is 1.
func unitOf(k kernel.Kernel, largest float64) (unit float64, in kernel.Kernel) {
	_, e := math.Frexp(largest)
	if largest == 0 || e >= usualFrom && e <= usualTo {
		return 1, k
	}
	scaled := func(gamma float64) (float64, bool) {
		g := math.Ldexp(gamma, 2*e)
		return g, gamma == 0 || math.Ldexp(g, -2*e) == gamma && math.Abs(g) <= math.MaxFloat64
	}
	switch k := k.(type) {
	case kernel.RBF:
		if g, ok := scaled(k.Gamma); ok {
			return math.Ldexp(1, e), kernel.RBF{Gamma: g}
		}
	case kernel.Poly:
		if g, ok := scaled(k.Gamma); ok {
			return math.Ldexp(1, e), kernel.Poly{Degree: k.Degree, Gamma: g, Coef0: k.Coef0}
		}
	}
	return 1, k
}

// NewTarget returns the point sum_i eta[i] phi(points[i]), which it keeps.
func NewTarget(k kernel.Kernel, points *vec.Matrix, eta []float64) (*Target, error) {
	return newTarget(k, points, eta, 0)
}

// newTarget is NewTarget. Pre-images may also have the features 1 to dimension.
func newTarget(k kernel.Kernel, points *vec.Matrix, eta []float64, dimension int) (*Target, error) {
	if len(eta) != points.Len() {
		panic("preimage: coefficients do not fit the points")
	}
	switch k.(type) {
	case kernel.Linear, kernel.Poly, kernel.RBF:
	default:
		return nil, fmt.Errorf("%w, not %s", ErrKernel, kernel.Name(k))
	}
	t := &Target{given: given{k, points, eta}}
	seen := map[int32]bool{}
	for f := range int32(dimension) {
		seen[f+1], t.index = true, append(t.index, f+1)
	}
	largest, count, entries := 0.0, 0, 0
	for i, e := range eta {
		if e == 0 {
			continue
		}
		x := points.Row(i)
		count++
		entries += len(x.Index)
		for n, f := range x.Index {
			largest = max(largest, math.Abs(x.Value[n]))
			if !seen[f] {
				seen[f] = true
				t.index = append(t.index, f)
			}
		}
	}
	if count == 0 {
		return nil, ErrZero
	}
	slices.Sort(t.index)
	lanes, features := columns.Padded(count), len(t.index)
	sparse := vec.IsSparse(entries, count, features)
	if !sparse && float64(lanes)*float64(features) > denseLimit {
		return nil, fmt.Errorf("%d vectors of %d features would take more than %d GB of memory", count, features, mostDense*8>>30)
	}
	t.eta, t.norms, t.unit = make([]float64, lanes), make([]float64, lanes), 1
	var all []entry
	var row []float64
	if sparse {
		all = make([]entry, 0, entries)
	} else {
		t.points, row = newDense(count, features), make([]float64, features)
	}
	at := 0
	for i, e := range eta {
		if e == 0 {
			continue
		}
		t.eta[at], t.norms[at] = e, points.SquaredNorm(i)
		x := points.Row(i)
		if sparse {
			for n, f := range x.Index {
				k, _ := slices.BinarySearch(t.index, f)
				all = append(all, entry{int32(k), int32(at), x.Value[n]})
			}
		} else {
			t.spread(row, x)
			t.points.set(at, row)
		}
		at++
	}
	if sparse {
		t.points = newSparse(count, features, all)
	}
	if rbf, ok := k.(kernel.RBF); ok && t.centre(rbf.Gamma) {
		largest = t.measure()
	}
	if t.unit, t.kernel = unitOf(k, largest); t.unit != 1 {
		t.points.divide(t.unit)
		for i := range t.norms {
			t.norms[i] = t.norms[i] / t.unit / t.unit
		}
	}
	return t, nil
}

// A feature is far from 0 if its values are more than farTimes as far from 0 as from each other,
// and gamma times their square is so large that rounding would matter. If all features were far,
// rounding would leave nothing of squared distances compared with squared norms, and searches judge
// the length of a step by squared norms.
const (
	farTimes  = 64
	farSquare = 1 << 20
)

// centre moves features that are far from 0 so that the middle of their values is 0. It reports
// whether there are any.
func (t *Target) centre(gamma float64) bool {
	for k := range t.index {
		values, whole := t.feature(k)
		if !whole {
			continue // some value is 0
		}
		low, high := slices.Min(values), slices.Max(values)
		middle := low + float64((high-low)/2)
		if !(gamma*middle*middle > farSquare && math.Abs(middle) > farTimes*(high-low)) || math.IsInf(middle, 0) {
			continue
		}
		if t.origin == nil {
			t.origin = make([]float64, len(t.index))
		}
		t.origin[k] = middle
		for i := range values {
			values[i] -= middle
		}
	}
	return t.origin != nil
}

// measure computes the squared norms of the points as they are now, and returns the size of the
// largest feature.
func (t *Target) measure() (largest float64) {
	clear(t.norms)
	for k := range t.index {
		t.addSquares(t.norms, k)
		values, _ := t.feature(k)
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// dim returns the number of features that a pre-image may have.
func (t *Target) dim() int { return len(t.index) }

// spread sets z to the features of v that the target knows.
func (t *Target) spread(z []float64, v vec.Vector) {
	clear(z)
	k := 0
	for n, f := range v.Index {
		for k < len(t.index) && t.index[k] < f {
			k++
		}
		if k < len(t.index) && t.index[k] == f {
			z[k] = v.Value[n]
		}
	}
	for k, o := range t.origin {
		z[k] -= o
	}
	if t.unit != 1 {
		for k := range z {
			z[k] /= t.unit
		}
	}
}

// vector returns z as a sparse vector in the original features.
func (t *Target) vector(z []float64) vec.Vector {
	var v vec.Vector
	for k, x := range z {
		x = float64(x * t.unit)
		if t.origin != nil {
			x += t.origin[k]
		}
		if x != 0 {
			v.Index, v.Value = append(v.Index, t.index[k]), append(v.Value, x)
		}
	}
	return v
}
