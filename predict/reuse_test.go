package predict

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestReuse: a predictor in the memory of others, larger and smaller ones and of other kinds,
// answers as one in fresh memory. As the only goroutine, this one gets back what it has released.
func TestReuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	rbf := kernel.RBF{Gamma: 0.25}
	list := []*models.Model{
		randomModel(rng, models.CSVC, rbf, 9, 90, false, false),
		randomModel(rng, models.CSVC, rbf, 2, 11, false, false),
		randomModel(rng, models.CSVC, rbf, 5, 40, false, true),
		randomModel(rng, models.OneClass, rbf, 0, 30, true, false),
		lines(models.ByProbability),
		randomMembers(rng, models.ByProbability, 20, 5),
		lines(models.ByDecision),
		randomModel(rng, models.CSVC, kernel.Linear{}, 6, 50, false, false),
		randomModel(rng, models.CSVC, rbf, 3, 20, false, false),
	}
	var xs []vec.Vector
	for range 70 {
		xs = append(xs, randomVector(rng, 5))
	}
	fresh := map[*models.Model][]float64{}
	for _, m := range list {
		// drop what was released
		scratches.New = nil
		for scratches.Get() != nil {
		}
		scratches.New = func() any { return new(scratch) }
		fresh[m] = allAnswers(t, predictor(t, m), xs)
	}
	var one Predictor // for all models in turn
	for round := range 4 {
		for k := range list {
			m := list[(k*(round+1)+round)%len(list)]
			if got := allAnswers(t, predictor(t, m), xs); !sameBits(got, fresh[m]) {
				t.Errorf("round %d, model %d: other answers in memory that was used before", round, k)
			}
			if err := one.Use(m); err != nil {
				t.Fatal(err)
			}
			if got := allAnswers(t, &one, xs); !sameBits(got, fresh[m]) {
				t.Errorf("round %d, model %d: other answers of a predictor that was another's", round, k)
			}
		}
	}
	if err := one.Use(&models.Model{Task: -1}); err == nil || one.Model() != nil {
		t.Errorf("a predictor of %v, %v", one.Model(), err)
	}
}

// allAnswers returns all results of a predictor for rows, one by one and in batches, and releases
// it.
func allAnswers(t *testing.T, p *Predictor, xs []vec.Vector) (all []float64) {
	defer p.Release()
	decisions, outcomes := make([]float64, len(p.Model().Machines)), make([]float64, p.Outcomes())
	batch, answers := p.NewBatch(), p.NewBatch()
	batch.Decide(xs)
	answers.Answer(xs)
	for r, x := range xs {
		one, _ := p.Probabilities(outcomes, x)
		all = append(append(all, one, p.Predict(x), batch.Predict(r), answers.Predict(r)), outcomes...)
		many, _ := batch.Probabilities(outcomes, r)
		batch.Decisions(decisions, r)
		all = append(append(append(all, many), outcomes...), decisions...)
	}
	return all
}
