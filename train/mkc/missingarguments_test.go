package mkc

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestNoVectors: if no vector is worth its cost, as for a class between two others, rounding leaves
// none either: the model has no vectors, counts none, and this is reported.
func TestNoVectors(t *testing.T) {
	none := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var three, two format.Dataset
		for i := range 30 {
			x := vec.Vector{Index: []int32{1}, Value: []float64{rng.NormFloat64() + float64(i%3)}}
			three.Append(format.Instance{X: x, Y: float64(i % 3), Weight: 1})
			two.Append(format.Instance{X: x, Y: float64(i % 3 % 2), Weight: 1})
		}
		for _, mu := range []float64{0, 1} {
			for _, d := range []*format.Dataset{&three, &two} {
				vectors, told := 0, false
				s := Default()
				s.Mu, s.Report = mu, func(e train.Event) {
					switch e := e.(type) {
					case train.Minimised:
						vectors += e.Vectors
					case train.NoVectors:
						told = true
					}
				}
				m, err := Trainer{Solver: s, Kernel: kernel.RBF{Gamma: 0.2}}.Train(t.Context(), d, nil)
				if err != nil {
					t.Fatal(err)
				}
				count := 0
				for k, c := range m.Machines {
					for _, v := range c.Coef {
						if v != 0 {
							count++
						}
						if v != 0 && math.Abs(v) < 1e-9 { // no kernel value is above 1
							t.Errorf("seed %d, mu %v: machine %d has a coefficient %v", seed, mu, k, v)
						}
					}
				}
				if count != vectors || told != (m.Vectors.Len() == 0) {
					t.Errorf("seed %d, mu %v: %d coefficients, reported %d; %d vectors, reported that there are none: %v", seed, mu, count, vectors, m.Vectors.Len(), told)
				}
				if told {
					none++
				}
			}
		}
	}
	if none == 0 {
		t.Error("every model has vectors: the test tells nothing")
	}
}

// TestProvenance: a model has the sums over its machines, shares rounded once, and no settings that
// have no effect.
func TestProvenance(t *testing.T) {
	machines := []train.Minimised{
		{Rows: 5, Vectors: 3, Programmes: 2, Of: 21, LeaveOneOutRows: []int{0, 3}},
		{Rows: 7, Vectors: 4, Programmes: 6, Of: 21, LeaveOneOutRows: []int{3, 15}},
	}
	for _, c := range []struct {
		mu   float64
		want models.Provenance
	}{
		{0, models.Provenance{Method: "lp1", Parameters: []models.Parameter{{Name: "nu", Value: "10"}}}},
		{0.5, models.Provenance{Method: "mkc", Parameters: []models.Parameter{
			{Name: "nu", Value: "10"}, {Name: "mu", Value: "0.5"}, {Name: "alpha", Value: "5"}}}},
	} {
		s := Default()
		s.Mu, s.Seed, c.want.Seed = c.mu, 7, 7
		if p := s.provenance(nil); !reflect.DeepEqual(*p, c.want) {
			t.Errorf("mu %v, no machines: %+v, want %+v", c.mu, *p, c.want)
		}
		c.want.Parameters = append(c.want.Parameters, []models.Parameter{
			{Name: "m1", Value: "12"}, {Name: "m2", Value: "7"}, {Name: "programmes", Value: "8"},
			{Name: "loo_correct", Value: "0.8571428571428571"}, {Name: "loo_error", Value: "0.14285714285714285"}}...)
		if p := s.provenance(machines); !reflect.DeepEqual(*p, c.want) {
			t.Errorf("mu %v: %+v, want %+v", c.mu, *p, c.want)
		}
	}
}

// TestRowsOfData: reported rows have their numbers in the data set, in whatever order a problem has
// them. Costs of 0 are reported, with whether the weight of a class or of a row causes them.
func TestRowsOfData(t *testing.T) {
	p := &train.Problem{Kernel: kernel.RBF{Gamma: 1}, Y: []float64{1, 1, -1, -1, 1}}
	for i := range p.Y {
		p.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
	}
	s := Default()
	tell := func(rows []int) (leaveOneOut []int, solved int) {
		p.Rows = rows
		s.Report = func(e train.Event) {
			switch e := e.(type) {
			case train.Minimised:
				leaveOneOut = e.LeaveOneOutRows
			case train.Solved:
				solved++
			}
		}
		if _, err := s.Classify(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		return leaveOneOut, solved
	}
	own, solved := tell(nil)
	of := []int{14, 3, 15, 9, 2}
	want := make([]int, len(own))
	for k, i := range own {
		want[k] = of[i]
	}
	if got, _ := tell(of); len(own) == 0 || solved != 1 || !slices.Equal(got, want) {
		t.Errorf("rows %v of the problem, told %v, want %v; %d machines are reported as found, want 1", own, got, want, solved)
	}
	for name, change := range map[string]func(p *train.Problem){
		"class": func(p *train.Problem) { p.Weight.Neg = train.Factors{1e-200, 1e-200} },
		"row":   func(p *train.Problem) { p.RowWeight = []float64{1, 1, 0, 1, 1} },
	} {
		faulty := *p
		change(&faulty)
		if _, err := s.Classify(t.Context(), &faulty); !errors.Is(err, train.ErrCost) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoProblem: an argument that the caller left out is named by an error.
func TestNoProblem(t *testing.T) {
	for _, c := range []struct {
		p    *train.Problem
		want string
	}{{nil, "no problem"}, {&train.Problem{Y: []float64{1, -1}}, "no kernel"}} {
		if _, err := Default().Classify(t.Context(), c.p); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if _, err := Default().Solve(t.Context(), c.p); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestZeroSettings: the error for a zero Solver says what sets its fields.
func TestZeroSettings(t *testing.T) {
	err := Solver{}.Validate()
	if want := "Programmes and MatrixMB are 0: Default sets them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
