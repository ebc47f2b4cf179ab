package joint

import (
	"context"
	"errors"
	"slices"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// descend optimises everything from c on, for so many iterations at most. Every
// lookEvery of them look, unless it is nil, is given the candidate and may end the
// descent.
func (s *search) descend(ctx context.Context, c *candidate, rows []chunk, iterations int, look func(*candidate) bool) error {
	o := s.objective(c, rows)
	o.moveVectors = true
	o.pull, o.home = s.Pull, slices.Clone(c.z)
	settings := lbfgs.Default()
	settings.Evaluations = s.Evaluations
	nz, nb, nr := len(c.z), len(c.b), len(c.rho)
	x := make([]float64, 0, nz+nb+nr+1)
	for _, v := range c.z {
		x = append(x, v/s.scale)
	}
	x = append(append(append(x, c.b...), c.rho...), c.width)
	if !o.widths {
		x = x[:nz+nb+nr]
	}
	take := func(x []float64) {
		for i := range c.z {
			c.z[i] = x[i] * s.scale
		}
		copy(c.b, x[nz:nz+nb])
		copy(c.rho, x[nz+nb:nz+nb+nr])
		if o.widths {
			c.width = x[nz+nb+nr]
		}
	}
	f := func(x, gradient []float64) float64 {
		take(x)
		g := point{z: gradient[:nz], b: gradient[nz : nz+nb], rho: gradient[nz+nb : nz+nb+nr]}
		j := o.value(ctx, &c.point, &g)
		for i := range g.z {
			g.z[i] *= s.scale
		}
		if o.widths {
			gradient[nz+nb+nr] = g.width
		}
		return j
	}
	last := 0
	end, err := lbfgs.Minimize(ctx, f, x, settings, func(st lbfgs.State) bool {
		if st.Iterations > 0 {
			s.progress()
		}
		if st.Iterations >= iterations {
			return false
		}
		if look == nil || st.Iterations%lookEvery != 0 || st.Iterations == last {
			return true
		}
		last = st.Iterations
		take(st.X)
		return look(c)
	})
	take(end.X)
	c.evaluations += end.Evaluations
	if errors.Is(err, lbfgs.ErrStart) {
		err = train.ErrOverflow
	}
	return err
}
