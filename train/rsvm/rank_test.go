package rsvm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRank: every element of the upper triangle gets the dot product of its lines,
// whatever bands it is computed in, and the lower triangle nothing.
func TestRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 40; n++ {
		for _, stride := range []int{0, 4, 8, 36, 128} {
			z := make([]float64, n*stride)
			for i := range z {
				z[i] = rng.NormFloat64()
			}
			start := make([]float64, n*n)
			for i := range start {
				start[i] = rng.NormFloat64()
			}
			whole := append([]float64(nil), start...)
			rankTo(whole, z, n, stride, 0, n)
			for _, parts := range []int{2, 3, 16} {
				h := append([]float64(nil), start...)
				cut := bands(n, parts)
				for p := range len(cut) - 1 {
					rankTo(h, z, n, stride, cut[p], cut[p+1])
				}
				for i := range h {
					if h[i] != whole[i] {
						t.Fatalf("%d lines, %d parts: element %d is %v, in one part %v", n, parts, i, h[i], whole[i])
					}
				}
			}
			for a := range n {
				for b := range n {
					want := start[a*n+b]
					if a <= b {
						for k := range stride {
							want += z[a*stride+k] * z[b*stride+k]
						}
					}
					if got := whole[a*n+b]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) || a > b && got != want {
						t.Fatalf("%d lines of %d: element %d, %d is %v, want %v", n, stride, a, b, got, want)
					}
				}
			}
		}
	}
}

func TestBands(t *testing.T) {
	for n := 1; n < 200; n++ {
		cut := bands(n, hessianParts)
		if cut[0] != 0 || cut[len(cut)-1] != n {
			t.Fatalf("%d lines: %v", n, cut)
		}
		for p := 1; p < len(cut); p++ {
			if cut[p] <= cut[p-1] {
				t.Fatalf("%d lines: %v", n, cut)
			}
		}
	}
}
