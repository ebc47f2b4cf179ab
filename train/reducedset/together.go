package reducedset

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// together moves all vectors of each machine and their coefficients at once, and chooses the
// offsets again.
func (s *state) together(ctx context.Context) error {
	moved := make([][]vec.Vector, len(s.machines))
	errs := make([]error, len(s.machines))
	team.DoLimited(ctx, len(s.machines), s.atOnce(), func(ctx context.Context, l int) {
		c := &s.machines[l]
		if errs[l] = ended.Err(ctx); errs[l] != nil || len(c.own) == 0 {
			return
		}
		t, err := s.residual(c, nil, nil)
		if err != nil {
			errs[l] = err
			return
		}
		var zs []vec.Vector
		for _, j := range c.own {
			zs = append(zs, s.zs.Row(j))
		}
		moved[l], c.beta, errs[l] = preimage.Joint(ctx, t, zs, c.beta, s.Search.Steps)
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	list := make([]vec.Vector, s.zs.Len())
	for l := range s.machines {
		for k, j := range s.machines[l].own {
			list[j] = moved[l][k]
		}
	}
	s.zs, s.kx, s.ks = vec.Matrix{}, nil, nil
	for _, z := range list {
		s.add(ctx, z, nil)
	}
	for l := range s.machines {
		s.offset(&s.machines[l])
	}
	return s.reportSize()
}
