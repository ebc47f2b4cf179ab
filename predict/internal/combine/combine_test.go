package combine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/format/vec/simd/simdtest"
)

// reference adds one product after the other.
func reference(sums, coef [][]float64, values []float64) {
	for m := range sums {
		lanes := len(sums[m])
		for r := range sums[m] {
			for i, c := range coef[m] {
				sums[m][r] += float64(c * values[i*lanes+r])
			}
		}
	}
}

var guarded = simdtest.Guarded

// TestAddTo: every form yields the bits of the plain loop, for all lanes or the first ones, and
// changes nothing else.
func TestAddTo(t *testing.T) {
	best := simd.Best()
	defer simd.Use(simd.Current())
	rng := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), 5e-324, 1e300, -1e300, math.Inf(1), math.NaN()}
	random := func(odd bool) float64 {
		if odd && rng.IntN(20) == 0 {
			return special[rng.IntN(len(special))]
		}
		return rng.NormFloat64()
	}
	for level := simd.Portable; level <= best; level++ {
		simd.Use(level)
		for n := range 130 {
			for _, lanes := range []int{32, 64, 128} {
				machines := 1 + (n+lanes/32)%14
				odd := n%3 == 0
				values, valuesIntact := guarded(n * lanes)
				for i := range values {
					values[i] = random(odd)
				}
				var got, want, coef [][]float64
				var intact []func() bool
				for range machines {
					s, whole := guarded(lanes)
					c, wholeCoef := guarded(n)
					for r := range s {
						s[r] = random(odd)
					}
					for i := range c {
						c[i] = random(odd)
					}
					got, want, coef = append(got, s), append(want, append([]float64{}, s...)), append(coef, c)
					intact = append(intact, whole, wholeCoef)
				}
				rows := lanes
				if n%4 > 0 {
					rows = rng.IntN(lanes + 1)
					AddFirstTo(got, coef, values, rows)
				} else {
					AddTo(got, coef, values)
				}
				reference(want, coef, values)
				for m := range want {
					for r, w := range want[m][:rows] {
						if g := got[m][r]; math.Float64bits(g) != math.Float64bits(w) && !(math.IsNaN(g) && math.IsNaN(w)) {
							t.Fatalf("%v, %d vectors, %d lanes, %d machines: sum %d of machine %d is %v, want %v", level, n, lanes, machines, r, m, g, w)
						}
					}
				}
				for i, whole := range append(intact, valuesIntact) {
					if !whole() {
						t.Fatalf("%v, %d vectors, %d lanes, %d machines: memory %d is touched", level, n, lanes, machines, i)
					}
				}
			}
		}
	}
}

func TestAddToPanics(t *testing.T) {
	ok := [][]float64{make([]float64, 32)}
	for name, f := range map[string]func(){
		"lanes":        func() { AddTo([][]float64{make([]float64, 31)}, [][]float64{{1}}, make([]float64, 31)) },
		"values":       func() { AddTo(ok, [][]float64{{1}}, make([]float64, 31)) },
		"number":       func() { AddTo(ok, nil, nil) },
		"lengths":      func() { AddTo([][]float64{ok[0], make([]float64, 64)}, [][]float64{{1}, {1}}, make([]float64, 32)) },
		"rows":         func() { AddFirstTo(ok, [][]float64{{1}}, make([]float64, 32), 33) },
		"negative":     func() { AddFirstTo(ok, [][]float64{{1}}, make([]float64, 32), -1) },
		"coefficients": func() { AddTo([][]float64{ok[0], ok[0]}, [][]float64{{1}, {1, 2}}, make([]float64, 32)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	AddTo(nil, nil, nil)
	AddTo([][]float64{{}}, [][]float64{{1}}, nil)
	AddTo(ok, [][]float64{{}}, nil)
}

func BenchmarkAddTo(b *testing.B) {
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		for _, machines := range []int{1, 25} {
			var sums, coef [][]float64
			for range machines {
				sums, coef = append(sums, make([]float64, 128)), append(coef, make([]float64, 256))
			}
			values := make([]float64, 128*256)
			b.Run(level.String()+"/"+string(rune('A'+machines-1)), func(b *testing.B) {
				simd.Use(level)
				for b.Loop() {
					AddTo(sums, coef, values)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*machines*128*256), "ns/product")
			})
		}
	}
}
