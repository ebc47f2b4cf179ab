package reducedset

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// residual returns Psi = w - sum_j b_j phi(z_j) of a machine as a target.
func (s *state) residual(c *machine, own []int, b []float64) (*preimage.Target, error) {
	points := vec.Matrix{}
	var eta []float64
	for i, e := range s.eta(c) {
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

// mostTogether is the number of values, 1 GB, up to which searches for several machines run at
// once.
const mostTogether = 1 << 27

// atOnce returns for how many machines vectors may be searched at once. Searches hold the vectors
// of the parent densely, unless they have few features each.
func (s *state) atOnce() int {
	if s.features == 0 {
		_, features := s.parent.Vectors.Compact()
		s.features = max(1, len(features))
	}
	return int(max(1, mostTogether/s.Search.Values(s.parent.Vectors.Len(), s.features)))
}

// find searches a new vector for machine l, whose residual is t. n is the number of the search in
// the reduction: each search has its own stream of random numbers, in whatever order they run.
//
// The paper fills the first generation of differential evolution at random with vectors found
// before, support vectors and rows. Here these have an order: all vectors found before, the oldest
// first; then support vectors of the machine, and then rows of its classes, both in random order,
// until there are as many as the population has members. So when there are at least as many vectors
// as members, which is soon if there are few features, the first generation is the same in all
// searches: the first vectors.
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
	for i, e := range s.eta(c) {
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

// extend gives machine l a vector: the pre-image of its residual. It returns false if the machine
// has no residual left except for rounding.
func (s *state) extend(ctx context.Context, l int) (bool, error) {
	c := &s.machines[l]
	if s.common != nil {
		return s.next(ctx, l, s.common.of, s.common.projection(s, c))
	}
	ok, err := s.next(ctx, l, c.own, c.beta)
	if ok || err != nil || s.Method != Retrain || len(c.own) == 0 {
		return ok, err
	}
	// the residual of Greedy's coefficients may still lie in the span; that of the coefficients
	// nearest to the machine does not
	c.beta = c.span.projection(s, c)
	s.offset(c)
	return s.next(ctx, l, c.own, c.beta)
}

// next gives machine l a vector for the residual that the vectors own with coefficients b leave.
func (s *state) next(ctx context.Context, l int, own []int, b []float64) (bool, error) {
	t, err := s.residual(&s.machines[l], own, b)
	if err == nil {
		var r *preimage.Result
		n := s.searches
		s.searches++
		if r, err = s.find(ctx, l, n, t); err == nil {
			return s.take(ctx, l, r), nil
		}
	}
	if errors.Is(err, preimage.ErrZero) {
		return false, nil
	}
	return false, err
}

// take adds a result to the vectors and to machine l, and reports the search to Found. If the
// vector is worth nothing, it does neither and returns false.
func (s *state) take(ctx context.Context, l int, r *preimage.Result) bool {
	c := &s.machines[l]
	p := s.common
	if p == nil {
		p = c.span
	}
	if !(math.Sqrt(r.Gain) > c.least) || !s.add(ctx, r.Z, p) {
		return false
	}
	c.found++
	if s.Found != nil {
		s.Found(l, r.Evaluations)
	}
	if s.common != nil {
		return true
	}
	c.own, c.beta = append(c.own, s.zs.Len()-1), append(c.beta, r.Beta)
	if s.Method == FixedPoints {
		c.beta = c.span.projection(s, c)
	}
	s.offset(c)
	return true
}
