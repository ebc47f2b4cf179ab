package joint

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
	"github.com/slimsvm/slimsvm/train"
)

// wide returns rows with many more features than rows. Their labels or targets are 0, 1 and 2.
func wide(rows, features int, share float64) *format.Dataset {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(features)))
	d := new(format.Dataset)
	for i := range rows {
		row := format.Instance{Y: float64(i % 3), Weight: 1}
		for f := range features {
			if f < 12 || r.Float64() < share {
				v := r.NormFloat64() / 4
				if f < 12 {
					v += float64((f + i) % 3)
				}
				row.X.Index, row.X.Value = append(row.X.Index, int32(7*f+1)), append(row.X.Value, v)
			}
		}
		d.Append(row)
	}
	return d
}

// withoutSpan calls f while features are used for all data.
func withoutSpan(f func()) {
	before := mostSpanned
	defer func() { mostSpanned = before }()
	mostSpanned = 0
	f()
}

// searchOf returns the search of a trainer, with its rows.
func searchOf(t *testing.T, of Trainer, d *format.Dataset) *search {
	t.Helper()
	s := &search{Trainer: of, d: d, seed: 1}
	for _, err := range []error{s.join(), s.compact(t.Context()), s.targets()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// valueOf returns the objective of a model, by the features of all rows.
func valueOf(t *testing.T, of Trainer, d *format.Dataset, m *models.Model, c *candidate) float64 {
	t.Helper()
	var s *search
	withoutSpan(func() { s = searchOf(t, of, d) })
	if s.span != nil {
		t.Fatal("a span is used")
	}
	p := point{rho: slices.Clone(c.rho), b: slices.Clone(c.b), width: c.width}
	for j := range m.Vectors.Len() {
		z := vec.Renumbered(m.Vectors.Row(j), s.features)
		dense := make([]float64, s.inputs)
		for k, f := range z.Index {
			dense[f-1] = z.Value[k]
		}
		p.z = append(p.z, dense...)
	}
	o := s.objective(c, newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight))
	return math.Ldexp(o.value(t.Context(), &p, gradientOf(&p)), s.shift)
}

// TestSpan: if there are many more features than rows, the objective of a model by features is that
// by coordinates, and vectors that do not move keep their bits.
func TestSpan(t *testing.T) {
	outside := vec.Matrix{}
	outside.Append(vec.Vector{Index: []int32{1, 8, 3000}, Value: []float64{2, -1, 9}})
	outside.Append(vec.Vector{Index: []int32{1, 71}, Value: []float64{-1, 3}})
	for _, share := range []float64{1, 0.05} {
		d := wide(45, 400, share)
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.02}, kernel.Linear{}, kernel.Poly{Degree: 2, Gamma: 0.05, Coef0: 1}, kernel.Sigmoid{Gamma: 0.01}} {
			for _, task := range []models.Task{models.CSVC, models.EpsilonSVR} {
				for _, start := range []Basis{KMeans{}, RandomRows{}, Given{"given", outside}, &Given{"given", outside}} {
					t.Run(fmt.Sprintf("%v/%T/%v/%T", share, k, task, start), func(t *testing.T) {
						of := Default()
						of.Kernel, of.Task, of.Starts, of.Vectors, of.HeldOut, of.Evaluations = k, task, []Basis{start}, 5, 0, 40
						for _, evaluations := range []int{40, 0} {
							of.Evaluations = evaluations
							s := searchOf(t, of, d)
							if s.span == nil || s.inputs > 45+2 {
								t.Fatalf("%d columns, span %v", s.inputs, s.span)
							}
							c, err := s.run(t.Context())
							if err != nil {
								t.Fatal(err)
							}
							m := s.model(c)
							if moved := !slices.Equal(c.z, c.begun); moved != (evaluations > 0) {
								t.Errorf("vectors have moved: %v", moved)
							}
							if got := valueOf(t, of, d, m, c); !(math.Abs(got-c.value) <= 1e-6*c.value) {
								t.Errorf("objective %v by features, %v by coordinates", got, c.value)
							}
						}
						stay := func() *models.Model {
							m, err := of.Train(t.Context(), d, train.NewRand(1))
							if err != nil {
								t.Fatal(err)
							}
							return m
						}
						by, want := stay(), (*models.Model)(nil)
						withoutSpan(func() { want = stay() })
						for j := range want.Vectors.Len() {
							a, b := by.Vectors.Row(j), want.Vectors.Row(j)
							if !slices.Equal(a.Index, b.Index) || !slices.Equal(bits(a.Value), bits(b.Value)) {
								t.Fatalf("vector %d that stays is another one", j)
							}
						}
					})
				}
			}
		}
	}
}

// TestNoSpan: features are used if coordinates do not pay or lose too much.
func TestNoSpan(t *testing.T) {
	for name, f := range map[string]func(of *Trainer, d *format.Dataset) *format.Dataset{
		"few features": func(_ *Trainer, d *format.Dataset) *format.Dataset { return wide(45, 85, 1) },
		"far from 0": func(_ *Trainer, d *format.Dataset) *format.Dataset {
			all := new(format.Dataset)
			for i := range d.Len() {
				x := d.X.Row(i).Clone()
				for k := range x.Value {
					x.Value[k] += 1e4
				}
				all.Append(format.Instance{Y: d.Y[i], X: x, Weight: 1})
			}
			return all
		},
		"a basis of others": func(of *Trainer, d *format.Dataset) *format.Dataset {
			of.Starts = []Basis{KMeans{}, otherBasis{}}
			return d
		},
	} {
		of := Default()
		of.Kernel = kernel.RBF{Gamma: 0.02}
		d := f(&of, wide(45, 400, 1))
		if s := searchOf(t, of, d); s.span != nil || s.x != &s.d.X {
			t.Errorf("%s: a span of %d dimensions", name, s.inputs)
		}
	}
	zero := new(format.Dataset)
	for i := range 3 {
		var x vec.Vector
		for f := range 200 {
			x.Index, x.Value = append(x.Index, int32(f+1)), append(x.Value, 0)
		}
		zero.Append(format.Instance{Y: float64(i % 2), X: x, Weight: 1})
	}
	if m, err := Default().Train(t.Context(), zero, train.NewRand(1)); err != nil || m.Vectors.Len() == 0 {
		t.Errorf("rows of zeros: %v, %v", m, err)
	}
}

type otherBasis struct{ RandomRows }
