package dcd

import (
	"math/rand/v2"
	"testing"
)

// TestRowInOrigin: a free row in the origin, where the exemplar of a machine is, makes the matrix
// of Newton's step nearly singular. Rounding in the steps kept these searches from their end, in
// problems that are well scaled: between the seeds 980,000 and 1,500,000 there were these nine.
func TestRowInOrigin(t *testing.T) {
	s := new(Solver)
	for _, seed := range []uint64{980299, 982499, 994341, 1008361, 1081459, 1125875, 1316527, 1402609, 1495817} {
		rows, y, cost := nearExemplar(seed)
		gram := tableOf(rows)
		r, err := s.Solve(t.Context(), gram, y, cost, nil)
		if err != nil || !(r.Gap <= Tolerance) {
			t.Errorf("seed %d: %v, gap %v in %d steps", seed, err, r.Gap, r.Steps)
			continue
		}
		check(t, int(seed), r, gram, y, cost)
	}
}

// nearExemplar draws a problem of a machine of one to three positive rows, which cost more than its
// seven negative ones. Some features are 0 or 1, as those of labels are.
func nearExemplar(seed uint64) (rows [][]float64, y, cost []float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	pos, neg, features := 1+rng.IntN(3), 7, 2+rng.IntN(12)
	for i := range pos + neg {
		row := make([]float64, features)
		for k := range row {
			row[k] = []float64{1, 1, 0.25, 0.1}[k%4] * rng.Float64()
			if k%2 == 0 && seed%2 == 1 {
				row[k] = float64(rng.IntN(2))
			}
		}
		rows = append(rows, row)
		if i < pos {
			y, cost = append(y, 1), append(cost, float64(neg)/float64(pos))
		} else {
			y, cost = append(y, -1), append(cost, 1)
		}
	}
	return rows, y, cost
}
