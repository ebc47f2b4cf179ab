package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestRows: Rows yields the bits of One, for any number of rows and classes, and however many
// rounds they take, on every level, and changes nothing else.
func TestRows(t *testing.T) {
	defer simd.Use(simd.Current())
	var one, many Coupling
	limited := 0
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(3, 1))
		for k := 2; k <= 30; k += 1 + k/9 {
			for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 9, 17, 40} {
				stride := n + rng.IntN(5)
				count := k * (k - 1) / 2
				r, ok1 := guarded(count * stride)
				p, ok2 := guarded(k * n)
				for i := range r {
					// from clear to contradictory, and numbers that are not probabilities, for
					// which the rounds run out
					row := i % stride
					scale := []float64{0.1, 1, 4, 1000}[row%4]
					r[i] = min(max(1/(1+math.Exp(scale*rng.NormFloat64())), 1e-7), 1-1e-7)
					switch row % 11 {
					case 3, 10:
						r[i] = 1e9 * rng.NormFloat64()
					case 5: // products of 0
						r[i] = float64(rng.IntN(3)) / 2
					case 6: // numbers that are divided, not multiplied with an inverse
						r[i] = []float64{1e-140, 1e-100, 1e-7, 1, 1e60}[rng.IntN(5)]
					case 7:
						r[i] = 1e-140
					}
				}
				limits := make([]bool, n, n+1)
				many.Rows(p, limits, r, k, stride)
				want, of := make([]float64, k), make([]float64, count)
				for i := range n {
					for q := range of {
						of[q] = r[q*stride+i]
					}
					limit := one.One(want, of)
					if !same(p[k*i:k*(i+1)], want) || limits[i] != limit {
						t.Fatalf("%v, %d classes, row %d of %d: %v, %v, want %v, %v", level, k, i, n, p[k*i:k*(i+1)], limits[i], want, limit)
					}
					if limit {
						limited++
					}
				}
				if !ok1() || !ok2() || limits[:n+1][n] {
					t.Fatalf("%v, %d classes, %d rows: written beyond an end", level, k, n)
				}
			}
		}
	}
	if limited == 0 {
		t.Error("no row reached the limit")
	}
}

// TestOneLevels: One has the same bits on every level, for any number of classes, and the functions
// that it calls change nothing else.
func TestOneLevels(t *testing.T) {
	defer simd.Use(simd.Current())
	var c Coupling
	rng := rand.New(rand.NewPCG(3, 2))
	for k := 2; k < 130; k++ {
		r := make([]float64, k*(k-1)/2)
		for i := range r {
			r[i] = min(max(1/(1+math.Exp([]float64{0.1, 1, 4, 1000}[k%4]*rng.NormFloat64())), 1e-7), 1-1e-7)
			switch k % 13 {
			case 5:
				r[i] = 1e9 * rng.NormFloat64()
			case 8:
				r[i] = float64(rng.IntN(3)) / 2
			case 11:
				r[i] = []float64{1e-140, 1e-100, 1e-7, 1, 1e60}[rng.IntN(5)]
			}
		}
		simd.Use(simd.Portable)
		want, got := make([]float64, k), make([]float64, k)
		limit := c.One(want, r)
		width := (k + Lanes - 1) / Lanes * Lanes
		q := make([]float64, k*width)
		for i := range k {
			for j := range i + 1 {
				q[i*width+j] = rng.NormFloat64()
				q[j*width+i] = q[i*width+j]
			}
		}
		p, qp := make([]float64, width), make([]float64, width)
		for i := range k {
			p[i] = rng.NormFloat64()
		}
		productPortable(q, p, qp, k)
		turned := [2][]float64{slices.Clone(p), slices.Clone(qp)}
		applyStepPortable(q[:width], turned[0], turned[1], 0.3, 1.7)
		for level := simd.AVX2; level <= simd.Best(); level++ {
			simd.Use(level)
			if over := c.One(got, r); !same(got, want) || over != limit {
				t.Fatalf("%v, %d classes: %v, %v, want %v, %v", level, k, got, over, want, limit)
			}
			p2, ok1 := guarded(width)
			qp2, ok2 := guarded(width)
			copy(p2, p)
			if product(level, q, p2, qp2, k); !same(qp2, qp) {
				t.Fatalf("%v, %d classes: product %v, want %v", level, k, qp2, qp)
			}
			applyStep(level, q[:width], p2, qp2, 0.3, 1.7)
			if !same(p2, turned[0]) || !same(qp2, turned[1]) || !ok1() || !ok2() {
				t.Fatalf("%v, %d classes: other numbers, or written beyond an end", level, k)
			}
		}
	}
}

// TestOne: p sums to 1, and (Qp)_t is the same for all t, within the method's tolerance: this is
// the condition of the minimum of p'Qp on the simplex.
func TestOne(t *testing.T) {
	for k := 3; k <= 12; k++ {
		var c Coupling
		seed, pairs := 1.0, []float64{}
		r := make([]float64, k*k)
		for i := range k {
			for j := i + 1; j < k; j++ {
				seed = math.Mod(seed*16807, 2147483647)
				pairs = append(pairs, 0.02+0.96*seed/2147483647)
				r[i*k+j], r[j*k+i] = pairs[len(pairs)-1], 1-pairs[len(pairs)-1]
			}
		}
		p := make([]float64, k)
		if c.One(p, pairs) {
			t.Errorf("%d classes: the rounds ran out", k)
		}
		sum, qp, pqp := 0.0, make([]float64, k), 0.0
		for i := range k {
			if p[i] <= 0 {
				t.Errorf("%d classes: probability %v", k, p[i])
			}
			sum += p[i]
			for j := range k {
				if i == j {
					for s := range k {
						if s != i {
							qp[i] += r[s*k+i] * r[s*k+i] * p[i]
						}
					}
				} else {
					qp[i] -= r[j*k+i] * r[i*k+j] * p[j]
				}
			}
			pqp += p[i] * qp[i]
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("%d classes: probabilities add up to %v", k, sum)
		}
		for i := range k {
			if !(math.Abs(qp[i]-pqp) <= 0.005/float64(k)) {
				t.Errorf("%d classes: (Qp)_%d is %v, p'Qp %v", k, i, qp[i], pqp)
			}
		}
	}
}
