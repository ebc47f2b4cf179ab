package lp

import (
	"context"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// refresh computes everything from the basis: its inverse, x, z, the bound of each variable, t and
// A't. If all, it also recomputes the sum over the t at their costs. The error is that of ctx,
// after which the solver cannot be used.
func (s *Solver) refresh(ctx context.Context, all bool) error {
	for s.since > 0 { // if it is 0, the inverse is already that of this basis
		ok, basics, rows := s.invert(ctx)
		if err := ended.Err(ctx); err != nil {
			return err
		}
		if ok {
			break
		}
		for _, c := range basics {
			i := s.basic[c]
			s.posT[i] = -1
			s.high[i], s.t[i] = false, 0
			s.normT[i] = 1
		}
		for _, r := range rows {
			j := s.active[r]
			s.posR[j], s.x[j], s.normR[j] = -1, 0, 1
			s.unpin(j)
		}
		s.drop(basics, rows)
		for c, i := range s.basic {
			s.posT[i] = int32(c)
		}
		for r, j := range s.active {
			s.posR[j] = int32(r)
		}
	}
	s.since, s.fresh, s.stale = 0, true, false
	return s.renew(ctx, all)
}

// renew recomputes everything except the inverse.
func (s *Solver) renew(ctx context.Context, all bool) error {
	k := s.size()
	s.w.room(k)

	s.place()
	copy(s.z, s.b)
	for r := range s.w.dir {
		s.w.rhs[r] = -s.w.dir[r]
	}
	if s.careful {
		addExactly(s.z, s.cols, s.w.rhs)
	} else if k > 0 {
		combine(ctx, [][]float64{s.z}, s.cols, [][]float64{s.w.rhs})
	}
	for _, i := range s.basic {
		s.z[i] = 0
	}
	s.setBounds(ctx, all)
	if s.careful && all {
		s.sumCosts(ctx)
	}
	s.candidates.choose(s.z, s.posT)
	for r, col := range s.cols {
		s.near[r] = s.candidates.of(col)
	}

	for r, j := range s.active {
		s.w.rhs[r] = s.boundR(j) - s.atCost[j]
	}
	s.solveT(s.w.aq, s.w.rhs)
	if s.careful {
		s.improveT(s.w.aq, s.w.rhs)
	}
	s.sumsBasic = 0
	for c, i := range s.basic {
		s.t[i] = s.w.aq[c]
		s.sumsBasic += float64(abs(s.t[i]) * s.largestOf(i, s.rows[c]))
	}
	copy(s.act, s.atCost)
	if k > 0 {
		combine(ctx, [][]float64{s.act}, s.rows, [][]float64{s.w.aq})
	}
	for _, j := range s.active {
		s.act[j] = s.boundR(j)
	}
	return ended.Err(ctx)
}

// place computes x from the basis and the right-hand sides.
func (s *Solver) place() {
	for c, i := range s.basic {
		s.w.g[c] = s.b[i]
	}
	s.solve(s.w.dir, s.w.g)
	if s.careful {
		s.improve(s.w.dir, s.w.g)
	}
	for r, j := range s.active {
		s.x[j] = s.w.dir[r]
	}
}

// largest returns the largest absolute value.
func largest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, abs(x))
	}
	return most
}

// largestOf is largest of row i. It remembers the result, except in a pool, whose rows grow.
func (s *Solver) largestOf(i int, row []float64) float64 {
	if s.pool != nil {
		return largest(row)
	}
	if s.most[i] < 0 {
		s.most[i] = largest(row)
	}
	return s.most[i]
}

// checkEvery is the number of rows or columns from one check of the context to the next. Each may
// have to be computed from a kernel.
const checkEvery = 16

// setBounds moves the variables outside of the basis to the bounds that the signs of their reduced
// costs require. If a reduced cost is as good as 0, the variable stays. It ends early if ctx is
// cancelled.
func (s *Solver) setBounds(ctx context.Context, all bool) {
	if all {
		clear(s.atCost)
		s.sums = 0
	}
	for i, z := range s.z {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return
		}
		if s.posT[i] >= 0 {
			continue
		}
		high := s.high[i]
		if abs(z) > s.signs {
			high = z > 0
		}
		if s.p.Cost[i] == 0 {
			high = false
		}
		if high != s.high[i] {
			s.candidates.noteFlip(i)
		}
		if all { // the cost may have changed, too
			s.high[i], s.t[i] = high, 0
			if high {
				s.t[i] = s.p.Cost[i]
				row := s.line(i)
				axpy(s.atCost, s.t[i], row)
				s.sums += float64(s.t[i] * s.largestOf(i, row))
			}
		} else if high != s.high[i] {
			s.setBound(i, high, s.atCost)
		}
	}
	for _, j := range s.active {
		if x := s.x[j]; abs(x) > s.signs {
			s.highR[j] = x > 0
		}
	}
}
