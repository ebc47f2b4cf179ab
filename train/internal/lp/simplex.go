package lp

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

func abs(x float64) float64 { return math.Abs(x) }

// errStalled says that the limit of iterations is reached, or that no pivot can be trusted.
var errStalled = errors.New("too many iterations")

const (
	signTolerance  = 1e-10 // reduced costs above this decide at which bound a variable is
	leastSign      = 1e-14 // the same in some rounds after a certificate that did not hold: see Solve
	pivotTolerance = 1e-6  // relative difference of a pivot's two values
	freshTolerance = 1e-3  // the same with a new inverse
	minNorm        = 1e-4  // of the squared norm of a row of the basis' inverse
	lostAfter      = 500   // plus the number of rows and columns: iterations after which the method may be cycling
	leastDecrease  = 1e-12 // the share by which P has to be lower to count as lower
)

// A leavingVariable is a basic variable that violates a bound: basic t number t, or inactive row
// number row if t < 0.
type leavingVariable struct {
	t, row  int
	sign    float64 // +1: above the upper bound, -1: below the lower
	descent float64 // the size of the violation
}

// optimize finds the optimum for the current right-hand sides, in at most limit iterations.
func (s *Solver) optimize(ctx context.Context, limit int) error {
	ctx, stop := team.With(ctx, 1)
	defer stop()
	s.fresh = false
	failures := 0
	lowest, fell := math.Inf(1), 0 // P, and the last iteration that lowered it
	for iteration := 0; ; iteration++ {
		if err := ended.Err(ctx); err != nil {
			return err
		}
		if iteration > limit {
			return errStalled
		}
		if s.Patience > 0 && s.slow > s.Patience {
			return ErrNotSolved
		}
		if !s.fresh && (s.stale || s.since >= refactorEvery+s.size()/3 || iteration == 0) {
			if err := s.refresh(ctx, iteration == 0); err != nil {
				return err
			}
		} else if s.careful && !s.fresh {
			if err := s.renew(ctx, false); err != nil {
				return err
			}
		}
		if s.watched && s.fresh {
			if p := s.objective(); p < lowest-float64(leastDecrease*abs(lowest)) || iteration == 0 {
				lowest, fell = p, iteration
			} else if iteration-fell > lostAfter+s.size() {
				return errStalled // cycling
			}
		}
		s.lost = iteration > lostAfter+s.m+s.n
		out := s.leaving()
		if out.descent == 0 {
			if s.fresh {
				return nil
			}
			if err := s.refresh(ctx, true); err != nil {
				return err
			}
			if out = s.leaving(); out.descent == 0 {
				return nil
			}
		}
		if s.Progress != nil && s.pivots%100 == 0 {
			s.Progress(s.pivots)
		}
		if s.step(ctx, out) {
			failures = 0
			continue
		}
		// The pivot cannot be trusted. Try again, in this order: with everything recomputed; with
		// more t kept, because the edge may end at one of the others; carefully; and with another
		// leaving variable.
		if failures++; failures > 50 {
			return errStalled
		}
		switch {
		case !s.fresh:
			if err := s.refresh(ctx, false); err != nil {
				return err
			}
		case s.candidates.kept != nil:
			s.candidates.missed++
			if err := s.renew(ctx, false); err != nil {
				return err
			}
		case !s.careful:
			s.careful = true
		case out.t >= 0:
			s.normT[out.t] *= 1e6
		default:
			s.normR[out.row] *= 1e6
		}
	}
}

// objective returns the current value of P.
func (s *Solver) objective() (p float64) {
	for i, z := range s.z {
		p += float64(s.p.Cost[i] * max(z, 0))
	}
	for _, j := range s.active {
		p += max(float64(s.p.Upper[j]*s.x[j]), float64(s.p.Lower[j]*s.x[j]))
	}
	return p
}

// tolerance returns the largest excess over a bound that does not count as a violation.
func (s *Solver) tolerance() float64 { return tolerance(s.sums+s.sumsBasic, s.sumsBasic, s.careful) }

// tolerance is half of what the certificate allows. If the solver is not careful, it allows for the
// whole rounding of the sums: violations between the two limits are left to a careful solver.
func tolerance(sums, free float64, careful bool) float64 {
	if careful {
		return 0.5 * violation(sums, free)
	}
	return 0.5 * (maxViolation + float64(rounding*sums))
}

// leaving returns the variable with the largest violation in proportion to the norm of its row of
// the basis' inverse. Its descent is 0 if there is none. If the method seems to cycle among ties,
// it multiplies the proportions by random numbers: a rule that never repeats itself leaves any
// cycle.
func (s *Solver) leaving() (out leavingVariable) {
	best, tol := 0.0, s.tolerance()
	consider := func(t, row int, over, under, norm float64) {
		v, sign := over, 1.0
		if under > over {
			v, sign = under, -1
		}
		if v <= tol {
			return
		}
		gain := v * v / norm
		if s.lost {
			f := s.draws.float()
			gain *= f * f * f * f
		}
		if gain > best {
			best, out = gain, leavingVariable{t, row, sign, v}
		}
	}
	for j, a := range s.act {
		if s.posR[j] < 0 {
			consider(-1, j, a-s.p.Upper[j], s.p.Lower[j]-a, s.normR[j])
		}
	}
	for _, i := range s.basic {
		consider(i, -1, s.t[i]-s.p.Cost[i], -s.t[i], s.normT[i])
	}
	return out
}

// step makes one iteration. If the pivot cannot be trusted, it changes nothing and returns false.
func (s *Solver) step(ctx context.Context, out leavingVariable) bool {
	k := s.size()
	w := &s.w
	w.room(k)

	// The edge: x_R moves by dir per unit and the leaving row's x by sign, so that z stays 0 for
	// all basic t except a leaving one.
	var col []float64
	norm := 0.0
	if out.t < 0 {
		col = s.p.A.Column(out.row)
		for c, i := range s.basic {
			w.g[c] = col[i]
		}
		s.mul(w.enter, w.g) // inv A[B,j]
		if s.careful {
			s.improve(w.enter, w.g)
		}
		for r, v := range w.enter {
			w.dir[r] = -out.sign * v
		}
		norm = 1
	} else {
		p := s.posT[out.t]
		for r, row := range s.inv {
			w.dir[r] = -out.sign * row[p]
		}
		if s.careful {
			clear(w.g)
			w.g[p] = -out.sign
			s.improve(w.dir, w.g)
		}
	}
	norm += dot(w.dir, w.dir)

	s.edge(ctx, col, out.sign)
	least := minPivot
	if s.careful {
		least = max(least, carefulNoise*math.Sqrt(norm))
	}
	s.findBreakpoints(out, least)
	at := s.ratio.choose(out.descent, s.tolerance())
	if at < 0 {
		return false
	}
	in := s.ratio.breakpoints[at]
	if !s.careful && in.pivot < minPivot*math.Sqrt(norm) {
		return false
	}
	return s.pivot(ctx, out, in, col, norm)
}

// edge sets alpha = A[:,R] dir + sign col, the change of -z, for the t that candidates keeps.
func (s *Solver) edge(ctx context.Context, col []float64, sign float64) {
	s.alpha = s.alpha[:s.m]
	if s.candidates.kept != nil {
		s.alpha = s.alpha[:len(s.candidates.kept)]
	}
	switch {
	case col == nil:
		clear(s.alpha)
	case s.candidates.kept == nil:
		for i, v := range col {
			s.alpha[i] = sign * v
		}
	default:
		for n, i := range s.candidates.kept {
			s.alpha[n] = sign * col[i]
		}
	}
	if s.careful {
		addExactly(s.alpha, s.near, s.w.dir)
	} else if s.size() > 0 {
		combine(ctx, [][]float64{s.alpha}, s.near, [][]float64{s.w.dir})
	}
}

// findBreakpoints lists the breakpoints of P along the edge.
func (s *Solver) findBreakpoints(out leavingVariable, least float64) {
	ks := s.ratio.breakpoints[:0]
	for i, a := range s.alpha {
		if s.candidates.kept != nil {
			i = int(s.candidates.kept[i])
		}
		cost := s.p.Cost[i]
		if s.high[i] == (a > 0) && abs(a) > least && s.posT[i] < 0 && cost > 0 {
			ks = append(ks, breakpoint{max(s.z[i]/a, 0), cost * abs(a), abs(a), int32(i)})
		}
	}
	for r, d := range s.w.dir {
		j := s.active[r]
		width := s.p.Upper[j] - s.p.Lower[j]
		if s.highR[j] == (d < 0) && abs(d) > least && width > 0 {
			ks = append(ks, breakpoint{max(-s.x[j]/d, 0), width * abs(d), abs(d), int32(s.m + r)})
		}
	}
	s.ratio.breakpoints = ks
}
