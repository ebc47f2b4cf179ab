package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows: Newton's step is the same by the factor of either matrix, and solves the equations of
// newton, for any number of free rows.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, free := range []int{1, 2, 31, 64, 65, 140} {
		const n, m = 200, 150
		rows := newTable(n, m)
		y, cost := make([]float64, n), make([]float64, n)
		for i := range n {
			for k := range m {
				rows.at[i][k] = rng.NormFloat64()
			}
			y[i], cost[i] = float64(2*rng.IntN(2)-1), 10
		}
		x := rows.features(0, m)
		of := func() *search {
			s := newSearch(x, x.All(), padded(y), padded(cost), nil)
			s.sigma, s.off = 7, 0.3
			for i := range free {
				s.free = append(s.free, i*n/free)
			}
			for k := range s.dw {
				s.dw[k] = math.Sin(float64(k))
			}
			return s
		}
		a, b := of(), of()
		g := slices.Clone(a.dw)
		dbA, okA := a.byRows()
		dbB, okB := b.byFeatures()
		if !okA || !okB || !(math.Abs(dbA-dbB) <= 1e-8*(1+math.Abs(dbB))) {
			t.Fatalf("%d rows: db %v, %v; by features %v, %v", free, dbA, okA, dbB, okB)
		}
		// A dw + e db - g and e.dw + sigma |F| db - off
		rest := -a.off
		left := make([]float64, m)
		for k := range left {
			left[k] = a.dw[k] - g[k]
			if !(math.Abs(a.dw[k]-b.dw[k]) <= 1e-8) {
				t.Fatalf("%d rows: dw %v, by features %v", free, a.dw[k], b.dw[k])
			}
		}
		for _, i := range a.free {
			f := dbA
			for k, v := range rows.at[i] {
				f += v * a.dw[k]
			}
			rest += a.sigma * f
			for k, v := range rows.at[i] {
				left[k] += a.sigma * f * v
			}
		}
		for k, v := range append(left, rest) {
			if !(math.Abs(v) <= 1e-8) {
				t.Fatalf("%d rows: equation %d is %v off", free, k, v)
			}
		}
	}
}
