package reducedset

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: the best coefficients for given vectors z_1..z_M.
//
// With Kzz = U diag(lambda) U' the rows' features R = Kxz U diag(lambda^-1/2) have
// the products R R' = Kxz Kzz^+ Kxz' = K~, the kernel after projection to the span
// of the phi(z_j): equations (17) to (19) are a linear SVM on R, and from its
// weights w follows beta = U diag(lambda^-1/2) w. It is solved to optimality, so
// that the paper's rule for solvers that do not converge is not needed.
//
// Directions with a small lambda are left out: they are noise.

// rank is the share of the largest eigenvalue below which one is left out.
const rank = 1e-10

// A projection holds the eigenvectors of Kzz for some vectors.
type projection struct {
	of    []int      // the vectors
	basis *mat.Dense // U diag(lambda^-1/2), a row for each vector
}

// project decomposes Kzz of the vectors; it returns nil without any.
func (s *state) project(of []int) *projection {
	n := len(of)
	if n == 0 {
		return nil
	}
	kzz := mat.NewSymDense(n, nil)
	for a, j := range of {
		for b := a; b < n; b++ {
			kzz.SetSym(a, b, s.kz[j][of[b]])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(kzz, true) {
		return nil
	}
	lambda := e.Values(nil) // ascending
	var u mat.Dense
	e.VectorsTo(&u)
	first := 0
	for first < n && !(lambda[first] > rank*lambda[n-1]) {
		first++
	}
	if first == n {
		return nil
	}
	basis := mat.NewDense(n, n-first, nil)
	for a := range n {
		for k := first; k < n; k++ {
			basis.Set(a, k-first, u.At(a, k)/math.Sqrt(lambda[k]))
		}
	}
	return &projection{of, basis}
}

// features returns R for some rows.
func (s *state) features(p *projection, rows []int) *mat.Dense {
	_, m := p.basis.Dims()
	kxz := mat.NewDense(len(rows), len(p.of), nil)
	for n, i := range rows {
		row := kxz.RawRowView(n)
		for a, j := range p.of {
			row[a] = s.kx[j][i]
		}
	}
	r := mat.NewDense(len(rows), m, nil)
	r.Mul(kxz, p.basis)
	return r
}

// coefficients returns beta of weights for the features.
func (p *projection) coefficients(w []float64) []float64 {
	beta := make([]float64, len(p.of))
	mat.NewVecDense(len(beta), beta).MulVec(p.basis, mat.NewVecDense(len(w), w))
	return beta
}

// retrain trains the coefficients of every machine on its own vectors.
func (s *state) retrain(ctx context.Context) error {
	var common *projection // for machines that use all
	if s.Method.shares() {
		common = s.project(s.all())
	}
	errs := make([]error, len(s.machines))
	team.Do(ctx, len(s.machines), func(ctx context.Context, l int) {
		c := &s.machines[l]
		p := common
		if s.Method.shares() {
			c.own = s.all()
		} else {
			p = s.project(c.own)
		}
		errs[l] = s.retrainMachine(ctx, c, p)
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// all lists all vectors.
func (s *state) all() []int {
	list := make([]int, s.zs.Len())
	for j := range list {
		list[j] = j
	}
	return list
}

func (s *state) retrainMachine(ctx context.Context, c *machine, p *projection) error {
	if p == nil {
		c.beta = make([]float64, len(c.own))
		s.offset(c)
		return nil
	}
	r := s.features(p, c.rows)
	if !s.parent.Task.Classifies() {
		w, bias, err := leastSquares(r, c.y, c.weight)
		if err == nil {
			c.beta, c.rho = p.coefficients(w), -bias
		}
		return err
	}
	cost := make([]float64, len(c.rows))
	for i := range cost {
		cost[i] = c.cost * c.weight[i]
	}
	m, err := linear.Train(ctx, r, c.y, cost)
	if m == nil {
		return err
	}
	// if the gap could not be closed, m is the best there is
	c.beta, c.rho = p.coefficients(m.W), -m.Bias
	if err != nil && ctx.Err() == nil {
		s.offset(c)
	}
	return ctx.Err()
}

// offset chooses the rho with the fewest errors on the machine's rows, in the
// middle of its interval; of equally good intervals the widest. The values of a
// machine without classes get their mean right.
func (s *state) offset(c *machine) {
	c.rho = 0
	n := len(c.rows)
	values := make([]float64, n)
	for k, i := range c.rows {
		values[k] = s.value(c, i)
	}
	if !s.parent.Task.Classifies() {
		sum, total := 0.0, 0.0
		for k, v := range values {
			sum += float64(c.weight[k] * (v - c.y[k]))
			total += c.weight[k]
		}
		c.rho = sum / total
		return
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	// with rho below all values every row is positive
	wrong := 0.0
	for k := range order {
		if c.y[k] < 0 {
			wrong += c.weight[k]
		}
	}
	low, high := values[order[0]], values[order[n-1]]
	edge := max(1, high-low) / 2
	least, width := wrong, math.Inf(1)
	c.rho = low - edge
	for k, i := range order {
		if c.y[i] > 0 {
			wrong += c.weight[i]
		} else {
			wrong -= c.weight[i]
		}
		next := high + 2*edge
		if k+1 < n {
			next = values[order[k+1]]
		}
		gap := next - values[i]
		if gap == 0 {
			continue
		}
		if wrong < least || wrong == least && gap > width {
			least, width = wrong, gap
			c.rho = values[i] + gap/2
		}
	}
}

// ridge keeps the least squares solvable: a share of the mean squared feature.
const ridge = 1e-10

// leastSquares returns w and bias that minimise sum_i v_i (w.r_i + bias - y_i)^2.
func leastSquares(r *mat.Dense, y, v []float64) (w []float64, bias float64, err error) {
	n, m := r.Dims()
	a := mat.NewSymDense(m+1, nil)
	b := mat.NewVecDense(m+1, nil)
	row := make([]float64, m+1)
	row[m] = 1
	for i := range n {
		copy(row, r.RawRowView(i))
		x := mat.NewVecDense(m+1, row)
		a.SymRankOne(a, v[i], x)
		b.AddScaledVec(b, v[i]*y[i], x)
	}
	trace := mat.Trace(a)
	for k := range m {
		a.SetSym(k, k, a.At(k, k)+ridge*trace/float64(m+1))
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		return nil, 0, errSingular
	}
	x := mat.NewVecDense(m+1, nil)
	if err := c.SolveVecTo(x, b); err != nil {
		if _, ok := err.(mat.Condition); !ok { // which is a warning
			return nil, 0, err
		}
	}
	return x.RawVector().Data[:m], x.AtVec(m), nil
}
