package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// TestEnsembleBatches: a batch of an ensemble that was filled for probabilities, or with more
// machines than it keeps values of, says of each row what the predictor says of it alone: for any
// number of rows, of which members vote for all, some, few or none, in whatever order it is asked.
func TestEnsembleBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	const members, inputs = 70, 5
	for ballot := models.ByProbability; ballot <= models.ByCount; ballot++ {
		for name, bend := range map[string]func(m *models.Model){
			"as drawn": func(*models.Model) {},
			"silent": func(m *models.Model) { // hardly a member votes for any class
				for i := range members {
					planes, k := m.Member(i)
					for q := planes.From; q < planes.From+k-1; q++ {
						m.Machines[q].Rho = 9 + rng.Float64()
					}
				}
			},
			"few": func(m *models.Model) { // some rows have no vote
				for i := range members {
					planes, k := m.Member(i)
					for q := planes.From; q < planes.From+k-1; q++ {
						m.Machines[q].Rho = 4 + rng.Float64()
					}
				}
			},
			"tied": func(m *models.Model) { *m = *fewPlanes(rng, ballot, inputs, models.Sigmoid{A: -1, B: 1}) },
			"impossible": func(m *models.Model) { // probabilities are 0
				*m = *fewPlanes(rng, ballot, inputs, models.Sigmoid{B: 1000})
			},
		} {
			m := randomMembers(rng, ballot, members, inputs)
			bend(m)
			p := predictor(t, m)
			b := p.NewBatch()
			silent := 0
			for _, n := range []int{1, 3, 4, 63, 64, 65, BatchRows} {
				xs := make([]vec.Vector, n)
				for r := range xs {
					xs[r] = randomVector(rng, inputs)
				}
				xs[n/2] = vec.Vector{Index: []int32{1}, Value: []float64{math.MaxFloat64}} // values overflow
				for fill, with := range map[string]func(xs []vec.Vector){"AnswerProbabilities": b.AnswerProbabilities, "Decide": b.Decide, "decideLater": b.decideLater} {
					with(xs)
					for k, r := range rng.Perm(n) {
						for _, ask := range rng.Perm(4) {
							switch x := xs[r]; ask {
							case 0:
								if got, want := b.Predict(r), p.Predict(x); got != want {
									t.Fatalf("%v, %s, %s of %d rows: row %d is %v, want %v", ballot, name, fill, n, r, got, want)
								}
							case 1:
								got, want := make([]float64, 8), make([]float64, 8)
								answer, _ := b.Probabilities(got, r)
								if wanted, _ := p.Probabilities(want, x); answer != wanted || !sameNumbers(got, want) {
									t.Fatalf("%v, %s, %s of %d rows: row %d is %v with %v, want %v with %v", ballot, name, fill, n, r, answer, got, wanted, want)
								}
							case 2:
								got, want := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
								b.Decisions(got, r)
								if p.Decisions(want, x); !sameBits(got, want) {
									t.Fatalf("%v, %s, %s of %d rows: row %d has other values", ballot, name, fill, n, r)
								}
							case 3:
								one := p.NewBatch()
								one.Decide(xs[r : r+1])
								positive, likely := one.PositiveMembers(0), []uint64(nil)
								if positive = slices.Clone(positive); !slices.Equal(b.PositiveMembers(r), positive) {
									t.Fatalf("%v, %s, %s of %d rows: row %d has other members", ballot, name, fill, n, r)
								}
								if likely = one.LikelyMembers(0); k%8 == 0 && !slices.Equal(b.LikelyMembers(r), likely) {
									t.Fatalf("%v, %s, %s of %d rows: row %d has other likely members", ballot, name, fill, n, r)
								}
								if slices.Max(positive) == 0 {
									silent++
								}
							}
						}
					}
				}
			}
			if name == "silent" && silent == 0 || name == "few" && silent == 0 {
				t.Errorf("%v, %s: members vote for all rows", ballot, name)
			}
		}
	}
}

// fewPlanes draws an ensemble of members of two classes that have few different hyperplanes.
func fewPlanes(rng *rand.Rand, b models.Ballot, inputs int, s models.Sigmoid) *models.Model {
	m := models.NewEnsemble([]int{3, 1, 2, 9, 7, 8, 4, 5}, 5, b)
	m.Probability = true
	planes := make([]models.Plane, 6)
	for i := range planes {
		planes[i] = models.Plane{W: randomVector(rng, inputs), Rho: 1 + rng.Float64(), Sigmoid: &s}
	}
	for range 30 {
		m.AddMember(rng.Perm(8)[:2], planes[rng.IntN(len(planes)):][:1])
	}
	return m
}

// sameNumbers is sameBits for which all NaNs are the same.
func sameNumbers(a, b []float64) bool {
	for i := range a {
		if math.IsNaN(a[i]) && math.IsNaN(b[i]) {
			continue
		}
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestEnsembleMemory: a batch of an ensemble has no value for each machine and row.
func TestEnsembleMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	m := models.NewEnsemble([]int{1, 2, 3}, 0, models.ByProbability)
	m.Probability = true
	for i := range 20000 {
		m.AddMember([]int{i % 3, (i + 1) % 3}, []models.Plane{{W: randomVector(rng, 2), Rho: rng.NormFloat64(), Sigmoid: &models.Sigmoid{A: -1}}})
	}
	p := predictor(t, m)
	xs := make([]vec.Vector, BatchRows)
	for r := range xs {
		xs[r] = randomVector(rng, 2)
	}
	for name, fill := range map[string]func(b *Batch, xs []vec.Vector){"AnswerProbabilities": (*Batch).AnswerProbabilities, "Answer": (*Batch).Answer, "Decide": (*Batch).Decide} {
		b := p.NewBatch()
		fill(b, xs)
		for r := range xs {
			b.Predict(r)
		}
		if n := cap(b.sums) + cap(b.given); n > 1<<18 {
			t.Errorf("%s: %d values for %d machines and %d rows", name, n, len(m.Machines), len(xs))
		}
		if b.some != nil && cap(b.some.of) > 1<<19 {
			t.Errorf("%s: %d values at a time", name, cap(b.some.of))
		}
	}
}
