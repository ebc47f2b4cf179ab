// Package newton minimises strongly convex functions by Newton's method with Armijo's rule for the
// length of a step.
package newton

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/slimsvm/slimsvm/train/internal/cholesky"
)

// Problem: given a strongly convex F from R^n to R, with gradient g and Hessian or generalised
// Hessian H, find the w that minimises F.
//
// Method: Newton's steps, shortened by Armijo's rule:
//
//	d = -H(w)^-1 g(w)
//	w becomes w + l d, l = 1, 1/2, 1/4, ..., the first with
//	F(w) - F(w + l d) >= -Delta l g(w)'d
//
// It ends when |g(w)| <= Tolerance (1 + |w|). The caller evaluates F with its derivatives. For a
// sum over rows, each evaluation is one pass over them; few are wasted, because near the end steps
// usually have length 1.
//
// Armijo, "Minimization of functions having Lipschitz continuous first partial derivatives", 1966;
// Lee and Mangasarian, "SSVM: a smooth support vector machine", 2001, algorithm 3.1.

// Options say when a minimisation ends.
type Options struct {
	Tolerance float64 // of the gradient's norm, relative to 1 + |w|
	Steps     int     // most Newton steps
}

// Validate returns an error that says which option is not valid.
func (o Options) Validate() error {
	switch {
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 0):
		return fmt.Errorf("tolerance %v is not a positive number", o.Tolerance)
	case o.Steps < 1:
		return fmt.Errorf("%d Newton steps, expected 1 at least", o.Steps)
	}
	return nil
}

const (
	// delta is the share of the decrease promised by the slope that a step has to achieve. This is
	// the usual small number.
	delta = 1e-4
	// rounding is the assumed relative error of the sums that make up F. Smaller differences mean
	// nothing.
	rounding = 1e-13
	// blurred is the relative difference that rounding may hide in bad cases: sums that have a
	// large cost and terms of either sign.
	blurred = 1e-8
	// shortest is the length of a step below which the search ends.
	shortest = 1.0 / (1 << 40)
)

// A Status says how a minimisation stands.
type Status int

// The states.
const (
	Running   Status = iota
	Converged        // the gradient is as small as asked for
	Stalled          // rounding errors allow nothing better
	Limit            // the number of steps has reached its limit
)

// ErrNotFinite reports that F or one of its derivatives is not finite.
var ErrNotFinite = errors.New("the function to minimise has values that are not finite")

// A Minimizer is a minimisation that asks for F at one point after the other.
type Minimizer struct {
	o      Options
	status Status
	begun  bool // F was evaluated at w
	steps  int

	w     []float64 // the best point so far
	value float64   // F(w)
	norm  float64   // |g(w)|

	d      []float64 // direction from w
	slope  float64   // g(w)'d, negative
	length float64   // of the step to point
	point  []float64 // where F is needed next
}

// factors holds *cholesky.Factor values. A minimisation needs one only during Advance.
var factors = sync.Pool{New: func() any { return new(cholesky.Factor) }}

// New returns a minimisation that starts at a copy of start.
func New(start []float64, o Options) *Minimizer {
	n := len(start)
	return &Minimizer{
		o: o, w: make([]float64, n), point: append(make([]float64, 0, n), start...),
	}
}

// Point returns where F is needed next, valid until Advance, or nil at the end.
func (m *Minimizer) Point() []float64 { return m.point }

// Best returns the best point so far; at the end, it is the solution. It is valid until the next
// Advance.
func (m *Minimizer) Best() []float64 { return m.w }

// Value returns F at the best point.
func (m *Minimizer) Value() float64 { return m.value }

// Gradient returns the norm of the gradient at the best point, relative to 1 + |w|.
func (m *Minimizer) Gradient() float64 { return m.norm / (1 + norm(m.w)) }

// Steps returns the number of steps so far.
func (m *Minimizer) Steps() int { return m.steps }

// Status returns how the minimisation stands.
func (m *Minimizer) Status() Status { return m.status }

// At returns the minimisation, which has ended, as one in other unknowns, whose best point is w. The
// change of unknowns must not change lengths.
func (m *Minimizer) At(w []float64) *Minimizer {
	moved := *m
	moved.w = w
	return &moved
}

// Advance goes on to the next point, given F, its gradient of length n, and the upper
// triangle of its Hessian, n by n in rows, at Point. It keeps none of the slices and may change the
// Hessian. The error is ErrNotFinite, at the start only, or that of ctx, after which the
// minimisation cannot continue.
func (m *Minimizer) Advance(ctx context.Context, value float64, gradient, hessian []float64) error {
	n := len(m.w)
	if len(gradient) != n || len(hessian) != n*n {
		panic(fmt.Sprintf("newton: %d and %d derivatives for %d unknowns", len(gradient), len(hessian), n))
	}
	if m.status != Running {
		panic("newton: a point is given after the end")
	}
	size := norm(gradient)
	finite := !math.IsNaN(value+size) && !math.IsInf(value+size, 0)
	switch {
	case !m.begun && !finite:
		return ErrNotFinite
	case m.begun && !(finite && m.accept(value, size)):
		if m.length /= 2; m.length < shortest {
			m.status = Stalled
			m.release()
			return nil
		}
		m.setPoint()
		return nil
	case m.begun:
		m.steps++
	}
	m.begun = true
	copy(m.w, m.point)
	m.value, m.norm = value, size
	switch {
	case m.Gradient() <= m.o.Tolerance:
		m.status = Converged
	case m.steps >= m.o.Steps:
		m.status = Limit
	default:
		if err := m.setDirection(ctx, gradient, hessian); err != nil {
			return err
		}
	}
	if m.status != Running {
		m.release()
	}
	return nil
}

// release frees vectors that are no longer used after the end. They may be large.
func (m *Minimizer) release() { m.d, m.point = nil, nil }

// accept reports whether a point with this value and gradient norm is good enough. If the values
// differ only by what may be rounding errors, the gradient decides. F is strongly convex, so the
// solution is where the gradient is 0, and a gradient that is halved step by step leads there,
// whatever the computed values say.
func (m *Minimizer) accept(value, size float64) bool {
	promised := -delta * m.length * m.slope
	if m.value-value >= promised {
		return true
	}
	if -m.slope*m.length <= blurred*(1+math.Abs(m.value)) && size <= m.norm/2 {
		return true
	}
	noise := float64(rounding * (1 + math.Abs(m.value)))
	return -m.slope*m.length <= noise/delta && value <= m.value+noise && size < m.norm
}

// setDirection finds the direction and sets the point of the full step.
func (m *Minimizer) setDirection(ctx context.Context, gradient, hessian []float64) error {
	n := len(m.w)
	factor := factors.Get().(*cholesky.Factor)
	defer factors.Put(factor)
	// if rounding has made the Hessian singular, add multiples of the identity
	for shift := 0.0; ; {
		err := factor.Factorize(ctx, hessian, n)
		if err == nil {
			break
		}
		if !errors.Is(err, cholesky.ErrNotPositive) {
			return err
		}
		trace := 0.0
		for i := range n {
			trace += hessian[i*n+i]
		}
		if shift = max(10*shift, trace/float64(n)*0x1p-44); math.IsNaN(shift) || math.IsInf(shift, 0) {
			m.status = Stalled
			return nil
		}
		for i := range n {
			hessian[i*n+i] += shift
		}
	}
	if m.d == nil {
		m.d = make([]float64, n)
	}
	factor.SolveTo(m.d, gradient)
	m.slope = 0
	for i := range m.d {
		m.d[i] = -m.d[i]
		m.slope += float64(m.d[i] * gradient[i])
	}
	if !(m.slope < 0) {
		m.status = Stalled
		return nil
	}
	m.length = 1
	m.setPoint()
	return nil
}

// setPoint sets point to w + length d.
func (m *Minimizer) setPoint() {
	for i, d := range m.d {
		m.point[i] = m.w[i] + float64(m.length*d)
	}
}

// norm returns the Euclidean norm.
func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}
