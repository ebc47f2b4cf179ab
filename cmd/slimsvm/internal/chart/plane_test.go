package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestMemberSegments: of machines with several hyperplanes those that are for the machine's own
// class are drawn, in its colour.
func TestMemberSegments(t *testing.T) {
	rows := &format.Dataset{}
	for _, v := range [][]float64{{0, 5}, {4, 7}} {
		rows.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: v}, Y: 1, Weight: 1})
	}
	m := models.NewEnsemble([]int{1, 2, 3}, 0, models.ByCount)
	plane := func(rho float64) models.Plane {
		return models.Plane{W: vec.Vector{Index: []int32{1}, Value: []float64{1}}, Rho: rho}
	}
	m.AddMember([]int{2, 0, 1}, []models.Plane{plane(1), plane(2), plane(3)})
	m.AddMember([]int{0, 1}, []models.Plane{plane(1.5)})
	m.AddMember([]int{1, 2, 0}, []models.Plane{plane(1), plane(2), plane(3)})
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDrawing(p, nil, rows, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	var classes []int
	for _, s := range d.segments() {
		classes = append(classes, s.class)
	}
	if want := []int{2, 2, 0, 1, 1}; !slices.Equal(classes, want) {
		t.Errorf("lines of the classes %v, want %v", classes, want)
	}
}

// TestSegments: along a machine's line its value is 0, and each line ends at the border.
func TestSegments(t *testing.T) {
	rows := &format.Dataset{}
	for _, v := range [][]float64{{0, 5, 1}, {4, 7, -1}, {2, 6, 3}} {
		rows.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2, 3}, Value: v}, Y: 1, Weight: 1})
	}
	m := models.NewEnsemble([]int{1, 2}, 0, models.ByCount)
	for _, w := range [][]float64{{1, 0, 1}, {0, 1, 0}, {1, -1, 0.5}, {-2, 0.1, 1}, {0.1, 3, 1}, {1, 1, 0}} {
		x := vec.Vector{Index: []int32{1, 2, 3}, Value: w}
		rho := w[0]*2.1 + w[1]*6.2 + w[2] // through the picture, where feature 3 is at its mean 1
		m.AddMachine(1, x, rho, nil)
	}
	m.AddMachine(0, vec.Vector{Index: []int32{1}, Value: []float64{1}}, 100, nil) // far outside
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDrawing(p, nil, rows, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	all := d.segments()
	if len(all) != 6 {
		t.Fatalf("%d lines, want 6", len(all))
	}
	values := make([]float64, len(m.Machines))
	for i, s := range all {
		for _, share := range []float64{0, 0.3, 1} {
			p.Decisions(values, d.at(s.x0+share*(s.x1-s.x0), s.y0+share*(s.y1-s.y0)))
			if !(math.Abs(values[i]) <= 1e-9) {
				t.Errorf("line %d: value %v", i, values[i])
			}
		}
		for _, end := range [][2]float64{{s.x0, s.y0}, {s.x1, s.y1}} {
			if min(end[0], end[1], drawingSide-end[0], drawingSide-end[1]) != 0 {
				t.Errorf("line %d ends at %v", i, end)
			}
		}
		if math.Hypot(s.x1-s.x0, s.y1-s.y0) < 1 {
			t.Errorf("line %d is a point", i)
		}
	}
}

// TestPlane: what the features that are not drawn contribute is summed up once for the picture, whatever the
// kernel, with the same answers.
func TestPlane(t *testing.T) {
	const features = 300
	rng := rand.New(rand.NewPCG(1, 1))
	random := func() (v vec.Vector) {
		for f := range int32(features) {
			if rng.Float64() < 0.7 {
				v.Index, v.Value = append(v.Index, f+1), append(v.Value, rng.NormFloat64())
			}
		}
		return v
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 1.0 / features}, kernel.Poly{Gamma: 1.0 / features, Coef0: 1, Degree: 3}, kernel.Sigmoid{Gamma: 1.0 / features, Coef0: 0.5}} {
		rows := &format.Dataset{}
		m := &models.Model{Kernel: k, Vote: models.OneVsRest, Labels: []int{4, 5, 6}}
		for range 20 {
			rows.Append(format.Instance{X: random(), Y: 4, Weight: 1})
			m.Vectors.Append(random())
		}
		for c := range m.Labels {
			one := models.Machine{Pos: c, Neg: models.Rest}
			for range m.Vectors.Len() {
				one.Coef = append(one.Coef, rng.NormFloat64())
			}
			m.Machines = append(m.Machines, one)
		}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDrawing(p, nil, rows, []int32{7, 3})
		if err != nil {
			t.Fatal(err)
		}
		if d.plane == nil {
			t.Fatalf("%T: all features are looked at in each cell", k)
		}
		zs := &d.plane.Model().Vectors
		for i := range zs.Len() {
			if n := len(zs.Row(i).Index); n != 3 {
				t.Fatalf("%T: a vector has %d features", k, n)
			}
		}
		got, want := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
		for y := 0; y < drawingSide; y += 25 * drawingStep {
			places := d.answers(t.Context(), y)
			if len(places) != drawingSide/drawingStep {
				t.Fatalf("%d cells in a line", len(places))
			}
			for n, place := range places {
				v := d.at(float64(n*drawingStep)+drawingStep/2, float64(y)+drawingStep/2)
				p.Decisions(want, v)
				d.plane.Decisions(got, planar(v.At(7), v.At(3), d.third))
				for l := range want {
					if !(math.Abs(got[l]-want[l]) <= 1e-9*(1+math.Abs(want[l]))) {
						t.Fatalf("%T: value %v in cell %d at %v, want %v", k, got[l], n, y, want[l])
					}
				}
				if want := slices.Index(m.Labels, int(p.Predict(v))); place != want {
					t.Fatalf("%T: answer %v in cell %d at %v, want %v", k, place, n, y, want)
				}
			}
		}
	}
}
