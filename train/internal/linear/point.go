package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// point is where the method stands.
//
//	symbol  field
//	A       a          row i is y_i r_i
//	a       alpha      0 < a_i < C_i
//	z       z          multipliers of a >= 0, positive
//	u       u          multipliers of a <= C, positive
//	b       b          multiplier of y'a = 0, the bias
//	w       w          A'a
type point struct {
	a     *mat.Dense
	y     []float64
	cost  []float64
	alpha []float64
	z, u  []float64
	b     float64
	w     []float64
	value []float64 // A w: the sides of the rows, without the bias

	// of one step
	d      []float64  // the diagonal D
	scaled *mat.Dense // rows of A divided by the roots of D
	s      *mat.SymDense
	chol   mat.Cholesky
	small  *mat.VecDense
	rd     []float64 // residual of the dual condition
	q      []float64 // (Q + D)^-1 y
	yq     float64   // y.q
	rz, ru []float64
	g      []float64
	da     []float64
	dz, du []float64
	db     float64
	daA    []float64 // of the predictor
	dzA    []float64
	duA    []float64
}

func newPoint(rows *mat.Dense, y, cost []float64) *point {
	n, m := rows.Dims()
	p := &point{a: mat.NewDense(n, m, nil), y: y, cost: cost, scaled: mat.NewDense(n, m, nil),
		s: mat.NewSymDense(m, nil), small: mat.NewVecDense(m, nil), w: make([]float64, m)}
	for _, s := range []*[]float64{&p.alpha, &p.z, &p.u, &p.value, &p.d, &p.rd, &p.q, &p.rz, &p.ru, &p.g, &p.da, &p.dz, &p.du, &p.daA, &p.dzA, &p.duA} {
		*s = make([]float64, n)
	}
	for i := range n {
		floats.ScaleTo(p.a.RawRowView(i), y[i], rows.RawRowView(i))
		p.alpha[i] = min(cost[i]/2, 1)
	}
	p.values()
	for i, v := range p.value { // so that the dual condition holds at once
		p.z[i], p.u[i] = 1+max(v-1, 0), 1+max(1-v, 0)
	}
	return p
}

// values brings w and value up to date.
func (p *point) values() {
	blas64.Gemv(blas.Trans, 1, p.a.RawMatrix(), vector(p.alpha), 0, vector(p.w))
	blas64.Gemv(blas.NoTrans, 1, p.a.RawMatrix(), vector(p.w), 0, vector(p.value))
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// machine returns the machine of the point and its gap. The dual value counts
// only as far as y'a = 0 holds, so that b y'a is taken off.
func (p *point) machine() *Machine {
	half := floats.Dot(p.w, p.w) / 2
	loss, sum, off := 0.0, 0.0, 0.0
	for i, v := range p.value {
		loss += p.cost[i] * max(0, 1-v-p.y[i]*p.b)
		sum += p.alpha[i]
		off += p.y[i] * p.alpha[i]
	}
	primal := half + loss
	dual := sum - half - math.Abs(p.b*off)
	gap := (primal - dual) / (1 + math.Abs(primal))
	if math.IsNaN(gap) {
		gap = math.Inf(1)
	}
	return &Machine{W: slices.Clone(p.w), Bias: p.b, Alpha: slices.Clone(p.alpha), Objective: primal, Gap: gap}
}

// advance takes a step: the predictor aims at complementarity 0, and from how far
// it gets follows the target of the corrector. It returns false where no step can
// be computed.
func (p *point) advance() bool {
	n := len(p.alpha)
	mu, off := 0.0, 0.0
	for i, a := range p.alpha {
		p.d[i] = p.z[i]/a + p.u[i]/(p.cost[i]-a)
		p.rd[i] = p.value[i] - 1 + p.y[i]*p.b - p.z[i] + p.u[i]
		mu += a*p.z[i] + (p.cost[i]-a)*p.u[i]
		off += p.y[i] * a
	}
	mu /= float64(2 * n)
	if !p.factorize() {
		return false
	}
	p.solve(p.q, p.y)
	p.yq = floats.Dot(p.y, p.q)

	for i, a := range p.alpha {
		p.rz[i], p.ru[i] = -a*p.z[i], -(p.cost[i]-a)*p.u[i]
	}
	p.direction(off)
	copy(p.daA, p.da)
	copy(p.dzA, p.dz)
	copy(p.duA, p.du)
	t := p.reach(1)
	after := 0.0
	for i, a := range p.alpha {
		after += (a+t*p.da[i])*(p.z[i]+t*p.dz[i]) + (p.cost[i]-a-t*p.da[i])*(p.u[i]+t*p.du[i])
	}
	after /= float64(2 * n)
	sigma := math.Pow(after/mu, 3)

	for i, a := range p.alpha {
		p.rz[i] = sigma*mu - a*p.z[i] - p.daA[i]*p.dzA[i]
		p.ru[i] = sigma*mu - (p.cost[i]-a)*p.u[i] + p.daA[i]*p.duA[i]
	}
	p.direction(off)
	t = p.reach(boundary)
	for i := range p.alpha {
		p.alpha[i] += t * p.da[i]
		p.z[i] += t * p.dz[i]
		p.u[i] += t * p.du[i]
	}
	p.b += t * p.db
	p.values()
	return t > 1e-10 && !math.IsNaN(p.b)
}

// factorize decomposes S = I + A' D^-1 A.
func (p *point) factorize() bool {
	n, m := p.a.Dims()
	for i := range n {
		floats.ScaleTo(p.scaled.RawRowView(i), 1/math.Sqrt(p.d[i]), p.a.RawRowView(i))
	}
	s := p.s.RawSymmetric()
	clear(s.Data)
	for k := range m {
		s.Data[k*s.Stride+k] = 1
	}
	blas64.Syrk(blas.Trans, 1, p.scaled.RawMatrix(), 1, s)
	return p.chol.Factorize(p.s)
}

// solve sets dst = (Q + D)^-1 v; they may be the same.
func (p *point) solve(dst, v []float64) {
	for i := range v {
		dst[i] = v[i] / p.d[i]
	}
	small := p.small.RawVector()
	blas64.Gemv(blas.Trans, 1, p.a.RawMatrix(), vector(dst), 0, small)
	p.chol.SolveVecTo(p.small, p.small) // an ill condition shows in the gap
	for i := range dst {
		dst[i] -= floats.Dot(p.a.RawRowView(i), small.Data) / p.d[i]
	}
}

// direction solves the linear system for the targets rz and ru; off is y'a.
func (p *point) direction(off float64) {
	for i, a := range p.alpha {
		p.g[i] = -p.rd[i] + p.rz[i]/a - p.ru[i]/(p.cost[i]-a)
	}
	p.solve(p.da, p.g)
	p.db = (floats.Dot(p.y, p.da) + off) / p.yq
	floats.AddScaled(p.da, -p.db, p.q)
	for i, a := range p.alpha {
		p.dz[i] = (p.rz[i] - p.z[i]*p.da[i]) / a
		p.du[i] = (p.ru[i] + p.u[i]*p.da[i]) / (p.cost[i] - a)
	}
}

// reach returns the largest step up to 1 that takes no variable further than the
// given share of the way to its bound.
func (p *point) reach(share float64) float64 {
	t := 1.0
	limit := func(room, change float64) {
		if change < 0 {
			t = min(t, -share*room/change)
		}
	}
	for i, a := range p.alpha {
		limit(a, p.da[i])
		limit(p.cost[i]-a, -p.da[i])
		limit(p.z[i], p.dz[i])
		limit(p.u[i], p.du[i])
	}
	return t
}
