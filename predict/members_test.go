package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// randomMembers draws an ensemble each of whose members separates 2 to 8 of eight classes.
func randomMembers(rng *rand.Rand, b models.Ballot, members, inputs int) *models.Model {
	m := models.NewEnsemble([]int{3, 1, 2, 9, 7, 8, 4, 5}, 0, b)
	m.Probability = true
	for range members {
		classes := rng.Perm(8)[:2+rng.IntN(7)]
		var planes []models.Plane
		for range models.Pairs(len(classes)) {
			planes = append(planes, models.Plane{
				W: randomVector(rng, inputs), Rho: rng.NormFloat64(),
				Sigmoid: &models.Sigmoid{A: rng.NormFloat64(), B: rng.NormFloat64()},
			})
		}
		m.AddMember(classes, planes)
	}
	return m
}

// alone returns a member as a one-against-one classifier of its classes; class 0 is its own class.
func alone(m *models.Model, i int) *models.Model {
	planes, k := m.Member(i)
	o := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Vote: models.OneVsOne, Probability: true}
	for c := range k {
		o.Labels = append(o.Labels, c)
	}
	pos, neg := 0, 1
	for q := planes.From; q < planes.To; q++ {
		o.Vectors.Append(m.Vectors.Row(q))
		c := m.Machines[q]
		c.Pos, c.Neg, c.Index = pos, neg, []int32{int32(q - planes.From)}
		o.Machines = append(o.Machines, c)
		if neg++; neg == k {
			pos++
			neg = pos + 1
		}
	}
	return o
}

// TestMembers: a member calls a row positive if its hyperplanes do so as a one-against-one
// classifier, and has the probability of that classifier, except for where the rounds end; the
// ensemble adds up the members' results.
func TestMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	const members, rows = 70, 50
	for _, inputs := range []int{3, 40} {
		for ballot := models.ByProbability; ballot <= models.ByCount; ballot++ {
			m := randomMembers(rng, ballot, members, inputs)
			p := predictor(t, m)
			var single []*Predictor
			for i := range members {
				single = append(single, predictor(t, alone(m, i)))
			}
			var xs []vec.Vector
			for range rows {
				xs = append(xs, randomVector(rng, inputs))
			}
			b, answers := p.NewBatch(), p.NewBatch()
			b.Decide(xs)
			answers.Answer(xs)
			positives, likelies, voted := p.NewBatch(), p.NewBatch(), p.NewBatch()
			positives.DecideMembers(xs, false)
			likelies.DecideMembers(xs, true)
			var rowsOf [members][]int32
			var partsOf [members][]float64
			voted.DecideVotes(xs)
			voted.EachVote(func(i int, rows []int32, parts []float64) {
				rowsOf[i], partsOf[i] = slices.Clone(rows), slices.Clone(parts)
			})
			positive, likely, probabilities := make([]bool, members), make([]bool, members), make([]float64, members)
			one, many := make([]float64, 8), make([]float64, 8)
			for r, x := range xs {
				b.MemberProbabilities(probabilities, r)
				for i := range members {
					positive[i] = b.PositiveMembers(r)[i/64]>>(i%64)&1 != 0
				}
				for i := range members {
					likely[i] = b.LikelyMembers(r)[i/64]>>(i%64)&1 != 0
				}
				if p, l := positives.PositiveMembers(r), likelies.LikelyMembers(r); !slices.Equal(p, b.PositiveMembers(r)) || !slices.Equal(l, b.LikelyMembers(r)) {
					t.Fatalf("row %d: positive %x, likely %x, want %x, %x", r, p, l, b.PositiveMembers(r), b.LikelyMembers(r))
				}
				given, shares := make([]float64, 8), make([]float64, 8)
				for i, c := range m.Members {
					at, speaks := slices.BinarySearch(rowsOf[i], int32(r))
					if speaks != positive[i] {
						t.Fatalf("row %d, member %d: it is given something: %v", r, i, speaks)
					}
					if speaks {
						shares[m.Machines[c].Pos] += partsOf[i][at]
					}
				}
				for i, s := range single {
					outcome := make([]float64, s.Outcomes())
					s.Probabilities(outcome, x)
					if says := s.Predict(x) == 0; positive[i] != says {
						t.Fatalf("row %d, member %d: positive %v, the classifier says %v", r, i, positive[i], says)
					}
					if likely[i] != (probabilities[i] > 0.5) {
						t.Fatalf("row %d, member %d: likely %v of probability %v", r, i, likely[i], probabilities[i])
					}
					if d := probabilities[i] - outcome[0]; d > 0.01 || d < -0.01 {
						t.Fatalf("row %d, member %d: probability %v, the classifier says %v", r, i, probabilities[i], outcome[0])
					}
					if !positive[i] {
						continue
					}
					planes, k := m.Member(i)
					c := m.Machines[planes.From].Pos
					switch ballot {
					case models.ByProbability:
						given[c] += probabilities[i]
					case models.ByDecision:
						values := make([]float64, planes.To-planes.From)
						s.Decisions(values, x)
						least := values[0]
						for _, v := range values[:k-1] {
							least = min(least, v)
						}
						given[c] += max(least, 0)
					default:
						given[c]++
					}
				}
				if !sameBits(given, shares) {
					t.Fatalf("%v, row %d: members give %v, want %v", ballot, r, shares, given)
				}
				if want := float64(m.Labels[argMax(given)]); p.Predict(x) != want || b.Predict(r) != want || answers.Predict(r) != want {
					t.Fatalf("%v, row %d: %v, %v, %v, want %v", ballot, r, p.Predict(x), b.Predict(r), answers.Predict(r), want)
				}
				p.Probabilities(one, x)
				b.Probabilities(many, r)
				if !sameBits(one, many) {
					t.Fatalf("row %d: other probabilities in a batch", r)
				}
			}
		}
	}
}

// TestCouple: the probabilities fulfil Qp = c e, and consistent pairs yield the probabilities that
// they were computed from.
func TestCouple(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var s memberEvaluator
	for n := range 3000 {
		k := 3 + rng.IntN(5)
		p := make([]float64, k)
		for c := range p {
			p[c] = math.Exp(float64(n%8) * rng.NormFloat64())
		}
		of := func(a, b int) float64 { return clampPair(p[a] / (p[a] + p[b])) } // consistent pairs
		if n%3 > 0 {
			table := make([]float64, k*k)
			for i := range table {
				table[i] = clampPair(1 / (1 + math.Exp(float64(n%16)*rng.NormFloat64())))
			}
			of = func(a, b int) float64 {
				if a < b {
					return table[a*k+b]
				}
				return 1 - table[b*k+a]
			}
		}
		got := make([]float64, k)
		sum := 0.0
		for own := range k { // each class as the first one
			order := []int{own}
			for c := range k {
				if c != own {
					order = append(order, c)
				}
			}
			var r []float64
			for i, a := range order {
				for _, b := range order[i+1:] {
					r = append(r, of(a, b))
				}
			}
			got[own] = s.couple(k, r)
			sum += got[own]
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			t.Fatalf("case %d: %v add up to %v", n, got, sum)
		}
		qp := make([]float64, k)
		value := 0.0
		for a := range k {
			for b := range k {
				if a != b {
					qp[a] += of(b, a)*of(b, a)*got[a] - of(b, a)*of(a, b)*got[b]
				}
			}
			value += got[a] * qp[a]
		}
		for a := range k {
			if !(math.Abs(qp[a]-value) <= 1e-8) {
				t.Fatalf("case %d, %d classes: Qp is %v, p'Qp %v", n, k, qp, value)
			}
		}
	}
}

// TestSilentMembers: if no member calls a row positive, the largest probability or the value
// nearest to 0 decides.
func TestSilentMembers(t *testing.T) {
	for ballot, want := range map[models.Ballot]float64{models.ByProbability: 20, models.ByDecision: 10} {
		m := models.NewEnsemble([]int{10, 20, 30}, 2, ballot)
		m.Probability = true
		plane := func(w, rho, a float64) models.Plane {
			return models.Plane{W: point(w), Rho: rho, Sigmoid: &models.Sigmoid{A: a}}
		}
		m.AddMember([]int{0, 1, 2}, []models.Plane{plane(1, 1, -1), plane(1, 1, -1), plane(1, 0, -1)}) // -1 to both
		m.AddMember([]int{1, 0, 2}, []models.Plane{plane(1, 2, 0), plane(1, 2, 0), plane(1, 0, -1)})   // -2, but 1/2
		x := point(0)
		if got := predictor(t, m).Predict(x); got != want {
			t.Errorf("%v: %v, want %v", ballot, got, want)
		}
	}
}

// TestSpokenFor: a class of no member does not win over a class of some members, even if these give
// it nothing.
func TestSpokenFor(t *testing.T) {
	plane := func(rho, a float64) models.Plane {
		return models.Plane{W: point(0), Rho: rho, Sigmoid: &models.Sigmoid{A: a}}
	}
	for _, c := range []struct {
		ballot models.Ballot
		add    func(m *models.Model)
		want   float64
	}{
		// each class of the member has one vote: 20 over 10 by 5, 30 over 20 by 1, 10 over 30 by 1
		{models.ByDecision, func(m *models.Model) {
			m.AddMember([]int{1, 0, 2}, []models.Plane{plane(-5, -1), plane(1, -1), plane(-1, -1)})
		}, 20},
		{models.ByDecision, func(m *models.Model) { // a vote below 0 counts as 0
			m.AddMember([]int{1, 0, 2}, []models.Plane{plane(-5, -1), plane(1, -1), plane(-1, -1)})
			m.AddMember([]int{1, 0}, []models.Plane{plane(-0.5, -1)})
			m.AddMember([]int{2, 0}, []models.Plane{plane(-0.3, -1)})
		}, 20},
		{models.ByProbability, func(m *models.Model) { // the vote is 0 in float64
			m.AddMember([]int{2, 0}, []models.Plane{plane(-1000, 1)})
			m.AddMember([]int{1, 0}, []models.Plane{plane(-1000, 1)})
		}, 20},
	} {
		m := models.NewEnsemble([]int{10, 20, 30}, 2, c.ballot)
		m.Probability = true
		c.add(m)
		p, x := predictor(t, m), point(0)
		decided, answered := p.NewBatch(), p.NewBatch()
		decided.Decide([]vec.Vector{x})
		answered.Answer([]vec.Vector{x})
		if one, b, a := p.Predict(x), decided.Predict(0), answered.Predict(0); one != c.want || b != c.want || a != c.want {
			t.Errorf("%v: %v, in batches %v, %v, want %v", c.ballot, one, b, a, c.want)
		}
		dst := make([]float64, 3)
		if got, _ := p.Probabilities(dst, x); got != c.want {
			t.Errorf("%v: probabilities %v, want %v", c.ballot, dst, c.want)
		}
	}
}

// TestBatchOfAnEnsemble: a batch answers what it was filled for, for its rows, and panics if it is
// asked anything else, whatever it was filled for before.
func TestBatchOfAnEnsemble(t *testing.T) {
	p := predictor(t, lines(models.ByCount))
	fills := map[string]func(b *Batch, x []vec.Vector){
		"Decide":                (*Batch).Decide,
		"AnswerProbabilities":   (*Batch).AnswerProbabilities,
		"Answer":                (*Batch).Answer,
		"DecideMembers":         func(b *Batch, x []vec.Vector) { b.DecideMembers(x, false) },
		"DecideMembers, likely": func(b *Batch, x []vec.Vector) { b.DecideMembers(x, true) },
		"DecideVotes":           (*Batch).DecideVotes,
	}
	asks := []struct {
		name string
		ask  func(b *Batch, r int)
		of   []string // fills beside Decide and AnswerProbabilities
	}{
		{"Predict", func(b *Batch, r int) { b.Predict(r) }, []string{"Answer"}},
		{"Decisions", func(b *Batch, r int) { b.Decisions(make([]float64, len(p.Model().Machines)), r) }, nil},
		{"Probabilities", func(b *Batch, r int) { b.Probabilities(make([]float64, p.Outcomes()), r) }, nil},
		{"MemberProbabilities", func(b *Batch, r int) { b.MemberProbabilities(make([]float64, 4), r) }, nil},
		{"PositiveMembers", func(b *Batch, r int) { b.PositiveMembers(r) }, []string{"DecideMembers"}},
		{"LikelyMembers", func(b *Batch, r int) { b.LikelyMembers(r) }, []string{"DecideMembers, likely"}},
	}
	panics := func(f func()) (panics bool) {
		defer func() {
			s, _ := recover().(string)
			panics = strings.HasPrefix(s, "predict: ")
		}()
		f()
		return false
	}
	for before, fillBefore := range fills {
		for name, fill := range fills {
			for _, rows := range []int{0, 1, 5} {
				filled := func() *Batch {
					b := p.NewBatch()
					fillBefore(b, []vec.Vector{point(1), point(2), point(3)})
					fill(b, slices.Repeat([]vec.Vector{point(2)}, rows))
					return b
				}
				for _, a := range asks {
					for r := -1; r <= rows; r++ {
						has := name == "Decide" || name == "AnswerProbabilities" || slices.Contains(a.of, name)
						if want := !has || r < 0 || r == rows; panics(func() { a.ask(filled(), r) }) != want {
							t.Errorf("%s, then %s, then %s of row %d of %d: panics %v", before, name, a.name, r, rows, !want)
						}
					}
				}
				if want := name != "DecideVotes"; panics(func() { filled().EachVote(func(int, []int32, []float64) {}) }) != want {
					t.Errorf("%s, then %s of %d rows, then EachVote: panics %v", before, name, rows, !want)
				}
			}
		}
	}
}

// TestSizes: a batch of few rows leaves the memory ready for one of many, whatever it was used for.
func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m := models.NewEnsemble([]int{1, 2, 3}, 0, models.ByProbability)
	m.Probability = true
	plane := models.Plane{W: point(0, 0), Rho: -1, Sigmoid: &models.Sigmoid{A: -1}} // positive for all rows
	m.AddMember([]int{1, 0, 2}, []models.Plane{plane, plane, plane})
	p := predictor(t, m)
	draw := func(n int) (xs []vec.Vector) {
		for range n {
			xs = append(xs, randomVector(rng, 2))
		}
		return xs
	}
	for _, ask := range []func(b *Batch){
		func(b *Batch) { b.LikelyMembers(0) },
		func(b *Batch) { b.PositiveMembers(0) },
		func(b *Batch) { b.Predict(0) },
	} {
		for _, few := range []int{1, 9, 64, BatchRows} {
			for _, n := range []int{BatchRows, 65, 9, 4} {
				b := p.NewBatch()
				b.Decide(draw(few))
				ask(b)
				b.Answer(draw(n))
				for r := range n {
					if got := b.Predict(r); got != 2 {
						t.Fatalf("%d rows after %d, row %d: %v", n, few, r, got)
					}
				}
				b.Decide(draw(n))
				for r := range n {
					if b.PositiveMembers(r)[0] != 1 {
						t.Fatalf("%d rows after %d, row %d is not called positive", n, few, r)
					}
				}
			}
		}
	}
}
