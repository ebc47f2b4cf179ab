package cs

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/train"
)

// Problem: the unconstrained classifiers of the paper's conclusion,
//
//	min_{u, gamma}  nu v'(1 - D (u K(C,Y) - gamma 1)) + u'u + gamma^2,
//
// (6) with v = 1 and (7) with a weight v_i for each row. Points far on their right side
// are a gain, and there is a closed form, the gradient's zero:
//
//	u = nu/2 K(C,Y) D v,   gamma = -nu/2 1'D v.
//
// The printed objective has a plus sign as subscript, which belongs to the next term.
//
// The paper asks for v_i = 1 where classifiers before made an error and 0 elsewhere, so
// that the solution is that of the constrained problem, with max(0, 1 - ...) in place of
// 1 - .... To set v to the errors of the last classifier swings to and fro; but these
// are the direction in which the dual of the constrained problem, the least value of (7)
// as a function of v from 0 to 1,
//
//	g(v) = nu 1'v - u(v)'u(v) - gamma(v)^2,
//
// rises most. So v begins with 1, of (6), and goes towards the errors of the last
// classifier as far as g rises (Frank and Wolfe 1956), until g is near the constrained
// objective.

// Ends of (7): rounds, and the gap between objective and dual relative to 1 + the
// objective.
const (
	closedRounds = 200
	closedGap    = 1e-3
)

// closed finds the classifier of (6) or (7).
func (c *chunk) closed(ctx context.Context, nu float64) (*Result, error) {
	v := make([]float64, len(c.rows))
	for k := range v {
		v[k] = 1
	}
	cls := c.weighed(nu, v)
	f := cls.Decide(c.p.Kernel, &c.p.X, c.rows)
	objective := c.objective(nu, &cls, f, v)
	for round := 0; c.step.Form == Weighted && round < closedRounds; round++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		toward, gap := make([]float64, len(v)), 0.0
		for k, y := range c.y {
			e := 1 - float64(y*f[k])
			if e > 0 {
				toward[k] = 1
			}
			gap += nu * c.cost[k] * float64((toward[k]-v[k])*e)
		}
		if objective = c.objective(nu, &cls, f, toward); gap <= closedGap*(1+math.Abs(objective)) {
			break
		}
		// g along the way is a parabola, since u and gamma are linear in v
		end := c.weighed(nu, toward)
		bend := float64((end.Rho - cls.Rho) * (end.Rho - cls.Rho))
		for j, u := range end.Coef {
			bend += float64((u - cls.Coef[j]) * (u - cls.Coef[j]))
		}
		step := 1.0
		if 2*bend > gap {
			step = gap / (2 * bend)
		}
		for k := range v {
			v[k] += float64(step * (toward[k] - v[k]))
		}
		cls = c.weighed(nu, v)
		f = cls.Decide(c.p.Kernel, &c.p.X, c.rows)
	}
	r := &Result{Classifier: cls, Figures: Figures{Of: len(c.rows), Objective: objective}}
	for _, u := range cls.Coef {
		if !(math.Abs(u) <= math.MaxFloat64) {
			return nil, train.ErrOverflow
		}
		if u != 0 {
			r.Used++
		}
	}
	for k, value := range f {
		if v[k] > 0 {
			r.SupportVectors++
		}
		if (value > 0) == (c.y[k] > 0) {
			r.Right++
		}
	}
	return r, ctx.Err()
}

// objective returns that of (7) for the weights v; where these are 1 for the rows with
// an error and else 0, that of the constrained problem. f has the values of the rows.
func (c *chunk) objective(nu float64, cls *Classifier, f, v []float64) float64 {
	sum := float64(cls.Rho * cls.Rho)
	for k, y := range c.y {
		sum += nu * v[k] * c.cost[k] * (1 - float64(y*f[k]))
	}
	for _, u := range cls.Coef {
		sum += float64(u * u)
	}
	return sum
}

// weighed returns the closed form for the weights v.
func (c *chunk) weighed(nu float64, v []float64) Classifier {
	cls := Classifier{Points: c.points}
	// u_j = sum_i b_i K(y_i, c_j): the values at the points of a machine over the rows
	over := Classifier{Points: rowsOf(&c.p.X, c.rows), Coef: make([]float64, len(c.rows))}
	for k, y := range c.y {
		over.Coef[k] = nu / 2 * y * v[k] * c.cost[k]
		cls.Rho -= over.Coef[k]
	}
	over = over.used()
	all := make([]int, len(c.points))
	for j := range all {
		all[j] = j
	}
	cls.Coef = over.Decide(c.p.Kernel, matrixOf(c.points), all)
	return cls
}
