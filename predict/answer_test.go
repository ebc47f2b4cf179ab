package predict

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// vectorKinds makes vectors of several kinds, for the forms in which estimates are made.
var vectorKinds = map[string]func(rng *rand.Rand) vec.Vector{
	"dense": func(rng *rand.Rand) vec.Vector { return randomVector(rng, 9) },
	"sparse": func(rng *rand.Rand) (v vec.Vector) {
		for i := rng.IntN(50); i < 900; i += 1 + rng.IntN(70) {
			v.Index, v.Value = append(v.Index, int32(i)), append(v.Value, rng.NormFloat64()/4)
		}
		return v
	},
	"ones": func(rng *rand.Rand) (v vec.Vector) {
		for i := range 60 {
			if rng.IntN(5) == 0 {
				v.Index, v.Value = append(v.Index, int32(i)), append(v.Value, 1)
			}
		}
		return v
	},
	"large": func(rng *rand.Rand) vec.Vector {
		v := randomVector(rng, 9)
		for i := range v.Value {
			v.Value[i] *= 255
		}
		return v
	},
	"positive": func(rng *rand.Rand) vec.Vector {
		v, scale := randomVector(rng, 9), []float64{1, 1, 30}[rng.IntN(3)]
		for i := range v.Value {
			v.Value[i] = math.Abs(scale * v.Value[i])
		}
		return v
	},
	"tails": func(rng *rand.Rand) vec.Vector {
		v, scale := randomVector(rng, 9), math.Exp(3*rng.NormFloat64())
		for i := range v.Value {
			v.Value[i] *= scale
		}
		return v
	},
	"extreme": func(rng *rand.Rand) vec.Vector {
		v := randomVector(rng, 9)
		for i := range v.Value {
			v.Value[i] *= []float64{1, 1, 1e-200, 1e150, 1e30, 5e-324}[rng.IntN(6)]
		}
		return v
	},
}

var answerKernels = []kernel.Kernel{
	kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 0.01}, kernel.RBF{Gamma: 1e-7}, kernel.RBF{}, kernel.RBF{Gamma: 40}, kernel.RBF{Gamma: 1e5}, kernel.RBF{Gamma: 1e300},
	kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1},
	kernel.Poly{Degree: 2, Gamma: 1}, kernel.Poly{Degree: 5, Gamma: 0.01, Coef0: -0.1}, kernel.Poly{Coef0: 3}, kernel.Sigmoid{Gamma: 1, Coef0: -1},
}

// nearTies changes m so that the values of its machines are 0 or nearly so at rows: by vectors with
// opposite coefficients, and rho at the value of a row.
func nearTies(rng *rand.Rand, m *models.Model, rows []vec.Vector) {
	if rng.IntN(3) == 0 {
		for i := range m.Machines {
			c := m.Machines[i].Coef
			for k := range c {
				c[k] *= []float64{1, 1e10, 1e-10, 1e100}[i%4]
			}
		}
	}
	p, err := New(m)
	if err != nil {
		panic(err)
	}
	values := make([]float64, len(m.Machines))
	for i := range m.Machines {
		p.Decisions(values, rows[rng.IntN(len(rows))])
		rho := values[i] + m.Machines[i].Rho
		switch rng.IntN(4) {
		case 0:
			m.Machines[i].Rho = rho
		case 1:
			m.Machines[i].Rho = math.Nextafter(rho, math.Inf(1))
		case 2:
			m.Machines[i].Rho = math.Nextafter(rho, math.Inf(-1))
		}
	}
}

// signed gives the coefficients of a machine the signs that LIBSVM's coefficients have.
func signed(m *models.Model) {
	start := m.GroupStart()
	for i := range m.Machines {
		c := &m.Machines[i]
		first := c.Spans(start)[0]
		for k := range c.Coef {
			at := first.From + k
			if c.Index != nil {
				at = int(c.Index[k])
			}
			c.Coef[k] = math.Abs(c.Coef[k])
			if at >= first.To {
				c.Coef[k] = -c.Coef[k]
			}
		}
	}
}

// TestAnswer: the answers of a batch are those of the predictor for each row, whatever is
// estimated.
func TestAnswer(t *testing.T) {
	defer simd.Use(simd.Current())
	anyFilter = true
	defer func() { anyFilter = false }()
	cases := 1000
	if testing.Short() {
		cases = 200
	}
	for level := range simd.Best() + 1 {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(3, uint64(level)))
		filtered := map[string]int{} // rows answered by estimates
		all := map[string]int{}
		for n := range cases {
			kinds := []string{"dense", "sparse", "ones", "large", "positive", "tails", "extreme"}
			kind := kinds[n%len(kinds)]
			k := answerKernels[n/len(kinds)%len(answerKernels)]
			task := []models.Task{models.CSVC, models.NuSVC, models.OneClass, models.CSVC, models.EpsilonSVR}[rng.IntN(5)]
			m := randomModel(rng, task, k, 2+rng.IntN(5), 1+rng.IntN(90), rng.IntN(3) == 0, rng.IntN(3) == 0)
			total := m.Vectors.Len()
			m.Vectors = vec.Matrix{}
			var before vec.Vector
			for range total {
				if before.Index == nil || rng.IntN(4) > 0 { // else the same vector twice
					before = vectorKinds[kind](rng)
				}
				m.Vectors.Append(before)
			}
			if rng.IntN(2) > 0 {
				signed(m)
			}
			rows := make([]vec.Vector, []int{BatchRows, 0, 1, 3, 40, 64, 65}[rng.IntN(7)])
			for r := range rows {
				rows[r] = vectorKinds[kind](rng)
				switch {
				case rng.IntN(8) == 0 && total > 0:
					rows[r] = m.Vectors.Row(rng.IntN(total))
				case rng.IntN(20) == 0:
					rows[r] = vec.Vector{Index: []int32{1, 7, 1 << 30}, Value: []float64{1, []float64{1, 1e200, math.Inf(1), math.NaN(), 0}[rng.IntN(5)], 1}}
				case rng.IntN(20) == 0:
					rows[r] = vec.Vector{}
				case kind == "positive" && rng.IntN(4) == 0 && len(rows[r].Value) > 0:
					rows[r].Value[0] *= -1
				}
			}
			if len(rows) > 0 && rng.IntN(2) > 0 {
				nearTies(rng, m, rows)
				if m.Validate() != nil {
					continue
				}
			}
			p := predictor(t, m)
			b := p.NewBatch()
			b.Answer(rows)
			if b.Len() != len(rows) {
				t.Fatalf("%d rows, want %d", b.Len(), len(rows))
			}
			if p.filter() != nil && len(rows) >= fewRows {
				name := fmt.Sprintf("%s %T", kind, k)
				filtered[name] += len(rows) - len(b.undecided)
				all[name] += len(rows)
			}
			for r, x := range rows {
				if got, want := b.Predict(r), p.Predict(x); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					values := make([]float64, len(m.Machines))
					p.Decisions(values, x)
					t.Fatalf("%v, case %d: %s, %v, %T%+v, %d labels, vote %v: row %d of %d %v: %v, want %v; values %v", level, n, kind, task, k, k, len(m.Labels), m.Vote, r, len(rows), x, got, want, values)
				}
			}
			p.Release()
		}
		for _, name := range []string{"dense kernel.RBF", "sparse kernel.RBF", "ones kernel.RBF", "large kernel.RBF", "extreme kernel.RBF", "dense kernel.Linear", "sparse kernel.Linear", "dense kernel.Poly", "sparse kernel.Poly", "ones kernel.Poly", "large kernel.Poly", "tails kernel.Poly", "dense kernel.Sigmoid", "sparse kernel.Sigmoid", "ones kernel.Sigmoid", "positive kernel.Poly", "positive kernel.Sigmoid"} {
			t.Logf("%v, %s: %d of %d rows by estimates", level, name, filtered[name], all[name])
			usual := name[0] != 'e' && name[0] != 'l' // numbers that float32 holds well
			if usual && 5*filtered[name] < all[name] || filtered[name] == 0 && !testing.Short() {
				t.Errorf("%v, %s: %d of %d rows by estimates", level, name, filtered[name], all[name])
			}
		}
	}
}

// TestAnswerFine: where sums nearly cancel, their bounds are not in proportion to them, and where
// all values are next to 1, the bounds are as fine as the last places of these.
func TestAnswerFine(t *testing.T) {
	defer simd.Use(simd.Current())
	anyFilter = true
	defer func() { anyFilter = false }()
	for level := range simd.Best() + 1 {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(4, uint64(level)))
		for trial := range 300 {
			m := &models.Model{Labels: []int{1, 2}, Group: []int{6, 6}}
			rows := make([]vec.Vector, 8)
			c := models.Machine{Pos: 0, Neg: 1}
			if trial%2 == 0 {
				// values of both signs from positive vectors, with sums of 0 in each class
				m.Kernel = kernel.Poly{Degree: 1, Gamma: 1}
				for range 4 {
					a, b, d := rng.Float64(), rng.Float64(), rng.Float64()
					for _, z := range [][]float64{{a, b, d}, {b, d, a}, {d, a, b}} {
						m.Vectors.Append(vec.Vector{Index: []int32{1, 2, 3}, Value: z})
					}
				}
				for r := range rows {
					a := rng.NormFloat64()
					rows[r] = vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{a, 1 - a, -1}}
				}
				c.Coef = []float64{1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1}
			} else {
				m.Kernel = kernel.Sigmoid{Gamma: 1}
				near3 := func() float64 { return 3 - rng.Float64()/20 }
				vector := func() vec.Vector {
					return vec.Vector{Index: []int32{1, 2}, Value: []float64{near3(), near3()}}
				}
				for range 12 {
					m.Vectors.Append(vector())
					c.Coef = append(c.Coef, 1+rng.Float64())
				}
				for r := range rows {
					rows[r] = vector()
				}
			}
			m.Machines = []models.Machine{c}
			signed(m)
			nearTies(rng, m, rows)
			p := predictor(t, m)
			b := p.NewBatch()
			b.Answer(rows)
			for r, x := range rows {
				if got, want := b.Predict(r), p.Predict(x); got != want {
					t.Fatalf("%v, trial %d, row %d: %v, want %v", level, trial, r, got, want)
				}
			}
			p.Release()
		}
	}
}

// TestAnswerOnly: a batch of answers has no decision values, until it decides again.
func TestAnswerOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	anyFilter = true
	defer func() { anyFilter = false }()
	p := predictor(t, randomModel(rng, models.CSVC, kernel.RBF{Gamma: 1}, 3, 20, false, false))
	rows := make([]vec.Vector, 9)
	for r := range rows {
		rows[r] = randomVector(rng, 7)
	}
	b := p.NewBatch()
	b.Answer(rows)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		b.Decisions(make([]float64, 3), 0)
	}()
	b.Decide(rows)
	got, want := make([]float64, 3), make([]float64, 3)
	for r, x := range rows {
		b.Decisions(got, r)
		p.Decisions(want, x)
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// TestStreamAnswers: streams of answers do not depend on the number of workers.
func TestStreamAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	p := predictor(t, randomModel(rng, models.CSVC, kernel.RBF{Gamma: 0.5}, 4, 50, false, false))
	rows := make([]vec.Vector, 1000)
	want := make([]float64, len(rows))
	for r := range rows {
		rows[r] = randomVector(rng, 7)
		want[r] = p.Predict(rows[r])
	}
	for _, workers := range []int{1, 2, 8} {
		at := 0
		var got []float64
		err := p.StreamAnswers(context.Background(), workers, func() (vec.Vector, float64, error) {
			if at == len(rows) {
				return vec.Vector{}, 0, io.EOF
			}
			at++
			return rows[at-1], 0, nil
		}, func(b *Batch, ys []float64) error {
			for r := range ys {
				got = append(got, b.Predict(r))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: answers differ, or %v", workers, err)
		}
	}
}
