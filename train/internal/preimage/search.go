package preimage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/de"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Method says how a pre-image is searched for.
type Method int

// The methods.
//
//   - Evolution is differential evolution from the starts, followed by descent from its two best
//     members.
//   - Restarts is descent from some of the starts.
//   - FixedPoint repeats z <- sum eta_i k(x_i,z) x_i / sum eta_i k(x_i,z), for an RBF kernel
//     (Schoelkopf and others 1999), from some of the starts until one converges to a vector no
//     worse than its start. If none does, the best vector that any reached counts.
//   - Together is descent in the vector and its factor at once (Burges 1996), from some of the
//     starts.
const (
	Evolution Method = iota
	Restarts
	FixedPoint
	Together
)

// A Search searches for pre-images.
type Search struct {
	Method     Method
	DE         de.Settings
	Population int // members; 0: five for each feature, at most MaxPopulation
	Starts     int // of the methods other than Evolution
	Steps      int // most steps of a descent
}

// MaxPopulation limits the population if its size is not set: it is that for 256 features.
const MaxPopulation = 1280

// Default returns the search of Tang and Mazzoni.
func Default() Search {
	return Search{DE: de.Default(), Starts: 40, Steps: 200}
}

// Validate returns an error that says which setting is not valid.
func (s Search) Validate() error {
	switch {
	case s.Method < Evolution || s.Method > Together:
		return fmt.Errorf("unknown method %d", int(s.Method))
	case s.Population < 0 || s.Starts < 1 || s.Steps < 1:
		return fmt.Errorf("population %d, starts %d, steps %d: too small", s.Population, s.Starts, s.Steps)
	}
	return s.DE.Validate()
}

// population returns the number of members for vectors with the given number of features.
func (s Search) population(features int) int {
	if s.Population > 0 {
		return s.Population
	}
	return max(min(5*min(features, MaxPopulation), MaxPopulation), 8)
}

// A Result is a pre-image.
type Result struct {
	Z    vec.Vector
	Beta float64 // the factor of its image
	// Gain is beta^2 k(z,z): the decrease of |Psi|^2 when beta phi(z) is subtracted from Psi.
	Gain        float64
	Evaluations int // of rho or its gradient
}

// Find returns the best pre-image of t that it finds from the starts, of which there must be at
// least one. Starts are tried in order, so the most promising should come first. The result depends
// only on the arguments and the state of rng, not on ctx's team.
func (s Search) Find(ctx context.Context, rng *rand.Rand, t *Target, starts []vec.Vector) (*Result, error) {
	if len(starts) == 0 {
		panic("preimage: no start")
	}
	if t.kernel == kernel.Kernel(kernel.Linear{}) {
		return t.exact(), nil
	}
	if _, ok := t.kernel.(kernel.RBF); s.Method == FixedPoint && !ok {
		return nil, fmt.Errorf("%w, not %s", ErrRBF, kernel.Name(t.kernel))
	}
	members := s.Starts
	if s.Method == Evolution {
		members = s.population(t.dim())
	}
	zs := make([][]float64, min(members, len(starts)))
	for i := range zs {
		zs[i] = make([]float64, t.dim())
		t.spread(zs[i], starts[i])
	}
	evaluations := 0
	if s.Method == Evolution {
		f := &population{Target: t, ctx: ctx}
		values, err := s.DE.Minimize(ctx, rng, zs, f)
		if err != nil {
			return nil, err
		}
		evaluations = f.count
		order := make([]int, len(zs))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return compare(values[a], values[b]) })
		best := [][]float64{}
		for _, i := range order[:min(2, len(order))] {
			best = append(best, zs[i])
		}
		zs = best
	}
	results := make([]Result, len(zs))
	if s.Method == FixedPoint { // the first start that converges ends the search
		for i := range zs {
			r, ok := s.improve(ctx, t, zs[i])
			if ok {
				results = []Result{r}
				break
			}
			results[i] = r
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
		}
	} else {
		team.Do(ctx, len(zs), func(ctx context.Context, i int) {
			if ctx.Err() == nil {
				results[i], _ = s.improve(ctx, t, zs[i])
			}
		})
	}
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	best := &results[0]
	for i := range results {
		if evaluations += results[i].Evaluations; results[i].Gain > best.Gain || math.IsNaN(best.Gain) {
			best = &results[i]
		}
	}
	best.Evaluations = evaluations
	if math.IsNaN(best.Beta) || math.IsInf(best.Beta, 0) || best.Beta == 0 {
		return nil, ErrZero
	}
	return best, nil
}

// compare orders numbers with NaN last.
func compare(a, b float64) int {
	if a, b := math.IsNaN(a), math.IsNaN(b); a || b {
		return cmp.Compare(boolToInt(a), boolToInt(b))
	}
	return cmp.Compare(a, b)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// improve returns the pre-image reached from z, which is no worse than z, and whether an iteration
// converged to it. If the context is done, the result is not valid.
func (s Search) improve(ctx context.Context, t *Target, z []float64) (r Result, converged bool) {
	f := newFunction(t)
	g, h := f.at(z)
	start := slices.Clone(z)
	was := -rho(g, h)
	converged = true
	switch {
	case s.Method == FixedPoint:
		converged = f.fixed(ctx, z, s.Steps)
	case !(was > 0) || math.IsInf(was, 0): // there is no direction to go
	case s.Method == Together:
		z = f.jointStep(ctx, z, g/h, s.Steps)
	default:
		_ = descend(ctx, func(grad, x []float64) float64 {
			v := f.angle(grad, x)
			for k := range grad {
				grad[k] /= was
			}
			return v / was
		}, z, s.Steps)
	}
	g, h = f.at(z)
	if !(-rho(g, h) >= was) { // no step improved
		z, converged = start, false
		g, h = f.at(z)
	}
	return Result{Z: t.vector(z), Beta: g / h, Gain: -rho(g, h), Evaluations: f.count}, converged
}

// jointStep moves z and the factor beta of its image at once, along the gradient of
//
//	beta^2 h(z) - 2 beta g(z),
//
// which is equation (7) of Tang and Mazzoni without its constant, as Burges does (1996), and
// returns z. At beta = 0 the gradient by z vanishes. The start is away from there: it is the best
// beta for the first z. The factor of the result is the best one for the last z.
func (f *function) jointStep(ctx context.Context, z []float64, beta float64, steps int) []float64 {
	x := append(slices.Clone(z), 1) // the last variable times beta is the factor
	g, h := f.at(z)
	unit := g * g / h
	_ = descend(ctx, func(grad, x []float64) float64 {
		z, b := x[:len(z)], float64(x[len(z)]*beta)
		g, h := f.gradients(z)
		for k := range z {
			grad[k] = (float64(b*b*f.gradH[k]) - float64(2*b*f.gradG[k])) / unit
		}
		grad[len(z)] = (float64(2*b*h) - float64(2*g)) * beta / unit
		return (float64(b*b*h) - float64(2*b*g)) / unit
	}, x, steps)
	return x[:len(z)]
}

// exact returns the pre-image under the linear kernel: Psi itself.
func (t *Target) exact() *Result {
	z := make([]float64, t.dim())
	for k := range z {
		z[k] = t.points.sum(k, t.eta)
	}
	return &Result{Z: t.vector(z), Beta: 1, Gain: columns.Dot(z, z), Evaluations: 1}
}

// fixed iterates z to the fixed point and reports whether it converged.
func (f *function) fixed(ctx context.Context, z []float64, steps int) bool {
	gamma := f.kernel.(kernel.RBF).Gamma
	start := slices.Clone(z)
	size := 0.0
	for _, e := range f.eta {
		size += math.Abs(e)
	}
	for range steps {
		if ctx.Err() != nil {
			break
		}
		f.gradients(z) // grad(g) = 2 gamma (sum_i eta_i k_i x_i - sum z)
		sum := 0.0
		for _, c := range f.change {
			sum += c
		}
		sum /= 2 * gamma
		if !(math.Abs(sum) >= 1e-12*size) { // the iteration would diverge
			copy(z, start)
			return false
		}
		moved, norm := 0.0, 0.0
		for k := range z {
			step := f.gradG[k] / (2 * gamma) / sum
			z[k] += step
			moved += float64(step * step)
			norm += float64(z[k] * z[k])
		}
		// the step is short compared with the vector and with the length scale of the kernel
		if moved <= 1e-12*(1+norm) && gamma*moved <= 1e-8 {
			return true
		}
	}
	return false
}
