package preimage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// sparseRows returns rows with few features each.
func sparseRows(rng *rand.Rand, rows, features int) *vec.Matrix {
	m := new(vec.Matrix)
	for range rows {
		var x vec.Vector
		for f := range int32(features) {
			if rng.Float64() < 0.08 {
				x.Index, x.Value = append(x.Index, 3*f+1), append(x.Value, rng.Float64())
			}
		}
		m.Append(x)
	}
	return m
}

// TestSpanned: a descent by coordinates goes where it goes by features, from starts inside and
// outside the span of the points, with bounds and without, also with some unknown features.
func TestSpanned(t *testing.T) {
	defer func(from int) { spanFrom = from }(spanFrom)
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.2}, kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}} {
		for _, box := range [][]float64{nil, {0.5, 0, 0.1, 2}} {
			t.Run(fmt.Sprint(k, box), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(5, 6))
				x := sparseRows(rng, 14, 300)
				eta := make([]float64, x.Len())
				for i := range eta {
					eta[i] = rng.NormFloat64()
				}
				eta[2] = 0
				target, err := NewTarget(k, x, eta)
				if err != nil {
					t.Fatal(err)
				}
				others := sparseRows(rng, 2, 400)
				// a start whose direction is new: it is the last basis vector
				near, far := x.Row(3), others.Row(1)
				near.Value = slices.Clone(near.Value)
				for n := range near.Value {
					near.Value[n] *= 1 + 0.1*rng.Float64()
				}
				zs := []vec.Vector{x.Row(0), x.Row(5), near, far}
				descent := Descent{Evaluations: 25, Gradient: 1e-6}
				var got [2]*Approximation
				for i, from := range []int{math.MaxInt, 1} {
					if spanFrom = from; target.spanPays(zs) != (from == 1) {
						t.Fatal("by features and by coordinates, the other way round")
					}
					if got[i], err = descent.Approximate(t.Context(), target, zs, box); err != nil {
						t.Fatal(err)
					}
				}
				want, a := got[0], got[1]
				if math.Abs(a.Start-want.Start) > 1e-9 || math.Abs(a.Distance-want.Distance) > 1e-6 || !(a.Distance < a.Start) {
					t.Errorf("from %v to %v, by features from %v to %v", a.Start, a.Distance, want.Start, want.Distance)
				}
				for j := range zs {
					if math.Abs(a.W[j]-want.W[j]) > 1e-4 || apart(a.Z[j], want.Z[j]) > 1e-4 {
						t.Errorf("vector %d: w %v, by features %v; %v apart", j, a.W[j], want.W[j], apart(a.Z[j], want.Z[j]))
					}
				}
				if box != nil { // without a w, no slope
					known := vec.Renumbered(zs[1], target.index)
					if z := vec.Renumbered(a.Z[1], target.index); !slices.Equal(z.Value, known.Value) || !slices.Equal(z.Index, known.Index) {
						t.Errorf("a vector that does not move is another one")
					}
				}
			})
		}
	}
}

// TestSpanPays: vectors for which dot products lose too much precision have no coordinates, be they
// points or starts.
func TestSpanPays(t *testing.T) {
	defer func(from int) { spanFrom = from }(spanFrom)
	spanFrom = 1
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		gamma, point, start float64 // factors of the vectors
		want                bool
	}{
		{0.2, 1, 1, true}, {0.2, 1, 0, true},
		{0.2, 1, 1e-140, false}, {0.2, 1, 1e140, false}, {0, 1, 1e140, false}, {0, 1, 1e100, true}, {0.2, 1, 1e3, false}, {1e-9, 1, 1e3, true},
		{0.2, 1e-140, 1, false}, {0, 1e140, 1, false},
	} {
		x, eta := sparseRows(rng, 5, 300), []float64{1, 1, 1, 1, 1}
		x.Append(times(x.Row(4), c.point))
		target, err := NewTarget(kernel.RBF{Gamma: c.gamma}, x, append(eta, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := target.spanPays([]vec.Vector{x.Row(0), times(x.Row(1), c.start)}); got != c.want {
			t.Errorf("gamma %v, a point times %v, a start times %v: %v", c.gamma, c.point, c.start, got)
		}
	}
}

// apart returns the distance of vectors.
func apart(a, b vec.Vector) float64 {
	return math.Sqrt(max(0, vec.Dot(a, a)+vec.Dot(b, b)-2*vec.Dot(a, b)))
}
