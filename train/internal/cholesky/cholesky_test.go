package cholesky

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// matrix returns a positive definite matrix, with NaN below its diagonal.
func matrix(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			a[i*n+j] = math.NaN()
			if j >= i {
				a[i*n+j] = rng.NormFloat64()
			}
		}
		a[i*n+i] = float64(n) + 1 // nearly always larger than the sum of the rest of the line
	}
	return a
}

// plain returns U by the textbook formula.
func plain(a []float64, n int) []float64 {
	u := append([]float64(nil), a...)
	for k := range n {
		u[k*n+k] = math.Sqrt(u[k*n+k])
		for j := k + 1; j < n; j++ {
			u[k*n+j] /= u[k*n+k]
		}
		for i := k + 1; i < n; i++ {
			for j := i; j < n; j++ {
				u[i*n+j] -= float64(u[k*n+i] * u[k*n+j])
			}
		}
	}
	return u
}

// TestFactorize: the factor is that of the formula, to the last bit, with all levels of
// instructions and any number of threads.
func TestFactorize(t *testing.T) {
	f := new(Factor)
	for _, n := range []int{1, 2, 31, 32, 33, 95, 96, 97, 200, 333} {
		a := matrix(n, 1)
		want := plain(a, n)
		for level := simd.Portable; level <= simd.Best(); level++ {
			for _, threads := range []int{1, 3} {
				func() {
					defer simd.Use(simd.Use(level))
					ctx, stop := team.With(context.Background(), threads)
					defer stop()
					if err := f.Factorize(ctx, a, n); err != nil {
						t.Fatal(err)
					}
				}()
				for i := range n {
					for j := i; j < n; j++ {
						if got := f.u[i*len(f.u)/n+j]; got != want[i*n+j] {
							t.Fatalf("n %d, %v, %d threads: U_%d,%d is %v, want %v", n, level, threads, i, j, got, want[i*n+j])
						}
					}
				}
			}
		}
	}
}

// TestSolve: A times the solution is the right-hand side.
func TestSolve(t *testing.T) {
	for _, n := range []int{1, 5, 100, 201} {
		a := matrix(n, 2)
		rng := rand.New(rand.NewPCG(3, 4))
		b, x := make([]float64, n), make([]float64, n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		f := new(Factor)
		if err := f.Factorize(context.Background(), a, n); err != nil {
			t.Fatal(err)
		}
		f.SolveTo(x, b)
		for i := range n {
			sum := 0.0
			for j := range n {
				sum += a[min(i, j)*n+max(i, j)] * x[j]
			}
			if !(math.Abs(sum-b[i]) <= 1e-12) {
				t.Errorf("n %d: line %d gives %v, want %v", n, i, sum, b[i])
			}
		}
		f.SolveTo(b, b)
		for i := range b {
			if b[i] != x[i] {
				t.Fatalf("n %d: solved in place x_%d is %v, want %v", n, i, b[i], x[i])
			}
		}
	}
}

func TestNotPositive(t *testing.T) {
	for _, a := range [][]float64{{0}, {-1}, {math.NaN()}, {math.Inf(1)}, {1, 1, 0, 1}, {1, 2, 0, 1}, {1, math.NaN(), 0, 1}} {
		n := int(math.Sqrt(float64(len(a))))
		if err := new(Factor).Factorize(context.Background(), a, n); !errors.Is(err, ErrNotPositive) {
			t.Errorf("%v: %v", a, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := new(Factor).Factorize(ctx, matrix(200, 1), 200); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func BenchmarkFactorize(b *testing.B) {
	const n = 1000
	a := matrix(n, 1)
	f := new(Factor)
	for b.Loop() {
		if err := f.Factorize(context.Background(), a, n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*n*n/6)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gproducts/s")
}
