package preimage

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
)

// Joint moves the vectors z_j and their factors beta_j all at once towards a minimum of
//
//	|Psi - sum_j beta_j phi(z_j)|^2,
//
// the second phase of Burges, "Simplified support vector decision rules" (1996). It starts from the
// given ones, which it does not change, makes at most the given number of descent steps, and
// returns the new ones. The result is no worse than the start. The error is ctx's.
func Joint(ctx context.Context, t *Target, zs []vec.Vector, beta []float64, steps int) ([]vec.Vector, []float64, error) {
	if len(zs) != len(beta) {
		panic("preimage: factors do not fit the vectors")
	}
	d := t.dim()
	j := &joint{function: newFunction(t), ctx: ctx, d: d, beta: beta}
	x := make([]float64, len(zs)*(d+1))
	for k, z := range zs {
		t.spread(x[k*(d+1):][:d], z)
		x[k*(d+1)+d] = 1
	}
	grad := make([]float64, len(x))
	j.unit = 1
	before := j.value(grad, x)
	if err := ended.Err(ctx); err != nil {
		return nil, nil, err
	}
	if !(before < 0) || math.IsInf(before, 0) || d == 0 {
		return zs, beta, nil
	}
	j.unit = -before
	if err := descend(ctx, j.value, x, steps); err != nil {
		return nil, nil, err
	}
	if !(j.value(grad, x) <= -1) {
		return zs, beta, ended.Err(ctx)
	}
	var moved []vec.Vector
	var factors []float64
	for k, b := range beta {
		moved = append(moved, t.vector(x[k*(d+1):][:d]))
		factors = append(factors, b*x[k*(d+1)+d])
	}
	return moved, factors, ended.Err(ctx)
}

// joint is the function that Joint minimises, without |Psi|^2. Its variables are, for each vector,
// the features and the quotient of its factor and its first factor.
type joint struct {
	*function
	ctx  context.Context
	d    int
	beta []float64
	unit float64
}

// value returns the following in units of unit, and sets grad to its gradient. If the context is
// done, the result is undefined.
//
//	sum_jk beta_j beta_k k(z_j, z_k) - 2 sum_j beta_j g(z_j).
func (f *joint) value(grad, x []float64) float64 {
	_, rbf := f.kernel.(kernel.RBF)
	at := func(j int) (z []float64, b float64) {
		return x[j*(f.d+1):][:f.d], float64(f.beta[j] * x[j*(f.d+1)+f.d])
	}
	total := 0.0
	for j := range f.beta {
		if f.ctx.Err() != nil {
			break
		}
		z, b := at(j)
		into := grad[j*(f.d+1):][:f.d]
		g, _ := f.gradients(z)
		for k, v := range f.gradG {
			into[k] = -2 * b * v
		}
		total -= float64(2 * b * g)
		byFactor := float64(-2 * g)
		norm := columns.Dot(z, z)
		for k := range f.beta {
			other, c := at(k)
			dot := columns.Dot(z, other)
			value := f.between(dot, norm, columns.Dot(other, other))
			total += float64(b * c * value)
			byFactor += float64(2 * c * value)
			weight := 2 * b * c * slope(f.kernel, dot, value)
			for i, v := range other {
				if rbf {
					v -= z[i]
				}
				into[i] += float64(weight * v)
			}
		}
		grad[j*(f.d+1)+f.d] = byFactor * f.beta[j]
	}
	for k := range grad {
		grad[k] /= f.unit
	}
	return total / f.unit
}

// between returns k(z, z') for the dot product and the squared norms.
func (f *joint) between(dot, norm, other float64) float64 {
	switch k := f.kernel.(type) {
	case kernel.Poly:
		return kernel.Power(float64(k.Gamma*dot)+k.Coef0, k.Degree)
	case kernel.RBF:
		return kernel.Exp(-k.Gamma * max(0, norm+other-float64(2*dot)))
	}
	return dot
}
