package combine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestAddEstimatesTo: every form is as near to the sums as it claims, and changes nothing else.
func TestAddEstimatesTo(t *testing.T) {
	best := simd.Best()
	defer simd.Use(simd.Current())
	rng := rand.New(rand.NewPCG(6, 7))
	for level := simd.Portable; level <= best; level++ {
		simd.Use(level)
		for n := range 130 {
			values := make([]float32, n*EstimateLanes)
			for i := range values {
				values[i] = rng.Float32()
			}
			var sums, before [][]float64
			var coef [][]float32
			var intact []func() bool
			for m := range 1 + n%14 {
				s, whole := guarded(EstimateLanes)
				c := make([]float32, n)
				for i := range c {
					c[i] = float32(rng.NormFloat64())
				}
				old := make([]float64, EstimateLanes)
				for r := range s {
					s[r] = float64(m) + rng.NormFloat64()
					old[r] = s[r]
				}
				sums, coef, intact, before = append(sums, s), append(coef, c), append(intact, whole), append(before, old)
			}
			AddEstimatesTo(sums, coef, values)
			for m := range sums {
				if !intact[m]() {
					t.Fatalf("%v: written outside", level)
				}
				for r, got := range sums[m] {
					want, size := before[m][r], 0.0
					for i, c := range coef[m] {
						x := float64(c) * float64(values[i*EstimateLanes+r])
						want += x
						size += math.Abs(x)
					}
					if bound := float64(n)*0x1p-24*size + 0x1p-40; !(math.Abs(got-want) <= bound) {
						t.Fatalf("%v: %d vectors, machine %d of %d, row %d: %v, want %v within %v", level, n, m, len(sums), r, got, want, bound)
					}
				}
			}
		}
	}
}

func TestJoinTo(t *testing.T) {
	defer simd.Use(simd.Current())
	rng := rand.New(rand.NewPCG(6, 8))
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		first, ok1 := guarded(EstimateLanes)
		second, ok2 := guarded(EstimateLanes)
		var sums, sizes [EstimateLanes]float64
		for r := range first {
			first[r], second[r] = rng.NormFloat64(), rng.NormFloat64()
			if r == 3 {
				second[r] = math.Inf(-1)
			}
			sums[r], sizes[r] = first[r]+second[r], math.Abs(first[r])+math.Abs(second[r])
		}
		a, b := (*[EstimateLanes]float64)(first), (*[EstimateLanes]float64)(second)
		if JoinTo(a, b); *a != sums || *b != sizes {
			t.Errorf("%v: sums %v and sizes %v, want %v and %v", level, *a, *b, sums, sizes)
		}
		if !ok1() || !ok2() {
			t.Errorf("%v: written outside", level)
		}
	}
}

func TestAddEstimatesToShapes(t *testing.T) {
	lane := make([]float64, EstimateLanes)
	for name, f := range map[string]func(){
		"numbers": func() { AddEstimatesTo([][]float64{lane}, nil, nil) },
		"lanes":   func() { AddEstimatesTo([][]float64{lane[1:]}, [][]float32{nil}, nil) },
		"coefs":   func() { AddEstimatesTo([][]float64{lane, lane}, [][]float32{{1}, nil}, make([]float32, EstimateLanes)) },
		"values":  func() { AddEstimatesTo([][]float64{lane}, [][]float32{{1}}, nil) },
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
}
