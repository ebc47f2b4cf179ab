package preimage

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// function evaluates g, h and rho at dense z.
type function struct {
	*Target
	matrix blas64.General
	dots   []float64 // x_i.z
	change []float64 // eta_i times the derivative of k by x_i.z
	gradG  []float64
	count  int // evaluations
}

func newFunction(t *Target) *function {
	n, d := len(t.eta), len(t.index)
	return &function{
		Target: t, matrix: blas64.General{Rows: n, Cols: d, Stride: max(d, 1), Data: t.x},
		dots: make([]float64, n), change: make([]float64, n), gradG: make([]float64, d),
	}
}

func strided(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// at returns g and h at z, and where grad is not nil sets it to the gradient of
// rho.
func (f *function) at(grad, z []float64) (g, h float64) {
	f.count++
	norm := 0.0
	for _, v := range z {
		norm += float64(v * v)
	}
	blas64.Gemv(blas.NoTrans, 1, f.matrix, strided(z), 0, strided(f.dots))
	gradH := 0.0 // grad(h) is this times z
	pull := 0.0  // grad(g) is sum_i change_i x_i minus this times z
	switch k := f.kernel.(type) {
	case kernel.Linear:
		h, gradH = norm, 2
		for i, dot := range f.dots {
			g += float64(f.eta[i] * dot)
			f.change[i] = f.eta[i]
		}
	case kernel.Poly:
		base := float64(k.Gamma*norm) + k.Coef0
		h = math.Pow(base, float64(k.Degree))
		gradH = 2 * float64(k.Degree) * k.Gamma * math.Pow(base, float64(k.Degree-1))
		for i, dot := range f.dots {
			base := float64(k.Gamma*dot) + k.Coef0
			p := math.Pow(base, float64(k.Degree-1))
			g += float64(f.eta[i] * p * base)
			f.change[i] = f.eta[i] * float64(k.Degree) * k.Gamma * p
		}
	case kernel.RBF:
		h = 1
		for i, dot := range f.dots {
			v := f.eta[i] * kernel.Exp(-k.Gamma*max(0, norm+f.norms[i]-float64(2*dot)))
			g += v
			f.change[i] = 2 * k.Gamma * v
			pull += f.change[i]
		}
	}
	if grad == nil {
		return g, h
	}
	blas64.Gemv(blas.Trans, 1, f.matrix, strided(f.change), 0, strided(f.gradG))
	for k, v := range z {
		dg := f.gradG[k] - float64(pull*v)
		dh := float64(gradH * v)
		grad[k] = -(float64(2*g*dg*h) - float64(g*g*dh)) / (h * h)
	}
	return g, h
}

// rho is -g^2/h, and 0, the worst, where h is not positive.
func rho(g, h float64) float64 {
	if !(h > 0) {
		return 0
	}
	return -g * g / h
}

// values sets dst[i] to rho at xs[i], by the vector instructions of prediction and
// the team of ctx. The result does not depend on its size.
func (t *Target) values(ctx context.Context, dst []float64, xs [][]float64) {
	team.Do(ctx, (len(xs)+kernel.BatchRows-1)/kernel.BatchRows, func(_ context.Context, b int) {
		e := evaluators.Get().(*evaluator)
		defer evaluators.Put(e)
		from := b * kernel.BatchRows
		to := min(from+kernel.BatchRows, len(xs))
		e.values(t, dst[from:to], xs[from:to])
	})
}

var evaluators = sync.Pool{New: func() any { return new(evaluator) }}

// evaluator evaluates batches of candidates.
type evaluator struct {
	batch kernel.Batch
	rows  []vec.Vector
	block []float64
	g     []float64
}

// blockPoints is the number of points whose kernel values are kept at a time.
const blockPoints = 128

func (e *evaluator) values(t *Target, dst []float64, xs [][]float64) {
	e.rows = e.rows[:0]
	for _, x := range xs {
		e.rows = append(e.rows, vec.Vector{Index: t.index, Value: x})
	}
	e.batch.Pack(t.basis, e.rows)
	lanes := e.batch.Lanes()
	if len(e.block) < blockPoints*lanes {
		e.block, e.g = make([]float64, blockPoints*lanes), make([]float64, lanes)
	}
	g := e.g[:lanes]
	clear(g)
	for from := 0; from < len(t.eta); from += blockPoints {
		to := min(from+blockPoints, len(t.eta))
		block := e.block[:(to-from)*lanes]
		e.batch.EvaluateTo(block, from, to)
		for i, eta := range t.eta[from:to] {
			for r, v := range block[i*lanes : (i+1)*lanes] {
				g[r] += float64(eta * v)
			}
		}
	}
	for r, x := range xs {
		dst[r] = rho(g[r], t.selfValue(x))
	}
}

// selfValue returns k(z, z).
func (t *Target) selfValue(z []float64) float64 {
	norm := 0.0
	for _, v := range z {
		norm += float64(v * v)
	}
	switch k := t.kernel.(type) {
	case kernel.Linear:
		return norm
	case kernel.Poly:
		return math.Pow(float64(k.Gamma*norm)+k.Coef0, float64(k.Degree))
	}
	return 1
}
