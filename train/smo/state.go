package smo

import (
	"context"
	"math"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// tau replaces a second derivative that is not positive.
const tau = scan.Tau

// The places of a variable in its box.
const (
	free     = scan.Inside
	atLower  = scan.AtLower
	atUpper  = scan.AtUpper
	unplaced = atUpper + 1 // before the variable is placed
)

// state is a quadratic programme being solved. Slices are by position. Shrinking exchanges
// positions so that the active variables come first.
type state struct {
	src     Source
	doubled *doubledSource // src, if it is a doubledSource; else nil
	work    *workspace     // nil: none
	passes  *passes
	opt     Options
	nu      bool
	n       int
	active  int // variables at this position and above are shrunk

	b, p, lower, upper []float64
	diag               []float64
	f                  []float64 // gradient (Kb)_i + p_i; for shrunk i valid only after a rebuild
	far                []float64 // sum_j K_ij b_j over the variables j at the end of their box that is not 0; nil without shrinking
	where              []uint8
	up, low            [2]scan.Set      // the variables of each group that can go up and down
	order              []int            // original index of each position
	ends               [2]scan.Extremes // of f over the active variables of each group
	known              bool             // ends belong to the current f
	chosen             chosen           // values of the pair selected last
	unit               bool             // every element of diag is 1
	steepest           float64          // the largest element of diag
	given              bool             // the kernel matrix was given, and may not be symmetric

	activeRows activeRows        // in use while few variables are active
	pending    []pendingAddition // additions to far that were put off
	left       [2]scan.Set       // scratch for violators
	violators  violators
	adder      adder       // if not nil, far is in original order, with one element for both variables of a row
	swaps      []Pair      // of one shrinking, for the source
	rows       []int       // scratch: the rows of a sum
	sums       [][]float64 // scratch for a sum: vectors, rows, coefficients
	added      [][]float32
	times      []float64
	ahead      []int // rows that a sum is about to need, in this order; nil while pairs are selected
	iterations int
	unshrunk   bool // the one early return of all variables has happened
}

// positive reports whether variable i has a box [0, C].
func (s *state) positive(i int) bool { return s.upper[i] > 0 }

// isFar reports whether variable i is at the end of its box that is not 0.
func (s *state) isFar(i int) bool { return s.isFarAt(i, s.where[i]) }

// isFarAt is isFar for a variable placed at where.
func (s *state) isFarAt(i int, where uint8) bool {
	if s.positive(i) {
		return where == atUpper
	}
	return where == atLower
}

// group returns the group within which i is compared: all variables, or in a nu programme those of
// its kind.
func (s *state) group(i int) int {
	if s.nu {
		return s.kind(i)
	}
	return 0
}

// kind returns 0 for a variable with a box [0, C], 1 for one with [-C, 0].
func (s *state) kind(i int) int {
	if s.positive(i) {
		return 0
	}
	return 1
}

// groups returns the number of groups.
func (s *state) groups() int {
	if s.nu {
		return 2
	}
	return 1
}

// box returns the box of variable i.
func (s *state) box(i int) scan.Box { return scan.Box{Lower: s.lower[i], Upper: s.upper[i]} }

// place sets where[i], up and low from b[i].
func (s *state) place(i int) {
	if where := s.box(i).Place(s.b[i]); where != s.where[i] {
		s.put(i, where)
	}
}

// put sets where[i], up and low.
func (s *state) put(i int, where uint8) {
	s.where[i] = where
	g := s.group(i)
	s.up[g].Put(i, where != atUpper)
	s.low[g].Put(i, where != atLower)
}

// newState prepares a programme and computes the gradient at the starting point.
func newState(ctx context.Context, q *QP, o Options) (*state, error) {
	n := q.Q.Len()
	if len(q.P) != n || len(q.Lower) != n || len(q.Upper) != n || len(q.Start) != n {
		panic("smo: lengths of the programme differ")
	}
	var s *state
	switch r := q.Q.(type) {
	case *rowSource:
		s = &r.work.state
		s.work, s.passes = r.work, &r.passes
		r.hints = s
	case *doubledSource:
		s = &r.rows.work.state
		s.work, s.passes, s.doubled = r.rows.work, &r.rows.passes, r
		r.state, r.rows.hints = s, r
	default:
		s = &state{passes: new(passes)}
	}
	work := s.work
	s.src, s.opt, s.nu, s.n, s.active = q.Q, o, q.Nu, n, n
	s.b, s.p, s.lower, s.upper = q.Start, q.P, q.Lower, q.Upper
	s.order, s.where = work.places(n)
	s.rows, s.swaps = work.lists()
	s.diag, s.f = work.zeros(n), work.zeros(scan.PaddedLen(n))[:n] // a walk may read and write behind the n elements
	copy(s.f, q.P)
	s.adder, _ = s.src.(adder)
	if o.Shrinking {
		s.far = work.zeros(s.farLen())
	}
	for g := range s.groups() {
		s.up[g], s.low[g] = work.set(n), work.set(n)
	}
	s.left = [2]scan.Set{work.set(n), work.set(n)}
	s.src.DiagTo(s.diag)
	s.unit, s.steepest = true, 0
	for i, d := range s.diag {
		if !(math.Abs(d) <= train.MaxKernel) {
			return nil, train.ErrOverflow
		}
		s.unit = s.unit && d == 1
		s.steepest = max(s.steepest, d)
		s.order[i] = i
		s.where[i] = unplaced
		s.place(i)
	}
	if r, ok := s.src.(*rowSource); ok {
		if costly := r.block > 1 || simd.Current() == simd.Portable; n <= smallMost && work.pool.dense(costly, r.moment) {
			s.keepAll(r)
		}
	}
	if g, ok := s.src.(interface{ given() bool }); ok {
		s.given = g.given()
	}
	if s.sums == nil {
		s.sums, s.added, s.times = make([][]float64, 0, 2), make([][]float32, 0, 2), make([]float64, 0, 2)
	}
	s.ahead = []int{}
	for i, b := range s.b {
		if b != 0 {
			s.ahead = append(s.ahead, i)
		}
	}
	for _, i := range s.ahead {
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		// positions are still the original ones
		to := append(s.sums[:0], s.f)
		if s.far != nil && s.isFar(i) {
			to = append(to, s.far)
		}
		s.add(to, i, s.b[i])
	}
	s.ahead = nil
	return s, nil
}

// reset makes s empty. It keeps the memory of its scratch fields.
func (s *state) reset() {
	s.activeRows.n, s.activeRows.whole = 0, false
	*s = state{sums: s.sums, added: s.added, times: s.times, activeRows: s.activeRows, pending: s.pending[:0], violators: violators{ends: s.violators.ends}}
}

// An adder is a source with two variables for each row, which computes sums in original order,
// whatever the positions of the variables.
type adder interface {
	// addTo adds c times the row at position i to vectors in original order, which have an element
	// for each variable, or for each row.
	addTo(to [][]float64, i int, c float64)
}

// add adds c times row i to vectors over all variables, in original order if there is an adder. It
// is used at the start, when no columns of the row are cached.
func (s *state) add(to [][]float64, i int, c float64) {
	if s.adder != nil {
		s.adder.addTo(to, i, c)
		return
	}
	s.passes.sum(summing{to, append(s.added[:0], s.rowForPass(i, s.n)), append(s.times[:0], c), s.active})
}

// rowsForSum appends the rows of some variables, for all variables. Most columns are cached. The
// others may be computed only in the next sum.
func (s *state) rowsForSum(rows [][]float32, which []int) [][]float32 {
	if r, ok := s.src.(*rowSource); ok && !s.activeRows.whole {
		return r.rowsForSum(rows, which)
	}
	for _, i := range which {
		rows = append(rows, s.rowForPass(i, s.n))
	}
	return rows
}

// rowForPass returns row i for the first n variables. The values may be computed only in the next
// pass.
func (s *state) rowForPass(i, n int) []float32 {
	if s.activeRows.whole {
		return s.activeRows.walk.Row(i)[:n]
	}
	switch r := s.src.(type) {
	case *rowSource:
		return r.rowForPass(i, n)
	case *doubledSource:
		return r.rowForPass(i, n)
	}
	return s.src.Row(i, n)
}

// tickLimit is the largest number of iterations from one shrinking to the next. If there are fewer
// variables, it is their number.
const tickLimit = 1000

// ctxEvery is the number of iterations from one check of the context to the next. A walk may make
// more.
const ctxEvery = 64

// yieldPointEvery is about how many variables are scanned in a millisecond, goschedEvery in four. A
// goroutine that is alone yields its processor after goschedEvery variables, because the runtime
// would interrupt it after 10 ms. It does not yield it more often, because each yield wakes another
// processor that has nothing to do.
const yieldPointEvery, goschedEvery = 1 << 20, 1 << 22

// run iterates until the optimality conditions hold.
func (s *state) run(ctx context.Context) error {
	limit := max(10_000_000, min(100*s.n, math.MaxInt32))
	tick := min(s.n, tickLimit)
	left := tick + 1
	look := 0 // the iteration at which the context is checked next
	alone, _ := team.Alone(ctx)
	passed := 0 // variables scanned since the last yield
	for s.iterations < limit {
		switch passed += s.active; {
		case alone && passed >= goschedEvery:
			passed = 0
			runtime.Gosched() // for the same reason as in team.Do
		case !alone && passed >= yieldPointEvery:
			passed = 0
			team.YieldPoint(ctx)
		}
		if s.iterations >= look {
			look = s.iterations + ctxEvery
			if err := ended.Err(ctx); err != nil {
				return err
			}
		}
		if left--; left == 0 {
			left = tick
			if s.overflowed() {
				return train.ErrOverflow
			}
			if s.opt.Shrinking {
				if err := s.shrink(ctx); err != nil {
					return err
				}
			}
			s.keepActiveRows()
			s.opt.Report.Send(train.Progress{Iterations: s.iterations})
		}
		most := min(left, limit-s.iterations)
		done := s.walk(most)
		left -= done
		passed += done * s.active
		if done == most {
			left++ // the next turn subtracts 1
			continue
		}
		i, j := s.selectPair()
		if j < 0 {
			// the active variables are optimal; are all?
			if err := s.rebuild(ctx); err != nil {
				return err
			}
			s.restore()
			s.opt.Report.Send(train.GradientRebuilt{})
			if i, j = s.selectPair(); j < 0 {
				if s.violation() >= s.opt.Tolerance { // the gains are not numbers
					return train.ErrOverflow
				}
				return nil
			}
			left = 1
		}
		s.iterations++
		s.update(i, j)
	}
	if s.active < s.n {
		if err := s.rebuild(ctx); err != nil {
			return err
		}
		s.restore()
		s.opt.Report.Send(train.GradientRebuilt{})
	}
	s.opt.Report.Send(train.IterationLimit{Iterations: limit})
	return nil
}

// overflowed reports whether an element of the gradient is not finite. It would never become finite
// again.
func (s *state) overflowed() bool {
	for _, f := range s.f[:s.active] {
		if f-f != 0 {
			return true
		}
	}
	return false
}
