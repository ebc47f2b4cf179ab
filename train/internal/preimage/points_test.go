package preimage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/de"
)

// TestSparsePoints: a target of points with few features each has the same bits as one that holds
// them densely: values, gradients, norms, the dot products of members that move, also where
// features are divided by a unit, or where all points have a feature far from 0.
func TestSparsePoints(t *testing.T) {
	for _, k := range kernels {
		for _, c := range []struct {
			count, features int
			size, far       float64
		}{{24, 40, 1, 0}, {31, 80, 1, 0}, {33, 90, 1e9, 0}, {70, 200, 1, 1e8}, {200, 100, 1e-9, 0}} {
			t.Run(fmt.Sprint(kernel.Name(k), c), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(3, uint64(c.count)))
				points, eta := new(vec.Matrix), []float64{}
				for i := range c.count {
					v := vec.Vector{}
					for f := range c.features {
						x := rng.NormFloat64() * c.size
						switch {
						case f == 5 && c.far > 0:
							x = c.far + x
						case rng.IntN(12) > 0 && (i > 0 || f%11 > 0):
							continue
						}
						v.Index, v.Value = append(v.Index, int32(f)), append(v.Value, x)
					}
					points.Append(v)
					eta = append(eta, rng.NormFloat64())
				}
				if c.far > 0 {
					k = kernel.RBF{Gamma: 0.4}
				}
				target, err := NewTarget(k, points, eta)
				if err != nil {
					t.Fatal(err)
				}
				if target.dense != nil || (target.origin != nil) != (c.far > 0) {
					t.Fatal("not what this case is for")
				}
				dense := *target
				dense.points = newDense(c.count, target.dim())
				x := make([]float64, target.dim())
				for i := range c.count {
					clear(x)
					for k := range x {
						for n := target.ends[k]; n < target.ends[k+1]; n++ {
							if int(target.of[n]) == i {
								x[k] = target.value[n]
							}
						}
					}
					dense.set(i, x)
				}
				f, g := newFunction(target), newFunction(&dense)
				z := make([]float64, target.dim())
				for range 3 {
					for k := range z {
						z[k] = rng.NormFloat64() * c.size
						if rng.IntN(3) == 0 {
							z[k] = 0
						}
					}
					a, b := f.gradients(z)
					c, d := g.gradients(z)
					if math.Float64bits(a) != math.Float64bits(c) || b != d || !slices.Equal(f.gradG, g.gradG) || !slices.Equal(f.dots, g.dots) {
						t.Fatal("other values or gradients")
					}
					from := rng.IntN(len(z))
					target.addTo(f.dots, z[from:], from)
					dense.addTo(g.dots, z[from:], from)
					if !slices.Equal(f.dots, g.dots) {
						t.Fatal("other dot products of some features")
					}
				}
				a, err := target.squaredNorm(t.Context(), f)
				b, err2 := dense.squaredNorm(t.Context(), g)
				if err != nil || err2 != nil || a != b {
					t.Fatalf("squared norms %v and %v, %v, %v", a, b, err, err2)
				}
				clear(f.dots)
				clear(g.dots)
				for k := range target.index {
					if x, y := target.sum(k, target.eta), dense.sum(k, dense.eta); math.Float64bits(x) != math.Float64bits(y) {
						t.Fatalf("sums of feature %d: %v, %v", k, x, y)
					}
					target.addSquares(f.dots, k)
					dense.addSquares(g.dots, k)
				}
				if !slices.Equal(f.dots, g.dots) {
					t.Fatal("other norms")
				}
			})
		}
	}
}

// TestSparseMembers: the values of members with few features each, and of trials that are to
// replace them, have the same bits as those of points that are held densely.
func TestSparseMembers(t *testing.T) {
	for _, k := range kernels {
		for _, features := range []int{60, 63, 64, 1026, 2100} {
			rng := rand.New(rand.NewPCG(4, uint64(features)))
			points, eta := new(vec.Matrix), []float64{}
			for i := range 30 {
				v := vec.Vector{}
				for f := range features {
					if rng.IntN(20) == 0 || i == 0 && f%20 == 0 || f >= features-3 && rng.IntN(3) == 0 {
						v.Index, v.Value = append(v.Index, int32(f)), append(v.Value, rng.NormFloat64())
					}
				}
				points.Append(v)
				eta = append(eta, rng.NormFloat64())
			}
			target, err := NewTarget(k, points, eta)
			if err != nil {
				t.Fatal(err)
			}
			dense := *target
			dense.points = newDense(target.count, target.dim())
			x := make([]float64, target.dim())
			var members [2][][]float64
			for i := range target.count {
				target.row(x, i)
				dense.set(i, x)
				for s := range members {
					members[s] = append(members[s], slices.Clone(x))
				}
			}
			swarms := [2]*population{{Target: target, ctx: t.Context()}, {Target: &dense, ctx: t.Context()}}
			var values, tried [2][]float64
			for s, w := range swarms {
				values[s], tried[s] = make([]float64, target.count), make([]float64, target.count)
				w.Evaluate(values[s], members[s])
			}
			if swarms[0].used == nil || swarms[1].used != nil {
				t.Fatal("not what this case is for")
			}
			for range 30 {
				trials := make([]de.Trial, target.count)
				for i := range trials {
					trials[i].From = rng.IntN(len(x))
					if rng.IntN(8) == 0 {
						trials[i].From = len(x) - 1 - rng.IntN(3)
					}
					for range 1 + rng.IntN(min(len(x), 40)) {
						v := 0.0
						if rng.IntN(4) == 0 {
							v = rng.NormFloat64()
						}
						trials[i].Entries = append(trials[i].Entries, v)
					}
				}
				for s, w := range swarms {
					w.EvaluateTrial(tried[s], trials)
				}
				if !slices.Equal(tried[0], tried[1]) || !slices.Equal(values[0], values[1]) {
					t.Fatalf("%s, %d features: other values", kernel.Name(k), features)
				}
				for i := range trials {
					if rng.IntN(2) == 0 {
						continue
					}
					for s, w := range swarms {
						w.Accept(i)
						t := de.Trial{From: trials[i].From, Entries: slices.Clone(trials[i].Entries)}
						t.Swap(members[s][i])
					}
				}
				if !slices.Equal(swarms[0].dots, swarms[1].dots) {
					t.Fatalf("%s, %d features: other dot products", kernel.Name(k), features)
				}
			}
		}
	}
}
