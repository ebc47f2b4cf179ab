package joint

import (
	"context"
	"errors"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// descend optimises all variables of c in at most the given number of iterations. look, if not nil,
// is called every lookEvery iterations with the candidate and the value of the objective, and ends
// the descent by returning false. The descent also ends at a point whose value cannot be trusted.
func (s *search) descend(ctx context.Context, c *candidate, rows []chunk, iterations int, look func(now *candidate, value float64) bool) error {
	o := s.objective(c, rows)
	o.moveVectors = true
	o.pull, o.home = s.Pull, slices.Clone(c.z)
	settings := lbfgs.Default()
	settings.Memory = s.changes()
	left := s.Evaluations
	g := point{z: make([]float64, len(c.z)), b: make([]float64, len(c.b)), rho: make([]float64, len(c.rho))}
	nz, nw := len(c.z), len(c.b)+len(c.rho)
	x := make([]float64, nz+nw, nz+nw+1)
	if o.widths {
		x = x[:nz+nw+1]
	}
	total, goOn := 0, true
	for goOn && left > 0 {
		before := c.point.clone()
		m := o.metric(ctx, &c.point)
		origin := o.origin(&c.point)
		for i, v := range c.z {
			x[i] = (v - origin[i]) * m.z[i/s.inputs]
		}
		m.coordinates(x[nz:nz+nw], c.b, c.rho)
		if o.widths {
			x[nz+nw] = c.width * m.width
		}
		take := func(x []float64) {
			for i := range c.z {
				c.z[i] = origin[i] + x[i]/m.z[i/s.inputs]
			}
			m.weights(c.b, c.rho, x[nz:nz+nw])
			if o.widths {
				c.width = x[nz+nw] / m.width
			}
		}
		f := func(x, gradient []float64) float64 {
			take(x)
			j := o.value(ctx, &c.point, &g)
			for i, v := range g.z {
				gradient[i] = v / m.z[i/s.inputs]
			}
			m.slopes(gradient[nz:nz+nw], g.b, g.rho)
			if o.widths {
				gradient[nz+nw] = g.width / m.width
			}
			return j
		}
		settings.Evaluations = left
		refreshed := false
		end, err := lbfgs.Minimize(ctx, f, x, settings, func(st lbfgs.State) bool {
			if st.Iterations == 0 {
				return true
			}
			s.progress()
			total++
			if total >= iterations {
				goOn = false
				return false
			}
			if look != nil && total%lookEvery == 0 {
				take(st.X)
				if !look(c, st.Value) {
					goOn = false
					return false
				}
			}
			if st.Iterations >= refreshEvery {
				refreshed = true
				return false
			}
			return true
		})
		take(end.X)
		c.evaluations += end.Evaluations
		left -= end.Evaluations
		if errors.Is(err, lbfgs.ErrStart) { // values are at the limit of what can be trusted
			c.point = before
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		if !refreshed {
			break
		}
	}
	return nil
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
