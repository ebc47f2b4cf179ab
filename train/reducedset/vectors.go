package reducedset

import (
	"context"
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// residual returns Psi = w - sum_j b_j phi(z_j) of a machine as a target.
func (s *state) residual(c *machine, own []int, b []float64) (*preimage.Target, error) {
	points := vec.Matrix{}
	var eta []float64
	for i, e := range c.eta {
		if e != 0 {
			points.Append(s.parent.Vectors.Row(i))
			eta = append(eta, e)
		}
	}
	for k, j := range own {
		points.Append(s.zs.Row(j))
		eta = append(eta, -b[k])
	}
	return preimage.NewTarget(s.parent.Kernel, &points, eta)
}

// shadow returns the coefficients Kzz^+ Kzs eta of the projection of a machine's
// w on the span of the vectors: what is left of w is the best residual for them.
func (s *state) shadow(c *machine, p *projection) []float64 {
	_, m := p.basis.Dims()
	products := make([]float64, len(p.of)) // w.phi(z_j)
	for a, j := range p.of {
		for i, e := range c.eta {
			products[a] += float64(e * s.ks[j][i])
		}
	}
	w := mat.NewVecDense(m, nil)
	w.MulVec(p.basis.T(), mat.NewVecDense(len(products), products))
	return p.coefficients(w.RawVector().Data)
}

// find looks for a new vector for machine l, to be taken off its residual. n
// numbers the vectors of a reduction, so that each search has its own stream of
// random numbers, whatever the order in which searches run.
func (s *state) find(ctx context.Context, l, n int, t *preimage.Target) (*preimage.Result, error) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(n)))
	c := &s.machines[l]
	want := s.Search.Starts
	var starts []vec.Vector
	if s.Search.Method == preimage.Evolution {
		if want = s.Search.Population; want == 0 {
			want = preimage.MaxPopulation
		}
		for j := range s.zs.Len() {
			if len(starts) < want {
				starts = append(starts, s.zs.Row(j))
			}
		}
	}
	var support []int
	for i, e := range c.eta {
		if e != 0 {
			support = append(support, i)
		}
	}
	for _, k := range rng.Perm(len(support)) {
		if len(starts) < want {
			starts = append(starts, s.parent.Vectors.Row(support[k]))
		}
	}
	for _, k := range rng.Perm(len(c.rows)) {
		if len(starts) < want {
			starts = append(starts, s.d.X.Row(c.rows[k]))
		}
	}
	return s.Search.Find(ctx, rng, t, starts)
}

// extend gives machine l a vector: the pre-image of its residual. It returns false
// when the machine has no residual left.
func (s *state) extend(ctx context.Context, l int) (bool, error) {
	c := &s.machines[l]
	own, b := c.own, c.beta
	if s.Method.shares() {
		own, b = s.all(), nil
		if p := s.project(own); p != nil {
			b = s.shadow(c, p)
		} else {
			own = nil
		}
	}
	t, err := s.residual(c, own, b)
	if err == nil {
		var r *preimage.Result
		if r, err = s.find(ctx, l, s.zs.Len(), t); err == nil {
			s.found(l, r)
			s.take(ctx, l, r)
			return true, nil
		}
	}
	if errors.Is(err, preimage.ErrZero) {
		return false, nil
	}
	return false, err
}

// found passes on what a search took.
func (s *state) found(l int, r *preimage.Result) {
	if s.Found != nil {
		s.Found(l, r.Evaluations)
	}
}

// take adds a result to the vectors and to its machine.
func (s *state) take(ctx context.Context, l int, r *preimage.Result) {
	s.add(ctx, r.Z, l)
	if c := &s.machines[l]; !s.Method.shares() {
		c.own, c.beta = append(c.own, s.zs.Len()-1), append(c.beta, r.Beta)
	}
}
