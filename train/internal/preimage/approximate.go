package preimage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// Problem: given Psi = sum_i eta_i phi(x_i) and starts for t vectors, solve
//
//	min_{w, Z}  |Psi - sum_j w_j phi(z_j)|^2   s.t.  -box_j <= w_j <= box_j,
//
// which is NLP(u, C, t) of Gonzalez-Castano and Meyer, equation (2), with
//
//	d/dw   = 2 K(Z,Z) w - 2 g(Z)
//	d/dz_j = 2 w_j (sum_k w_k dk(z_j, z_k)/dz_j - grad g(z_j)).
//
// Method: all variables at once, with w in closed form. For given Z the best w is the solution of a
// small quadratic programme (boxed.go), at which the relevant derivative by w is 0. So the least
// value as a function of Z has the gradient d/dZ at that w (variable projection, Golub and Pereyra
// 1973; with bounds, Danskin's theorem), and L-BFGS minimises it. The bounds hold exactly at every
// step.
//
// A ridge on the diagonal of K(Z,Z) keeps w finite when vectors meet.

// ridge is relative to the mean of the diagonal of K(Z,Z).
const ridge = 1e-10

// An Approximation is a point of feature space near another one.
type Approximation struct {
	Z []vec.Vector
	W []float64
	// Distance is the remaining squared distance, relative to |Psi|^2. Start is that of the starts
	// with the best w for them.
	Distance, Start float64
	Evaluations     int
}

// A Descent limits an approximation.
type Descent struct {
	Evaluations int     // most evaluations of the distance and its gradient; at least 1
	Gradient    float64 // norm of the gradient of the relative distance, relative to max(1, |Z|), at which it ends
}

// DefaultDescent returns generous limits: distances stop decreasing long before.
func DefaultDescent() Descent { return Descent{Evaluations: 1000, Gradient: 1e-6} }

// Approximate moves vectors from the starts zs towards the minimum. box has a bound, 0 or more, for
// each w; nil means no bounds. The result is no worse than the starts. With a linear kernel it is
// one vector, Psi itself with w 1, unless the first bound is below that.
func (s Descent) Approximate(ctx context.Context, t *Target, zs []vec.Vector, box []float64) (*Approximation, error) {
	if box != nil && len(box) != len(zs) || len(zs) == 0 {
		panic(fmt.Sprintf("preimage: %d bounds for %d vectors", len(box), len(zs)))
	}
	if t.kernel == kernel.Kernel(kernel.Linear{}) && (box == nil || box[0] >= 1) {
		r := t.exact()
		return &Approximation{Z: []vec.Vector{r.Z}, W: []float64{1}, Evaluations: 1}, nil
	}
	if t.spanPays(zs) {
		return s.spanned(ctx, t, zs, box)
	}
	return s.descend(ctx, t, zs, box)
}

// descend is Approximate by descent, with the features as variables.
func (s Descent) descend(ctx context.Context, t *Target, zs []vec.Vector, box []float64) (*Approximation, error) {
	f, err := newDistance(ctx, t, len(zs), box)
	if err != nil {
		return nil, err
	}
	switch {
	case math.IsNaN(f.unit) || math.IsInf(f.unit, 0):
		return nil, ErrFar
	case f.unit <= 0:
		return nil, ErrZero
	}
	d := t.dim()
	x := make([]float64, len(zs)*d)
	for j, z := range zs {
		t.spread(x[j*d:][:d], z)
	}
	first := slices.Clone(x)
	start := f.value(x, make([]float64, len(x)))
	if math.IsNaN(start) || math.IsInf(start, 0) {
		return nil, ErrZero
	}
	if d > 0 {
		settings := lbfgs.Settings{Memory: 20, Evaluations: s.Evaluations, Decrease: 1e-12, Gradient: s.Gradient}
		// If the squares of the slopes overflow, there is no descent: the starts stay.
		if _, err := lbfgs.Minimize(ctx, f.value, x, settings, nil); err != nil && !errors.Is(err, lbfgs.ErrStart) {
			return nil, err
		}
	}
	a := &Approximation{Start: start, Distance: f.value(x, make([]float64, len(x)))}
	if !(a.Distance <= start) {
		copy(x, first)
		a.Distance = f.value(x, make([]float64, len(x)))
	}
	a.W, a.Evaluations = slices.Clone(f.w), f.evaluations
	for j := range zs {
		a.Z = append(a.Z, t.vector(x[j*d:][:d]))
	}
	return a, nil
}

// distance is the function of Z that is minimised.
type distance struct {
	*function
	unit        float64 // |Psi|^2
	box         []float64
	w           []float64 // the best w for the last Z
	g           []float64 // g(z_j)
	slopes      []float64 // dk/d(z_j.z_k), t x t
	quadratic   boxedQuadratic
	evaluations int
}

func newDistance(ctx context.Context, t *Target, vectors int, box []float64) (*distance, error) {
	f := &distance{
		function: newFunction(t), box: box, w: make([]float64, vectors), g: make([]float64, vectors),
		slopes: make([]float64, vectors*vectors), quadratic: newBoxedQuadratic(vectors),
	}
	var err error
	f.unit, err = t.squaredNorm(ctx, f.function)
	return f, err
}

// squaredNorm returns |Psi|^2 = sum_i eta_i g(x_i).
func (t *Target) squaredNorm(ctx context.Context, f *function) (sum float64, err error) {
	x := make([]float64, t.dim())
	for i := range t.count {
		if err := ended.Err(ctx); err != nil {
			return 0, err
		}
		t.points.row(x, i)
		g, _ := f.at(x)
		sum += float64(t.eta[i] * g)
	}
	return sum, nil
}

// value returns the least relative distance for the vectors in x, and sets grad to its gradient.
func (f *distance) value(x, grad []float64) float64 {
	f.evaluations++
	d, n := f.dim(), len(f.w)
	_, rbf := f.kernel.(kernel.RBF)
	for j := range n {
		z := x[j*d:][:d]
		f.g[j], _ = f.gradients(z)
		copy(grad[j*d:][:d], f.gradG)
	}
	a := f.quadratic.a
	trace := 0.0
	for j := range n {
		z := x[j*d:][:d]
		norm := columns.Dot(z, z)
		for k := range j + 1 {
			other := x[k*d:][:d]
			dot, far := norm, norm
			if k < j {
				dot, far = columns.Dot(z, other), columns.Dot(other, other)
			}
			v := f.between(dot, norm, far)
			a[j][k] = v
			f.slopes[j*n+k] = slope(f.kernel, dot, v)
			f.slopes[k*n+j] = f.slopes[j*n+k]
		}
		trace += a[j][j]
	}
	for j := range n {
		a[j][j] += ridge * trace / float64(n)
	}
	f.quadratic.minimise(f.w, f.g, f.box)
	value := f.unit
	for j, w := range f.w {
		row := 0.0
		for k := range j {
			row += float64(a[j][k] * f.w[k])
		}
		value += float64(w * (float64(a[j][j]*w) + 2*row - 2*f.g[j]))
	}
	pull := make([]float64, d)
	for j, w := range f.w {
		z, into := x[j*d:][:d], grad[j*d:][:d]
		clear(pull)
		own := 0.0
		for k, v := range f.w {
			c := float64(v * f.slopes[j*n+k])
			own += c
			columns.Axpy(pull, c, x[k*d:][:d])
		}
		for i := range into {
			p := pull[i]
			if rbf {
				p -= float64(own * z[i])
			}
			into[i] = 2 * w * (p - into[i]) / f.unit
		}
	}
	return value / f.unit
}

// between returns k(z, z') for the dot product and the squared norms.
func (f *distance) between(dot, norm, other float64) float64 {
	return (&joint{function: f.function}).between(dot, norm, other)
}
