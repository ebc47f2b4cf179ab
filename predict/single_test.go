package predict

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSinglesAllocate: answers for single rows take no memory, whatever is asked for, of dense and
// of sparse rows.
func TestSinglesAllocate(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has pools drop what they are given")
	}
	rng := rand.New(rand.NewPCG(7, 31))
	for _, step := range []int32{1, 5000} {
		draw := func() (v vec.Vector) {
			for k := range int32(12) {
				v.Index, v.Value = append(v.Index, 1+k*step+rng.Int32N(step)), append(v.Value, rng.NormFloat64())
			}
			return v
		}
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.Poly{Degree: 2, Gamma: 1}, kernel.Sigmoid{Gamma: 0.1}} {
			m := &models.Model{Kernel: k, Labels: []int{1, 2, 3}, Group: []int{4, 4, 4}, Probability: true}
			for range 12 {
				m.Vectors.Append(draw())
			}
			for i, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
				c := models.Machine{Pos: pair[0], Neg: pair[1], Rho: float64(i), Sigmoid: &models.Sigmoid{A: -1}}
				for range 8 {
					c.Coef = append(c.Coef, rng.NormFloat64())
				}
				m.Machines = append(m.Machines, c)
			}
			p, err := New(m)
			if err != nil {
				t.Fatal(err)
			}
			x, values := draw(), make([]float64, 3)
			if n := testing.AllocsPerRun(200, func() {
				if p.Check(x) == nil {
					p.Predict(x)
					p.Decisions(values, x)
					p.Probabilities(values, x)
				}
			}); n > 0 {
				t.Errorf("%T, features up to %d: %v allocations a row", k, 12*step, n)
			}
		}
	}
}
