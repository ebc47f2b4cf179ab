package smo

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: leave out variables that are at a bound and are likely to stay there.
//
// Method: with lowest = min f over the active variables that can go up and highest = max f over
// those that can go down, a variable at its upper end is left out if f < lowest, and one at its
// lower end if f > highest: neither would be in a pair. In a nu programme the two kinds are treated
// separately. A variable that is left out changes places with the last active one that stays.
//
// When the violation has come down to ten tolerances, all variables come back, once, so that the
// last iterations are not made with the wrong active set.

// unshrinkAt is the violation, in tolerances, at which all variables come back.
const unshrinkAt = 10

func (s *state) shrink(ctx context.Context) error {
	s.look()
	if !s.unshrunk && s.violation() <= unshrinkAt*s.opt.Tolerance {
		s.unshrunk = true
		ends := s.ends // extremes over the variables that were active
		if err := s.rebuild(ctx); err != nil {
			return err
		}
		s.restore()
		s.ends = ends
		if !s.nu {
			s.opt.Report.Send(train.GradientRebuilt{})
		}
	}
	idle := func(t int) bool {
		k := s.group(t)
		switch s.where[t] {
		case atUpper:
			return s.f[t] < s.ends[k].Lowest
		case atLower:
			return s.f[t] > s.ends[k].Highest
		}
		return false
	}
	for t := 0; t < s.active; t++ {
		if !idle(t) {
			continue
		}
		s.addPending()
		s.active--
		for s.active > t {
			if !idle(s.active) {
				s.exchange(t, s.active)
				s.swaps = append(s.swaps, Pair{t, s.active})
				break
			}
			s.active--
		}
	}
	if len(s.swaps) > 0 {
		s.activeRows.swap(s.swaps)
	}
	s.src.Swap(s.swaps)
	if r, ok := s.src.(*rowSource); ok {
		r.dropPrefetched(s.active)
	}
	s.swaps = s.swaps[:0]
	s.known = false
	return nil
}

// restore makes all variables active.
func (s *state) restore() {
	s.active = s.n
	s.activeRows.end()
	s.known = false
}

// exchange exchanges two positions in everything except the source.
func (s *state) exchange(i, j int) {
	for _, x := range [][]float64{s.b, s.p, s.lower, s.upper, s.diag, s.f} {
		x[i], x[j] = x[j], x[i]
	}
	if s.adder == nil {
		s.far[i], s.far[j] = s.far[j], s.far[i]
	}
	s.where[i], s.where[j] = s.where[j], s.where[i]
	s.order[i], s.order[j] = s.order[j], s.order[i]
	for g := range s.groups() {
		s.up[g].Swap(i, j)
		s.low[g].Swap(i, j)
	}
	s.known = false
}

// farLen returns the length of far. The two variables of a row have the same sum.
func (s *state) farLen() int {
	if s.adder != nil {
		return s.n / 2
	}
	return s.n
}

// farOf returns the index in far of position i.
func (s *state) farOf(i int) int {
	if s.adder != nil {
		return s.order[i] % s.farLen()
	}
	return i
}

// rebuild computes the gradient of the variables that are shrunk:
//
//	f_j = far_j + p_j + sum of K_jk b_k over the free k,
//
// with the sum in order of position. The variables stay shrunk. If K is symmetric to the last bit,
// the rows of the free variables give the values. A matrix that was given may differ across its
// diagonal. Then it matters whose rows are used, and rebuild uses the same as LIBSVM: those of the
// shrunk variables if these are few, else those of the free variables.
func (s *state) rebuild(ctx context.Context) error {
	if s.active == s.n {
		return nil
	}
	s.addPending()
	out := s.f[s.active:]
	for k := range out {
		j := s.active + k
		out[k] = s.far[s.farOf(j)] + s.p[j]
	}
	rows := s.rows[:0] // the free variables
	for i, w := range s.where[:s.active] {
		if w == free {
			rows = append(rows, i)
		}
	}
	s.rows = rows
	if 2*len(rows) < s.active {
		s.opt.Report.Send(train.SlowShrinking{})
	}
	if s.given && len(rows)*s.n > 2*s.active*len(out) {
		return s.rebuildByRow(ctx, rows)
	}
	values := s.work.values(min(PartRows, len(rows)) * len(out))
	to := append(s.sums[:0], out)
	for block := range slices.Chunk(rows, PartRows) {
		if err := ended.Err(ctx); err != nil {
			return err
		}
		parts, coefs := s.added[:0], s.times[:0]
		for k, i := range block {
			parts, coefs = append(parts, values[k*len(out):(k+1)*len(out)]), append(coefs, s.b[i])
		}
		s.partForPass(parts, block)
		s.passes.sum(summing{to: to, rows: parts, coefs: coefs})
		s.added, s.times = parts, coefs
	}
	return nil
}

// rebuildByRow computes the sum of each shrunk variable from the elements that its own row has for
// the free variables.
func (s *state) rebuildByRow(ctx context.Context, free []int) error {
	for j := s.active; j < s.n; j++ {
		if err := ended.Err(ctx); err != nil {
			return err
		}
		var row []float32
		if s.activeRows.whole {
			row = s.activeRows.walk.Row(j)
		} else {
			row = s.src.Row(j, s.active)
		}
		for _, i := range free {
			s.f[j] += float64(s.b[i] * float64(row[i]))
		}
	}
	return nil
}

// partForPass sets parts to the columns of the shrunk variables in rows. The values may be computed
// only in the next pass over these columns.
func (s *state) partForPass(parts [][]float32, rows []int) {
	if s.activeRows.whole {
		for r, i := range rows {
			parts[r] = s.activeRows.walk.Row(i)[s.active:]
		}
		return
	}
	if r, ok := s.src.(*rowSource); ok {
		r.partForPass(parts, rows, s.active, s.n)
		return
	}
	s.src.Part(parts, rows, s.active, s.n)
}
