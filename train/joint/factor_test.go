package joint

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// gram returns X'X for a random X with the given number of rows, whose columns have the given
// sizes.
func gram(r *rand.Rand, rows int, sizes []float64) []float64 {
	n := len(sizes)
	x := make([]float64, rows*n)
	for i := range x {
		x[i] = r.NormFloat64() * sizes[i%n]
	}
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range rows {
				a[i*n+j] += x[k*n+i] * x[k*n+j]
			}
		}
	}
	return a
}

// TestFactor: U'U is the matrix, reordered if it is singular, except for rows that depend on
// others, which are treated as independent. The scale of rows does not matter.
func TestFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(12)
		rank, sizes := 1+r.IntN(n), make([]float64, n)
		for i := range sizes {
			sizes[i] = math.Pow(10, float64(r.IntN(9)-4))
		}
		a := gram(r, rank, sizes)
		u := slices.Clone(a)
		order := factor(context.Background(), u, n, lost)
		if rank == n && !slices.IsSorted(order) {
			t.Errorf("rank %d of %d: order %v", rank, n, order)
		}
		if p := slices.Sorted(slices.Values(order)); p[0] != 0 || p[n-1] != n-1 || len(slices.Compact(p)) != n {
			t.Fatalf("order %v", order)
		}
		for i, row := range order {
			for j, column := range order[i:] {
				sum := 0.0
				for k := range i + 1 {
					sum += u[k*n+i] * u[k*n+i+j]
				}
				want, unit := a[row*n+column], math.Sqrt(a[row*n+row]*a[column*n+column])
				if i+j >= rank && j > 0 {
					want = 0
				}
				if !(math.Abs(sum-want) <= 1e-9*unit) {
					t.Errorf("rank %d of %d: entry %d, %d is %v, want %v", rank, n, i, i+j, sum, want)
				}
			}
		}
	}
}

// TestFactorNoise: whatever rounding has done to a matrix, its factor is not larger than the
// matrix, and its pivots are not lost.
func TestFactorNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, noise := range []float64{1e-14, 1e-11, 1e-9, 1e-6, 1e-2, 1} {
		for range 20 {
			const n = 60
			a := gram(r, 3, slices.Repeat([]float64{1}, n))
			top := 0.0
			for i := range n {
				for j := i; j < n; j++ {
					a[i*n+j] += noise * r.NormFloat64()
					a[j*n+i] = a[i*n+j]
				}
				top = max(top, a[i*n+i])
			}
			factor(context.Background(), a, n, lost)
			for i := range n {
				if !(a[i*n+i] > 0) {
					t.Fatalf("noise %v: pivot %v", noise, a[i*n+i])
				}
				for _, v := range a[i*n+i : (i+1)*n] {
					if !(math.Abs(v) <= 1.01*math.Sqrt(top)) {
						t.Fatalf("noise %v: entry %v, those of the matrix are up to %v", noise, v, top)
					}
				}
			}
		}
	}
}

// TestFactorOdd: a matrix of zeros, or with NaN, still has a factor that can be divided by.
func TestFactorOdd(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, a := range [][]float64{
		{0, 0, 0, 0}, {nan, 0, 0, 1}, {1, nan, 0, 1}, {1, 0, 0, inf}, {1, inf, 0, 1}, {-1, 2, 0, -3}, {0, 0, 0, 1}, {1, 0, 0, 0}, {1e300, 1e-300, 0, 1e-300},
	} {
		u := slices.Clone(a)
		factor(context.Background(), u, 2, lost)
		for _, k := range []int{0, 1, 3} {
			if math.IsNaN(u[k]) || math.IsInf(u[k], 0) || k != 1 && !(u[k] > 0) {
				t.Errorf("%v becomes %v", a, u)
			}
		}
	}
}
