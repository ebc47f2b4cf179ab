package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestSinglesAllocate: answers for single rows take no memory, whatever is asked for, of dense and
// of sparse rows.
func TestSinglesAllocate(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has pools drop what they are given")
	}
	rng := rand.New(rand.NewPCG(7, 31))
	for _, step := range []int32{1, 5000} {
		draw := func() (v vec.Vector) {
			for k := range int32(12) {
				v.Index, v.Value = append(v.Index, 1+k*step+rng.Int32N(step)), append(v.Value, rng.NormFloat64())
			}
			return v
		}
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.Poly{Degree: 2, Gamma: 1}, kernel.Sigmoid{Gamma: 0.1}} {
			m := &models.Model{Kernel: k, Labels: []int{1, 2, 3}, Group: []int{4, 4, 4}, Probability: true}
			for range 12 {
				m.Vectors.Append(draw())
			}
			for i, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
				c := models.Machine{Pos: pair[0], Neg: pair[1], Rho: float64(i), Sigmoid: &models.Sigmoid{A: -1}}
				for range 8 {
					c.Coef = append(c.Coef, rng.NormFloat64())
				}
				m.Machines = append(m.Machines, c)
			}
			p, err := New(m)
			if err != nil {
				t.Fatal(err)
			}
			x, values := draw(), make([]float64, 3)
			if n := testing.AllocsPerRun(200, func() {
				if p.Check(x) == nil {
					p.Predict(x)
					p.Decisions(values, x)
					p.Probabilities(values, x)
				}
			}); n > 0 {
				t.Errorf("%T, features up to %d: %v allocations a row", k, 12*step, n)
			}
		}
	}
}

// TestManySingles: answers for single rows have the bits of the vectors as they are, before and
// after these are packed, whatever the row is like; and a predictor that is used again answers with
// its new model.
func TestManySingles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 41))
	p := new(Predictor)
	for round, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.3}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1, Coef0: 0.2}, kernel.RBF{Gamma: 2}} {
		for _, n := range []int{1, 5, 31, 32, 33, 100} {
			draw := func(full bool) (v vec.Vector) {
				for j := range int32(7) {
					if full || rng.IntN(4) > 0 {
						v.Index, v.Value = append(v.Index, 2*j+1), append(v.Value, rng.NormFloat64())
					}
				}
				return v
			}
			if sets := n%2 == 1; sets { // all values are one
				was := draw
				draw = func(full bool) (v vec.Vector) {
					v = was(full)
					for k := range v.Value {
						v.Value[k] = 0.5
					}
					return v
				}
			}
			m := &models.Model{Task: models.EpsilonSVR, Kernel: k, Machines: []models.Machine{{Rho: 0.25}}}
			for range n {
				m.Vectors.Append(draw(round%2 == 0))
				m.Machines[0].Coef = append(m.Machines[0].Coef, rng.NormFloat64())
			}
			if err := p.Use(m); err != nil {
				t.Fatal(err)
			}
			values := make([]float64, n)
			for i := range 40 {
				x := draw(false)
				switch i % 5 {
				case 1: // columns that no vector has, between the others and behind them
					x = vec.Vector{Index: []int32{1, 2, 3, 99}, Value: []float64{0.5, 0.5, 0.5, 0.5}}
				case 2:
					x = vec.Vector{Index: []int32{2, 5, 1000}, Value: []float64{0, 0.5, 0}}
				case 3:
					x.Value = slices.Clone(x.Value)
					if len(x.Value) > 0 {
						x.Value[0] = []float64{math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[i%4]
					}
				case 4:
					x = vec.Vector{}
				}
				k.EvaluateTo(values, x, &m.Vectors)
				want := 0.0
				for v, c := range m.Machines[0].Coef {
					want += float64(c * values[v])
				}
				want -= 0.25
				if got := p.Predict(x); math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%T, %d vectors, answer %d to %v: %v, want %v", k, n, i, x, got, want)
				}
			}
			p.Release()
		}
	}
}

// BenchmarkSingle measures answers for single rows: dense ones, half-filled ones, and sets.
func BenchmarkSingle(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name     string
		features int
		fill     float64
		value    func() float64
	}{{"dense", 20, 1, rng.NormFloat64}, {"half", 256, 0.5, rng.NormFloat64}, {"sets", 120, 0.2, func() float64 { return 1 }}} {
		draw := func() (v vec.Vector) {
			for j := range c.features {
				if rng.Float64() < c.fill {
					v.Index, v.Value = append(v.Index, int32(j+1)), append(v.Value, c.value())
				}
			}
			return v
		}
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.05}, kernel.Linear{}} {
			for _, n := range []int{20, 4000} {
				m := &models.Model{Task: models.EpsilonSVR, Kernel: k, Machines: []models.Machine{{}}}
				for range n {
					m.Vectors.Append(draw())
					m.Machines[0].Coef = append(m.Machines[0].Coef, rng.NormFloat64())
				}
				p, err := New(m)
				if err != nil {
					b.Fatal(err)
				}
				x := draw()
				b.Run(fmt.Sprintf("%s/%T/%d", c.name, k, n), func(b *testing.B) {
					for b.Loop() {
						p.Predict(x)
					}
				})
			}
		}
	}
}
