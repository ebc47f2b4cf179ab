package preimage

import (
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
)

// function evaluates g, h and rho at dense z.
type function struct {
	*Target
	dots   []float64 // x_i.z
	values []float64 // k(x_i, z)
	args   []float64 // arguments of exp
	change []float64 // eta_i times the derivative of k by x_i.z
	gradG  []float64
	gradH  []float64
	used   blocks // where the current trial is not 0
	count  int    // number of evaluations
}

func newFunction(t *Target) *function {
	n, d := t.lanes, t.dim()
	return &function{
		Target: t, dots: make([]float64, n), values: make([]float64, n), args: make([]float64, n),
		change: make([]float64, n), gradG: make([]float64, d, columns.Padded(d)), gradH: make([]float64, d),
	}
}

// at returns g and h at z.
func (f *function) at(z []float64) (g, h float64) {
	f.count++
	clear(f.dots)
	f.points.addTo(f.dots, z, 0)
	return f.combine(f.dots, columns.Dot(z, z))
}

// combine returns g and h at a z with this squared norm and these dot products with the points. It
// also sets values.
func (f *function) combine(dots []float64, norm float64) (g, h float64) {
	f.kernelTo(f.values, dots, norm)
	return columns.Dot(f.eta, f.values), f.self(norm)
}

// kernelTo sets dst[i] to the kernel value for x_i.z = dots[i] and |z|^2 = norm.
func (f *function) kernelTo(dst, dots []float64, norm float64) {
	switch k := f.kernel.(type) {
	case kernel.Linear:
		copy(dst, dots)
	case kernel.Poly:
		for i, dot := range dots {
			dst[i] = kernel.Power(float64(k.Gamma*dot)+k.Coef0, k.Degree)
		}
	case kernel.RBF:
		args, norms := f.args[:len(dots)], f.norms[:len(dots)]
		for i, dot := range dots {
			if args[i] = -k.Gamma * (norm + norms[i] - float64(2*dot)); args[i] > 0 {
				args[i] = 0
			}
		}
		kernel.ExpTo(dst, args)
	}
}

// self returns k(z, z) for |z|^2 = norm.
func (f *function) self(norm float64) float64 {
	switch k := f.kernel.(type) {
	case kernel.Linear:
		return norm
	case kernel.Poly:
		return kernel.Power(float64(k.Gamma*norm)+k.Coef0, k.Degree)
	}
	return 1
}

// slope returns the derivative of k(x, z) by x.z, given dot = x.z and value = k(x, z).
func slope(k kernel.Kernel, dot, value float64) float64 {
	switch k := k.(type) {
	case kernel.Poly:
		if k.Degree == 0 {
			return 0
		}
		return float64(k.Degree) * k.Gamma * kernel.Power(float64(k.Gamma*dot)+k.Coef0, k.Degree-1)
	case kernel.RBF:
		return 2 * k.Gamma * value
	}
	return 1
}

// gradients returns g and h at z, and sets gradG and gradH:
//
//	grad(g) = sum_i change_i x_i,  for a RBF kernel  sum_i change_i (x_i - z).
func (f *function) gradients(z []float64) (g, h float64) {
	g, h = f.at(z)
	_, rbf := f.kernel.(kernel.RBF)
	pull := 0.0
	for i, e := range f.eta {
		f.change[i] = e * slope(f.kernel, f.dots[i], f.values[i])
		pull += f.change[i]
	}
	norm := columns.Dot(z, z)
	twice := 2 * slope(f.kernel, norm, h)
	f.points.sumsTo(f.gradG, f.change)
	for k, v := range z {
		f.gradH[k] = twice * v
		if rbf {
			f.gradG[k] -= float64(pull * v)
			f.gradH[k] = 0
		}
	}
	return g, h
}

// angle returns rho at z and sets grad to its gradient.
func (f *function) angle(grad, z []float64) float64 {
	g, h := f.gradients(z)
	for k := range grad {
		grad[k] = -(float64(2*g*f.gradG[k]*h) - float64(g*g*f.gradH[k])) / (h * h)
	}
	return rho(g, h)
}

// rho returns -g^2/h, or 0, the worst value, if h is not positive.
func rho(g, h float64) float64 {
	if !(h > 0) {
		return 0
	}
	return -g * g / h
}
