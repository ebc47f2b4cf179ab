package reducedset

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
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

// mostTogether is the number of values up to which searches for several machines go on at
// once, in 1 GB.
const mostTogether = 1 << 27

// atOnce returns for how many machines vectors may be looked for at once. Searches hold the
// vectors of the parent densely.
func (s *state) atOnce() int {
	if s.features == 0 {
		_, features := s.parent.Vectors.Compact()
		s.features = max(1, len(features))
	}
	return int(max(1, mostTogether/s.Search.Values(s.parent.Vectors.Len(), s.features)))
}

// find looks for a new vector for machine l, to be taken off its residual. n
// numbers the vectors of a reduction, so that each search has its own stream of
// random numbers, whatever the order in which searches run.
func (s *state) find(ctx context.Context, l, n int, t *preimage.Target) (*preimage.Result, error) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(n)))
	search := s.Search
	switch s.Method {
	case FixedPoints:
		search.Method = preimage.FixedPoint
	case Burges:
		search.Method = preimage.Together
	}
	want := search.Starts
	var starts []vec.Vector
	if search.Method == preimage.Evolution {
		if want = search.Population; want == 0 {
			want = preimage.MaxPopulation
		}
		for j := range s.zs.Len() {
			if len(starts) < want {
				starts = append(starts, s.zs.Row(j))
			}
		}
	}
	c := &s.machines[l]
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
	rows := s.rowsOf(l)
	for _, k := range rng.Perm(len(rows)) {
		if len(starts) < want {
			starts = append(starts, s.places.x.Row(rows[k]))
		}
	}
	return search.Find(ctx, rng, t, starts)
}

// rowsOf lists the rows of machine l.
func (s *state) rowsOf(l int) []int {
	var rows []int
	of := &s.parent.Machines[l]
	for g, list := range s.places.rows {
		if !s.parent.Task.Classifies() || g == of.Pos || g == of.Neg || of.Neg == models.Rest {
			rows = append(rows, list...)
		}
	}
	return rows
}

// extend gives machine l a vector: the pre-image of its residual. It returns false
// when the machine has no residual left.
func (s *state) extend(ctx context.Context, l int) (bool, error) {
	c := &s.machines[l]
	own, b := c.own, c.beta
	if s.common != nil {
		own, b = s.common.of, s.common.shadow(s, c)
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

// found counts a vector for machine l, and passes on what the search took.
func (s *state) found(l int, r *preimage.Result) {
	s.machines[l].found++
	if s.Found != nil {
		s.Found(l, r.Evaluations)
	}
}

// take adds a result to the vectors and to its machine.
func (s *state) take(ctx context.Context, l int, r *preimage.Result) {
	s.add(ctx, r.Z)
	if s.common != nil {
		return
	}
	c := &s.machines[l]
	s.give(c, s.zs.Len()-1, r.Beta)
	if s.Method == FixedPoints {
		c.beta = c.span.shadow(s, c)
	}
	s.offset(c)
}
