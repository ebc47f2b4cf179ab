package rank

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// levels returns the levels of instructions that this machine has.
func levels() []simd.Level {
	all := []simd.Level{simd.Portable}
	for l := simd.Portable + 1; l <= simd.Current(); l++ {
		all = append(all, l)
	}
	return all
}

// TestAdd: every element of the upper triangle gets its products in the order of rows, with the
// same bits at all levels of instructions, and nothing is written outside the lines asked for.
func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 140; n++ {
		s := Stride(n)
		for _, rows := range []int{0, 1, 2, 7, 33} {
			z, start := make([]float64, rows*s), make([]float64, n*s)
			for i := range z {
				z[i] = rng.NormFloat64()
			}
			for i := range start {
				start[i] = rng.NormFloat64()
			}
			from := rng.IntN(n + 1)
			to := from + rng.IntN(n+1-from)
			for _, level := range levels() {
				h := append([]float64(nil), start...)
				if rows > 0 && from < to {
					addTo(level, h, z, s, from, to)
				}
				for a := range n {
					for b := range s {
						want := start[a*s+b]
						inside := a >= from && a < to
						if inside && b < n {
							for i := range rows {
								want += float64(z[i*s+a] * z[i*s+b])
							}
						}
						if got := h[a*s+b]; got != want && (!inside || a <= b && b < n) {
							t.Fatalf("%v, n %d, %d rows, lines %d to %d: element %d, %d is %v, want %v", level, n, rows, from, to, a, b, got, want)
						}
					}
				}
			}
			h := append([]float64(nil), start...)
			Add(h, z, n, from, to)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	const n, rows = 101, 128
	h, z := make([]float64, n*Stride(n)), make([]float64, rows*Stride(n))
	for _, level := range levels() {
		b.Run(level.String(), func(b *testing.B) {
			for b.Loop() {
				addTo(level, h, z, Stride(n), 0, n)
			}
			b.ReportMetric(float64(n*(n+1)/2*rows)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gproducts/s")
		})
	}
}
