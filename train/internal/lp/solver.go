package lp

import "context"

// A Solver solves a programme, and the same one with other costs from the basis of the
// last solution.
type Solver struct {
	p    *Problem // over the columns of the pool, if there is one
	m, n int
	pool *pool
	made *Generated // the matrix, if it is one
	// Progress, unless it is nil, is told the number of pivots every now and then.
	Progress func(pivots int)

	b []float64 // the right-hand sides, perhaps perturbed

	// columns of the dual: variables t
	t     []float64 // the value: 0 or cost, unless basic
	high  []bool    // t = cost; with basic, without meaning
	posT  []int32   // position in the basis, -1: none
	z     []float64 // b - A x; of basic t 0
	normT []float64 // squared norm of a basic t's row of the basis' inverse
	alpha []float64 // change of -z along the present edge, of the t that are kept
	most  []float64 // largest |A_ij| of each row, -1: not known; without a pool

	// rows of the dual
	x     []float64 // multipliers, 0 unless active
	act   []float64 // A't
	highR []bool    // of active rows: A't = upper
	posR  []int32   // position among the active rows, -1: none
	normR []float64 // squared norm of an inactive row's row of the basis' inverse

	basis
	atCost    []float64 // sum of cost_i A_i over i at their costs
	sums      float64   // of t_i max_j |A_ij| over these
	sumsBasic float64   // of |t_i| max_j |A_ij| over basic i, when last computed anew

	ratio   ratioTest
	w       work
	fresh   bool // the inverse, and everything, was just computed from the basis
	draws   splitmix
	careful bool // see careful.go
	stale   bool // the inverse hardly helps any longer
	watched bool // ends where P falls no longer
	lost    bool // in circles, it seems: the leaving variable is drawn
	since   int  // pivots since then
	pivots  int
	flips   int
}

// work are the vectors of an iteration; those named K have an element for each
// position in the basis.
type work struct {
	dir, g, enter, aq, tau, df, rhs []float64 // K
	flip, yq, yt, yf, line          []float64 // n
	flipped                         []int     // t that go to their other bounds
	flippedR                        []int     // positions of rows that do
}

// NewSolver returns a solver of p, which stays the caller's; its matrix must not
// change. The error is one of p's numbers.
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

// SetCosts changes the costs of the programme. The next Solve goes on from the basis
// where the last one ended.
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

// room gives the vectors of positions the size of the basis, and one more.
func (w *work) room(k int) {
	for _, v := range []*[]float64{&w.dir, &w.g, &w.enter, &w.aq, &w.tau, &w.df, &w.rhs} {
		if cap(*v) < k+1 {
			*v = make([]float64, k+1, 2*k+16)
		}
		*v = (*v)[:k]
	}
}

// wide gives the vectors of columns their size.
func (w *work) wide(n int) {
	for _, v := range []*[]float64{&w.flip, &w.yq, &w.yt, &w.yf, &w.line} {
		*v = make([]float64, n)
	}
}

// line returns row i, to be read until the next call.
func (s *Solver) line(i int) []float64 {
	if s.pool == nil {
		return s.p.A.Row(i)
	}
	s.pool.rowTo(s.w.line, i)
	return s.w.line
}

// hold tells a matrix that makes its columns that j is in the basis; a pool holds its own.
func (s *Solver) hold(j int, column []float64) {
	if s.made != nil {
		s.made.hold(j, column)
	}
}

// letGo tells it that j is not any longer.
func (s *Solver) letGo(j int) {
	if s.made != nil {
		s.made.letGo(j)
	}
}

const (
	refactorEvery = 64          // pivots between inversions, and a third of the basis' size
	shiftSize     = 1e-6        // of a perturbation
	tieSize       = 1e-10       // of one that breaks ties only
	wide, narrow  = 1e-9, 1e-12 // by how much a reduced cost may pass 0
	maxRounds     = 8           // perturbations
)

// Solve returns an optimal vertex, ErrNotSolved, or the error of ctx, after which the solver is
// of no use.
func (s *Solver) Solve(ctx context.Context) (*Solution, error) {
	cold := s.pivots == 0
	s.pivots, s.flips = 0, 0
	for round := range maxRounds {
		if round > 0 && s.pivots > s.mostPivots() {
			break
		}
		s.ratio.harris = wide
		if round > 0 { // what went in circles may have been of the size of the tolerance
			s.ratio.harris = narrow
		}
		if s.sift.stop(); !cold && round == 0 {
			s.sift.start(s.m, s.n)
		}
		err := s.round(ctx, round, cold || round > 0)
		if err == errStalled {
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

// mostPivots returns how many pivots a perturbed programme may have, and after how many no
// round begins: a solvable one has about as many as rows and columns, of ill-conditioned
// kernels a few times as many.
func (s *Solver) mostPivots() int { return 10*(s.m+s.n) + 2000 }

// round walks to where the solver believes to be at the optimum, perhaps by way of that of
// a perturbed programme.
func (s *Solver) round(ctx context.Context, round int, perturbed bool) error {
	limit := func() int { return 4*(s.m+s.n) + 1000 }
	if perturbed {
		s.perturb(uint64(round+1), shiftSize)
		s.watched = round < maxRounds/2 // there are no ties in which it may stay, but for circles
		err := s.optimizeAll(ctx, s.mostPivots)
		if s.watched = false; err != nil {
			return err
		}
		if round == 0 { // it is near
			limit = func() int { return (s.m+s.n)/2 + 200 }
		}
	}
	copy(s.b, s.p.B)
	err := s.optimizeAll(ctx, limit)
	if err != errStalled {
		return err
	}
	// In circles among ties, or what are ties but for rounding: these are broken by so little
	// that the certificate does not see it. Where that ends is a vertex for any right-hand
	// sides, whose x is that of the true ones.
	s.ratio.harris = narrow
	s.perturb(uint64(maxRounds+round+1), tieSize)
	if err := s.optimizeAll(ctx, limit); err != nil {
		return err
	}
	copy(s.b, s.p.B)
	s.place()
	return nil
}

// perturb adds a small amount to every right-hand side, so that no two kinks of P on
// an edge coincide. The amounts are the same in every run.
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

// solution returns where the solver stands, with its certificate.
func (s *Solver) solution(ctx context.Context) (*Solution, error) {
	sol := &Solution{
		X: append([]float64(nil), s.x...), T: append([]float64(nil), s.t...), Y: make([]float64, s.m),
		Pivots: s.pivots, Flips: s.flips,
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
	return sol, ctx.Err()
}

// certify computes Y, Reach and the certificate of a solution's X and T. It ends early if ctx
// is cancelled.
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
			c.blur += float64(x * min(abs(p.Upper[j]-a), rounding*c.free))
		} else {
			c.blur -= float64(x * min(abs(p.Lower[j]-a), rounding*c.free))
		}
	}
	return c
}

// Solve solves a programme once, with the threads of the team that ctx has.
func Solve(ctx context.Context, p *Problem) (*Solution, error) {
	s, err := NewSolver(p)
	if err != nil {
		return nil, err
	}
	return s.Solve(ctx)
}
