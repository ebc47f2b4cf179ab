package csource_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// ensemble returns one of random members that tell so many classes apart each, 0 standing for members of
// one hyperplane whose classes are not said. Of more than 8 classes hyperplanes have few features.
func ensemble(rng *rand.Rand, ballot models.Ballot, classes int, sizes ...int) *models.Model {
	var labels []int
	for c := range classes {
		labels = append(labels, 3*c-4)
	}
	m := models.NewEnsemble(labels, rng.IntN(classes), ballot)
	width, density := 5, 0.8
	if classes > 8 {
		width, density = 30, 0.1
	}
	plane := func() (vec.Vector, float64) { return row(rng, 1, width, density), 2 + rng.NormFloat64() }
	for _, k := range sizes {
		if k == 0 {
			w, rho := plane()
			m.AddMachine(rng.IntN(classes), w, rho, nil)
			continue
		}
		var planes []models.Plane
		for range models.Pairs(k) {
			w, rho := plane()
			planes = append(planes, models.Plane{W: w, Rho: rho})
		}
		m.AddMember(rng.Perm(classes)[:k], planes)
	}
	return m
}

// TestEnsembles: compiled, ensembles answer as package predict does, to the last bit, whether members speak
// or none does.
func TestEnsembles(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(23, 24))
	var rows []vec.Vector
	for range 150 {
		rows = append(rows, row(rng, 1, 3+rng.IntN(4), 0.8))
	}
	rows = append(rows, vec.Vector{})
	rows = append(rows, outliers(5)...)
	var trials []trial
	for _, c := range []struct {
		classes int
		sizes   []int
	}{
		{3, nil},
		{1, nil},
		{3, []int{0, 0, 0}},
		{4, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{3, []int{2, 2, 2, 2}},
		{3, []int{3, 3, 3}},
		{6, []int{4, 4}},
		{7, []int{5, 5, 5}},
		{5, []int{4, 2, 2}},
		{5, []int{4, 3, 3}},
		{9, []int{7, 3, 2, 4, 9, 2, 3, 5, 4}},
	} {
		for _, ballot := range []models.Ballot{models.ByProbability, models.ByDecision, models.ByCount} {
			for _, informed := range []bool{false, true} {
				m := ensemble(rng, ballot, c.classes, c.sizes...)
				if ballot == models.ByProbability && !informed && len(c.sizes) > 0 {
					continue
				}
				if informed {
					sigmoids(rng, m)
				}
				trials = append(trials, trial{m: m, first: 1, rows: rows})
			}
		}
	}
	for _, options := range [][]string{nil, fused} {
		agree(t, cc, trials, options...)
	}
}

// TestImprobable: where all probabilities are 0 the answer is that of a member who speaks, or the default.
func TestImprobable(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(25, 26))
	var trials []trial
	for _, sizes := range [][]int{{0, 0, 0}, {2, 2, 2}} {
		for _, ballot := range []models.Ballot{models.ByProbability, models.ByCount} {
			m := ensemble(rng, ballot, 4, sizes...)
			m.Probability = true
			for i := range m.Machines {
				m.Machines[i].Sigmoid = &models.Sigmoid{B: 1e4}
			}
			var rows []vec.Vector
			for range 60 {
				rows = append(rows, row(rng, 1, 5, 0.8))
			}
			trials = append(trials, trial{m: m, first: 1, rows: rows})
		}
	}
	agree(t, cc, trials)
}

// TestConsistent: of pairs that agree with each other, whose equations have many solutions but for rounding,
// the same one is found.
func TestConsistent(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(29, 30))
	var trials []trial
	for _, k := range []int{3, 4, 5, 8} {
		for range 12 {
			m := models.NewEnsemble([]int{0, 1, 2, 3, 4, 5, 6, 7}, 0, models.ByProbability)
			for range 2 { // shares, of two
				weights := make([]float64, k)
				for c := range weights {
					weights[c] = rng.NormFloat64()
				}
				var planes []models.Plane
				for a, w := range weights {
					for _, v := range weights[a+1:] {
						planes = append(planes, models.Plane{Rho: -1, Sigmoid: &models.Sigmoid{B: v - w}})
					}
				}
				m.AddMember(rng.Perm(8)[:k], planes)
			}
			m.Probability = true
			trials = append(trials, trial{m: m, first: 1, rows: []vec.Vector{{}}})
		}
	}
	agree(t, cc, trials)
}
