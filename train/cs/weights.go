package cs

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/cholesky"
	"github.com/slimsvm/slimsvm/train/internal/rank"
)

// Problem: find the weights v of (7) for which its solution is that of the constrained problem,
//
//	min  F(u, gamma) = nu sum_i c_i max(0, 1 - y_i f(x_i)) + u'u + gamma^2,
//
// where c_i is the cost of an error on row i. The least value of (7) for given v from 0 to 1,
//
//	g(v) = nu sum_i c_i v_i - u(v)'u(v) - gamma(v)^2,   u(v), gamma(v) the closed form,
//
// is the dual: it is at most the least value of F. At its maximum it equals that value, and the
// closed form of v is the solution.
//
// Method: the proximal point method on the dual (Rockafellar 1976). Around an anchor v^k it finds
// the classifier w = (u, gamma) that is the closed form of
//
//	v_i(w) = v^k_i + sigma (1 - y_i f(x_i))   cut to 0 ... 1,
//
// and these v are the next anchor. This w is where the gradient of a convex function is 0 that is
// piecewise quadratic and once differentiable. Newton steps with an exact line search find it after
// finitely many steps. Only the rows whose v is not cut enter their matrix,
//
//	(I + sum_i s_i r_i r_i') d = w(v) - w,   s_i = sigma nu c_i / 2,   r_i = (K(C, x_i), -1).
//
// It ends when F and g meet, so that the result does not depend on the path.

// What ends the search: the gap between F and g, relative to 1 + F; the number of anchors; the
// number of steps about an anchor; and the difference between a classifier and the closed form,
// relative to 1 + their size, at which they count as the same.
const (
	closedGap      = 1e-7
	mostAnchors    = 60
	mostSteps      = 100
	sameClassifier = 1e-9
)

// patience is the number of anchors without a clearly smaller gap after which the search ends:
// rounding seems to allow nothing better.
const patience = 12

// sigma is the inverse of the distance from the margin within which the v of rows are not cut. It
// begins with firstSigma, or less if the largest s_i r_i'r_i would be above firstScale, and grows
// by sigmaGrowth from anchor to anchor until that is lastScale: beyond, rounding of f would change
// v by more than 1.
const (
	firstSigma  = 1
	firstScale  = 1e8
	lastScale   = 1e16
	sigmaGrowth = 4
)

// A dualSolution is the classifier that the search for v has found.
type dualSolution struct {
	cls       Classifier
	f, v      []float64 // of each row: the value and the weight
	objective float64   // F
	dual      float64   // the greatest g
	steps     int
}

// gap returns the gap between objective and dual, relative to 1 + the objective.
func (s *dualSolution) gap() float64 {
	if gap := (s.objective - s.dual) / (1 + s.objective); gap < math.Inf(1) {
		return max(0, gap)
	}
	return 1
}

// findWeights finds the weights, and the classifier with the least objective on the way.
func (c *chunk) findWeights(ctx context.Context, nu float64) (*dualSolution, error) {
	a := &anchorSearch{
		chunk: c, nu: nu, anchor: make([]float64, len(c.rows)), v: make([]float64, len(c.rows)),
		w: Classifier{Points: c.points, Coef: make([]float64, len(c.points))}, f: make([]float64, len(c.rows)),
	}
	for i := range a.anchor {
		a.anchor[i], a.v[i] = 1, 1
	}
	scale := a.scale(ctx)
	a.sigma = min(firstSigma, firstScale/scale)
	most := max(a.sigma, lastScale/scale)
	best := &dualSolution{objective: math.Inf(1)} // g of v = 0 is 0
	a.updateBest(ctx, best)
	steps := 0
	for anchor, stuck := 0, 0; anchor < mostAnchors && stuck < patience && best.gap() > closedGap; anchor++ {
		for range mostSteps {
			further, err := a.newton(ctx)
			if err != nil {
				return nil, err
			}
			if !further {
				break
			}
			steps++
		}
		a.place()
		a.f = c.decide(ctx, &a.w) // without the rounding of the steps
		before := best.gap()
		if a.updateBest(ctx, best); best.gap() < 0.9*before {
			stuck = 0
		} else {
			stuck++
		}
		copy(a.anchor, a.v)
		a.sigma = min(sigmaGrowth*a.sigma, most)
	}
	best.steps = steps
	return best, ended.Err(ctx)
}

// An anchorSearch is the search for the classifier about an anchor.
type anchorSearch struct {
	*chunk
	nu, sigma float64
	anchor    []float64
	w         Classifier
	f, v      []float64 // of w: the values, and the weights about the anchor
	free      []int     // the rows where v is not cut

	lines, matrix []float64
	factor        cholesky.Factor
}

// place sets v and free.
func (a *anchorSearch) place() {
	a.free = a.free[:0]
	for i, y := range a.y {
		v := a.anchor[i] + float64(a.sigma*(1-float64(y*a.f[i])))
		switch {
		case v <= 0:
			v = 0
		case v >= 1:
			v = 1
		default:
			a.free = append(a.free, i)
		}
		a.v[i] = v
	}
}

// newton takes a step. It returns false if w is the closed form already, as far as rounding allows.
func (a *anchorSearch) newton(ctx context.Context) (bool, error) {
	if err := ended.Err(ctx); err != nil {
		return false, err
	}
	a.place()
	form := a.closedFormFor(ctx, a.nu, a.v)
	// d has the offset behind the coefficients
	d := append(form.Coef, form.Rho)
	far, size := 0.0, form.square()+a.w.square()
	for j := range d {
		w := a.w.Rho
		if j < len(a.w.Coef) {
			w = a.w.Coef[j]
		}
		d[j] -= w
		far += float64(d[j] * d[j])
	}
	if !finite(far) || math.Sqrt(far) <= sameClassifier*(1+math.Sqrt(size)) {
		return false, nil
	}
	if err := a.applyInverse(ctx, d); errors.Is(err, cholesky.ErrNotPositive) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	last := len(d) - 1
	step := &Classifier{Points: a.points, Coef: d[:last], Rho: d[last]}
	df := a.decide(ctx, step)
	t := a.length(step, df)
	if !(t > 0) {
		return false, nil
	}
	for j, v := range step.Coef {
		a.w.Coef[j] += float64(t * v)
	}
	a.w.Rho += float64(t * step.Rho)
	for i, v := range df {
		a.f[i] += float64(t * v)
	}
	return true, nil
}

// applyInverse multiplies d by the inverse of the step's matrix. It is I + Q'Q, where the lines of
// Q are the r_i of the free rows times the square roots of s_i. If these rows are few,
//
//	(I + Q'Q)^-1 d = d - Q'(I + QQ')^-1 Q d.
func (a *anchorSearch) applyInverse(ctx context.Context, d []float64) error {
	n, room := len(a.free), a.step.MatrixMB*(1<<20)/8
	least := float64(min(n, len(d)))
	switch {
	case n == 0:
		return nil
	case 3*least*float64(len(d)) > room: // the matrix, its factor and Q, or a part of it
		return a.byProducts(ctx, d)
	case n < len(d):
		return a.byRows(ctx, d)
	default:
		return a.byPoints(ctx, d)
	}
}

// mostProducts is the largest number of products with the matrix that approximate a step. They need
// no memory for the matrix. They end earlier when the residual is enough times d.
const (
	mostProducts = 500
	enough       = 1e-8
)

// byProducts approximates the step by conjugate gradients. The function decreases along the result
// wherever the iteration ends.
func (a *anchorSearch) byProducts(ctx context.Context, d []float64) error {
	n := len(d)
	x, r, p := make([]float64, n), slices.Clone(d), slices.Clone(d)
	v := make([]float64, len(a.rows))
	rr := columns.Dot(r, r)
	first := rr
	for range mostProducts {
		if rr <= enough*enough*first {
			break
		}
		if err := ended.Err(ctx); err != nil {
			return err
		}
		// the closed form of v has the sum of s_i r_i (r_i'p)
		f := a.decide(ctx, &Classifier{Points: a.points, Coef: p[:n-1], Rho: p[n-1]})
		for _, i := range a.free {
			v[i] = float64(a.sigma * a.y[i] * f[i])
		}
		form := a.closedFormFor(ctx, a.nu, v)
		product := append(form.Coef, form.Rho)
		columns.Axpy(product, 1, p)
		step := rr / columns.Dot(p, product)
		if !finite(step) {
			break
		}
		columns.Axpy(x, step, p)
		columns.Axpy(r, -step, product)
		before := rr
		rr = columns.Dot(r, r)
		for j := range p {
			p[j] = r[j] + float64(rr/before*p[j])
		}
	}
	copy(d, x)
	return nil
}

// root returns the square root of s_i.
func (a *anchorSearch) root(i int) float64 { return math.Sqrt(a.sigma * a.nu / 2 * a.cost[i]) }

// byPoints is applyInverse with the matrix I + Q'Q.
func (a *anchorSearch) byPoints(ctx context.Context, d []float64) error {
	n, last := len(d), len(d)-1
	wide := rank.Stride(n)
	a.matrix = zeros(a.matrix, n*wide)
	a.parts(ctx, a.free, func(from, rows int, part []float64, width int) {
		a.lines = zeros(a.lines, rows*wide)
		for k := range rows {
			line, root := a.lines[k*wide:], a.root(a.free[from+k])
			for j := range last {
				line[j] = root * part[j*width+k]
			}
			line[last] = -root
		}
		rank.Add(a.matrix, a.lines, n, 0, n)
	})
	if err := a.factorize(ctx, n); err != nil {
		return err
	}
	a.factor.SolveTo(d, d)
	return nil
}

// byRows is applyInverse with the matrix I + QQ'.
func (a *anchorSearch) byRows(ctx context.Context, d []float64) error {
	n, last := len(a.free), len(d)-1
	wide := rank.Stride(n)
	a.lines = zeros(a.lines, len(d)*wide) // Q', a line for each point and one for the offset
	a.parts(ctx, a.free, func(from, rows int, part []float64, width int) {
		for k := range rows {
			root := a.root(a.free[from+k])
			for j := range last {
				a.lines[j*wide+from+k] = root * part[j*width+k]
			}
			a.lines[last*wide+from+k] = -root
		}
	})
	a.matrix = zeros(a.matrix, n*wide)
	rank.Add(a.matrix, a.lines, n, 0, n)
	if err := a.factorize(ctx, n); err != nil {
		return err
	}
	x := make([]float64, n)
	for j, v := range d {
		columns.Axpy(x, v, a.lines[j*wide:][:n])
	}
	a.factor.SolveTo(x, x)
	for j := range d {
		d[j] -= columns.Dot(a.lines[j*wide:][:n], x)
	}
	return nil
}

// factorize computes the factor of I plus the matrix of n lines.
func (a *anchorSearch) factorize(ctx context.Context, n int) error {
	wide := rank.Stride(n)
	for i := range n {
		copy(a.matrix[i*n:], a.matrix[i*wide:][:n])
		a.matrix[i*n+i]++
	}
	return a.factor.Factorize(ctx, a.matrix[:n*n], n)
}

// zeros returns n zeros, in the memory of s if there is room.
func zeros(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// length returns how far to go along a step, whose values are df: to where the slope of the convex
// function is 0, by Newton's steps between bounds. The slope is
//
//	(w + t d)'d - nu/2 sum_i c_i v_i y_i df_i,
//
// and rises along the way, piecewise linearly.
func (a *anchorSearch) length(step *Classifier, df []float64) float64 {
	dd, wd := step.square(), float64(a.w.Rho*step.Rho)
	for j, v := range step.Coef {
		wd += float64(a.w.Coef[j] * v)
	}
	slope := func(t float64) (at, rise float64) {
		at, rise = wd+float64(t*dd), dd
		for i, y := range a.y {
			cost := float64(a.nu / 2 * a.cost[i])
			v := a.anchor[i] + float64(a.sigma*(1-float64(y*(a.f[i]+float64(t*df[i])))))
			if v > 0 && v < 1 {
				rise += float64(cost * a.sigma * float64(df[i]*df[i]))
			}
			at -= float64(cost * min(max(v, 0), 1) * y * df[i])
		}
		return at, rise
	}
	low, high, t := 0.0, math.Inf(1), 0.0
	first, rise := slope(0)
	if !(first < 0) {
		return 0
	}
	at := first
	for range 100 {
		next := t - at/rise
		if !(next > low && next < high) {
			if math.IsInf(high, 1) {
				break
			}
			next = low + float64((high-low)/2)
		}
		if next == t {
			break
		}
		t = next
		if at, rise = slope(t); math.Abs(at) <= -1e-9*first {
			break
		}
		if at < 0 {
			low = t
		} else {
			high = t
		}
	}
	return t
}

// scale returns the largest s_i r_i'r_i for sigma 1.
func (a *anchorSearch) scale(ctx context.Context) float64 {
	square := make([]float64, len(a.rows))
	a.parts(ctx, allRows(len(a.rows)), func(from, n int, part []float64, width int) {
		for j := range a.points {
			for k, v := range part[j*width:][:n] {
				square[from+k] += float64(v * v)
			}
		}
	})
	most := 0.0
	for i, v := range square {
		most = max(most, a.nu/2*a.cost[i]*(1+v))
	}
	return most
}

// updateBest updates best by the present classifier and weights.
func (a *anchorSearch) updateBest(ctx context.Context, best *dualSolution) {
	form := a.closedFormFor(ctx, a.nu, a.v)
	objective, dual := a.w.square(), -form.square()
	for i, y := range a.y {
		cost := a.nu * a.cost[i]
		objective += float64(cost * max(0, 1-float64(y*a.f[i])))
		dual += float64(cost * a.v[i])
	}
	if dual > best.dual {
		best.dual = dual
	}
	if objective < best.objective {
		best.objective = objective
		best.cls = Classifier{Points: a.points, Coef: slices.Clone(a.w.Coef), Rho: a.w.Rho}
		best.f, best.v = slices.Clone(a.f), slices.Clone(a.v)
	}
}
