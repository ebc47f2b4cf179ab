package lp

import "context"

// An enteringVariable is t, or with t = -1 the active row at a position.
type enteringVariable struct {
	t, position int
	row         []float64 // row t of A, nil for an active row
}

// pivot replaces the leaving variable by the variable of the breakpoint in, and moves the variables
// of the breakpoints before it to their other bounds. If the pivots computed from the row and from
// the column differ, it changes nothing and returns false.
func (s *Solver) pivot(ctx context.Context, out leavingVariable, in breakpoint, col []float64, norm float64) bool {
	enter := s.entering(in)
	pivot := s.leavingElement(out, enter)
	limit := pivotTolerance
	if s.fresh {
		limit = freshTolerance
	}
	if abs(abs(pivot)-in.pivot) > limit*in.pivot {
		return false
	}
	s.flip(in)
	s.findChanges(ctx, out, enter)
	value, target := s.leavingValue(out)
	s.movePrimal(enter, (value-target)/pivot)
	s.moveReduced(out, in)
	s.updateNorms(out, enter, pivot, norm)
	s.exchange(out, enter, target, col)
	s.pivots++
	if s.careful {
		s.slow++
	}
	s.since++
	s.fresh = false
	return true
}

// entering returns the variable of a breakpoint, and sets w.aq to its column in terms of the basic
// t.
func (s *Solver) entering(in breakpoint) enteringVariable {
	w := &s.w
	if q := int(in.index); q < s.m {
		row := s.p.A.Row(q)
		for i, j := range s.active {
			w.rhs[i] = row[j]
		}
		s.mulT(w.aq, w.rhs)
		if s.careful {
			s.improveT(w.aq, w.rhs)
		}
		return enteringVariable{t: q, position: -1, row: row}
	}
	r := int(in.index) - s.m
	for c, v := range s.inv[r] {
		w.aq[c] = -v
	}
	if s.careful {
		clear(w.rhs)
		w.rhs[r] = -1
		s.improveT(w.aq, w.rhs)
	}
	return enteringVariable{t: -1, position: r}
}

// leavingElement returns the element of the entering column that belongs to the leaving variable.
func (s *Solver) leavingElement(out leavingVariable, enter enteringVariable) float64 {
	if out.t >= 0 {
		return s.w.aq[s.posT[out.t]]
	}
	pivot := dot(s.w.g, s.w.aq)
	if enter.t >= 0 {
		pivot -= enter.row[out.row]
	}
	return pivot
}

// findChanges sets how a step changes the variables of the basis: w.aq and w.yq are the entering
// column for the basic t and the inactive rows, w.tau and w.yt are inv(B) rho, where rho = -sign dir
// is the leaving variable's row of the inverse, and w.df and w.yf are changes caused by the flips, if
// there are any.
func (s *Solver) findChanges(ctx context.Context, out leavingVariable, enter enteringVariable) {
	w := &s.w
	for i, d := range w.dir {
		w.rhs[i] = -out.sign * d
	}
	s.mulT(w.tau, w.rhs)
	if w.hasFlips() {
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
	if enter.row != nil {
		for j, v := range enter.row {
			w.yq[j] = -v
		}
	} else {
		clear(w.yq)
	}
	clear(w.yt)
	if w.hasFlips() {
		copy(w.yf, w.flip)
		dst, coef = append(dst, w.yf), append(coef, w.df)
	}
	if s.size() > 0 {
		combine(ctx, dst, s.rows, coef)
	}
}

// leavingValue returns the value of the leaving variable after the flips, and the bound at which it
// is to end.
func (s *Solver) leavingValue(out leavingVariable) (value, target float64) {
	w := &s.w
	if out.t >= 0 {
		value = s.t[out.t]
		if w.hasFlips() {
			value += w.df[s.posT[out.t]]
		}
		if out.sign > 0 {
			target = s.p.Cost[out.t]
		}
		return value, target
	}
	value = s.act[out.row]
	if w.hasFlips() {
		value += w.yf[out.row]
	}
	if target = s.p.Lower[out.row]; out.sign > 0 {
		target = s.p.Upper[out.row]
	}
	return value, target
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

// hasFlips reports whether flip has moved any variable.
func (w *work) hasFlips() bool { return len(w.flipped)+len(w.flippedR) > 0 }

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
func (s *Solver) movePrimal(enter enteringVariable, step float64) {
	w := &s.w
	flips := w.hasFlips()
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
	if enter.t >= 0 {
		s.t[enter.t] += step
	} else {
		j := s.active[enter.position]
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
func (s *Solver) updateNorms(out leavingVariable, enter enteringVariable, pivot, norm float64) {
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
	if enter.t >= 0 {
		s.normT[enter.t] = in
	} else {
		s.normR[s.active[enter.position]] = in
	}
}

// exchange changes the basis: variable out leaves and takes the value target, and another one
// enters.
func (s *Solver) exchange(out leavingVariable, enter enteringVariable, target float64, col []float64) {
	w := &s.w
	q, r, row := enter.t, enter.position, enter.row
	p := -1
	if out.t >= 0 {
		p = int(s.posT[out.t])
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
