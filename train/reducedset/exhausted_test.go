package reducedset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// rings returns rows of two features, with a ring for each class; each row is repeated.
func rings(rows, classes, times int) *format.Dataset {
	rng := rand.New(rand.NewPCG(11, 1))
	d := new(format.Dataset)
	for i := range rows {
		angle, radius := 2*math.Pi*rng.Float64(), 1+float64(i%classes)+0.6*rng.NormFloat64()
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{radius * math.Cos(angle), radius * math.Sin(angle)}}
		for range times {
			d.Append(format.Instance{X: x, Y: float64(i % classes), Weight: 1})
		}
	}
	return d
}

// TestExhausted: if feature space has fewer dimensions than the number of vectors asked for, or if
// rows are repeated, every vector is useful: it has a coefficient that changes some value. No size
// is reported twice, except when fixed-point iteration has found so much that fewer vectors
// suffice.
func TestExhausted(t *testing.T) {
	for _, c := range []struct {
		name       string
		d          *format.Dataset
		k          kernel.Kernel
		dimensions int // of feature space; 0: without end
	}{
		{"two classes, degree 2", rings(200, 2, 1), kernel.Poly{Degree: 2, Gamma: 0.5, Coef0: 1}, 6},
		{"seven classes, degree 1", sectors(210, 7, 2), kernel.Poly{Degree: 1, Gamma: 1, Coef0: 1}, 3},
		{"homogeneous, degree 2", rings(200, 2, 1), kernel.Poly{Degree: 2, Gamma: 1}, 3},
		{"rows that repeat", rings(10, 2, 9), kernel.RBF{Gamma: 1}, 0},
		{"sigmoid, rows that repeat", rings(10, 2, 9), kernel.Sigmoid{Gamma: 0.01}, 10},
	} {
		parent := classifier(t, c.k, c.d)
		for _, method := range Methods {
			if _, sigmoid := c.k.(kernel.Sigmoid); sigmoid && method.searches() || parent.Vectors.Len() <= 20 && method.searches() {
				continue
			}
			if _, rbf := c.k.(kernel.RBF); !rbf && method == FixedPoints {
				continue
			}
			r := quick()
			r.Method, r.Vectors = method, 20
			if !method.searches() {
				r.Vectors = parent.Vectors.Len() - 1
			}
			var sizes []int
			r.Each = func(m *models.Model) error { sizes = append(sizes, m.Vectors.Len()); return nil }
			found := 0
			r.Found = func(int, int) { found++ }
			small, err := r.Reduce(t.Context(), parent, c.d)
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, method, err)
			}
			name := fmt.Sprintf("%s, %s, %d vectors of %d", c.name, method, small.Vectors.Len(), r.Vectors)
			if method.shares() && small.Vectors.Len() > c.dimensions && c.dimensions > 0 {
				t.Errorf("%s: feature space has %d dimensions", name, c.dimensions)
			}
			spare := method == FixedPoints && found > small.Vectors.Len()
			if spare && slices.IsSorted(sizes) || method.searches() && found != small.Vectors.Len() && !spare {
				t.Errorf("%s: %d were found", name, found)
			}
			if spare { // one smaller model, the last
				if was, is := errorsOn(t, parent, c.d), errorsOn(t, small, c.d); is != was {
					t.Errorf("%s: error %v, was %v", name, is, was)
				}
				sizes = append(sizes[:small.Vectors.Len()-1], sizes[len(sizes)-1])
			}
			if !slices.IsSorted(sizes) || len(slices.Compact(slices.Clone(sizes))) != len(sizes) || sizes[len(sizes)-1] != small.Vectors.Len() {
				t.Errorf("%s: sizes %d", name, sizes)
			}
			if method != Burges { // Burges moves the vectors afterwards
				useful(t, name, small, c.d)
			}
			if method == Shared || method == Retrain && len(parent.Machines) <= r.Vectors {
				if was, is := errorsOn(t, parent, c.d), errorsOn(t, small, c.d); math.Abs(is-was) > 0.02 {
					t.Errorf("%s: error %v, was %v", name, is, was)
				}
			}
		}
	}
}

// useful fails unless each vector changes some machine's value of some row.
func useful(t *testing.T, name string, m *models.Model, d *format.Dataset) {
	t.Helper()
	most := make([]float64, m.Vectors.Len())
	k := make([]float64, m.Vectors.Len())
	for i := range d.Len() {
		m.Kernel.EvaluateTo(k, d.X.Row(i), &m.Vectors)
		for l := range m.Machines {
			for j, b := range m.Machines[l].Coef {
				most[j] = max(most[j], math.Abs(b*k[j]))
			}
		}
	}
	for j, v := range most {
		if v < 1e-7 {
			t.Errorf("%s: vector %d changes no value by more than %v", name, j, v)
		}
	}
}

// TestRowsThatRepeat: a row that is already taken is replaced by another.
func TestRowsThatRepeat(t *testing.T) {
	d := rings(10, 2, 9)
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Sigmoid{Gamma: 0.01}} {
		r := quick()
		r.Method, r.Vectors = Random, 8
		small, err := r.Reduce(t.Context(), classifier(t, k, d), d)
		if err != nil || small.Vectors.Len() != 8 {
			t.Errorf("%s: %v, %d vectors, expected 8", kernel.Name(k), err, small.Vectors.Len())
		}
	}
}

// TestStreams: every search has a random stream of its own, also where a machine has no vectors, so
// that the first step finds fewer than there are machines.
func TestStreams(t *testing.T) {
	d := waveform(t, 1)
	parent := oneVsRest(t, kernel.RBF{Gamma: 1.0 / 32}, d)
	parent.Machines[1].Index, parent.Machines[1].Coef = []int32{}, nil
	r := quick()
	s, err := newState(t.Context(), &r, parent, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.first(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.zs.Len() != 2 || s.searches != 3 {
		t.Errorf("%d vectors after %d searches, expected 2 of 3", s.zs.Len(), s.searches)
	}
	if ok, err := s.extend(t.Context(), 0); !ok || err != nil || s.searches != 4 {
		t.Errorf("%v, %v; %d searches, expected 4", ok, err, s.searches)
	}
}
