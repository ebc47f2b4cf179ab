package lp

import (
	"context"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// A Solver solves a programme. After its costs are changed, it continues from the basis of the last
// solution.
type Solver struct {
	p    *Problem // over the columns of the pool, if there is a pool
	m, n int
	pool *pool
	made *Generated // the matrix, if it is generated
	// Progress, unless nil, is called now and then with the number of pivots.
	Progress func(pivots int)
	// Patience, unless 0, is the number of pivots of a careful solver after which Solve gives up with
	// ErrNotSolved: see careful.go.
	Patience int

	b []float64 // the right-hand sides, perhaps perturbed

	// columns of the dual: variables t
	t     []float64 // the value: 0 or cost, unless basic
	high  []bool    // t = cost; undefined for basic t
	posT  []int32   // position in the basis, -1 if not basic
	z     []float64 // b - A x; 0 for basic t
	normT []float64 // squared norm of the row of the basis' inverse that belongs to a basic t
	alpha []float64 // change of -z along the current edge, for the t that are kept
	most  []float64 // largest |A_ij| of each row, -1 if not known; not used with a pool

	// rows of the dual
	x     []float64 // multipliers, 0 unless active
	act   []float64 // A't
	highR []bool    // for active rows: A't = upper
	posR  []int32   // position among the active rows, -1 if not active
	normR []float64 // squared norm of the row of the basis' inverse that belongs to an inactive row

	basis
	atCost    []float64 // sum of cost_i A_i over the t_i at their costs
	sums      float64   // sum of t_i max_j |A_ij| over the same t_i
	sumsBasic float64   // sum of |t_i| max_j |A_ij| over the basic t_i, at the last refresh

	ratio   ratioTest
	w       work
	fresh   bool // the inverse and everything else was just computed from the basis
	draws   splitmix
	careful bool    // see careful.go
	signs   float64 // reduced costs above this decide at which bound a variable is
	stale   bool    // the inverse has become inaccurate
	watched bool    // end the search if P no longer falls
	lost    bool    // the method seems to cycle: draw the leaving variable
	since   int     // pivots since the inverse was computed
	pivots  int
	flips   int
	slow    int // pivots while careful
}

// work has the vectors of an iteration. Those marked K have an element for each position in the
// basis.
type work struct {
	dir, g, enter, aq, tau, df, rhs []float64 // K
	flip, yq, yt, yf, line          []float64 // n
	flipped                         []int     // t that move to their other bounds
	flippedR                        []int     // positions of active rows that move to their other bounds
}

// NewSolver returns a solver of p. p remains the caller's, but its matrix must not change. The
// error reports one of p's numbers.
func NewSolver(p *Problem) (*Solver, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	m, n := p.A.Dims()
	s := &Solver{
		p: p, m: m, n: n,
		b: make([]float64, m), t: make([]float64, m), high: make([]bool, m), posT: make([]int32, m),
		z: make([]float64, m), normT: make([]float64, m), alpha: make([]float64, m), most: make([]float64, m),
		x: make([]float64, n), act: make([]float64, n), highR: make([]bool, n), posR: make([]int32, n), normR: make([]float64, n),
		atCost: make([]float64, n),
	}
	for i := range s.posT {
		s.posT[i], s.normT[i], s.most[i] = -1, 1, -1
	}
	for j := range s.posR {
		s.posR[j], s.normR[j] = -1, 1
	}
	s.made, _ = p.A.(*Generated)
	s.w.wide(n)
	return s, nil
}

// SetCosts changes the costs of the programme. The next Solve continues from the last basis.
func (s *Solver) SetCosts(cost, lower, upper []float64) error {
	p := *s.p
	if s.pool != nil {
		p = *s.pool.whole
	}
	p.Cost, p.Lower, p.Upper = cost, lower, upper
	if err := p.validate(); err != nil {
		return err
	}
	if s.p = &p; s.pool != nil {
		s.pool.whole = &p
		s.p = s.pool.problem()
	}
	return nil
}

// Pivots returns the number of pivots of the last Solve, whether it found a solution or not.
func (s *Solver) Pivots() int { return s.pivots }

// Restart makes the next Solve begin without a basis, as the first one did.
func (s *Solver) Restart() {
	for _, j := range s.active {
		s.unpin(j)
	}
	s.basis, s.draws, s.pivots, s.since = basis{}, 0, 0, 0
	s.careful, s.stale, s.lost = false, false, false
	clear(s.t)
	clear(s.x)
	clear(s.high)
	clear(s.highR)
	for i := range s.posT {
		s.posT[i], s.normT[i] = -1, 1
	}
	for j := range s.posR {
		s.posR[j], s.normR[j] = -1, 1
	}
}

// room sets the length of the K vectors to k, with capacity for at least one more.
func (w *work) room(k int) {
	for _, v := range []*[]float64{&w.dir, &w.g, &w.enter, &w.aq, &w.tau, &w.df, &w.rhs} {
		if cap(*v) < k+1 {
			*v = make([]float64, k+1, 2*k+16)
		}
		*v = (*v)[:k]
	}
}

// wide sets the length of the vectors over columns to n.
func (w *work) wide(n int) {
	for _, v := range []*[]float64{&w.flip, &w.yq, &w.yt, &w.yf, &w.line} {
		*v = make([]float64, n)
	}
}

// line returns row i. With a pool, it is valid until the next call.
func (s *Solver) line(i int) []float64 {
	if s.pool == nil {
		return s.p.A.Row(i)
	}
	s.pool.rowTo(s.w.line, i)
	return s.w.line
}

// pin tells a generated matrix that column j is in the basis. A pool holds its own columns.
func (s *Solver) pin(j int, column []float64) {
	if s.made != nil {
		s.made.pin(j, column)
	}
}

// unpin tells a generated matrix that column j has left the basis.
func (s *Solver) unpin(j int) {
	if s.made != nil {
		s.made.unpin(j)
	}
}

const (
	refactorEvery = 64          // pivots from one inversion to the next, plus a third of the basis' size
	shiftSize     = 1e-6        // size of a perturbation
	tieSize       = 1e-10       // size of a perturbation that only breaks ties
	wide, narrow  = 1e-9, 1e-12 // values of ratioTest.harris
	maxRounds     = 8           // largest number of rounds in Solve
)

// Solve returns an optimal vertex, ErrNotSolved, or the error of ctx, after which the solver cannot
// be used.
func (s *Solver) Solve(ctx context.Context) (*Solution, error) {
	cold := s.pivots == 0
	s.pivots, s.flips, s.slow = 0, 0, 0
	failed := false // the certificate of the last round did not hold
	for round := range maxRounds {
		if round > 0 && s.pivots > s.mostPivots() {
			break
		}
		// A reduced cost within signTolerance may cost more than the certificate allows. Where values
		// are large, less is rounding: the method would cycle. So these rounds are every other one,
		// and none follows a round that stalled.
		s.signs = signTolerance
		if failed && round%2 == 0 {
			s.signs = leastSign
		}
		s.ratio.harris = wide
		if round > 0 { // the first round may have cycled because of steps as small as the tolerance
			s.ratio.harris = narrow
		}
		if s.candidates.stop(); !cold && round == 0 {
			s.candidates.start(s.m, s.n)
		}
		err := s.round(ctx, round, cold || round > 0)
		if failed = err == nil; err == errStalled {
			continue
		}
		if err != nil {
			return nil, err
		}
		sol, err := s.solution(ctx)
		if err != nil {
			return nil, err
		}
		if sol.optimal() {
			return sol, nil
		}
		s.careful = true
	}
	return nil, ErrNotSolved
}

// mostPivots returns how many pivots a perturbed programme may have, and after how many no new
// round begins. A solvable programme needs about as many as it has rows and columns; with
// ill-conditioned kernels it needs a few times as many.
func (s *Solver) mostPivots() int { return 10*(s.m+s.n) + 2000 }

// round walks to what the solver takes for the optimum. If perturbed, it solves a perturbed
// programme first.
func (s *Solver) round(ctx context.Context, round int, perturbed bool) error {
	limit := func() int { return 4*(s.m+s.n) + 1000 }
	if perturbed {
		s.perturb(uint64(round+1), shiftSize)
		s.watched = round < maxRounds/2 // without ties P must fall, unless the method cycles
		err := s.optimizeAll(ctx, s.mostPivots)
		if s.watched = false; err != nil {
			return err
		}
		if round == 0 { // the optimum is near
			limit = func() int { return (s.m+s.n)/2 + 200 }
		}
	}
	copy(s.b, s.p.B)
	err := s.optimizeAll(ctx, limit)
	if err != errStalled {
		return err
	}
	// The method cycles among ties, or among values that differ only by rounding. Break the ties by
	// amounts so small that the certificate does not see them. The basis found is a vertex for any
	// right-hand sides: its x is computed for the true ones.
	s.ratio.harris = narrow
	s.perturb(uint64(maxRounds+round+1), tieSize)
	if err := s.optimizeAll(ctx, limit); err != nil {
		return err
	}
	copy(s.b, s.p.B)
	s.place()
	return nil
}

// perturb adds a small amount to every right-hand side, so that no two breakpoints of P on an edge
// coincide. The amounts are the same in every run.
func (s *Solver) perturb(seed uint64, size float64) {
	r := splitmix(seed * 0x9E3779B97F4A7C15)
	for i, b := range s.p.B {
		s.b[i] = b + float64(size*max(1, abs(b))*(0.5+r.float()))
	}
}

// splitmix is a generator of random numbers (Steele, Lea and Flood 2014).
type splitmix uint64

func (r *splitmix) float() float64 {
	*r += 0x9E3779B97F4A7C15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return float64(float64((z^z>>31)>>11) / (1 << 53))
}

// solution returns the current vertex with its certificate.
func (s *Solver) solution(ctx context.Context) (*Solution, error) {
	sol := &Solution{
		X: append([]float64(nil), s.x...), T: append([]float64(nil), s.t...), Y: make([]float64, s.m),
		Basic: make([]bool, s.m), Pivots: s.pivots, Flips: s.flips,
	}
	for _, i := range s.basic {
		sol.Basic[i] = true
	}
	p := s.p
	if s.pool != nil {
		p = s.pool.whole
		sol.X = make([]float64, len(p.Lower))
		for k, j := range s.pool.of {
			sol.X[j] = s.x[k]
		}
	}
	sol.Reach = make([]float64, len(sol.X))
	sol.Certificate = p.certify(ctx, sol)
	return sol, ended.Err(ctx)
}

// certify computes Y, Reach and the certificate of a solution's X and T. It ends early if ctx is
// cancelled.
func (p *Problem) certify(ctx context.Context, sol *Solution) (c Certificate) {
	m, n := p.A.Dims()
	ax, terms, at := make([]exactSum, m), make([]float64, m), make([]exactSum, n)
	for j, x := range sol.X {
		if j%checkEvery == 0 && ctx.Err() != nil {
			return c
		}
		if x != 0 {
			for i, a := range p.A.Column(j) {
				v := float64(x * a)
				ax[i].subtract(x, a)
				terms[i] += abs(v)
				sol.Reach[j] = max(sol.Reach[j], abs(v))
			}
			c.Primal += max(float64(p.Upper[j]*x), float64(p.Lower[j]*x))
		}
	}
	for i, t := range sol.T {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return c
		}
		if y := p.B[i] + ax[i].value(); !(y <= rounding*(abs(p.B[i])+terms[i])) {
			sol.Y[i] = y
		}
		c.Primal += float64(p.Cost[i] * sol.Y[i])
		if t != 0 {
			row := p.A.Row(i)
			subtractFrom(at, -t, row)
			sum := float64(abs(t) * largest(row))
			if c.sums += sum; t != p.Cost[i] {
				c.free += sum
			}
			c.Dual += float64(p.B[i] * t)
		}
		c.Violation = max(c.Violation, -t, t-p.Cost[i])
	}
	for j := range at {
		a := at[j].value()
		c.Violation = max(c.Violation, a-p.Upper[j], p.Lower[j]-a)
		if x := sol.X[j]; x > 0 {
			c.rounding += float64(x * min(abs(p.Upper[j]-a), rounding*c.free))
		} else {
			c.rounding -= float64(x * min(abs(p.Lower[j]-a), rounding*c.free))
		}
	}
	return c
}
