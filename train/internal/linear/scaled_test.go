package linear

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// TestUnits: rows that can be separated are, in any unit of their features. With a cost of 1, rows of
// features near 1e5 had a machine without weights, wrong for half of them.
func TestUnits(t *testing.T) {
	for _, n := range []int{6, 40} {
		for _, m := range []int{1, 2, 10} {
			for _, unit := range []float64{1e3, 1e5, 1e6} {
				for _, c := range []float64{1, 100, 1e4} {
					rng := rand.New(rand.NewPCG(1, 2))
					rows := newTable(n, m)
					y, cost := make([]float64, n), make([]float64, n)
					for i := range y {
						y[i], cost[i] = float64(1-2*(i%2)), c
						for k := range m {
							rows.at[i][k] = unit * min(max(rng.NormFloat64(), -3), 3)
						}
						rows.at[i][0] += unit * 4 * y[i]
					}
					got, err := rows.train(t.Context(), y, cost)
					if err != nil && !errors.Is(err, ErrNotConverged) {
						t.Fatal(err)
					}
					for i := range n {
						f := got.Bias
						for k, w := range got.W {
							f += w * rows.at[i][k]
						}
						if !(math.Abs(f-got.Values[i]) <= 1e-6) || !(y[i]*f >= 1-1e-3) {
							t.Errorf("%d rows, %d features in units of %g, cost %g: row %d has the value %v, said to be %v", n, m, unit, c, i, f, got.Values[i])
							break
						}
						if a := got.Alpha[i]; !(a*y[i] >= 0 && a*y[i] <= c) {
							t.Errorf("alpha %v with cost %v, sign %v", a, c, y[i])
						}
					}
				}
			}
		}
	}
}
