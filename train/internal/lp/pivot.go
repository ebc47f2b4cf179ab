package lp

import "context"

// pivot replaces the leaving variable by the variable of the breakpoint in, and moves the variables
// of the breakpoints before it to their other bounds. If the pivots computed from the row and from
// the column differ, it changes nothing and returns false.
func (s *Solver) pivot(ctx context.Context, out leavingVariable, in breakpoint, col []float64, norm float64) bool {
	w := &s.w
	k := s.size()

	// The entering column in terms of the basis: aq for the basic t, yq for the inactive rows.
	q, r := int(in.index), -1
	var row []float64
	if q < s.m {
		row = s.p.A.Row(q)
		for i, j := range s.active {
			w.rhs[i] = row[j]
		}
		s.mulT(w.aq, w.rhs)
		if s.careful {
			s.improveT(w.aq, w.rhs)
		}
	} else {
		r, q = q-s.m, -1
		for c, v := range s.inv[r] {
			w.aq[c] = -v
		}
		if s.careful {
			clear(w.rhs)
			w.rhs[r] = -1
			s.improveT(w.aq, w.rhs)
		}
	}
	var pivot float64 // element of the leaving variable
	p := -1
	switch {
	case out.t >= 0:
		p = int(s.posT[out.t])
		pivot = w.aq[p]
	default:
		pivot = dot(w.g, w.aq)
		if q >= 0 {
			pivot -= row[out.row]
		}
	}
	limit := pivotTolerance
	if s.fresh {
		limit = freshTolerance
	}
	if abs(abs(pivot)-in.pivot) > limit*in.pivot {
		return false
	}

	s.flip(in)
	flips := len(w.flipped)+len(w.flippedR) > 0
	// w.tau and, below, w.yt are inv(B) rho for the basic t and the inactive rows; rho = -sign dir
	// is the leaving variable's row of the inverse
	for i, d := range w.dir {
		w.rhs[i] = -out.sign * d
	}
	s.mulT(w.tau, w.rhs)
	// changes caused by the flips
	if flips {
		for i, j := range s.active {
			w.rhs[i] = -w.flip[j]
		}
		for _, i := range w.flippedR {
			j := s.active[i]
			if s.highR[j] { // it was at the lower bound before
				w.rhs[i] += s.p.Upper[j] - s.p.Lower[j]
			} else {
				w.rhs[i] -= s.p.Upper[j] - s.p.Lower[j]
			}
		}
		s.mulT(w.df, w.rhs)
	}
	dst, coef := [][]float64{w.yq, w.yt}, [][]float64{w.aq, w.tau}
	if row != nil {
		for j, v := range row {
			w.yq[j] = -v
		}
	} else {
		clear(w.yq)
	}
	clear(w.yt)
	if flips {
		copy(w.yf, w.flip)
		dst, coef = append(dst, w.yf), append(coef, w.df)
	}
	if k > 0 {
		combine(ctx, dst, s.rows, coef)
	}

	// how far the entering variable moves
	var target, value float64
	if out.t >= 0 {
		value = s.t[out.t]
		if flips {
			value += w.df[p]
		}
		if out.sign > 0 {
			target = s.p.Cost[out.t]
		}
	} else {
		value = s.act[out.row]
		if flips {
			value += w.yf[out.row]
		}
		if target = s.p.Lower[out.row]; out.sign > 0 {
			target = s.p.Upper[out.row]
		}
	}
	step := (value - target) / pivot

	s.movePrimal(out, in, row, step, flips)
	s.moveReduced(out, in)
	s.updateNorms(out, q, r, pivot, norm)
	s.exchange(out, target, p, q, r, row, col)
	s.pivots++
	s.since++
	s.fresh = false
	return true
}

// flip moves the variables of all breakpoints before in to their other bounds, and sets w.flip to
// the change of A't.
func (s *Solver) flip(in breakpoint) {
	w := &s.w
	w.flipped, w.flippedR = w.flipped[:0], w.flippedR[:0]
	clear(w.flip)
	for _, k := range s.ratio.breakpoints {
		if k.at >= in.at || k.index == in.index {
			continue
		}
		s.flips++
		if i := int(k.index); i < s.m {
			w.flipped = append(w.flipped, i)
			s.setBound(i, !s.high[i], w.flip)
		} else {
			r := i - s.m
			w.flippedR = append(w.flippedR, r)
			s.highR[s.active[r]] = !s.highR[s.active[r]]
		}
	}
	for j, v := range w.flip {
		s.atCost[j] += v
	}
}

// setBound sets t_i to its cost or to 0, and adds the change of A't to act.
func (s *Solver) setBound(i int, high bool, act []float64) {
	was := s.t[i]
	if s.high[i] = high; high {
		s.t[i] = s.p.Cost[i]
	} else {
		s.t[i] = 0
	}
	if d := s.t[i] - was; d != 0 {
		axpy(act, d, s.line(i))
	}
}

// movePrimal updates t of the basics, and A't.
func (s *Solver) movePrimal(out leavingVariable, in breakpoint, row []float64, step float64, flips bool) {
	w := &s.w
	for c, i := range s.basic {
		v := s.t[i] - float64(step*w.aq[c])
		if flips {
			v += w.df[c]
		}
		s.t[i] = v
	}
	for j := range s.act {
		if s.posR[j] >= 0 {
			continue
		}
		v := s.act[j] - float64(step*w.yq[j])
		if flips {
			v += w.yf[j]
		}
		s.act[j] = v
	}
	for _, r := range w.flippedR {
		s.act[s.active[r]] = s.boundR(s.active[r])
	}
	if row != nil {
		s.t[in.index] += step
	} else {
		j := s.active[int(in.index)-s.m]
		s.act[j] = s.boundR(j) + step
	}
}

// boundR returns the bound at which an active row is.
func (s *Solver) boundR(j int) float64 {
	if s.highR[j] {
		return s.p.Upper[j]
	}
	return s.p.Lower[j]
}

// moveReduced updates x and z along the edge.
func (s *Solver) moveReduced(out leavingVariable, in breakpoint) {
	if in.at > 0 {
		if s.candidates.kept == nil {
			axpy(s.z, -in.at, s.alpha)
		}
		for n, i := range s.candidates.kept {
			s.z[i] -= float64(in.at * s.alpha[n])
		}
		for r, j := range s.active {
			s.x[j] += float64(in.at * s.w.dir[r])
		}
	}
	for _, i := range s.basic {
		s.z[i] = 0
	}
	if out.t >= 0 {
		s.z[out.t] = out.sign * in.at
	} else {
		s.x[out.row] = out.sign * in.at
	}
	if i := int(in.index); i < s.m {
		s.z[i] = 0
	} else {
		s.x[s.active[i-s.m]] = 0
	}
}

// updateNorms updates the squared norms of the rows of the basis' inverse. For row i with entering
// element a_i, the new norm is (a_i/pivot)^2 |rho|^2 - 2 (a_i/pivot) rho_i'rho + |rho_i|^2.
func (s *Solver) updateNorms(out leavingVariable, q, r int, pivot, norm float64) {
	w := &s.w
	update := func(old, a, tau float64) float64 {
		f := a / pivot
		if f == 0 {
			return old
		}
		return max(old-float64(2*f*tau)+float64(float64(f*f)*norm), float64(f*f)+minNorm)
	}
	for c, i := range s.basic {
		s.normT[i] = update(s.normT[i], w.aq[c], w.tau[c])
	}
	for j := range s.normR {
		if s.posR[j] < 0 {
			s.normR[j] = update(s.normR[j], w.yq[j], w.yt[j])
		}
	}
	in := max(norm/(pivot*pivot), minNorm)
	if q >= 0 {
		s.normT[q] = in
	} else {
		s.normR[s.active[r]] = in
	}
}

// exchange changes the basis: variable out leaves and takes the value target; t q, or the active
// row at position r, enters.
func (s *Solver) exchange(out leavingVariable, target float64, p, q, r int, row, col []float64) {
	w := &s.w
	if out.t >= 0 {
		s.t[out.t], s.high[out.t], s.posT[out.t] = target, out.sign > 0, -1
		if out.sign > 0 {
			axpy(s.atCost, target, s.rows[p])
		}
	} else {
		s.act[out.row], s.highR[out.row] = target, out.sign > 0
	}
	if q >= 0 && s.high[q] {
		axpy(s.atCost, -s.p.Cost[q], row)
	}
	switch {
	case out.t < 0 && q >= 0:
		schur := row[out.row] - dot(w.aq, w.g)
		s.posT[q], s.posR[out.row] = int32(s.size()), int32(s.size())
		s.pin(out.row, col)
		s.grow(q, row, out.row, col, w.enter, w.aq, schur)
	case out.t < 0:
		s.posR[s.active[r]], s.posR[out.row] = -1, int32(r)
		s.unpin(s.active[r])
		s.pin(out.row, col)
		s.replaceRow(r, out.row, col, w.enter)
	case q >= 0:
		s.posT[q] = int32(p)
		s.replaceBasic(p, q, row, w.aq)
	default:
		last := s.size() - 1
		s.posR[s.active[r]] = -1
		s.unpin(s.active[r])
		if p != last {
			s.posT[s.basic[last]] = int32(p)
		}
		if r != last {
			s.posR[s.active[last]] = int32(r)
		}
		s.shrink(p, r)
	}
}
