package dcd

import (
	"errors"
	"math/rand/v2"
	"testing"
)

type products [][]float64

func (p products) Row(i int) []float64    { return p[i] }
func (p products) Diagonal(i int) float64 { return p[i][i] }

// TestNearest: a search that rounding keeps from converging returns the best of its states: its
// last states may be anywhere.
func TestNearest(t *testing.T) {
	lost := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		const n = 20
		x, y, cost, k := make([][3]float64, n), make([]float64, n), make([]float64, n), make(products, n)
		for i := range n {
			y[i], cost[i] = float64(1-2*(i%2)), 1e6
			for f := range x[i] {
				x[i][f] = 1e4 * (r.NormFloat64() + 0.7*y[i])
			}
		}
		for i := range n {
			for j := range n {
				k[i] = append(k[i], float64(x[i][0]*x[j][0])+float64(x[i][1]*x[j][1])+float64(x[i][2]*x[j][2]))
			}
		}
		var s Solver
		q, err := s.Solve(t.Context(), k, y, cost, nil)
		if errors.Is(err, ErrNotConverged) {
			lost++
		}
		if !(q.Gap < 10) {
			t.Errorf("seed %d: gap %v, %v", seed, q.Gap, err)
		}
	}
	if lost == 0 {
		t.Error("all searches have come to their end: the test is of those that do not")
	}
}
