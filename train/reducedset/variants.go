package reducedset

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/train/internal/preimage"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// first finds one vector for each machine, independently.
func (s *state) first(ctx context.Context) error {
	results := make([]*preimage.Result, len(s.machines))
	errs := make([]error, len(s.machines))
	team.Do(ctx, len(s.machines), func(ctx context.Context, l int) {
		t, err := s.residual(&s.machines[l], nil, nil)
		if err == nil {
			results[l], err = s.find(ctx, l, l, t)
		}
		errs[l] = err
	})
	for l, r := range results {
		switch {
		case errs[l] == preimage.ErrZero: // a machine without vectors needs none
		case errs[l] != nil:
			return errs[l]
		default:
			s.found(l, r)
			s.take(ctx, l, r)
		}
	}
	return nil
}

// shared is the paper's algorithm: one vector for each machine; then, while more
// are wanted, one for the machine with the most errors. All machines use all
// vectors, and are trained again after each round. With fewer vectors than
// machines the first step is left out.
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
		if err := s.tell(); err != nil {
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
		if err := s.tell(); err != nil {
			return err
		}
	}
	return nil
}

// worst lists the machines by their errors, most first; of equals the first.
func (s *state) worst() []int {
	wrong := make([]float64, len(s.machines))
	order := make([]int, len(s.machines))
	for l := range order {
		order[l] = l
		if s.parent.Task.Classifies() {
			wrong[l] = s.errors(&s.machines[l])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case wrong[a] > wrong[b]:
			return -1
		case wrong[a] < wrong[b]:
			return 1
		}
		return 0
	})
	return order
}

// orig gives each machine equally many vectors of its own, the first machines one
// more where they do not divide.
func (s *state) orig(ctx context.Context) error {
	for round := 0; s.zs.Len() < s.Vectors; round++ {
		was := s.zs.Len()
		for l := range s.machines {
			if s.zs.Len() == s.Vectors {
				break
			}
			if _, err := s.extend(ctx, l); err != nil {
				return err
			}
		}
		if s.zs.Len() == was {
			break
		}
	}
	return s.finish(ctx)
}

// greedy gives a vector at a time to the machine with the most errors.
func (s *state) greedy(ctx context.Context) error {
	if len(s.machines) <= s.Vectors {
		if err := s.first(ctx); err != nil {
			return err
		}
	}
	for l := range s.machines {
		s.offset(&s.machines[l])
	}
	done := make([]bool, len(s.machines))
	for s.zs.Len() < s.Vectors {
		l := slices.IndexFunc(s.worst(), func(l int) bool { return !done[l] })
		if l < 0 {
			break
		}
		l = s.worst()[l]
		ok, err := s.extend(ctx, l)
		if err != nil {
			return err
		}
		if done[l] = !ok; ok {
			s.offset(&s.machines[l])
		}
	}
	return s.finish(ctx)
}

// finish sets the offsets, or where the method says so trains all coefficients.
func (s *state) finish(ctx context.Context) error {
	if s.Method == Retrain {
		if err := s.retrain(ctx); err != nil {
			return err
		}
	} else {
		for l := range s.machines {
			s.offset(&s.machines[l])
		}
	}
	return s.tell()
}
