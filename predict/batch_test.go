package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func randomVector(rng *rand.Rand, inputs int) vec.Vector {
	var v vec.Vector
	for i := range inputs {
		if rng.IntN(3) > 0 {
			v.Index = append(v.Index, int32(i))
			v.Value = append(v.Value, rng.NormFloat64())
		}
	}
	return v
}

// randomModel returns a model with information on probabilities; vectors is their number for each
// class, or for all classes if they share them.
func randomModel(rng *rand.Rand, task models.Task, k kernel.Kernel, classes, vectors int, shared, listed bool) *models.Model {
	m := &models.Model{Task: task, Kernel: k, Probability: true, Noise: 1}
	groups := 1
	if task.Classifies() {
		for c := range classes {
			m.Labels = append(m.Labels, 3*c-5)
			if !shared {
				m.Group = append(m.Group, max(0, vectors-c*c))
				if classes == 1 {
					m.Group[0] = 0
				}
			}
		}
		if shared && rng.IntN(2) > 0 {
			m.Vote = models.OneVsRest
		}
		groups = len(m.Group)
	}
	total := vectors
	if groups > 1 || classes == 1 {
		total = 0
		for _, n := range m.Group {
			total += n
		}
	}
	for range total {
		m.Vectors.Append(randomVector(rng, 7))
	}
	switch {
	case !task.Classifies():
		m.Machines = make([]models.Machine, 1)
	case m.Vote == models.OneVsRest:
		for c := range classes {
			m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: models.Rest})
		}
	default:
		for c := range classes {
			for d := c + 1; d < classes; d++ {
				m.Machines = append(m.Machines, models.Machine{Pos: c, Neg: d})
			}
		}
	}
	for i := range models.Marks {
		m.DensityMarks = append(m.DensityMarks, float64(i)-5)
	}
	start := m.GroupStart()
	for i := range m.Machines {
		c := &m.Machines[i]
		c.Rho = rng.NormFloat64()
		c.Sigmoid = &models.Sigmoid{A: -1, B: rng.NormFloat64()}
		if listed {
			c.Index = []int32{}
		}
		spans := c.Spans(start)
		for _, s := range spans {
			for v := s.From; v < s.To; v++ {
				if listed && rng.IntN(2) > 0 {
					continue
				}
				if listed {
					c.Index = append(c.Index, int32(v))
				}
				c.Coef = append(c.Coef, rng.NormFloat64())
			}
		}
	}
	return m
}

// TestBatch: a batch answers as the predictor does for each row, to the last bit.
func TestBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kernels := []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}}
	compared := 0
	for n := range 240 {
		task := models.Task(n % 5)
		vectors := []int{0, 1, 9, 40, blockVectors - 1, blockVectors, 2*blockVectors + 3}[rng.IntN(7)]
		m := randomModel(rng, task, kernels[rng.IntN(4)], 1+rng.IntN(5), vectors, rng.IntN(2) > 0, rng.IntN(2) > 0)
		if len(m.Labels) == 1 {
			m.Vectors = vec.Matrix{}
			for i := range m.Machines {
				m.Machines[i].Coef, m.Machines[i].Index = nil, nil
			}
		}
		p := predictor(t, m)
		b := p.NewBatch()
		for _, rows := range []int{rng.IntN(BatchRows + 1), 1 + rng.IntN(5), BatchRows, 0} {
			xs := make([]vec.Vector, rows)
			for r := range xs {
				xs[r] = randomVector(rng, 9)
			}
			b.Decide(xs)
			if b.Len() != rows {
				t.Fatalf("%d rows, want %d", b.Len(), rows)
			}
			want, got := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
			wantP, gotP := make([]float64, p.Outcomes()), make([]float64, p.Outcomes())
			for r, x := range xs {
				p.Decisions(want, x)
				b.Decisions(got, r)
				if !sameBits(got, want) || b.Predict(r) != p.Predict(x) {
					t.Fatalf("%v model %d, row %d of %d: %v, want %v", task, n, r, rows, got, want)
				}
				if !task.Regresses() {
					wantLabel, wantLimit := p.Probabilities(wantP, x)
					label, limit := b.Probabilities(gotP, r)
					if !sameBits(gotP, wantP) || label != wantLabel || limit != wantLimit {
						t.Fatalf("%v model %d, row %d of %d: probabilities %v, want %v", task, n, r, rows, gotP, wantP)
					}
				}
				compared++
			}
		}
		p.Release() // so that the next one uses its memory
	}
	if compared < 10_000 {
		t.Errorf("%d rows compared", compared)
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestBatchListed: a vector that a machine does not list has no effect on its value, even if the
// kernel's value is not finite.
func TestBatchListed(t *testing.T) {
	m := &models.Model{Kernel: kernel.Linear{}, Labels: []int{1, 2}, Group: []int{2, 0}}
	m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1e308}})
	m.Vectors.Append(one)
	m.Machines = []models.Machine{{Pos: 0, Neg: 1, Index: []int32{1}, Coef: []float64{2}}}
	b := predictor(t, m).NewBatch()
	b.Decide([]vec.Vector{{Index: []int32{1}, Value: []float64{100}}})
	got := make([]float64, 1)
	if b.Decisions(got, 0); got[0] != 200 {
		t.Errorf("%v, want 200", got[0])
	}
}

func TestBatchPanics(t *testing.T) {
	p := predictor(t, linear([]int{1, 2}, 0.5))
	b := p.NewBatch()
	b.Decide([]vec.Vector{one})
	answered := p.NewBatch()
	answered.Answer([]vec.Vector{one})
	for name, f := range map[string]func(){
		"answers only":  func() { answered.couple() },
		"too many rows": func() { b.Decide(make([]vec.Vector, BatchRows+1)) },
		"no such row":   func() { b.Predict(1) },
		"length":        func() { b.Decisions(nil, 0) },
		"probabilities": func() { b.Probabilities(make([]float64, 2), 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkBatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, classes := range map[string]int{"2 classes": 2, "26 classes": 26} {
		p, err := New(randomModel(rng, models.CSVC, kernel.RBF{Gamma: 0.3}, classes, 600, false, false))
		if err != nil {
			b.Fatal(err)
		}
		xs := make([]vec.Vector, BatchRows)
		for r := range xs {
			xs[r] = randomVector(rng, 7)
		}
		b.Run(name+"/one at a time", func(b *testing.B) {
			for b.Loop() {
				for _, x := range xs {
					p.Predict(x)
				}
			}
			b.ReportMetric(float64(b.N*len(xs))/b.Elapsed().Seconds(), "rows/s")
		})
		b.Run(name+"/batch", func(b *testing.B) {
			batch := p.NewBatch()
			for b.Loop() {
				batch.Decide(xs)
				for r := range xs {
					batch.Predict(r)
				}
			}
			b.ReportMetric(float64(b.N*len(xs))/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// TestZeros: vectors with coefficients of 0 are left out of a machine's sums only if that changes
// none: rows of a batch are answered as one by one, where many coefficients are 0 or -0, and values
// are infinite or NaN. Machines with few coefficients have no lists.
func TestZeros(t *testing.T) {
	defer simd.Use(simd.Current())
	kernels := []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: -300}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1}}
	for level := range simd.Best() + 1 {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(8, uint64(level)))
		without, few, numbers, not := 0, 0, 0, 0
		for n := range 60 {
			classes := 1 + rng.IntN(6)
			if n%10 == 9 {
				classes = oneBlock + 2
			}
			m := randomModel(rng, models.CSVC, kernels[n%len(kernels)], classes, []int{3, 90, blockVectors + 9}[rng.IntN(3)], rng.IntN(2) > 0, false)
			if classes == 1 {
				continue
			}
			coefs := 0
			for i := range m.Machines {
				c := &m.Machines[i]
				coefs += len(c.Coef)
				for v := range c.Coef {
					if rng.IntN(4) > 0 {
						c.Coef[v] = []float64{0, math.Copysign(0, -1)}[rng.IntN(2)]
					}
				}
			}
			xs := make([]vec.Vector, 1+rng.IntN(BatchRows))
			for r := range xs {
				xs[r] = randomVector(rng, 9)
				if x := &xs[r]; n%3 == 0 && rng.IntN(8) == 0 && len(x.Value) > 0 {
					x.Value[0] = []float64{1e200, -1e160, 1e308}[rng.IntN(3)]
				}
			}
			p := predictor(t, m)
			b := p.NewBatch()
			b.Decide(xs)
			if p.bank().nonzero != nil && p.bank().layoutFor(&b.rows) == p.bank().nonzero {
				without++
			}
			if coefs < listedCoefs*len(m.Machines) {
				if few++; p.bank().nonzero != nil {
					t.Errorf("%v, model %d: %d machines with %d coefficients have lists", level, n, len(m.Machines), coefs)
				}
			}
			want, got := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
			for r, x := range xs {
				p.Decisions(want, x)
				b.Decisions(got, r)
				for i, f := range want {
					if math.IsNaN(f) != math.IsNaN(got[i]) || !math.IsNaN(f) && math.Float64bits(f) != math.Float64bits(got[i]) {
						t.Fatalf("%v, model %d, row %d, machine %d: %v, want %v", level, n, r, i, got[i], f)
					}
					if math.IsNaN(f) {
						not++
					} else {
						numbers++
					}
				}
			}
			p.Release()
		}
		if without < 10 || few < 10 || numbers < 100 || not < 10 {
			t.Errorf("%v: %d batches without zeros, %d of few coefficients, %d values, of which %d are no numbers", level, without, few, numbers, not)
		}
	}
}
