package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestQuotients: products with 1/c have the bits of divisions: for quotients as near as possible to
// the middle of two numbers, for numbers at the limits of the range for products, and for all kinds
// of numbers beyond.
func TestQuotients(t *testing.T) {
	if simd.Best() == simd.Portable {
		t.Skip("SKIPPED: this machine or build has no vector instructions, with which quotients are products")
	}
	rng := rand.New(rand.NewPCG(7, 1))
	inf := math.Inf(1)
	around := func(x float64) []float64 { return []float64{x, math.Nextafter(x, 0), math.Nextafter(x, inf)} }
	whole := func() float64 { return math.Float64frombits(rng.Uint64()&(1<<52-1) | 0x3ff<<52) } // from 1 to 2
	divisors := []float64{1, 1.5, math.Nextafter(2, 1), math.Nextafter(1, 2), -1.7, 0, math.Copysign(0, -1), inf, -inf, math.NaN(), 0x1p-1060, 0x1p900}
	for _, x := range []float64{0x1p-50, 0x1p50, 0x1p-49, 0x1p49} {
		divisors = append(divisors, around(x)...)
	}
	for range 300 {
		divisors = append(divisors, math.Ldexp(whole(), rng.IntN(8)-4))
	}
	for range 50 {
		divisors = append(divisors, math.Ldexp(whole(), rng.IntN(2000)-1000))
	}
	special := []float64{0, math.Copysign(0, -1), inf, -inf, math.NaN(), 0x1p-1074, 0x1.8p-1060, -0x1p-1022, 0x1p-1000, 0x1.23p-960, math.MaxFloat64, 0x1p960}
	for _, x := range []float64{0x1p-700, 0x1p700, 0x1p-699, 0x1p699} {
		special = append(special, around(x)...)
		special = append(special, around(-x)...)
	}
	const n = 512
	zeros := make([]float64, n)
	quotients, fast := 0, 0
	for _, c := range divisors {
		p, qp := make([]float64, n), make([]float64, n)
		for i := range n {
			switch {
			case i < len(special):
				p[i], qp[i] = special[i], special[(i*5+3)%len(special)]
			case i%4 == 1:
				p[i], qp[i] = math.Ldexp(whole(), rng.IntN(120)-1030), math.Ldexp(-whole(), 900+rng.IntN(120))
			case i%4 == 3:
				p[i], qp[i] = math.Ldexp(whole(), rng.IntN(1500)-750), -math.Ldexp(whole(), rng.IntN(20)-10)
			default:
				// the number nearest to a product of c and the middle of two numbers
				m := whole()
				half := math.Float64frombits(math.Float64bits(m)&(0x7ff<<52)) * 0x1p-53
				p[i] = math.FMA(c, m, c*half)
				qp[i] = -math.FMA(c, m, -c*half)
			}
		}
		want := [2][]float64{slices.Clone(p), slices.Clone(qp)}
		applyStepPortable(zeros, want[0], want[1], 0, c)
		for level := simd.AVX2; level <= simd.Best(); level++ {
			// blocks of special numbers only, and blocks with one special number
			for _, shift := range []int{0, 7} {
				gotP, okP := guarded(n)
				gotQ, okQ := guarded(n)
				for i := range n {
					gotP[i*(shift*2+1)%n], gotQ[i*(shift*2+1)%n] = p[i], qp[i]
				}
				applyStep(level, zeros, gotP, gotQ, 0, c)
				for i := range n {
					at := i * (shift*2 + 1) % n
					if differ(gotP[at], want[0][i]) || differ(gotQ[at], want[1][i]) {
						t.Fatalf("%v: %x / %x is %x, want %x; %x: %x, want %x", level, p[i], c, gotP[at], want[0][i], qp[i], gotQ[at], want[1][i])
					}
				}
				if !okP() || !okQ() {
					t.Fatalf("%v: written beyond an end", level)
				}
			}
		}
		quotients += n
		if c >= 0x1p-50 && c <= 0x1p50 {
			fast++
		}
	}
	if fast < 300 || quotients == 0 {
		t.Errorf("%d divisors for which there are products, %d quotients", fast, quotients)
	}
}

// differ reports whether the bits of two numbers differ; all NaN count as equal.
func differ(a, b float64) bool {
	return math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b))
}
