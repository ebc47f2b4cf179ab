package preimage

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/de"
)

// A Method is a way to look for a pre-image.
type Method int

// The methods. Evolution is differential evolution from the starts, then descent
// from its two best members. Restarts is descent from some of the starts.
// FixedPoint repeats z <- sum eta_i k(x_i,z) x_i / sum eta_i k(x_i,z), for a RBF
// kernel (Schoelkopf and others 1999), from some of the starts until one converges.
const (
	Evolution Method = iota
	Restarts
	FixedPoint
)

// A Search looks for pre-images.
type Search struct {
	Method     Method
	DE         de.Settings
	Population int // members; 0: five for each feature, at most MaxPopulation
	Starts     int // of Restarts and FixedPoint
	Steps      int // most steps of a descent
}

// MaxPopulation bounds a population of unset size: that of 256 features.
const MaxPopulation = 1280

// Default returns the search of Tang and Mazzoni.
func Default() Search {
	return Search{DE: de.Default(), Starts: 40, Steps: 200}
}

// Validate returns an error unless the settings make sense.
func (s Search) Validate() error {
	switch {
	case s.Method < Evolution || s.Method > FixedPoint:
		return fmt.Errorf("unknown method %d", int(s.Method))
	case s.Population < 0 || s.Starts < 1 || s.Steps < 1:
		return fmt.Errorf("population %d, starts %d, steps %d: too small", s.Population, s.Starts, s.Steps)
	}
	return s.DE.Validate()
}

// A Result is a pre-image.
type Result struct {
	Z    vec.Vector
	Beta float64 // the factor of its image
	// Gain is beta^2 k(z,z): by how much |Psi|^2 falls when beta phi(z) is taken off.
	Gain        float64
	Evaluations int // of rho or its gradient
}

// Find returns the best pre-image of t that it finds from the starts, of which
// there must be one. Starts are tried in their order, so those that matter come
// first. The result depends on the arguments and the state of rng alone, not
// on the team of ctx.
func (s Search) Find(ctx context.Context, rng *rand.Rand, t *Target, starts []vec.Vector) (*Result, error) {
	if len(starts) == 0 {
		panic("preimage: no start")
	}
	if t.kernel == kernel.Kernel(kernel.Linear{}) {
		return t.exact(), nil
	}
	if _, ok := t.kernel.(kernel.RBF); s.Method == FixedPoint && !ok {
		return nil, fmt.Errorf("fixed-point iteration needs a RBF kernel, not %T", t.kernel)
	}
	f := newFunction(t)
	members := s.Starts
	if s.Method == Evolution {
		if members = s.Population; members == 0 {
			members = max(min(5*t.Dim(), MaxPopulation), 8)
		}
	}
	zs := make([][]float64, min(members, len(starts)))
	for i := range zs {
		zs[i] = make([]float64, t.Dim())
		t.spread(zs[i], starts[i])
	}
	evaluations := 0
	switch s.Method {
	case Evolution:
		values, err := s.DE.Minimize(ctx, rng, zs, func(dst []float64, xs [][]float64) {
			evaluations += len(xs)
			t.values(ctx, dst, xs)
		})
		if err != nil {
			return nil, err
		}
		order := make([]int, len(zs))
		for i := range order {
			order[i] = i
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
		best := [][]float64{}
		for _, i := range order[:min(2, len(order))] {
			best = append(best, zs[i])
		}
		zs = best
	case FixedPoint:
		for i := range zs {
			if fixed(f, zs[i], s.Steps) {
				zs = zs[i : i+1]
				break
			}
		}
	}
	var best []float64
	low := math.Inf(1)
	for _, z := range zs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.Method != FixedPoint {
			z = s.descend(f, z)
		}
		if v := rho(f.at(nil, z)); best == nil || v < low {
			best, low = z, v
		}
	}
	g, h := f.at(nil, best)
	r := &Result{Z: t.vector(best), Beta: g / h, Gain: -rho(g, h), Evaluations: evaluations + f.count}
	if !(h > 0) || math.IsNaN(r.Beta) || math.IsInf(r.Beta, 0) || r.Beta == 0 {
		return nil, ErrZero
	}
	return r, nil
}

// exact returns the pre-image under the linear kernel: Psi itself.
func (t *Target) exact() *Result {
	z := make([]float64, t.Dim())
	for i, e := range t.eta {
		for k := range z {
			z[k] += float64(e * t.x[i*len(z)+k])
		}
	}
	norm := 0.0
	for _, v := range z {
		norm += float64(v * v)
	}
	return &Result{Z: t.vector(z), Beta: 1, Gain: norm, Evaluations: 1}
}

// gradientEnd is the gradient, relative to the value at the start, at which a
// descent ends; quasiNewton the number of features from which on the approximate
// Hessian is kept by a few vectors instead of a matrix.
const (
	gradientEnd = 1e-6
	quasiNewton = 600
)

// descend returns the minimum that quasi-Newton steps (BFGS) reach from z. Values
// are divided by the one at z, so that the end does not depend on their size.
func (s Search) descend(f *function, z []float64) []float64 {
	unit := -rho(f.at(nil, z))
	if unit == 0 || math.IsNaN(unit) || len(z) == 0 {
		return z
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return rho(f.at(nil, x)) / unit },
		Grad: func(grad, x []float64) {
			f.at(grad, x)
			for k := range grad {
				grad[k] /= unit
			}
		},
	}
	var method optimize.Method = &optimize.BFGS{}
	if len(z) >= quasiNewton {
		method = &optimize.LBFGS{}
	}
	r, err := optimize.Minimize(problem, z, &optimize.Settings{
		GradientThreshold: gradientEnd, MajorIterations: s.Steps, Converger: optimize.NeverTerminate{},
	}, method)
	if r == nil || err != nil && len(r.X) != len(z) || !(r.F <= -1) {
		return z // no step was better; a failed line search still leaves its best
	}
	return r.X
}

// fixed iterates z to the fixed point and reports whether it converged.
func fixed(f *function, z []float64, steps int) bool {
	k := f.kernel.(kernel.RBF)
	start := slices.Clone(z)
	for range steps {
		f.at(make([]float64, len(z)), z)
		sum := 0.0
		for _, c := range f.change {
			sum += c
		}
		sum /= 2 * k.Gamma
		size := 0.0
		for _, e := range f.eta {
			size += math.Abs(e)
		}
		if math.Abs(sum) < 1e-12*size { // the iteration flies off
			copy(z, start)
			return false
		}
		moved, norm := 0.0, 0.0
		for i := range z {
			next := f.gradG[i] / (2 * k.Gamma) / sum
			moved += (next - z[i]) * (next - z[i])
			norm += next * next
			z[i] = next
		}
		if moved <= 1e-12*(1+norm) {
			return true
		}
	}
	return false
}
