package preimage

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestFarPoints: points far from 0 have the values and images of the same points near 0; the
// distance of a single far point is never less than that to itself.
func TestFarPoints(t *testing.T) {
	for _, gamma := range []float64{0.5, 100} {
		for _, offset := range []float64{0, 1e5, 1e8} {
			rng := rand.New(rand.NewPCG(5, 6))
			points, eta := new(vec.Matrix), []float64{}
			for range 30 {
				x := []float64{offset + rng.NormFloat64(), rng.NormFloat64(), -3 * offset}
				points.Append(vec.Vector{Index: []int32{2, 3, 7}, Value: x})
				eta = append(eta, rng.ExpFloat64())
			}
			target, err := NewTarget(kernel.RBF{Gamma: gamma}, points, eta)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				z := make([]float64, target.dim())
				x := points.Row(i)
				target.spread(z, x)
				back := target.vector(z)
				for k, f := range x.Index {
					if !(math.Abs(back.At(f)-x.Value[k]) <= 1e-12*max(1, offset)) {
						t.Errorf("offset %v: feature %d is %v, was %v", offset, f, back.At(f), x.Value[k])
					}
				}
				want := 0.0
				for j, e := range eta {
					want += e * math.Exp(-gamma*vec.SquaredDistance(x, points.Row(j)))
				}
				if g, h := newFunction(target).at(z); !(math.Abs(g-want) <= 1e-6*want) || h != 1 {
					t.Errorf("gamma %v, offset %v: value %v, want %v", gamma, offset, g, want)
				}
			}
			f := newFunction(target)
			z := make([]float64, target.dim())
			target.spread(z, points.Row(0))
			if !f.fixed(t.Context(), z, 3000) {
				t.Errorf("gamma %v, offset %v: no fixed point", gamma, offset)
			}
			f.gradients(z)
			step := 0.0
			for k := range z {
				step += f.gradG[k] * f.gradG[k] / gamma
			}
			if !(math.Sqrt(step) < 1e-3) {
				t.Errorf("gamma %v, offset %v: slope %v at the fixed point", gamma, offset, math.Sqrt(step))
			}
		}
	}
	one := matrix(vec.Vector{Index: []int32{1, 2}, Value: []float64{1e9 / 3, 1}}, vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 2}})
	target, err := NewTarget(kernel.RBF{Gamma: 1}, one, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, away := range []float64{0, 1e-8, 1e-3, 1, 10} {
		z := make([]float64, 2)
		target.spread(z, vec.Vector{Index: []int32{1, 2}, Value: []float64{1e9/3 + away, 1 - away}})
		if g, _ := newFunction(target).at(z); !(g <= 1) {
			t.Errorf("%v away from a far point: value %v", away, g)
		}
	}
}

// TestSteepStart: if starts coincide so far away that the distance is finite, but its slopes, which
// only consist of rounding errors, are too large to be squared, the starts are the result.
func TestSteepStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	points, eta := new(vec.Matrix), []float64{}
	for range 10 {
		points.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1e148 * rng.NormFloat64(), 1e148 * rng.NormFloat64()}})
		eta = append(eta, rng.NormFloat64())
	}
	target, err := NewTarget(kernel.RBF{Gamma: 0.5}, points, eta)
	if err != nil {
		t.Fatal(err)
	}
	starts := []vec.Vector{points.Row(0), points.Row(0)}
	a, err := DefaultDescent().Approximate(t.Context(), target, starts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !(a.Distance < 1) || a.Distance != a.Start {
		t.Errorf("distance %v, of the starts %v", a.Distance, a.Start)
	}
	for j, z := range a.Z {
		if math.IsNaN(a.W[j]) || math.Abs(z.At(1)/starts[j].At(1)-1) > 1e-12 {
			t.Errorf("vector %d is %v with %v", j, z, a.W[j])
		}
	}
}
