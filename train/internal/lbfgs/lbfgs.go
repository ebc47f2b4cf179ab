// Package lbfgs minimises smooth functions of many variables.
package lbfgs

import (
	"context"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: min f(x) for a smooth f with known gradient and so many variables that no matrix of them
// fits into memory.
//
// Method: the limited-memory quasi-Newton method of Liu and Nocedal, "On the limited memory BFGS
// method for large scale optimization" (1989). The two-loop recursion gives the direction from the
// last Memory changes of x and of the gradient. A line search that ends with the strong Wolfe
// conditions gives the step along it (search.go). f decreases in every iteration. All sums have a
// fixed order (sums.go).

// A Func returns f(x) and writes the gradient at x to gradient.
type Func func(x, gradient []float64) float64

// Settings are the method's parameters.
type Settings struct {
	Memory int // pairs of changes that are kept
	// Evaluations is the largest number of calls of the function. One more may be needed for the
	// last line search to return to its best point.
	Evaluations int
	Decrease    float64 // relative decrease of f in an iteration below which the search ends
	Gradient    float64 // norm of the gradient, relative to max(1, |x|), below which the search ends
}

// Default returns the usual settings.
func Default() Settings {
	return Settings{Memory: 20, Evaluations: 300, Decrease: 1e-9, Gradient: 1e-7}
}

// Validate returns an error that says which setting is not valid.
func (s Settings) Validate() error {
	switch {
	case s.Memory < 1:
		return fmt.Errorf("memory of %d changes, expected at least 1", s.Memory)
	case s.Evaluations < 1:
		return fmt.Errorf("%d evaluations, expected at least 1", s.Evaluations)
	case !(s.Decrease >= 0) || !(s.Gradient >= 0):
		return fmt.Errorf("tolerances %v and %v, expected numbers from 0", s.Decrease, s.Gradient)
	}
	return nil
}

// A State is the state of a minimisation after an iteration.
type State struct {
	X, Gradient []float64 // must not be changed
	Value       float64
	Iterations  int
	Evaluations int
}

// Minimize moves x to a point where f is small and returns the state where it ended. each, if not
// nil, is called with every iterate, the first included, and ends the search by returning false; x
// is then the last iterate. Values and gradients that are not finite count as far too large. The
// error is ctx's, or ErrStart.
func Minimize(ctx context.Context, f Func, x []float64, s Settings, each func(State) bool) (State, error) {
	if err := s.Validate(); err != nil {
		panic("lbfgs: " + err.Error())
	}
	m := &minimizer{Settings: s, ctx: ctx, f: f, trial: make([]float64, len(x)), trialGradient: make([]float64, len(x)), direction: make([]float64, len(x))}
	st := State{X: x, Gradient: make([]float64, len(x))}
	st.Value = m.value(x, st.Gradient)
	st.Evaluations = m.evaluations
	if err := ended.Err(ctx); err != nil {
		return st, err // f may have stopped before it was done
	}
	if !finite(st.Value) || !finite(m.dot(st.Gradient, st.Gradient)) {
		return st, ErrStart
	}
	for each == nil || each(st) {
		if err := ended.Err(ctx); err != nil {
			return st, err
		}
		if m.norm(st.Gradient) <= s.Gradient*max(1, m.norm(x)) || m.evaluations >= s.Evaluations {
			break
		}
		before := st.Value
		if !m.step(&st) {
			if len(m.changes) == 0 {
				break
			}
			m.changes = m.changes[:0] // forget the changes and try steepest descent
			if !m.step(&st) {
				break
			}
		}
		st.Iterations++
		st.Evaluations = m.evaluations
		if before-st.Value <= s.Decrease*max(math.Abs(before), math.Abs(st.Value)) {
			if each != nil {
				each(st)
			}
			break
		}
	}
	st.Evaluations = m.evaluations
	return st, ended.Err(ctx)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// ErrStart reports that the function, or the square of its gradient, is not finite where the search
// begins.
var ErrStart = fmt.Errorf("the function is not finite at the start")

type minimizer struct {
	Settings
	ctx           context.Context // the context of Minimize's caller
	f             Func
	evaluations   int
	changes       []change // oldest first
	trial         []float64
	trialGradient []float64
	direction     []float64
}

// A change is the difference that an iteration made to x and to the gradient.
type change struct {
	dx, dg []float64
	rho    float64 // 1/(dx.dg)
	alpha  float64 // used by the two-loop recursion
}

func (m *minimizer) value(x, gradient []float64) float64 {
	m.evaluations++
	return m.f(x, gradient)
}

// step moves st to the next iterate and reports whether there is one.
func (m *minimizer) step(st *State) bool {
	m.setDirection(st.Gradient)
	slope := m.dot(m.direction, st.Gradient)
	if !(slope < 0) {
		return false
	}
	length := 1.0
	if len(m.changes) == 0 {
		length = min(1, 1/m.norm(st.Gradient))
	}
	value, ok := m.search(st, slope, length)
	if !ok {
		return false
	}
	c := m.change()
	for i, v := range m.trial {
		c.dx[i] = v - st.X[i]
		c.dg[i] = m.trialGradient[i] - st.Gradient[i]
	}
	copy(st.X, m.trial)
	copy(st.Gradient, m.trialGradient)
	st.Value = value
	if curvature := m.dot(c.dx, c.dg); curvature > 1e-300 && !math.IsInf(1/curvature, 0) {
		c.rho = 1 / curvature
		m.changes = append(m.changes, c)
	}
	return true
}

// change returns memory for a change. If there are as many changes as Memory allows, it is the
// memory of the oldest one, which is then forgotten.
func (m *minimizer) change() change {
	if n := len(m.trial); len(m.changes) < m.Memory {
		return change{dx: make([]float64, n), dg: make([]float64, n)}
	}
	c := m.changes[0]
	m.changes = append(m.changes[:0], m.changes[1:]...)
	return c
}

// setDirection sets the direction: minus the approximate inverse Hessian times the gradient.
func (m *minimizer) setDirection(gradient []float64) {
	d := m.direction
	for i, g := range gradient {
		d[i] = -g
	}
	n := len(m.changes)
	if n == 0 {
		return
	}
	product := m.dot(m.changes[n-1].dx, d)
	for k := n - 1; k >= 0; k-- {
		c := &m.changes[k]
		c.alpha = c.rho * product
		if k > 0 {
			product = m.addAndDot(d, -c.alpha, c.dg, m.changes[k-1].dx)
		} else {
			m.add(d, -c.alpha, c.dg)
		}
	}
	last := &m.changes[n-1]
	scale := 1 / (last.rho * m.dot(last.dg, last.dg))
	for i := range d {
		d[i] *= scale
	}
	product = m.dot(m.changes[0].dg, d)
	for k := range m.changes {
		c := &m.changes[k]
		step := c.alpha - float64(c.rho*product)
		if k+1 < n {
			product = m.addAndDot(d, step, c.dx, m.changes[k+1].dg)
		} else {
			m.add(d, step, c.dx)
		}
	}
}
