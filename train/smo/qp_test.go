package smo

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// randomQP returns a problem over src with boxes of both kinds and different sizes up to c, any
// linear part and any starting point.
func (s *setting) randomQP(src Source, nu bool) *QP {
	n := src.Len()
	q := newQP(src, n, nil)
	q.Nu = nu
	plain := s.IntN(2) == 0
	for i := range n {
		c := s.c
		if !plain {
			c *= []float64{1, 0.5, 0.1, 1 - s.Float64()}[s.IntN(4)]
			q.P[i] = s.NormFloat64()
			q.Start[i] = []float64{0, 0, c, c * s.Float64()}[s.IntN(4)]
		}
		if nu && i < 2 { // one of each kind, so that neither kind is only at its bounds
			q.Start[i] = c / 2
		}
		if positive := s.IntN(2) == 0; positive && !(nu && i == 1) || nu && i == 0 { // a nu problem has both kinds
			q.Upper[i] = c
		} else {
			q.Lower[i] = -c
			q.Start[i] = -q.Start[i]
		}
		if plain && !nu {
			q.P[i] = -math.Copysign(1, q.Upper[i]+q.Lower[i])
		}
		if plain && nu {
			q.Start[i] = (q.Upper[i] + q.Lower[i]) / 2
		}
	}
	return q
}

func (q *QP) clone(src Source) *QP {
	return &QP{src, slices.Clone(q.P), slices.Clone(q.Lower), slices.Clone(q.Upper), slices.Clone(q.Start), q.Nu, nil}
}

// groups returns the groups of variables whose sums are constant: all variables, or those of each
// kind.
func (q *QP) groups() [][]int {
	g := make([][]int, 2)
	for i, u := range q.Upper {
		k := 0
		if q.Nu && u == 0 {
			k = 1
		}
		g[k] = append(g[k], i)
	}
	return g
}

// interval returns the largest f of the variables in group that can go down, and the smallest of
// those that can go up. The conditions of optimality are that the first is not above the second.
func (q *QP) interval(b, f []float64, group []int) (down, up float64) {
	down, up = math.Inf(-1), math.Inf(1)
	for _, i := range group {
		if b[i] > q.Lower[i] {
			down = max(down, f[i])
		}
		if b[i] < q.Upper[i] {
			up = min(up, f[i])
		}
	}
	return down, up
}

// threshold returns what LIBSVM takes for a group's multiplier: the mean of f over the free
// variables, or else the middle of the interval.
func (q *QP) threshold(b, f []float64, group []int) float64 {
	sum, n := 0.0, 0
	for _, i := range group {
		if b[i] > q.Lower[i] && b[i] < q.Upper[i] {
			sum += f[i]
			n++
		}
	}
	if n > 0 {
		return sum / float64(n)
	}
	// no variable is free: one that can go down is at its upper bound, and so on
	down, up := q.interval(b, f, group)
	return (down + up) / 2
}

// steps returns the number of times that rounding errors were added.
func (r *Result) steps() float64 { return float64(r.Iterations + len(r.B) + 10) }

// rounding returns the rounding error that a gradient may have after the steps of a solution, given
// the kernel matrix k.
func (r *Result) rounding(k dense) float64 {
	return (k.weight(r.B) + 1) * (2*math.Sqrt(r.steps()) + r.steps()/50) * 0x1p-52
}

// singleError is the relative error of values rounded to float32.
const singleError = 0x1p-24

// check tests that r solves q, whose kernel matrix is k, or singles as rounded for the solver.
func (q *QP) check(t *testing.T, k, singles dense, r *Result, tolerance float64) {
	t.Helper()
	size := 0.0
	for i, b := range r.B {
		if !(q.Lower[i] <= b && b <= q.Upper[i]) {
			t.Errorf("b[%d] = %v is outside [%v,%v]", i, b, q.Lower[i], q.Upper[i])
		}
		size = max(size, q.Upper[i]-q.Lower[i])
	}
	for g, group := range q.groups() {
		got, want := 0.0, 0.0
		for _, i := range group {
			got += r.B[i]
			want += q.Start[i]
		}
		near(t, fmt.Sprintf("the sum of group %d", g), got, want, r.steps()*size*0x1p-52)
	}
	q.checkGradient(t, singles, r, tolerance, r.rounding(singles))
	q.checkGradient(t, k, r, tolerance, r.rounding(k)+singleError*k.weight(r.B))
}

// checkGradient tests the conditions of optimality, the threshold and the objective with kernel
// matrix k. The solver knows the gradient within slack.
func (q *QP) checkGradient(t *testing.T, k dense, r *Result, tolerance, slack float64) {
	t.Helper()
	f := k.times(r.B)
	for i := range f {
		f[i] += q.P[i]
	}
	var thresholds [2]float64
	for g, group := range q.groups() {
		down, up := q.interval(r.B, f, group)
		if violation := down - up; violation >= tolerance+2*slack {
			t.Errorf("group %d violates the conditions of optimality by %v, tolerance %v (+%.2g)", g, violation, tolerance, 2*slack)
		}
		thresholds[g] = q.threshold(r.B, f, group)
	}
	if q.Nu {
		near(t, "rho", r.Rho, (thresholds[0]+thresholds[1])/2, slack)
		near(t, "R", r.R, (thresholds[0]-thresholds[1])/2, slack)
	} else {
		near(t, "rho", r.Rho, thresholds[0], slack)
	}
	objective, allowance := 0.0, 0.0
	for i, b := range r.B {
		objective += b * (f[i] + q.P[i]) / 2
		allowance += math.Abs(b) * slack / 2
	}
	near(t, "the objective", r.Objective, objective, allowance)
}

// TestOptimal solves random problems and computes the conditions of optimality again; then it
// solves them with another cache, which must not change a bit, and with the other setting of
// shrinking, which must not change the objective.
func TestOptimal(t *testing.T) {
	for seed := range seeds(300) {
		s := newSetting(seed)
		nu := s.IntN(3) == 0 && s.x.Len() > 1
		q := s.randomQP(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB), nu)
		solve := func(o Options) (*Result, []train.Event) {
			s.log = nil
			copied := q.clone(newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), o.CacheMB))
			r, err := copied.Solve(context.Background(), o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return r, s.log
		}
		t.Run(fmt.Sprintf("%d: %T n=%d C=%g", seed, s.k, s.x.Len(), s.c), func(t *testing.T) {
			r, events := solve(s.opt)
			if count[train.IterationLimit](events) > 0 {
				t.Fatal("stops at the limit of iterations")
			}
			k, singles := exact(s.k, &s.x), rounded(s.k, &s.x)
			q.check(t, k, singles, r, s.opt.Tolerance)

			for _, mb := range []float64{1e-9, 0.003, 1000} {
				o := s.opt
				o.CacheMB = mb
				same, log := solve(o)
				if !sameResult(r, same) {
					t.Errorf("with %g MB of cache the result is another", mb)
				}
				if !slices.Equal(events, log) {
					t.Errorf("with %g MB of cache the events are others", mb)
				}
			}

			o := s.opt
			o.Shrinking = !o.Shrinking
			other, _ := solve(o)
			q.check(t, k, singles, other, o.Tolerance)
			if convex(s.k) {
				// f(b) - f(best) is at most half the violation times sum |b - best|
				room := 0.0
				for i := range q.Upper {
					room += q.Upper[i] - q.Lower[i]
				}
				allowance := s.opt.Tolerance*room/2 + 0x1p-20*(math.Abs(r.Objective)+1)
				near(t, "the objective with the other setting of shrinking", other.Objective, r.Objective, allowance)
			}
		})
	}
}

func sameResult(a, b *Result) bool {
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return slices.EqualFunc(a.B, b.B, same) && same(a.Rho, b.Rho) && same(a.R, b.R) &&
		same(a.Objective, b.Objective) && a.Iterations == b.Iterations
}
