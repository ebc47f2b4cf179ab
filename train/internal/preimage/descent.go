package preimage

import (
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// Problem: a local minimum of a differentiable function, from a start.
//
// BFGS: the inverse Hessian is approximated by the changes s of x and y of the
// gradient of all steps. It is applied to a vector by going through these changes
// (Nocedal and Wright, "Numerical optimization", algorithm 7.4), which while all are
// kept is BFGS with the first step's scale s'y/y'y; beyond memory the oldest are
// forgotten. Steps meet Wolfe's conditions, found by doubling and halving.

// gradientEnd is the gradient at which a descent ends, in units of the value at the
// start: the functions are scaled to 1 there.
const gradientEnd = 1e-6

// Wolfe's constants: share of the promised decrease, and of the slope that may be
// left.
const (
	decrease = 1e-4
	flat     = 0.9
)

// memory returns the number of changes kept for d variables: those of all usual
// steps, unless they take more than some 50 MB.
func memory(d int) int { return max(10, min(200, 3_000_000/max(1, d))) }

type change struct {
	s, y []float64
	sy   float64
}

// descend moves x towards a minimum of f, which sets grad and returns the value. It
// takes at most so many steps.
func descend(f func(grad, x []float64) float64, x []float64, steps int) {
	d := len(x)
	grad, next, nextGrad, p := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	value := f(grad, x)
	var past []change
	most := memory(d)
	scale := 0.0
	factor := make([]float64, most)
	for range steps {
		norm := 0.0
		for _, g := range grad {
			norm = max(norm, math.Abs(g))
		}
		if !(norm > gradientEnd) || math.IsInf(norm, 0) {
			return
		}
		// p = -H grad
		copy(p, grad)
		for i := len(past) - 1; i >= 0; i-- {
			factor[i] = columns.Dot(past[i].s, p) / past[i].sy
			columns.Axpy(p, -factor[i], past[i].y)
		}
		if len(past) > 0 {
			for k := range p {
				p[k] *= scale
			}
		}
		for i := range past {
			b := columns.Dot(past[i].y, p) / past[i].sy
			columns.Axpy(p, factor[i]-b, past[i].s)
		}
		for k := range p {
			p[k] = -p[k]
		}
		down := columns.Dot(p, grad)
		if !(down < 0) { // rounding has spoiled the approximation
			past = past[:0]
			for k, g := range grad {
				p[k] = -g
			}
			down = columns.Dot(p, grad)
		}
		t := 1.0
		if len(past) == 0 {
			t = 0.1 * (1 + math.Sqrt(columns.Dot(x, x)/float64(d))) / norm
		}
		low, high := 0.0, math.Inf(1)
		v := math.NaN()
		for try := 0; ; try++ {
			if try == 40 {
				return
			}
			for k := range next {
				next[k] = x[k] + float64(t*p[k])
			}
			v = f(nextGrad, next)
			switch {
			case !(v <= value+float64(decrease*t*down)):
				high = t
			case columns.Dot(p, nextGrad) < flat*down:
				low = t
			default:
				high = 0
			}
			if high == 0 {
				break
			}
			if math.IsInf(high, 1) {
				t *= 2
			} else {
				t = low + (high-low)/2
			}
		}
		c := change{make([]float64, d), make([]float64, d), 0}
		if len(past) == most {
			c = past[0]
			copy(past, past[1:])
			past = past[:most-1]
		}
		for k := range x {
			c.s[k], c.y[k] = next[k]-x[k], nextGrad[k]-grad[k]
		}
		c.sy = columns.Dot(c.s, c.y)
		if c.sy > 0 {
			if len(past) == 0 || len(past) == most-1 {
				scale = c.sy / columns.Dot(c.y, c.y)
			}
			past = append(past, c)
		}
		if value-v <= 1e-15*math.Abs(value) {
			steps = 0
		}
		copy(x, next)
		copy(grad, nextGrad)
		value = v
		if steps == 0 {
			return
		}
	}
}
