package cs_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
)

// many returns n rows of as many classes.
func many(n int) *format.Dataset {
	d := &format.Dataset{}
	for i := range n {
		d.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i % 7), float64(i % 5)}})
		d.Y = append(d.Y, float64(i))
	}
	return d
}

// TestCosts: costs that overflow are reported as such, and not as a fault of a row.
func TestCosts(t *testing.T) {
	x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 1}, Weights: []train.ClassWeight{{Label: 1, Weight: 1e308}}}
	if _, err := x.Train(context.Background(), many(4), nil); !errors.Is(err, cs.ErrCosts) {
		t.Error(err)
	}
	x.Weights[0].Weight = math.Inf(1)
	const want = "weight +Inf of class 1 is not a positive number"
	if _, err := x.Train(context.Background(), many(4), nil); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestNoVectors: a model without vectors is reported. In small data, the choice of the cost may
// lead to one.
func TestNoVectors(t *testing.T) {
	for _, rest := range []bool{true, false} {
		told := false
		x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.5}, OneVsRest: rest}
		x.Report = func(e train.Event) {
			if _, is := e.(train.NoVectors); is {
				told = true
			}
		}
		m, err := x.Train(context.Background(), many(12), nil)
		if err != nil {
			t.Fatal(err)
		}
		if none := m.Vectors.Len() == 0; none != rest || told != none {
			t.Errorf("against the rest %v: %d vectors, told: %v", rest, m.Vectors.Len(), told)
		}
	}
}

// TestTinyClasses: machines of one row of each class begin and end with the same rows, and each row
// is a vector only once.
func TestTinyClasses(t *testing.T) {
	x := cs.Trainer{Settings: cs.Default(), Kernel: kernel.RBF{Gamma: 0.5}}
	x.Nu = []float64{100}
	m, err := x.Train(context.Background(), many(12), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.Vectors.Len(); n < 2 || n > 12 {
		t.Errorf("%d vectors of 12 rows", n)
	}
}

// TestWeightedChoice: the cost that is chosen is the best by the costs of errors on held-out rows,
// and so is the run with which the next stage begins. By their number, the largest cost would be
// the best, because few rows are of the class whose errors cost most.
func TestWeightedChoice(t *testing.T) {
	for name, weigh := range map[string]func(p *train.Problem){
		"class": func(p *train.Problem) { p.Weight.Neg = train.Factors{30} },
		"rows": func(p *train.Problem) {
			for _, y := range p.Y {
				p.RowWeight = append(p.RowWeight, 15.5-14.5*y)
			}
		},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		p := &train.Problem{Kernel: kernel.RBF{Gamma: 0.5}}
		for i := range 930 {
			y, at := 1.0, 0.0
			if i%31 == 0 { // two bumps at the sides
				y, at = -1, 1.5*float64(i/31%2*2-1)
			}
			p.X.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{at + rng.NormFloat64(), rng.NormFloat64()}})
			p.Y = append(p.Y, y)
		}
		weigh(p)
		s := cs.Default()
		s.Runs, s.Sizes = 3, []int{300}
		stages, err := s.Run(t.Context(), []*train.Problem{p}, nil)
		if err != nil {
			t.Fatal(err)
		}
		count, cost := make([]float64, len(s.Grid)), make([]float64, len(s.Grid))
		for run := range s.Runs {
			task := &cs.Task{Run: run, Seed: s.Seed, Rows: 300, HeldOut: 150, Steps: s.Steps, Try: s.Grid}
			o, err := task.Do(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			for g, r := range o.Tried {
				if r.HeldOutWeight != 145+5*30 || r.OfWeight != 290+10*30 {
					t.Errorf("%s: %+v", name, r.Metrics)
				}
				count[g] += float64(r.HeldRight)
				cost[g] += r.HeldRightWeight
			}
		}
		most := func(right []float64) float64 { return s.Grid[slices.Index(right, slices.Max(right))] }
		if got := stages[0].Nu[0]; got != most(cost) || got == most(count) {
			t.Errorf("%s: cost %v is chosen, the best is %v, by number %v", name, got, most(cost), most(count))
		}
	}
}
