package cs

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: find the unconstrained classifiers of the paper's conclusion,
//
//	min_{u, gamma}  nu v'(1 - D (u K(C,Y) - gamma 1)) + u'u + gamma^2,
//
// (6) with v = 1 and (7) with a weight v_i for each row.
//
// Method: points far on their right side count as a gain, and the gradient's zero is a closed form:
//
//	u = nu/2 K(C,Y) D v,   gamma = -nu/2 1'D v.
//
// The printed objective has a plus sign as subscript, which belongs to the next term.
//
// The paper asks for v_i = 1 where earlier classifiers made an error and 0 elsewhere, so that the
// solution is that of the constrained problem, with max(0, 1 - ...) instead of 1 - .... weights.go
// finds the v for which it is.

// closed finds the classifier of (6) or (7).
func (c *chunk) closed(ctx context.Context, nu float64) (*Result, error) {
	v := make([]float64, len(c.rows))
	for k := range v {
		v[k] = 1
	}
	cls := c.closedFormFor(ctx, nu, v)
	f := c.decide(ctx, &cls)
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	r := &Result{Classifier: cls, Metrics: Metrics{Of: len(c.rows), Objective: c.objective(nu, &cls, f, v)}}
	if !finite(cls.Rho) || !finite(r.Objective) {
		return nil, ErrCosts
	}
	if c.step.Form == Weighted {
		s, err := c.findWeights(ctx, nu)
		if err != nil {
			return nil, err
		}
		v, f = s.v, s.f
		r.Classifier, r.Objective, r.Gap, r.Steps = s.cls, s.objective, s.gap(), s.steps
	}
	for _, u := range r.Coef {
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
	return r, ended.Err(ctx)
}

// finite reports whether v is a finite number.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// objective returns the objective of (7) for the weights v. f has the values of the rows.
func (c *chunk) objective(nu float64, cls *Classifier, f, v []float64) float64 {
	sum := cls.square()
	for k, y := range c.y {
		sum += float64(nu * v[k] * c.cost[k] * (1 - float64(y*f[k])))
	}
	return sum
}

// square returns u'u + gamma^2.
func (c *Classifier) square() float64 {
	sum := float64(c.Rho * c.Rho)
	for _, u := range c.Coef {
		sum += float64(u * u)
	}
	return sum
}

// closedFormFor returns the closed form for the weights v. If ctx is cancelled, the result is
// undefined.
func (c *chunk) closedFormFor(ctx context.Context, nu float64, v []float64) Classifier {
	cls := Classifier{Points: c.points}
	b := make([]float64, len(c.rows))
	for k, y := range c.y {
		b[k] = float64(nu / 2 * y * v[k] * c.cost[k])
		cls.Rho -= float64(b[k])
	}
	// u_j = sum_i b_i K(y_i, c_j)
	if lanes := columns.Padded(len(c.rows)); c.keeps(ctx) {
		cls.Coef = make([]float64, len(c.points))
		for j := range cls.Coef {
			cls.Coef[j] = columns.Dot(c.values[j*lanes:][:len(c.rows)], b)
		}
		return cls
	}
	// these are the values, at the points, of a machine over the rows
	var used []int
	var coef []float64
	for k, i := range c.rows {
		if b[k] != 0 {
			used, coef = append(used, i), append(coef, b[k])
		}
	}
	over := c.p.X.Select(used)
	cls.Coef = decide(ctx, c.p.Kernel, &over, coef, 0, c.zs, allRows(len(c.points)))
	return cls
}

// decide returns the values of a classifier over the points for the rows. If ctx is cancelled, the
// result is undefined.
func (c *chunk) decide(ctx context.Context, cls *Classifier) []float64 {
	if !c.keeps(ctx) {
		return decide(ctx, c.p.Kernel, c.zs, cls.Coef, cls.Rho, &c.p.X, c.rows)
	}
	sum := make([]float64, columns.Padded(len(c.rows)))
	columns.AddOneTo(sum, cls.Coef, c.values)
	for i := range sum {
		sum[i] -= cls.Rho
	}
	return sum[:len(c.rows)]
}

// keeps computes the kernel values of all rows and points, unless they are kept already, and keeps
// them point by point. It returns false if there is no room or if ctx is cancelled meanwhile.
func (c *chunk) keeps(ctx context.Context) bool {
	lanes := columns.Padded(len(c.rows))
	if c.values != nil || float64(lanes)*float64(len(c.points)) > c.step.MatrixMB*(1<<20)/8 {
		return c.values != nil
	}
	values := make([]float64, lanes*len(c.points))
	c.parts(ctx, allRows(len(c.rows)), func(from, n int, part []float64, width int) {
		for j := range c.points {
			copy(values[j*lanes+from:][:n], part[j*width:])
		}
	})
	if ctx.Err() != nil { // some are missing
		return false
	}
	c.values = values
	return true
}

// parts computes the kernel values of some of the chunk's rows and all points, one part of these
// rows after the other. It calls f with each part, the place of its first row in rows, and its
// number n of rows. The values of a point are contiguous, and those of the next point are width
// further on. It ends early if ctx is cancelled.
func (c *chunk) parts(ctx context.Context, rows []int, f func(from, n int, part []float64, width int)) {
	lanes := columns.Padded(len(c.rows))
	var basis *kernel.Basis
	if c.values == nil {
		basis = kernel.NewBasis(c.p.Kernel, c.zs)
	}
	var batch kernel.Batch
	var part []float64
	var places []int
	for from := 0; from < len(rows) && ctx.Err() == nil; from += kernel.BatchRows {
		some := rows[from:min(from+kernel.BatchRows, len(rows))]
		width := len(some)
		if basis != nil {
			places = places[:0]
			for _, i := range some {
				places = append(places, c.rows[i])
			}
			batch.Pack(basis, rowsOf(&c.p.X, places))
			width = batch.Lanes()
		}
		if len(part) != width*len(c.points) {
			part = make([]float64, width*len(c.points))
		}
		if basis != nil {
			batch.EvaluateTo(part, 0, len(c.points))
		} else {
			for j := range c.points {
				for k, i := range some {
					part[j*width+k] = c.values[j*lanes+i]
				}
			}
		}
		f(from, len(some), part, width)
	}
}
