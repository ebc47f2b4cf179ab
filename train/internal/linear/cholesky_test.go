package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/predict/columns"
)

// TestSolve: solutions solve the equations, for sizes around those of panels; a matrix that is not
// positive definite is refused.
func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, m := range []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200} {
		factor := make([][]float64, m)
		for i := range factor {
			factor[i] = make([]float64, m)
			for j := range factor[i] {
				factor[i][j] = rng.NormFloat64()
			}
		}
		a, whole := make([][]float64, m), make([][]float64, m)
		for i := range a {
			a[i], whole[i] = make([]float64, columns.Padded(m)), make([]float64, m)
			for j := range whole[i] {
				whole[i][j] = columns.Dot(factor[i], factor[j])
				if i == j {
					whole[i][j]++
				}
			}
			copy(a[i], whole[i][:i+1])
			for j := i + 1; j < len(a[i]); j++ {
				a[i][j] = 1e9 // is ignored
			}
		}
		b := make([]float64, m)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		x := append([]float64(nil), b...)
		if !Solve(a, x) {
			t.Fatalf("%d: not positive definite", m)
		}
		for i := range b {
			if got := columns.Dot(whole[i], x); !(math.Abs(got-b[i]) <= 1e-7) {
				t.Fatalf("%d: equation %d has %v, want %v", m, i, got, b[i])
			}
		}
		if m == 0 {
			continue
		}
		for i := range a {
			copy(a[i], whole[i])
		}
		a[m-1][m-1] = -1
		if Solve(a, x) {
			t.Errorf("%d: a negative element of the diagonal is taken", m)
		}
	}
}
