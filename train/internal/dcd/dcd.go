// Package dcd solves small problems of linear support vector machines by coordinate descent on the
// dual: thousands of machines with few rows each.
package dcd

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: given rows x_i with signs y_i and costs C_i, find the machine f(x) = w.x - rho of
//
//	min  |w|^2/2 + sum_i C_i max(0, 1 - y_i f(x_i)),
//
// by its dual,
//
//	min  D(a) = |w|^2/2 - sum_i a_i,  w = sum_i a_i y_i x_i,  0 <= a_i <= C_i,  sum_i y_i a_i = 0.
//
// Method: the equation allows two coordinates to change at a time. They are chosen by the decrease
// that they promise (Fan, Chen and Lin 2005) and moved to the minimum of their line. After every n
// steps, or 16 if n is less, all coordinates strictly between their bounds are moved together to
// their joint minimum, as far as the bounds allow. This Newton step on the free coordinates
// completes what pairs do slowly when features are badly scaled. The method ends when primal and
// dual meet, so that the result does not depend on the path.
//
// A row of cost 0 does not affect the solution, but the solution has its value. So the machines of
// a cross-validation are one problem with some costs set to 0.

// A Gram gives the products of the rows, x_i.x_j for all j. The result of Row stays valid until Row
// has been called twice more.
type Gram interface {
	Row(i int) []float64
	Diagonal(i int) float64
}

// A Solution is a machine over the rows of a problem.
type Solution struct {
	Alpha     []float64 // of each row, from 0 to its cost
	Values    []float64 // w.x_i of each row
	Rho       float64
	Objective float64 // of the dual, D
	Gap       float64 // primal plus D, divided by |D|
	Steps     int
}

// Tolerance is the Gap at which a search ends.
const Tolerance = 1e-8

// ErrNotConverged reports that rounding errors keep primal and dual apart.
var ErrNotConverged = errors.New("a linear machine did not converge: scale the features")

// good is the largest Gap that is accepted when the search makes no more progress.
const good = 1e-6

// A Solver has the memory for searches, one at a time. The zero Solver is ready.
type Solver struct {
	gram     Gram
	y, cost  []float64
	alpha, g []float64 // g is the gradient of D: g_i = y_i w.x_i - 1
	least    []float64 // alpha with the smallest gap so far
	n        int
	newton   newton
	solution Solution
}

// Solve solves a problem of len(y) rows. Among the rows with positive cost, y must have both +1 and
// -1. start, if not nil, is where the search begins, in the order of y; values outside of their
// bounds are moved to these. The solution is valid until the next call.
func (s *Solver) Solve(ctx context.Context, gram Gram, y, cost, start []float64) (*Solution, error) {
	s.gram, s.y, s.cost, s.n = gram, y, cost, len(y)
	s.alpha, s.g = room(s.alpha, s.n), room(s.g, s.n)
	s.begin(start)
	s.newton.shifted = false
	best, least := math.Inf(1), math.Inf(1)
	stuck := 0
	steps := 0
	period := max(16, s.n)
	for {
		moved := false
		for range period {
			i, j := s.choose()
			if i < 0 || !s.pair(i, j) {
				break
			}
			moved = true
			steps++
		}
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		r := s.finish()
		r.Steps = steps
		if r.Gap <= Tolerance {
			return r, nil
		}
		if r.Gap < least {
			least, s.least = r.Gap, append(s.least[:0], s.alpha...)
		}
		if r.Gap < best*0.999 {
			best, stuck = r.Gap, 0
		} else if stuck++; stuck > patience || !moved {
			if r.Gap <= good {
				return r, nil
			}
			if !moved || stuck > 4*patience {
				if s.newton.shifted {
					return s.nearest(r, least), ErrNotConverged
				}
				s.newton.shifted, stuck = true, 3*patience // patience once more
			}
		}
		s.newtonSteps()
	}
}

// nearest returns the solution with the smallest gap so far, which need not be the last one.
func (s *Solver) nearest(last *Solution, least float64) *Solution {
	if !(least < last.Gap) {
		return last
	}
	copy(s.alpha, s.least)
	s.gradient()
	return s.finish()
}

// patience is the number of periods without a clearly smaller gap after which a search ends if its
// solution is good.
const patience = 200

func room(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// begin sets alpha to a feasible start and computes the gradient.
func (s *Solver) begin(start []float64) {
	clear(s.alpha)
	pos, neg := 0.0, 0.0
	for i := range start {
		a := min(max(start[i], 0), s.cost[i])
		s.alpha[i] = a
		if s.y[i] > 0 {
			pos += a
		} else {
			neg += a
		}
	}
	// scale down the heavier side, then take the rounding error from one row
	if pos != neg {
		light := min(pos, neg)
		sum, last := 0.0, -1
		for i, a := range s.alpha {
			if a == 0 {
				continue
			}
			if heavy := (s.y[i] > 0) == (pos > neg); heavy {
				s.alpha[i] = a * (light / max(pos, neg))
				if last < 0 || s.alpha[i] > s.alpha[last] {
					last = i
				}
			}
			sum += float64(s.y[i] * s.alpha[i])
		}
		if last >= 0 {
			s.alpha[last] -= float64(s.y[last] * sum)
			if a := s.alpha[last]; a < 0 || a > s.cost[last] {
				clear(s.alpha)
			}
		}
	}
	s.gradient()
}

// gradient computes g from alpha.
func (s *Solver) gradient() {
	for i := range s.g {
		s.g[i] = -1
	}
	for i, a := range s.alpha {
		if a == 0 {
			continue
		}
		row := s.gram.Row(i)[:s.n]
		c := a * s.y[i]
		for k, v := range row {
			s.g[k] += float64(s.y[k] * float64(c*v))
		}
	}
}

// canRise reports whether y_i alpha_i may grow, canFall whether it may shrink.
func (s *Solver) canRise(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] < s.cost[i]
	}
	return s.alpha[i] > 0
}

func (s *Solver) canFall(i int) bool {
	if s.y[i] > 0 {
		return s.alpha[i] > 0
	}
	return s.alpha[i] < s.cost[i]
}

// tiny replaces the curvature of a line without curvature.
const tiny = 1e-12

// choose returns the pair that promises the most: i may rise and has the largest -y_i g_i, j may
// fall. i is below 0 if no pair promises anything.
func (s *Solver) choose() (i, j int) {
	i, j = -1, -1
	top := math.Inf(-1)
	for k := range s.n {
		if v := -s.y[k] * s.g[k]; v > top && s.canRise(k) {
			i, top = k, v
		}
	}
	if i < 0 {
		return -1, -1
	}
	row, own := s.gram.Row(i), s.gram.Diagonal(i)
	most := 0.0
	for k := range s.n {
		b := top + float64(s.y[k]*s.g[k])
		if !(b > 0) || !s.canFall(k) {
			continue
		}
		if gain := b * b / max(own+s.gram.Diagonal(k)-2*row[k], tiny); gain > most {
			j, most = k, gain
		}
	}
	if j < 0 {
		return -1, -1
	}
	return i, j
}

// pair moves two coordinates: y_i alpha_i rises by as much as y_j alpha_j falls. It returns false
// if rounding leaves both where they are.
func (s *Solver) pair(i, j int) bool {
	rowI, rowJ := s.gram.Row(i)[:s.n], s.gram.Row(j)[:s.n]
	slope := float64(s.y[j]*s.g[j]) - float64(s.y[i]*s.g[i])
	step := slope / max(s.gram.Diagonal(i)+s.gram.Diagonal(j)-2*rowI[j], tiny)
	step = min(step, s.roomUp(i), s.roomDown(j))
	a, b := s.shift(i, step), s.shift(j, -step)
	if a == s.alpha[i] && b == s.alpha[j] {
		return false
	}
	da, db := s.y[i]*(a-s.alpha[i]), s.y[j]*(b-s.alpha[j])
	s.alpha[i], s.alpha[j] = a, b
	g, y := s.g[:s.n], s.y[:s.n]
	for k := range g {
		g[k] += float64(y[k] * (float64(da*rowI[k]) + float64(db*rowJ[k])))
	}
	return true
}

// roomUp returns by how much y_i alpha_i may rise.
func (s *Solver) roomUp(i int) float64 {
	if s.y[i] > 0 {
		return s.cost[i] - s.alpha[i]
	}
	return s.alpha[i]
}

// roomDown returns by how much y_i alpha_i may fall.
func (s *Solver) roomDown(i int) float64 {
	if s.y[i] > 0 {
		return s.alpha[i]
	}
	return s.cost[i] - s.alpha[i]
}

// shift returns alpha_i after y_i alpha_i moves by step, exactly at a bound if it reaches one.
func (s *Solver) shift(i int, step float64) float64 {
	switch {
	case step > 0 && step >= s.roomUp(i), step < 0 && -step >= s.roomDown(i):
		if (step > 0) == (s.y[i] > 0) {
			return s.cost[i]
		}
		return 0
	}
	return min(max(s.alpha[i]+float64(s.y[i]*step), 0), s.cost[i])
}

// finish returns the solution that belongs to alpha.
func (s *Solver) finish() *Solution {
	r := &s.solution
	r.Alpha, r.Values = s.alpha, room(r.Values, s.n)
	square, sum := 0.0, 0.0
	for i, a := range s.alpha {
		r.Values[i] = s.y[i] * (s.g[i] + 1)
		square += float64(a * (s.g[i] + 1))
		sum += a
	}
	square = max(square, 0)
	r.Rho = s.rho()
	loss := 0.0
	for i, c := range s.cost {
		if c > 0 {
			loss += float64(c * max(0, 1-float64(s.y[i]*(r.Values[i]-r.Rho))))
		}
	}
	r.Objective = float64(square/2) - sum
	r.Gap = (float64(square/2) + loss + r.Objective) / max(math.Abs(r.Objective), math.SmallestNonzeroFloat64)
	return r
}

// rho returns the offset: the mean over the rows between their bounds, which are on the margin. If
// there are no such rows, it is the middle of the interval that the other rows allow.
func (s *Solver) rho() float64 {
	sum, n := 0.0, 0
	low, high := math.Inf(-1), math.Inf(1)
	for i, a := range s.alpha {
		v := float64(s.y[i] * s.g[i])
		switch {
		case s.cost[i] == 0:
		case a > 0 && a < s.cost[i]:
			sum += v
			n++
		case (a == 0) == (s.y[i] > 0):
			high = min(high, v)
		default:
			low = max(low, v)
		}
	}
	if n > 0 {
		return sum / float64(n)
	}
	return (low + high) / 2
}
