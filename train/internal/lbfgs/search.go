package lbfgs

import "math"

// Problem: along a direction d in which f decreases, find a step a with the strong Wolfe conditions
//
//	f(x + a d) <= f(x) + c1 a f'(x)d    and    |f'(x + a d)d| <= c2 |f'(x)d|.
//
// Method: steps grow until they bracket such an a; then the bracket shrinks by cubic interpolation
// (Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6). There is one difference:
// their method ends a bracket at a step whose value is no lower than that of the step before. Here
// the steps keep growing in that case, if f has decreased enough from the start and is still
// decreasing.

const (
	sufficient = 1e-4 // c1
	flat       = 0.9  // c2
	growth     = 4    // factor for a step that is too short
	tries      = 30   // largest number of steps
)

// A point is a step with the value and the slope of f there.
type point struct{ step, value, slope float64 }

// search leaves the next iterate in trial and trialGradient and returns its value. It reports
// whether the value is lower than at the start, even if the slope is still too steep.
func (m *minimizer) search(st *State, slope, length float64) (float64, bool) {
	start := point{0, st.Value, slope}
	// low is the last step that decreases f enough; once there is a bracket, the best such step
	low, step := start, length
	var high point
	bracketed := false
	var at point
	for range tries {
		at = m.try(st, step)
		switch {
		case !(at.value <= start.value+float64(sufficient*step*slope)) || bracketed && at.value >= low.value:
			high, bracketed = at, true
		case math.Abs(at.slope) <= -flat*slope:
			return at.value, true
		case bracketed:
			if at.slope*(high.step-low.step) >= 0 {
				high = low
			}
			low = at
		case at.slope >= 0:
			high, low, bracketed = low, at, true
		default:
			low = at
		}
		if m.evaluations >= m.Evaluations {
			break
		}
		if !bracketed {
			step *= growth
			continue
		}
		step = between(low, high)
		if math.Abs(high.step-low.step) <= 1e-12*max(low.step, high.step) {
			break
		}
	}
	if low.step == 0 {
		return 0, false
	}
	if at.step != low.step {
		low = m.try(st, low.step)
	}
	return low.value, low.value < start.value
}

// try evaluates f after a step. If the value or the gradient is not finite, the point's value is
// infinite.
func (m *minimizer) try(st *State, step float64) point {
	for i, d := range m.direction {
		m.trial[i] = st.X[i] + float64(step*d)
	}
	at := point{step: step, value: m.value(m.trial, m.trialGradient)}
	at.slope = m.dot(m.direction, m.trialGradient)
	if !finite(at.value) || !finite(at.slope) || !finite(m.dot(m.trialGradient, m.trialGradient)) {
		at.value = math.Inf(1)
	}
	return at
}

// between returns the minimum of the cubic through two points, kept away from both ends.
func between(a, b point) float64 {
	width := b.step - a.step
	middle := a.step + float64(width/2)
	if math.IsNaN(b.value) || math.IsInf(b.value, 0) || math.IsNaN(b.slope) {
		return a.step + width/10
	}
	d1 := a.slope + b.slope - 3*(a.value-b.value)/(a.step-b.step)
	d2 := float64(d1*d1) - float64(a.slope*b.slope)
	if !(d2 >= 0) {
		return middle
	}
	d2 = math.Copysign(math.Sqrt(d2), width)
	step := b.step - width*(b.slope+d2-d1)/(b.slope-a.slope+float64(2*d2))
	low, high := a.step+width/10, b.step-width/10
	if low > high {
		low, high = high, low
	}
	if !(step >= low && step <= high) {
		if math.IsNaN(step) {
			return middle
		}
		step = min(max(step, low), high)
	}
	return step
}
