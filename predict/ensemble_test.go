package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

func point(values ...float64) vec.Vector {
	var v vec.Vector
	for i, x := range values {
		v.Index, v.Value = append(v.Index, int32(i+1)), append(v.Value, x)
	}
	return v
}

// lines are machines of one feature, f = w x - rho.
func lines(b models.Ballot) *models.Model {
	m := models.NewEnsemble([]int{10, 20, 30}, 2, b)
	m.Probability = true
	m.AddMachine(0, point(1), 0, &models.Sigmoid{A: -1})         // x: 10
	m.AddMachine(0, point(1), 1, &models.Sigmoid{A: -1})         // x-1: 10
	m.AddMachine(1, point(4), 3, &models.Sigmoid{A: -9})         // 4x-3: 20
	m.AddMachine(2, point(-1), 5, &models.Sigmoid{A: -1, B: -4}) // -x-5: 30
	return m
}

// TestEnsembleVotes: the machines with positive values vote by the ballot; if there are none, the
// largest probability or value decides.
func TestEnsembleVotes(t *testing.T) {
	for _, c := range []struct {
		ballot models.Ballot
		x      float64
		want   float64
	}{
		{models.ByCount, 0.5, 10},
		{models.ByCount, 0.9, 10}, // one vote each: the first
		{models.ByCount, 2, 10},   // 2 to 1
		{models.ByDecision, 0.9, 10},
		{models.ByDecision, 2, 20},      // 2+1 to 5
		{models.ByProbability, 0.8, 20}, // 0.69 to 0.86
		{models.ByProbability, 2, 10},   // 0.88+0.73 to 1
		{models.ByCount, -1, 10},        // no votes: -1 -2 -7 -4
		{models.ByDecision, -1, 10},
		{models.ByProbability, -1, 30}, // no votes: 0.27, 0.12, 0, 0.5
		{models.ByDecision, -4.9, 30},  // no votes: -4.9, -5.9, -22.6, -0.1
		{models.ByCount, -4.9, 30},
		{models.ByCount, -6, 30},
	} {
		p := predictor(t, lines(c.ballot))
		if got := p.Predict(point(c.x)); got != c.want {
			t.Errorf("%v, x = %v: %v, want %v", c.ballot, c.x, got, c.want)
		}
	}
	empty := models.NewEnsemble([]int{1, 2}, 1, models.ByProbability)
	if got := predictor(t, empty).Predict(point(3)); got != 2 {
		t.Errorf("no machines: %v", got)
	}
}

// TestEnsembleTies: of classes with equal sums of votes the first one wins, but if no machine votes,
// the class of the first machine of those with the largest value or probability.
func TestEnsembleTies(t *testing.T) {
	for _, b := range []models.Ballot{models.ByCount, models.ByDecision, models.ByProbability} {
		m := models.NewEnsemble([]int{10, 20, 30}, 2, b)
		m.Probability = true
		for _, class := range []int{2, 1} {
			m.AddMachine(class, point(1), 0, &models.Sigmoid{A: -1})
		}
		p := predictor(t, m)
		for x, want := range map[float64]float64{2: 20, -2: 30} {
			batch := p.NewBatch()
			batch.Answer([]vec.Vector{point(x), point(x)})
			if one, many := p.Predict(point(x)), batch.Predict(1); one != want || many != want {
				t.Errorf("%v, x = %v: %v, in a batch %v, want %v", b, x, one, many, want)
			}
		}
	}
}

// TestEnsembleProbabilities: probabilities are shares of the votes, or without votes of the largest
// probabilities, plus a tenth of a vote that all classes share: no class is certain because a
// single machine votes.
func TestEnsembleProbabilities(t *testing.T) {
	p := predictor(t, lines(models.ByDecision))
	s := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	for x, want := range map[float64][]float64{
		2:  {s(2) + s(1), s(45), 0},
		-1: {s(-1), s(-63), s(0)},
	} {
		dst := make([]float64, 3)
		p.Probabilities(dst, point(x))
		sum := want[0] + want[1] + want[2] + 0.1
		for k, v := range dst {
			if !(math.Abs(v-(want[k]+0.1/3)/sum) <= 1e-12) {
				t.Errorf("x = %v: probabilities %v, want (%v + 1/30) / %v", x, dst, want, sum)
			}
		}
	}
	silent := models.NewEnsemble([]int{1, 2}, 1, models.ByProbability)
	silent.Probability = true
	silent.AddMachine(0, point(1), 0, &models.Sigmoid{A: -1e300})
	dst := make([]float64, 2)
	if got, _ := predictor(t, silent).Probabilities(dst, point(-1)); got != 2 || !(math.Abs(dst[1]-1.05/1.1) <= 1e-15) {
		t.Errorf("probabilities that vanish: %v, %v", got, dst)
	}
	if got := predictor(t, silent).Predict(point(-1)); got != 2 {
		t.Errorf("probabilities that vanish: %v", got)
	}
}

// TestEnsembleBatch: batches answer with the same bits as for single rows.
func TestEnsembleBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, inputs := range []int{3, 20, 400} {
		for b := models.ByProbability; b <= models.ByCount; b++ {
			m := models.NewEnsemble([]int{3, 1, 2}, 0, b)
			m.Probability = true
			for range 40 {
				m.AddMachine(rng.IntN(3), randomVector(rng, inputs), 3*rng.NormFloat64(), &models.Sigmoid{A: rng.NormFloat64(), B: rng.NormFloat64()})
			}
			p := predictor(t, m)
			var xs []vec.Vector
			for range BatchRows - 3 {
				xs = append(xs, randomVector(rng, inputs))
			}
			batch, answers := p.NewBatch(), p.NewBatch()
			batch.Decide(xs)
			answers.Answer(xs)
			one, many := make([]float64, 40), make([]float64, 40)
			pOne, pMany := make([]float64, 3), make([]float64, 3)
			for r, x := range xs {
				p.Decisions(one, x)
				batch.Decisions(many, r)
				p.Probabilities(pOne, x)
				batch.Probabilities(pMany, r)
				if !sameBits(one, many) || !sameBits(pOne, pMany) || p.Predict(x) != batch.Predict(r) || p.Predict(x) != answers.Predict(r) {
					t.Fatalf("%v, %d inputs, row %d: another answer in a batch", b, inputs, r)
				}
			}
		}
	}
}

// BenchmarkEnsemble measures 10,000 rows of 19 features with 453 members of 2, or of 2 to 4
// classes, together and one member at a time.
func BenchmarkEnsemble(b *testing.B) {
	for _, most := range []int{2, 4} {
		b.Run(fmt.Sprintf("classes=%d", most), func(b *testing.B) { benchmarkEnsemble(b, most) })
	}
}

func benchmarkEnsemble(b *testing.B, most int) {
	rng := rand.New(rand.NewPCG(7, 8))
	dense := func() vec.Vector {
		v := make([]float64, 19)
		for k := range v {
			v[k] = rng.NormFloat64()
		}
		return point(v...)
	}
	m := models.NewEnsemble([]int{1, 2, 3, 4, 5, 6, 7}, 0, models.ByProbability)
	m.Probability = true
	for range 453 {
		if most == 2 {
			m.AddMachine(rng.IntN(7), dense(), rng.NormFloat64(), &models.Sigmoid{A: -1})
			continue
		}
		classes := rng.Perm(7)[:2+rng.IntN(most-1)]
		var planes []models.Plane
		for range models.Pairs(len(classes)) {
			planes = append(planes, models.Plane{W: dense(), Rho: rng.NormFloat64(), Sigmoid: &models.Sigmoid{A: -1}})
		}
		m.AddMember(classes, planes)
	}
	var xs []vec.Vector
	for range 10_000 {
		xs = append(xs, dense())
	}
	b.Run("together", func(b *testing.B) {
		p, err := New(m)
		if err != nil {
			b.Fatal(err)
		}
		batch := p.NewBatch()
		for b.Loop() {
			for at := 0; at < len(xs); at += BatchRows {
				batch.Answer(xs[at:min(at+BatchRows, len(xs))])
				for r := range batch.Len() {
					batch.Predict(r)
				}
			}
		}
	})
	b.Run("one at a time", func(b *testing.B) {
		var single []*Predictor
		for i := range m.CountMembers() {
			planes, _ := m.Member(i)
			c := models.NewEnsemble(m.Labels, 0, models.ByProbability)
			c.Probability = true
			for q := planes.From; q < planes.To; q++ {
				e := &m.Machines[q]
				c.AddMachine(e.Pos, m.Vectors.Row(q), e.Rho, e.Sigmoid)
				c.Machines[len(c.Machines)-1].Neg = e.Neg
			}
			if m.Members != nil {
				c.Members = []int{0}
			}
			p, err := New(c)
			if err != nil {
				b.Fatal(err)
			}
			single = append(single, p)
		}
		values := make([]float64, 6)
		given := make([]float64, 7)
		var s memberEvaluator
		for b.Loop() {
			for _, x := range xs {
				clear(given)
				for _, p := range single {
					e := &p.members[0]
					f := values[:e.To]
					p.Decisions(f, x)
					if s.isPositive(e, f) {
						given[e.pos] += s.probability(p.model, e, f)
					}
				}
			}
		}
	})
}
