package dcd

import "math"

// Problem: optimise the coordinates F that are between their bounds, with all others fixed: the
// minimum of D over alpha_F with sum_F y_i alpha_i unchanged.
//
// Method: Newton's step. With signed steps d_i = y_i times the change of alpha_i,
//
//	K_FF d + t 1 = -v_F,   1'd = 0,   v_i = y_i g_i.
//
// K_FF is singular if F has more rows than features plus one. A ridge then makes the step slightly
// shorter, but it still goes down.
//
// K_FF is also nearly singular if F has a row in the origin, as an exemplar is in its own machine.
// The step then has rounding errors, which keep a few searches from their end. These go on with
// K_FF + c 11' for a c of the size of K_FF, which has the same d, as 1'd = 0, and is regular. All
// others keep the bits of their solutions.

// newton is the memory for a step.
type newton struct {
	free       []int
	factor     []float64
	step, ones []float64
	shifted    bool // K_FF + c 11' is used
}

// ridge is added to the diagonal, relative to its largest element. mostFree is the largest number
// of coordinates in a step, whose cost grows with the third power of that number.
const (
	ridge    = 1e-13
	mostFree = 300
)

// newtonSteps takes Newton steps on the free coordinates until a step meets no bound.
func (s *Solver) newtonSteps() {
	w := &s.newton
	w.free = w.free[:0]
	for i, a := range s.alpha {
		if a > 0 && a < s.cost[i] {
			w.free = append(w.free, i)
		}
	}
	if len(w.free) < 2 || len(w.free) > mostFree {
		return
	}
	moved := false
	for len(w.free) >= 2 && s.solveFree() {
		share, at := 1.0, -1
		for k, i := range w.free {
			limit := s.roomUp(i)
			if w.step[k] < 0 {
				limit = s.roomDown(i)
			}
			if d := math.Abs(w.step[k]); d*share > limit {
				share, at = limit/d, k
			}
		}
		sum := 0.0
		for k, i := range w.free {
			step := share * w.step[k]
			if k == at { // exactly to the bound
				step = math.Copysign(math.Inf(1), w.step[k])
			}
			a := s.shift(i, step)
			sum += float64(s.y[i] * (a - s.alpha[i]))
			s.alpha[i] = a
		}
		moved = true
		s.balance(sum)
		s.gradient()
		kept := w.free[:0]
		for _, i := range w.free {
			if a := s.alpha[i]; a > 0 && a < s.cost[i] {
				kept = append(kept, i)
			}
		}
		w.free = kept
		if at < 0 {
			break
		}
	}
	if moved {
		s.balance(s.imbalance())
		s.gradient()
	}
}

// imbalance returns sum_i y_i alpha_i, which is 0 except for rounding.
func (s *Solver) imbalance() float64 {
	sum := 0.0
	for i, a := range s.alpha {
		sum += float64(s.y[i] * a)
	}
	return sum
}

// balance subtracts sum, a rounding error of sum_i y_i alpha_i, at the free coordinate with the
// most room.
func (s *Solver) balance(sum float64) {
	if sum == 0 {
		return
	}
	best, most := -1, 0.0
	for i, a := range s.alpha {
		if r := min(a, s.cost[i]-a); r > most {
			best, most = i, r
		}
	}
	if best >= 0 && math.Abs(sum) <= most {
		s.alpha[best] -= float64(s.y[best] * sum)
	}
}

// solveFree sets step. It returns false if the matrix cannot be factored or the step does not go
// down.
func (s *Solver) solveFree() bool {
	w := &s.newton
	n := len(w.free)
	w.factor, w.step, w.ones = room(w.factor, n*n), room(w.step, n), room(w.ones, n)
	top := 0.0
	for k, i := range w.free {
		row := s.gram.Row(i)
		for l, j := range w.free[:k+1] {
			w.factor[k*n+l] = row[j]
		}
		top = max(top, s.gram.Diagonal(i))
		w.step[k], w.ones[k] = -s.y[i]*s.g[i], 1
	}
	if w.shifted {
		for k := range n {
			for l := range k + 1 {
				w.factor[k*n+l] += top
			}
		}
	}
	for k := range n {
		w.factor[k*n+k] += float64(ridge*top*float64(n)) + tiny
	}
	for k := range n {
		for l := range k + 1 {
			sum := w.factor[k*n+l]
			a, b := w.factor[k*n:k*n+l], w.factor[l*n:l*n+l]
			for m, v := range a {
				sum -= float64(v * b[m])
			}
			if l < k {
				w.factor[k*n+l] = sum / w.factor[l*n+l]
			} else if !(sum > 0) {
				return false
			} else {
				w.factor[k*n+k] = math.Sqrt(sum)
			}
		}
	}
	w.solve(w.step)
	w.solve(w.ones)
	a, b := 0.0, 0.0
	for k := range n {
		a += w.step[k]
		b += w.ones[k]
	}
	t := a / b
	slope := 0.0
	for k, i := range w.free {
		w.step[k] -= float64(t * w.ones[k])
		if w.step[k]-w.step[k] != 0 {
			return false
		}
		slope += float64(w.step[k] * s.y[i] * s.g[i])
	}
	return slope < 0 // down
}

// solve solves L L' x = b in place.
func (w *newton) solve(x []float64) {
	n := len(x)
	for k := range n {
		sum := x[k]
		for m, v := range w.factor[k*n : k*n+k] {
			sum -= float64(v * x[m])
		}
		x[k] = sum / w.factor[k*n+k]
	}
	for k := n - 1; k >= 0; k-- {
		sum := x[k]
		for m := k + 1; m < n; m++ {
			sum -= float64(w.factor[m*n+k] * x[m])
		}
		x[k] = sum / w.factor[k*n+k]
	}
}
