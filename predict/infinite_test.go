package predict

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestInfiniteRho: a regression whose rho is infinite predicts an infinite number for every row, as
// LIBSVM does, alone and in batches.
func TestInfiniteRho(t *testing.T) {
	for _, rho := range []float64{math.Inf(1), math.Inf(-1)} {
		m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{0.5}, Rho: rho}}}
		m.Vectors.Append(one)
		p := predictor(t, m)
		b := p.NewBatch()
		b.Answer([]vec.Vector{one, {}})
		for _, got := range []float64{p.Predict(one), p.Predict(vec.Vector{}), b.Predict(0), b.Predict(1)} {
			if got != -rho {
				t.Errorf("rho %v: predicts %v, want %v", rho, got, -rho)
			}
		}
	}
}
