package reducedset

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/preimage"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// first finds one vector for each machine, independently.
func (s *state) first(ctx context.Context) error {
	results := make([]*preimage.Result, len(s.machines))
	errs := make([]error, len(s.machines))
	team.DoLimited(ctx, len(s.machines), s.atOnce(), func(ctx context.Context, l int) {
		t, err := s.residual(&s.machines[l], nil, nil)
		if err == nil {
			results[l], err = s.find(ctx, l, l, t)
		}
		errs[l] = err
	})
	for l, r := range results {
		switch {
		case errors.Is(errs[l], preimage.ErrZero): // a machine without vectors needs none
		case errs[l] != nil:
			return errs[l]
		default:
			s.take(ctx, l, r)
		}
	}
	s.searches = len(s.machines)
	return nil
}

// shared is the paper's algorithm: one vector for each machine; then, while more are wanted, one
// for the machine that Next selects. All machines use all vectors, and are trained again after each
// round. If fewer vectors than machines are wanted, the first step is left out.
func (s *state) shared(ctx context.Context) error {
	if len(s.machines) <= s.Vectors {
		if err := s.first(ctx); err != nil {
			return err
		}
	}
	if err := s.retrain(ctx); err != nil {
		return err
	}
	if s.zs.Len() > 0 {
		if err := s.reportSize(); err != nil {
			return err
		}
	}
	done := make([]bool, len(s.machines)) // have no residual left
	for s.zs.Len() < s.Vectors {
		more := min(max(1, int(s.Growth*float64(s.zs.Len()))), s.Vectors-s.zs.Len())
		found := 0
		for _, l := range s.worst() {
			if found == more {
				break
			}
			if done[l] {
				continue
			}
			ok, err := s.extend(ctx, l)
			if err != nil {
				return err
			}
			if done[l] = !ok; ok {
				found++
			}
		}
		if found == 0 {
			return nil
		}
		if err := s.retrain(ctx); err != nil {
			return err
		}
		if err := s.reportSize(); err != nil {
			return err
		}
	}
	return nil
}

// worst lists the machines in the order of Next, the one to improve first. Equal machines are
// ordered by the number of vectors found for them, fewest first, then by number.
func (s *state) worst() []int {
	order := make([]int, len(s.machines))
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int {
		m, n := &s.machines[a], &s.machines[b]
		return cmp.Or(cmp.Compare(s.Next.need(n), s.Next.need(m)), cmp.Compare(m.found, n.found))
	})
	return order
}

// need returns how much a machine needs another vector.
func (n Next) need(c *machine) float64 {
	if n == LeastAccurate {
		return c.wrong
	}
	return max(0, c.wrong-c.parent)
}

// ownVectors gives each machine equally many vectors of its own. If the number does not divide
// evenly, the first machines get one more.
func (s *state) ownVectors(ctx context.Context) error {
	for l := range s.machines {
		s.offset(&s.machines[l])
	}
	done := make([]bool, len(s.machines)) // have no residual left
	for s.zs.Len() < s.Vectors {
		was := s.zs.Len()
		for l := range s.machines {
			if s.zs.Len() == s.Vectors {
				break
			}
			if done[l] {
				continue
			}
			ok, err := s.extend(ctx, l)
			if done[l] = !ok; err == nil && ok {
				err = s.reportOwn()
			}
			if err != nil {
				return err
			}
		}
		if s.zs.Len() == was {
			break
		}
	}
	return nil
}

// greedy gives one vector at a time to the machine that Next selects. Retrain trains its
// coefficients in addition to those by which machines are selected.
func (s *state) greedy(ctx context.Context) error {
	if len(s.machines) <= s.Vectors {
		if err := s.first(ctx); err != nil {
			return err
		}
	}
	for l := range s.machines {
		c := &s.machines[l]
		s.offset(c)
		if s.Method == Retrain {
			if err := s.trainOn(ctx, c, c.span); err != nil {
				return err
			}
		}
	}
	if s.zs.Len() > 0 {
		if err := s.reportSize(); err != nil {
			return err
		}
	}
	done := make([]bool, len(s.machines))
	for s.zs.Len() < s.Vectors {
		order := s.worst()
		k := slices.IndexFunc(order, func(l int) bool { return !done[l] })
		if k < 0 {
			break
		}
		l := order[k]
		ok, err := s.extend(ctx, l)
		if err != nil {
			return err
		}
		if done[l] = !ok; !ok {
			continue
		}
		if c := &s.machines[l]; s.Method == Retrain {
			if err := s.trainOn(ctx, c, c.span); err != nil {
				return err
			}
		}
		if err := s.reportSize(); err != nil {
			return err
		}
	}
	return nil
}

// reportOwn passes the model on as soon as every machine may have a vector of its own. With Burges,
// it waits until the vectors have been moved together.
func (s *state) reportOwn() error {
	if s.Method == Burges || s.zs.Len() < min(s.Vectors, len(s.machines)) {
		return nil
	}
	return s.reportSize()
}
