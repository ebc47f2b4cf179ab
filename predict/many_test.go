package predict

import (
	"context"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// manyModel returns a model of many classes with few vectors each, or none, and rows near them. The
// values of machines of some classes only differ in the last places, so that votes are undecided in
// several blocks.
func manyModel(rng *rand.Rand, k kernel.Kernel, classes, most int, listed bool, rows int) (*models.Model, []vec.Vector) {
	m := randomModel(rng, models.CSVC, k, classes, 0, false, false)
	m.Group = m.Group[:0]
	m.Vectors = vec.Matrix{}
	for c := range classes {
		n := rng.IntN(most + 1)
		m.Group = append(m.Group, n)
		for range n {
			x := randomVector(rng, 7)
			if c%5 == 4 { // the same vector for all of these classes
				x = vec.Vector{Index: []int32{1, 3}, Value: []float64{0.5, -0.25}}
			}
			m.Vectors.Append(x)
		}
	}
	start := m.GroupStart()
	for i := range m.Machines {
		c := &m.Machines[i]
		c.Rho = []float64{0, rng.NormFloat64() / 4}[rng.IntN(2)]
		if listed {
			c.Index = []int32{}
		}
		for _, s := range c.Spans(start) {
			for v := s.From; v < s.To; v++ {
				if listed && rng.IntN(2) > 0 {
					continue
				}
				if listed {
					c.Index = append(c.Index, int32(v))
				}
				c.Coef = append(c.Coef, []float64{1, rng.Float64()}[rng.IntN(2)])
			}
		}
	}
	signed(m)
	var xs []vec.Vector
	for range rows {
		xs = append(xs, randomVector(rng, 9))
		if n := m.Vectors.Len(); n > 0 && rng.IntN(3) == 0 {
			xs[len(xs)-1] = m.Vectors.Row(rng.IntN(n))
		}
	}
	return m, xs
}

// TestManyClasses: with many classes, whose machines are worked on in blocks, answers and
// probabilities are those of single rows: with more machines than a block has and numbers of
// classes that are not multiples of its size, with estimates kept and not, with a filter and
// without.
func TestManyClasses(t *testing.T) {
	defer simd.Use(simd.Current())
	anyFilter = true
	defer func(vectors int) { anyFilter, keptVectors = false, vectors }(keptVectors)
	kernels := []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}, kernel.RBF{Gamma: 1e-7}}
	for level := range simd.Best() + 1 {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(5, uint64(level)))
		filtered, open := 0, 0
		for n, classes := range []int{oneBlock, oneBlock + 1, 61, 73, 97, 128, 62, oneBlock + 1} {
			most := 3
			keptVectors = 1 << 15
			if n >= 6 { // estimates are computed again
				most, keptVectors = 50, 1<<7
			}
			m, xs := manyModel(rng, kernels[n%len(kernels)], classes, most, n%3 == 2, []int{70, 5, 33, 64}[n%4])
			if n >= 6 && m.Vectors.Len() <= keptVectors {
				t.Fatalf("%d vectors", m.Vectors.Len())
			}
			p := predictor(t, m)
			want := make([]float64, len(xs))
			for r, x := range xs {
				want[r] = p.Predict(x)
			}
			b := p.NewBatch()
			b.Answer(xs)
			if p.filter() != nil {
				filtered += len(xs) - len(b.undecided)
				open += len(b.undecided)
			}
			exact := make([]float64, len(xs))
			b.answerTo(exact, xs)
			for r := range xs {
				if b.answers[r] != want[r] || exact[r] != want[r] {
					t.Fatalf("%v, %d classes, row %d: %v and %v, want %v", level, classes, r, b.answers[r], exact[r], want[r])
				}
			}
			coupled := xs[:min(len(xs), 11)]
			if classes == oneBlock { // more rows than are coupled at a time
				coupled = xs
			}
			b.Use(p)
			b.AnswerProbabilities(coupled)
			got, one := make([]float64, classes), make([]float64, classes)
			values, decisions := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
			for r, x := range coupled {
				label, limit := b.Probabilities(got, r)
				wantLabel, wantLimit := p.Probabilities(one, x)
				if label != wantLabel || limit != wantLimit || !sameBits(got, one) {
					t.Fatalf("%v, %d classes, row %d: %v, want %v", level, classes, r, got, one)
				}
				p.Decisions(values, x)
				if b.Decisions(decisions, r); !sameBits(decisions, values) || b.Predict(r) != want[r] {
					t.Fatalf("%v, %d classes, row %d: other values", level, classes, r)
				}
			}
			p.Release()
		}
		if t.Logf("%v: %d rows by estimates, %d not", level, filtered, open); filtered == 0 || open == 0 {
			t.Errorf("%v: %d rows by estimates, %d not", level, filtered, open)
		}
	}
}

// TestManyClassesMemory: the memory of predictions with many classes does not grow as machines
// times rows, whatever is asked for.
func TestManyClassesMemory(t *testing.T) {
	const classes = 200
	rng := rand.New(rand.NewPCG(7, 7))
	own, xs := manyModel(rng, kernel.RBF{Gamma: 0.3}, classes, 4, false, 2*BatchRows)
	for vectors, m := range map[string]*models.Model{"own": own, "shared": sharedModel(rng, kernel.RBF{Gamma: 0.3}, models.OneVsOne, classes, false)} {
		testManyClassesMemory(t, vectors, m, xs)
	}
}

// testManyClassesMemory asks a model for everything.
func testManyClassesMemory(t *testing.T, vectors string, m *models.Model, xs []vec.Vector) {
	for name, stream := range map[string]func(p *Predictor) streamFunc{
		"answers":       func(p *Predictor) streamFunc { return p.StreamAnswers },
		"probabilities": func(p *Predictor) streamFunc { return p.StreamProbabilities },
		"decisions":     func(p *Predictor) streamFunc { return p.Stream },
	} {
		p := predictor(t, m)
		values := make([]float64, len(m.Machines))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		at := 0
		err := stream(p)(context.Background(), 2, func() (vec.Vector, float64, error) {
			if at == len(xs) {
				return vec.Vector{}, 0, io.EOF
			}
			at++
			return xs[at-1], 0, nil
		}, func(b *Batch, ys []float64) error {
			for r := range ys {
				if name == "decisions" {
					b.Decisions(values, r)
				}
			}
			return nil
		})
		runtime.ReadMemStats(&after)
		most := uint64(20 << 20) // two numbers for each machine and row would take 80 MB
		if name == "decisions" { // memory of single rows, which pools give up now and then
			most = 36 << 20 // one number, 41
		}
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > most {
			t.Errorf("%s vectors, %s: %d bytes allocated, %v", vectors, name, got, err)
		} else {
			t.Logf("%s vectors, %s: %d bytes", vectors, name, got)
		}
	}
}

// TestRowsAtOnce: of as many rows as have 8 MB of machines' values, these are in memory at a time, of
// no more than the lanes of a block and of no fewer than are computed side by side.
func TestRowsAtOnce(t *testing.T) {
	for classes, want := range map[int]int{49: blockRows, 200: blockRows, 256: blockRows, 300: 23, 500: 8, 700: fewRows, 1000: fewRows, 20_000: fewRows} {
		if got := rowsAtOnce(models.OneVsOne, models.Pairs(classes)); got != want {
			t.Errorf("%d classes: %d rows, want %d", classes, got, want)
		}
	}
	// and no more than these are: 50 rows of 300 classes have 18 MB
	rng := rand.New(rand.NewPCG(3, 300))
	m, xs := manyModel(rng, kernel.RBF{Gamma: 0.3}, 300, 2, false, 50)
	p := predictor(t, m)
	p.bank()
	b := p.NewBatch()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.AnswerProbabilities(xs)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 13<<20 {
		t.Errorf("%d bytes allocated for %d rows", got, len(xs))
	} else {
		t.Logf("%d bytes allocated", got)
	}
}

type streamFunc = func(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error

// TestDecideLater: batches whose machines have too many values for all of their rows have the values
// of single rows, in any order and after the rows that they were given have changed, and the
// probabilities and labels that follow from these.
func TestDecideLater(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 200))
	for _, listed := range []bool{false, true} {
		m, xs := manyModel(rng, kernel.RBF{Gamma: 0.3}, 200, 3, listed, BatchRows)
		p := predictor(t, m)
		b := p.NewBatch()
		given := slices.Clone(xs)
		for i := range given {
			given[i].Value = slices.Clone(given[i].Value)
		}
		if b.Decide(given); b.each == nil {
			t.Fatal("all values are computed at once")
		}
		for i := range given {
			clear(given[i].Value)
		}
		values, want := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
		chances, wantChances := make([]float64, 200), make([]float64, 200)
		for n := range 40 {
			r := []int{n, n * n % len(xs)}[n%2]
			p.Decisions(want, xs[r])
			if b.Decisions(values, r); !sameBits(values, want) || b.Predict(r) != p.Predict(xs[r]) {
				t.Fatalf("row %d has other values", r)
			}
			if n%10 < 9 {
				continue
			}
			p.Probabilities(wantChances, xs[r])
			if b.Probabilities(chances, r); !sameBits(chances, wantChances) {
				t.Fatalf("row %d has other probabilities", r)
			}
		}
		b.Decide(xs[:5]) // few enough values
		if p.Decisions(want, xs[4]); b.each != nil {
			t.Error("5 rows are computed when they are asked for")
		}
		if b.Decisions(values, 4); !sameBits(values, want) {
			t.Error("other values for fewer rows")
		}
	}
}

// TestManyClassesWithoutProbability: a model of many classes without probabilities answers in a
// stream that could have asked for them.
func TestManyClassesWithoutProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m, xs := manyModel(rng, kernel.RBF{Gamma: 0.5}, oneBlock+5, 3, false, 40)
	m.Probability = false
	for i := range m.Machines {
		m.Machines[i].Sigmoid = nil
	}
	p, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	read, taken := 0, 0
	next := func() (vec.Vector, float64, error) {
		if read == len(xs) {
			return vec.Vector{}, 0, io.EOF
		}
		read++
		return xs[read-1], 0, nil
	}
	err = p.StreamProbabilities(context.Background(), 1, next, func(b *Batch, ys []float64) error {
		for r := range ys {
			if got, want := b.Predict(r), p.Predict(xs[taken]); got != want {
				t.Errorf("row %d: %v, want %v", taken, got, want)
			}
			taken++
		}
		return nil
	})
	if err != nil || taken != len(xs) {
		t.Errorf("%d rows, error %v", taken, err)
	}
}

// sharedModel returns a model of pairs, or of one machine for each class, whose machines share vectors.
func sharedModel(rng *rand.Rand, k kernel.Kernel, vote models.Vote, classes int, listed bool) *models.Model {
	for {
		if m := randomModel(rng, models.CSVC, k, classes, 20, true, listed); m.Vote == vote {
			return m
		}
	}
}

// TestManyClassesShared: machines of pairs that share vectors are worked on in blocks if the values of
// these can be kept, and those of one machine for each class never; batches are answered as single
// rows, with a filter and without.
func TestManyClassesShared(t *testing.T) {
	anyFilter = true
	defer func(vectors int) { anyFilter, keptVectors = false, vectors }(keptVectors)
	rng := rand.New(rand.NewPCG(7, 50))
	filtered, open, blocks := 0, 0, 0
	for n, k := range []kernel.Kernel{
		kernel.RBF{Gamma: 0.1}, kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 0.1},
		kernel.Sigmoid{Gamma: 0.1}, kernel.RBF{Gamma: 0.1},
	} {
		keptVectors = []int{1 << 15, 10}[n/6]
		vote, classes := []models.Vote{models.OneVsOne, models.OneVsRest}[n/5%2], []int{oneBlock + 3, oneBlock + 1, oneBlock}[n%5%3]
		m := sharedModel(rng, k, vote, classes, n%2 > 0)
		if n == 6 {
			m = sharedModel(rng, k, models.OneVsOne, classes, false)
		}
		xs := make([]vec.Vector, 75)
		for i := range xs {
			xs[i] = randomVector(rng, 7)
		}
		nearTies(rng, m, xs)
		p := predictor(t, m)
		several := m.Vote == models.OneVsOne && classes > oneBlock && n < 6
		b := p.NewBatch()
		b.Answer(xs)
		if f := p.filter(); f != nil {
			if len(f.blocks) > 1 != several {
				t.Errorf("model %d: %d blocks", n, len(f.blocks))
			}
			filtered, open = filtered+len(xs)-len(b.undecided), open+len(b.undecided)
			blocks += len(f.blocks)
		}
		exact, want := make([]float64, len(xs)), make([]float64, len(xs))
		for r, x := range xs {
			want[r] = p.Predict(x)
		}
		for from := 0; from < len(xs); from += 64 {
			part := xs[from:min(from+64, len(xs))]
			p.NewBatch().answerTo(exact[from:from+len(part)], part)
		}
		if !sameBits(b.answers, want) || !sameBits(exact, want) {
			t.Errorf("model %d: answers %v and %v, want %v", n, b.answers, exact, want)
		}
		b.Decide(xs)
		values, one := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
		for r, x := range xs {
			p.Decisions(one, x)
			if b.Decisions(values, r); !sameBits(values, one) || b.Predict(r) != want[r] {
				t.Fatalf("model %d, row %d: other values", n, r)
			}
		}
		if m.Vote == models.OneVsRest {
			continue
		}
		b.AnswerProbabilities(xs[:9])
		chances, wantChances := make([]float64, classes), make([]float64, classes)
		for r, x := range xs[:9] {
			label, _ := b.Probabilities(chances, r)
			if wantLabel, _ := p.Probabilities(wantChances, x); label != wantLabel || !sameBits(chances, wantChances) {
				t.Fatalf("model %d, row %d: probabilities %v, want %v", n, r, chances, wantChances)
			}
		}
	}
	if filtered == 0 || open == 0 || blocks < 30 {
		t.Errorf("%d rows by estimates, %d not; %d blocks", filtered, open, blocks)
	}
}
