package joint

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestMetric: coordinates are those of the Hessian's factor, in both directions, and gradients by
// them are those of the objective.
func TestMetric(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.4}, kernel.Poly{Degree: 2, Gamma: 0.3, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}} {
		for _, outputs := range []int{1, 4} {
			o, p := random(t, k, SquaredHinge, 300, 5, 35, outputs)
			ctx := context.Background()
			m := o.metric(ctx, p)
			size := o.vectors + 1
			x := make([]float64, size*outputs)
			m.coordinates(x, p.b, p.rho)
			back := gradientOf(p)
			m.weights(back.b, back.rho, x)
			for i, v := range p.b {
				if !(math.Abs(back.b[i]-v) <= 1e-7*(1+math.Abs(v))) {
					t.Fatalf("%T: weight %d comes back as %v, was %v", k, i, back.b[i], v)
				}
			}
			g := gradientOf(p)
			o.value(ctx, p, g)
			slopes := make([]float64, len(x))
			m.slopes(slopes, g.b, g.rho)
			r := rand.New(rand.NewPCG(3, 4))
			for range 5 {
				i := r.IntN(len(x))
				at := func(by float64) float64 {
					moved := append([]float64(nil), x...)
					moved[i] += by
					q := gradientOf(p)
					copy(q.z, p.z)
					q.width = p.width
					m.weights(q.b, q.rho, moved)
					return o.value(ctx, q, gradientOf(p))
				}
				const h = 1e-4
				if want := (at(h) - at(-h)) / (2 * h); !(math.Abs(slopes[i]-want) <= 1e-4*(1+math.Abs(want))) {
					t.Errorf("%T: slope %v by coordinate %d, by differences %v", k, slopes[i], i, want)
				}
			}
		}
	}
}

// TestCurvature: if all rows have a loss, the objective of a single output has the curvature 1
// along each coordinate of weights, as the metric says.
func TestCurvature(t *testing.T) {
	o, p := random(t, kernel.RBF{Gamma: 0.4}, Squared, 300, 5, 7, 1)
	ctx := context.Background()
	m := o.metric(ctx, p)
	x := make([]float64, o.vectors+1)
	m.coordinates(x, p.b, p.rho)
	q := gradientOf(p)
	copy(q.z, p.z)
	q.width = p.width
	at := func(i int, by float64) float64 {
		x[i] += by
		defer func() { x[i] -= by }()
		m.weights(q.b, q.rho, x)
		return o.value(ctx, q, gradientOf(p))
	}
	for i := range x {
		if c := at(i, 1) - 2*at(i, 0) + at(i, -1); !(math.Abs(c-1) <= 1e-6) {
			t.Errorf("curvature %v along coordinate %d", c, i)
		}
	}
}

// TestMetricThreads: any number of threads gives the same coordinates.
func TestMetricThreads(t *testing.T) {
	o, p := random(t, kernel.RBF{Gamma: 0.4}, Multiclass, 9000, 5, 13, 4)
	want := fmt.Sprint(*o.metric(context.Background(), p))
	for _, n := range []int{2, 8} {
		ctx, end := team.With(context.Background(), n)
		if got := fmt.Sprint(*o.metric(ctx, p)); got != want {
			t.Errorf("%d threads: other coordinates than one", n)
		}
		end()
	}
}

// TestCached: kernel values that are kept are those that are computed each time.
func TestCached(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.4}, kernel.Sigmoid{Gamma: 0.1}} {
		o, p := random(t, k, Multiclass, 700, 5, 37, 4)
		o.moveVectors, o.widths, o.pull = false, false, 0
		if k == (kernel.RBF{Gamma: 0.4}) {
			p.width = math.Log(0.4)
		}
		g, kept := gradientOf(p), gradientOf(p)
		want := o.value(t.Context(), p, g)
		o.scratch = make(chan *scratch, strips)
		o.cacheValues(t.Context(), p)
		if got := o.value(t.Context(), p, kept); o.cached == nil || got != want || fmt.Sprint(*g) != fmt.Sprint(*kept) {
			t.Errorf("%T: value %v, want %v", k, got, want)
		}
	}
}
