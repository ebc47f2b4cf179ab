package smo

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/train"
)

// tau replaces a second derivative that is not positive.
const tau = 1e-12

// Where a variable is in its box.
const (
	free = iota
	atLower
	atUpper
)

// state is a programme being solved. Slices are by position; shrinking swaps
// positions, so that the active variables are the first ones.
type state struct {
	src    Source
	opt    Options
	nu     bool
	n      int
	active int // variables from here on are shrunk

	b, p, lower, upper []float64
	diag               []float64
	f                  []float64 // gradient (Kb)_i + p_i; for shrunk i only after a rebuild
	far                []float64 // sum_j K_ij b_j over the variables j at the end of their box that is not 0; nil without shrinking
	where              []uint8
	order              []int // original index of each position

	iterations int
	unshrunk   bool // the one rebuild near the optimum has happened
}

// positive reports whether variable i has a box [0, C].
func (s *state) positive(i int) bool { return s.upper[i] > 0 }

// isFar reports whether variable i is at the end of its box that is not 0.
func (s *state) isFar(i int) bool {
	if s.positive(i) {
		return s.where[i] == atUpper
	}
	return s.where[i] == atLower
}

// place sets where[i] from b[i]. Of a box without room the end that is not 0
// counts.
func (s *state) place(i int) {
	low, up := s.b[i] <= s.lower[i], s.b[i] >= s.upper[i]
	switch {
	case up && (!low || s.positive(i)):
		s.where[i] = atUpper
	case low:
		s.where[i] = atLower
	default:
		s.where[i] = free
	}
}

// newState computes the gradient at the starting point.
func newState(ctx context.Context, q *QP, o Options) (*state, error) {
	n := q.Q.Len()
	if len(q.P) != n || len(q.Lower) != n || len(q.Upper) != n || len(q.Start) != n {
		panic("smo: lengths of the programme differ")
	}
	s := &state{
		src: q.Q, opt: o, nu: q.Nu, n: n, active: n,
		b: q.Start, p: q.P, lower: q.Lower, upper: q.Upper,
		diag: make([]float64, n), f: slices.Clone(q.P),
		where: make([]uint8, n), order: make([]int, n),
	}
	if o.Shrinking {
		s.far = make([]float64, n)
	}
	s.src.DiagTo(s.diag)
	for i, d := range s.diag {
		if !(math.Abs(d) <= math.MaxFloat32) { // rows hold float32
			return nil, train.ErrOverflow
		}
		s.order[i] = i
		s.place(i)
	}
	for i, b := range s.b {
		if b == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := s.src.Row(i, n)
		addRow(s.f, row, b)
		if s.far != nil && s.isFar(i) {
			addRow(s.far, row, b)
		}
	}
	return s, nil
}

// addRow adds c times a kernel row to dst.
func addRow(dst []float64, row []float32, c float64) {
	row = row[:len(dst)]
	for k, v := range row {
		dst[k] += float64(c * float64(v))
	}
}

// tickLimit is the largest number of iterations between two looks at the active
// set, of which there is one in as many iterations as there are variables.
const tickLimit = 1000

// ctxEvery is the number of iterations between two looks at the context, less
// one; a power of two less one.
const ctxEvery = 63

// run iterates until the optimality conditions hold.
func (s *state) run(ctx context.Context) error {
	limit := max(10_000_000, min(100*s.n, math.MaxInt32))
	tick := min(s.n, tickLimit)
	left := tick + 1
	for s.iterations < limit {
		if s.iterations&ctxEvery == 0 {
			if err := ctx.Err(); err != nil {
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
			s.opt.Report.Send(train.Progress{Iterations: s.iterations})
		}
		i, j := s.selectPair()
		if j < 0 {
			// optimal for the active variables; is it for all?
			if err := s.rebuild(ctx); err != nil {
				return err
			}
			s.active = s.n
			s.opt.Report.Send(train.Rebuilt{})
			if i, j = s.selectPair(); j < 0 {
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
		s.active = s.n
		s.opt.Report.Send(train.Rebuilt{})
	}
	s.opt.Report.Send(train.IterationLimit{Iterations: limit})
	return nil
}

// overflowed reports whether the gradient holds what is not finite. It never
// recovers from that.
func (s *state) overflowed() bool {
	for _, f := range s.f[:s.active] {
		if f-f != 0 {
			return true
		}
	}
	return false
}

// update moves b_i up and b_j down by as much as is best, within their boxes,
// and brings the gradient up to date.
func (s *state) update(i, j int) {
	ki := s.src.Row(i, s.active)
	kj := s.src.Row(j, s.active)
	bi, bj := s.b[i], s.b[j]
	a := s.diag[i] + s.diag[j] - float64(2*float64(ki[j]))
	if a <= 0 {
		a = tau
	}
	step := (s.f[j] - s.f[i]) / a
	s.b[i], s.b[j] = bi+step, bj-step
	s.clip(i, j, bi+bj)
	di, dj := s.b[i]-bi, s.b[j]-bj

	f, ki, kj := s.f[:s.active], ki[:s.active], kj[:s.active]
	for k := range f {
		f[k] += float64(float64(ki[k])*di) + float64(float64(kj[k])*dj)
	}
	s.moved(i)
	s.moved(j)
}

// moved brings where[i] and far up to date after a change of b_i.
func (s *state) moved(i int) {
	was := s.isFar(i)
	s.place(i)
	is := s.isFar(i)
	if was == is || s.far == nil {
		return
	}
	end := s.lower[i]
	if s.positive(i) {
		end = s.upper[i]
	}
	if was {
		end = -end
	}
	addRow(s.far, s.src.Row(i, s.n), end)
}

// clip moves b_i and b_j back into their boxes along b_i + b_j = sum. The order
// of the cases, and which variable yields in a tie, is LIBSVM's; where rounding
// makes both tests true it matters.
func (s *state) clip(i, j int, sum float64) {
	if s.positive(j) {
		s.clipForward(i, j, sum)
		s.clipBackward(i, j, sum)
	} else {
		s.clipBackward(i, j, sum)
		s.clipForward(i, j, sum)
	}
}

// clipForward handles b_i above its box or b_j below.
func (s *state) clipForward(i, j int, sum float64) {
	edge := s.upper[i] + s.lower[j] // the sum for which both reach their ends together
	if sum > edge || sum == edge && !s.positive(i) {
		if s.b[i] > s.upper[i] {
			s.b[i] = s.upper[i]
			s.b[j] = sum - s.upper[i]
			if sum == 0 && !s.positive(i) && s.positive(j) {
				s.b[j] = math.Copysign(0, -1) // as LIBSVM prints it
			}
		}
	} else if s.b[j] < s.lower[j] {
		s.b[j] = s.lower[j]
		s.b[i] = sum - s.lower[j]
	}
}

// clipBackward handles b_i below its box or b_j above.
func (s *state) clipBackward(i, j int, sum float64) {
	edge := s.lower[i] + s.upper[j]
	if sum < edge || sum == edge && s.positive(i) {
		if s.b[i] < s.lower[i] {
			s.b[i] = s.lower[i]
			s.b[j] = sum - s.lower[i]
		}
	} else if s.b[j] > s.upper[j] {
		s.b[j] = s.upper[j]
		s.b[i] = sum - s.upper[j]
	}
}
