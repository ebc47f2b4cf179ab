package predict

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSequences: a batch that is used for one thing after another, with other rows and other
// models, yields what predictors yield for each row.
func TestSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 3))
	many, _ := manyModel(rng, kernel.RBF{Gamma: 0.5}, oneBlock+3, 2, false, 1)
	var predictors []*Predictor
	for _, m := range []*models.Model{
		randomModel(rng, models.CSVC, kernel.RBF{Gamma: 0.25}, 5, 40, false, true),
		randomMembers(rng, models.ByProbability, 20, 5), many, randomMembers(rng, models.ByDecision, 7, 4),
		lines(models.ByProbability), randomModel(rng, models.CSVC, kernel.Linear{}, 2, 11, false, false),
	} {
		predictors = append(predictors, predictor(t, m))
	}
	p := predictors[0]
	b := p.NewBatch()
	for step := range 3000 {
		if rng.IntN(4) == 0 {
			p = predictors[rng.IntN(len(predictors))]
			b.Use(p)
		}
		m := p.Model()
		ensemble := m.Vote == models.Ensemble
		var xs []vec.Vector
		for range []int{0, 1, 3, 4, 9, 65, BatchRows}[rng.IntN(7)] {
			xs = append(xs, randomVector(rng, 7))
		}
		r := rng.IntN(len(xs) + 1)
		if r == len(xs) {
			r = 0
		}
		decisions, want := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
		outcomes, chances := make([]float64, p.Outcomes()), make([]float64, p.Outcomes())
		what := rng.IntN(5)
		switch {
		case what == 0:
			b.Answer(xs)
		case what == 1 && ensemble:
			b.DecideMembers(xs, false)
		case what == 2 && ensemble:
			b.DecideVotes(xs)
		case what == 3 && m.Probability:
			b.AnswerProbabilities(xs)
		default:
			what = 4
			b.Decide(xs)
		}
		if len(xs) == 0 {
			continue
		}
		for range 1 + rng.IntN(3) {
			x := xs[r]
			switch ask := rng.IntN(4); {
			case what == 0:
				if got, want := b.Predict(r), p.Predict(x); got != want {
					t.Fatalf("step %d: answer %v, want %v", step, got, want)
				}
			case what == 1 || what == 4 && ensemble && ask == 3:
				set := b.PositiveMembers(r)
				p.Decisions(want, x)
				var s memberEvaluator
				for i := range p.members {
					e := &p.members[i]
					if got, want := set[i/64]>>(i%64)&1 != 0, s.isPositive(e, want[e.From:e.To]); got != want {
						t.Fatalf("step %d, %d: member %d is in the set: %v", step, what, i, got)
					}
				}
			case what == 2:
				p.Decisions(want, x)
				b.EachVote(func(i int, rows []int32, given []float64) {
					var s memberEvaluator
					e := &p.members[i]
					says := s.isPositive(e, want[e.From:e.To])
					for k, row := range rows {
						if int(row) == r {
							if !says || given[k] != s.given(m, e, want[e.From:e.To]) {
								t.Fatalf("step %d: member %d gives %v", step, i, given[k])
							}
							says = false
						}
					}
					if says {
						t.Fatalf("step %d: member %d is silent", step, i)
					}
				})
			case ask == 0 || !m.Probability:
				p.Decisions(want, x)
				if b.Decisions(decisions, r); !sameBits(decisions, want) {
					t.Fatalf("step %d, %d: %v, want %v", step, what, decisions, want)
				}
			case ask == 1:
				if got, want := b.Predict(r), p.Predict(x); got != want {
					t.Fatalf("step %d, %d: answer %v, want %v", step, what, got, want)
				}
			default:
				got, limit := b.Probabilities(outcomes, r)
				want, wantLimit := p.Probabilities(chances, x)
				if got != want || limit != wantLimit || !sameBits(outcomes, chances) {
					t.Fatalf("step %d, %d: %v %v %v, want %v %v %v", step, what, got, limit, outcomes, want, wantLimit, chances)
				}
			}
		}
	}
}

// TestOpenMachinesInTurn: a batch that is filled again has no machines that were open for its
// earlier rows.
func TestOpenMachinesInTurn(t *testing.T) {
	anyFilter = true
	defer func() { anyFilter = false }()
	rng := rand.New(rand.NewPCG(3, 12))
	single := 0
	for n := range 300 {
		m := randomModel(rng, models.CSVC, kernel.RBF{Gamma: 0.3}, 8, 70, false, false)
		signed(m)
		var rows, others []vec.Vector
		for range fewRows {
			rows, others = append(rows, randomVector(rng, 7)), append(others, randomVector(rng, 7))
		}
		values := make([]float64, len(m.Machines))
		for at, i := range rng.Perm(len(m.Machines))[:len(rows)] {
			predictor(t, m).Decisions(values, rows[at])
			m.Machines[i].Rho += values[i] // a tie at this row
		}
		p := predictor(t, m)
		b := p.NewBatch()
		for r, x := range slices.Concat(rows, rows) {
			xs := slices.Concat([]vec.Vector{x}, others) // one row is open, which is computed alone
			b.Answer(xs)
			single += len(xs) - len(b.undecided)
			for k, x := range xs {
				if got, want := b.Predict(k), p.Predict(x); got != want {
					t.Fatalf("case %d, batch %d, row %d: %v, want %v", n, r, k, got, want)
				}
			}
		}
		p.Release()
	}
	if single == 0 {
		t.Error("the test is void: no row was answered by estimates")
	}
}
