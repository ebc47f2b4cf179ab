package joint

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// descend optimises all variables of c in at most the given number of iterations. look, if not nil,
// is called every lookEvery iterations with the candidate and the value of the objective, and ends
// the descent by returning false. The descent also ends at a point whose value cannot be trusted.
// If vectors are replaced (replace.go), that comes after it.
func (s *search) descend(ctx context.Context, c *candidate, rows []chunk, iterations int, look func(now *candidate, value float64) bool) error {
	w := s.walk(rows, iterations, look)
	if err := w.move(ctx, c, s.Evaluations); err != nil || !s.replaces(c) {
		return err
	}
	return w.replace(ctx, c)
}

// walk returns a walk at its beginning.
func (s *search) walk(rows []chunk, iterations int, look func(now *candidate, value float64) bool) *walk {
	return &walk{search: s, rows: rows, most: iterations, look: look, least: math.Inf(1)}
}

// A walk is a descent in one or more moves.
type walk struct {
	*search
	rows  []chunk
	most  int // iterations
	look  func(now *candidate, value float64) bool
	total int        // iterations so far
	ended bool       // there is to be no other iteration
	kept  *candidate // the best at the end of a move; nil: there is none
	least float64    // its value
}

// move optimises all variables of c with at most the given number of evaluations, and keeps it if
// it is the best so far.
func (w *walk) move(ctx context.Context, c *candidate, evaluations int) error {
	o := w.objective(c, w.rows)
	o.moveVectors = true
	o.pull, o.home = w.Pull, c.begun
	settings := lbfgs.Default()
	settings.Memory = w.changes()
	v := newVariables(o, c)
	value := math.Inf(1)
	for !w.ended && evaluations > 0 {
		before := c.point.clone()
		v.refresh(ctx)
		settings.Evaluations = evaluations
		refreshed := false
		end, err := lbfgs.Minimize(ctx, func(x, gradient []float64) float64 { return v.value(ctx, x, gradient) }, v.x, settings, func(st lbfgs.State) bool {
			if st.Iterations == 0 {
				return true
			}
			w.progress()
			w.total++
			if w.total >= w.most {
				w.ended = true
				return false
			}
			if w.look != nil && w.total%lookEvery == 0 {
				v.take(st.X)
				if !w.show(c, st.Value) {
					w.ended = true
					return false
				}
			}
			if st.Iterations >= refreshEvery {
				refreshed = true
				return false
			}
			return true
		})
		v.take(end.X)
		c.evaluations += end.Evaluations
		evaluations -= end.Evaluations
		if errors.Is(err, lbfgs.ErrStart) { // values are at the limit of what can be trusted
			c.point = before
			w.ended = true
			return ended.Err(ctx)
		}
		if err != nil {
			return err
		}
		value = end.Value
		if !refreshed {
			break
		}
	}
	if value < w.least {
		w.least, w.kept = value, c
	}
	return nil
}

// show calls look with the better of c, which has the given value, and what is kept.
func (w *walk) show(c *candidate, value float64) bool {
	if w.kept != nil && !(value < w.least) {
		return w.look(w.kept, w.least)
	}
	return w.look(c, value)
}

// variables are those of a descent: the coordinates, in a metric, of the vectors about their origins,
// of weights and offsets, and of the width if that is free.
type variables struct {
	o        *objective
	c        *candidate // that they are the coordinates of
	gradient point
	x        []float64
	metric   *metric
	origin   []float64
}

func newVariables(o *objective, c *candidate) *variables {
	n := len(c.z) + len(c.b) + len(c.rho)
	v := &variables{o: o, c: c, x: make([]float64, n, n+1)}
	if o.widths {
		v.x = v.x[:n+1]
	}
	v.gradient = point{z: make([]float64, len(c.z)), b: make([]float64, len(c.b)), rho: make([]float64, len(c.rho))}
	return v
}

// parts returns the elements of x that belong to the vectors, and to weights and offsets.
func (v *variables) parts(x []float64) (z, w []float64) {
	nz, nw := len(v.c.z), len(v.c.b)+len(v.c.rho)
	return x[:nz], x[nz : nz+nw]
}

// refresh renews the metric and the origins, and sets x to the candidate.
func (v *variables) refresh(ctx context.Context) {
	c := v.c
	v.metric = v.o.metric(ctx, &c.point)
	v.origin = v.o.origin(&c.point)
	z, w := v.parts(v.x)
	for i, value := range c.z {
		z[i] = (value - v.origin[i]) * v.metric.z[i/v.o.inputs]
	}
	v.metric.coordinates(w, c.b, c.rho)
	if v.o.widths {
		v.x[len(v.x)-1] = c.width * v.metric.width
	}
}

// take sets the candidate to x.
func (v *variables) take(x []float64) {
	c := v.c
	z, w := v.parts(x)
	for i := range c.z {
		c.z[i] = v.origin[i] + z[i]/v.metric.z[i/v.o.inputs]
	}
	v.metric.weights(c.b, c.rho, w)
	if v.o.widths {
		c.width = x[len(x)-1] / v.metric.width
	}
}

// value sets the candidate to x, and returns the objective there and sets its gradient.
func (v *variables) value(ctx context.Context, x, gradient []float64) float64 {
	v.take(x)
	g := &v.gradient
	j := v.o.value(ctx, &v.c.point, g)
	z, w := v.parts(gradient)
	for i, slope := range g.z {
		z[i] = slope / v.metric.z[i/v.o.inputs]
	}
	v.metric.slopes(w, g.b, g.rho)
	if v.o.widths {
		gradient[len(gradient)-1] = g.width / v.metric.width
	}
	return j
}

// refreshEvery is the number of iterations after which the metric is renewed.
var refreshEvery = 100

// origin returns the point from which the coordinates of each vector are counted: 0, or the vector
// itself if it is so far from 0 that dot products lose too much to rounding. A descent ends when
// the gradient is small compared with the length of its point, which would mean nothing for vectors
// far from 0.
func (o *objective) origin(p *point) []float64 {
	q := o.queries(p)
	origin := make([]float64, len(p.z))
	for j, norm := range q.norms {
		if o.form.cancels(q.gamma, norm) {
			copy(origin[j*o.inputs:(j+1)*o.inputs], p.z[j*o.inputs:])
		}
	}
	return origin
}
