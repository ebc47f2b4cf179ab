package cs

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
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
	f := c.decide(&cls)
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
			gap += float64(nu * c.cost[k] * float64((toward[k]-v[k])*e))
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
		f = c.decide(&cls)
	}
	if !finite(cls.Rho) || !finite(objective) {
		return nil, ErrCosts
	}
	r := &Result{Classifier: cls, Figures: Figures{Of: len(c.rows), Objective: objective}}
	for _, u := range cls.Coef {
		if !finite(u) {
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
		r.OfWeight += c.cost[k]
		if (value > 0) == (c.y[k] > 0) {
			r.Right++
			r.RightWeight += c.cost[k]
		}
	}
	return r, ctx.Err()
}

// finite reports whether v is a finite number.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// objective returns that of (7) for the weights v; where these are 1 for the rows with
// an error and else 0, that of the constrained problem. f has the values of the rows.
func (c *chunk) objective(nu float64, cls *Classifier, f, v []float64) float64 {
	sum := float64(cls.Rho * cls.Rho)
	for k, y := range c.y {
		sum += float64(nu * v[k] * c.cost[k] * (1 - float64(y*f[k])))
	}
	for _, u := range cls.Coef {
		sum += float64(u * u)
	}
	return sum
}

// weighed returns the closed form for the weights v.
func (c *chunk) weighed(nu float64, v []float64) Classifier {
	cls := Classifier{Points: c.points}
	b := make([]float64, len(c.rows))
	for k, y := range c.y {
		b[k] = float64(nu / 2 * y * v[k] * c.cost[k])
		cls.Rho -= float64(b[k])
	}
	// u_j = sum_i b_i K(y_i, c_j)
	if lanes := columns.Padded(len(c.rows)); c.keeps() {
		cls.Coef = make([]float64, len(c.points))
		for j := range cls.Coef {
			cls.Coef[j] = columns.Dot(c.values[j*lanes:][:len(c.rows)], b)
		}
		return cls
	}
	// the values at the points of a machine over the rows
	var used []int
	var coef []float64
	for k, i := range c.rows {
		if b[k] != 0 {
			used, coef = append(used, i), append(coef, b[k])
		}
	}
	over := c.p.X.Select(used)
	cls.Coef = decide(c.p.Kernel, &over, coef, 0, c.zs, everyone(len(c.points)))
	return cls
}

// decide returns the values of a classifier over the points for the rows.
func (c *chunk) decide(cls *Classifier) []float64 {
	if !c.keeps() {
		return decide(c.p.Kernel, c.zs, cls.Coef, cls.Rho, &c.p.X, c.rows)
	}
	sum := make([]float64, columns.Padded(len(c.rows)))
	columns.AddOneTo(sum, cls.Coef, c.values)
	for i := range sum {
		sum[i] -= cls.Rho
	}
	return sum[:len(c.rows)]
}

// keeps makes the kernel values of all rows and points, one point after the other, and
// keeps them; it reports whether there is room.
func (c *chunk) keeps() bool {
	lanes := columns.Padded(len(c.rows))
	if c.values != nil || float64(lanes)*float64(len(c.points)) > c.step.MatrixMB*(1<<20)/8 {
		return c.values != nil
	}
	c.values = make([]float64, lanes*len(c.points))
	basis := kernel.NewBasis(c.p.Kernel, c.zs)
	var batch kernel.Batch
	var part []float64
	for from := 0; from < len(c.rows); from += kernel.BatchRows {
		rows := c.rows[from:min(from+kernel.BatchRows, len(c.rows))]
		batch.Pack(basis, rowsOf(&c.p.X, rows))
		n := batch.Lanes()
		if len(part) != n*len(c.points) {
			part = make([]float64, n*len(c.points))
		}
		batch.EvaluateTo(part, 0, len(c.points))
		for j := range c.points {
			copy(c.values[j*lanes+from:][:len(rows)], part[j*n:])
		}
	}
	return true
}
