package joint

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A form is a kernel with its derivatives.
type form interface {
	gamma() float64
	// values replaces the dot products of rows and vectors in k, those of a vector together, by
	// kernel values. It sets derivative to the factor of dF/dK in W and, if the kernel has a width,
	// dist to squared distances. norms are the squared norms of the rows.
	values(k, derivative, dist, norms []float64, q *queries)
	// cancels reports whether kernel values cannot be computed from dot products of rows and
	// vectors with squared norms up to norm, because too much is lost to rounding.
	cancels(gamma, norm float64) bool
	// ofDistances is values for known distances dist.
	ofDistances(k, derivative, dist []float64, gamma float64)
	// toVector adds to dst the gradient by a vector z, given wx = sum_i W_i x_i and w = sum_i W_i.
	toVector(dst, wx []float64, w float64, z []float64, gamma float64)
	// steep adds to each sums[j] the sum over a panel's rows i of d_i |dK_ij/dz_j|^2.
	steep(sums, d, derivative, dist, norms []float64, gamma float64)
	// rounding returns the largest rounding error of a kernel value, relative to the largest
	// possible value, for squared norms up to norm.
	rounding(gamma, norm float64) float64
	// positive reports whether the kernel is an inner product, so that machines have norms.
	positive() bool
	// with returns the kernel with another gamma.
	with(gamma float64) kernel.Kernel
}

func formOf(k kernel.Kernel) (form, error) {
	if err := kernel.Validate(k); err != nil {
		return nil, err
	}
	switch k := k.(type) {
	case kernel.RBF:
		return gauss{k}, nil
	case kernel.Linear:
		return product{k, func(float64, float64) float64 { return 1 }, 1, true}, nil
	case kernel.Poly:
		slope := func(dot, _ float64) float64 {
			return float64(k.Degree) * k.Gamma * power(float64(k.Gamma*dot)+k.Coef0, k.Degree-1)
		}
		return product{k, slope, k.Degree, k.Coef0 >= 0 && k.Gamma >= 0}, nil
	case kernel.Sigmoid:
		slope := func(_, value float64) float64 { return k.Gamma * (1 - float64(value*value)) }
		return product{k, slope, 1, false}, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrKernel, kernel.Name(k))
}

// power returns x^n, and 0 for negative n: the derivative of a constant.
func power(x float64, n int) float64 {
	if n < 0 {
		return 0
	}
	return kernel.Power(x, n)
}

// unit is a unit in the last place of 1.
const unit = 0x1p-52

type gauss struct{ k kernel.RBF }

func (f gauss) gamma() float64 { return f.k.Gamma }
func (f gauss) positive() bool { return true }

// mostCancelled bounds gamma times the squared norms from which squared distances are computed.
// These are differences of numbers up to 4 norm, of which rounding then leaves enough. Beyond it,
// as when a missing value is written as 9999999 or all values are far from 0, squared distances are
// sums of squared differences.
const mostCancelled = 0x1p24

func (f gauss) cancels(gamma, norm float64) bool { return gamma*norm > mostCancelled }

func (f gauss) rounding(gamma, norm float64) float64 {
	return unit * (4 + float64(4*min(gamma*norm, mostCancelled)))
}

func (f gauss) with(gamma float64) kernel.Kernel { return kernel.RBF{Gamma: gamma} }

func (f gauss) values(k, derivative, dist, norms []float64, q *queries) {
	const lanes = vec.PanelRows
	rows, scale := (*[lanes]float64)(norms), -q.gamma
	for j, norm := range q.norms {
		at := j * lanes
		dots, d, args := (*[lanes]float64)(k[at:]), (*[lanes]float64)(dist[at:]), (*[lanes]float64)(derivative[at:])
		for i, dot := range dots {
			v := rows[i] + norm - 2*dot
			if v < 0 { // not max, which also has to tell -0 from 0
				v = 0
			}
			d[i], args[i] = v, scale*v
		}
	}
	kernel.ExpTo(k, derivative)
	copy(derivative, k)
}

func (f gauss) ofDistances(k, derivative, dist []float64, gamma float64) {
	for i, d := range dist {
		derivative[i] = -gamma * d
	}
	kernel.ExpTo(k, derivative)
	copy(derivative, k)
}

func (f gauss) toVector(dst, wx []float64, w float64, z []float64, gamma float64) {
	for k := range dst {
		dst[k] += float64(2 * gamma * (wx[k] - float64(w*z[k])))
	}
}

func (f gauss) steep(sums, d, derivative, dist, _ []float64, gamma float64) {
	const lanes = vec.PanelRows
	for j := range sums {
		sum := 0.0
		for i, w := range d {
			k := 2 * gamma * derivative[j*lanes+i]
			sum += float64(w * k * k * dist[j*lanes+i])
		}
		sums[j] += sum
	}
}

// A product is a kernel that is a function of the dot product.
type product struct {
	kernel.Kernel
	slope        func(dot, value float64) float64
	degree       int
	innerProduct bool
}

func (f product) gamma() float64 { return 0 }
func (f product) positive() bool { return f.innerProduct }

func (f product) cancels(_, _ float64) bool                { return false }
func (f product) ofDistances(_, _, _ []float64, _ float64) {}

func (f product) rounding(_, _ float64) float64 { return unit * float64(4+4*f.degree) }

func (f product) with(float64) kernel.Kernel { return f.Kernel }

func (f product) values(k, derivative, _, _ []float64, _ *queries) {
	copy(derivative, k)
	kernel.FromDots(f.Kernel, k)
	for i, value := range k {
		derivative[i] = f.slope(derivative[i], value)
	}
}

func (f product) toVector(dst, wx []float64, _ float64, _ []float64, _ float64) {
	for k := range dst {
		dst[k] += wx[k]
	}
}

func (f product) steep(sums, d, derivative, _, norms []float64, _ float64) {
	const lanes = vec.PanelRows
	for j := range sums {
		sum := 0.0
		for i, w := range d {
			k := derivative[j*lanes+i]
			sum += float64(w * k * k * norms[i])
		}
		sums[j] += sum
	}
}
