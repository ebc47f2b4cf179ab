package overflow

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestRow: a row in whose sums infinities of both signs meet has no answer, others have one, be their values huge.
func TestRow(t *testing.T) {
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1e10, -1e10}})
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	row := New(p, "m")
	for _, c := range []struct {
		x, y float64
		want string
	}{
		{1, 1, ""}, {1e290, 0, ""}, {1e300, 0, ""}, {-1e300, 1e300, ""}, {1e290, 1e290, ""},
		{1e300, 1e300, "the value of m is not a number: kernel values overflow"},
	} {
		got := ""
		if err := row.Row(vec.Vector{Index: []int32{1, 2}, Value: []float64{c.x, c.y}}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
	}
}

// TestModels: models that files can contain and that training never makes, such as those with a gamma below 0, have no
// answer for rows of moderate values either, nor for rows without any.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		kernel kernel.Kernel
		coef   [2]float64
		rho    float64
		vector float64 // the first one is this, the other minus this
		row    []float64
		nan    bool
	}{
		{kernel.RBF{Gamma: -1}, [2]float64{1, -1}, 0, 1, []float64{1}, false},
		{kernel.RBF{Gamma: -1}, [2]float64{1, -1}, 0, 1, []float64{24}, false},
		{kernel.RBF{Gamma: -1}, [2]float64{1, -1}, 0, 1, []float64{26}, false}, // one infinity
		{kernel.RBF{Gamma: -1}, [2]float64{1, -1}, 0, 1, []float64{30}, true},
		{kernel.RBF{Gamma: -1}, [2]float64{1, -1}, 0, 30, nil, true},
		{kernel.RBF{Gamma: -1e155}, [2]float64{1, -1}, 0, 1, nil, true},
		{kernel.RBF{Gamma: -1e-300}, [2]float64{1, -1}, 0, 1, []float64{1e153}, true},
		{kernel.RBF{Gamma: -1e-300}, [2]float64{1, -1}, 0, 1, []float64{1e150}, false},
		{kernel.RBF{Gamma: 0}, [2]float64{1, -1}, 0, 1, []float64{1e200}, true}, // 0 times an infinite distance
		{kernel.RBF{Gamma: 1}, [2]float64{1, -1}, 0, 1, []float64{1e200}, false},
		{kernel.RBF{Gamma: 1}, [2]float64{1.7e308, 1.7e308}, math.Inf(1), 0, nil, true},
		{kernel.Poly{Degree: 3, Gamma: 1, Coef0: 1e200}, [2]float64{1, -1}, 0, 1, nil, true},
		{kernel.Sigmoid{Gamma: 1, Coef0: 50}, [2]float64{1.7e308, 1.7e308}, math.Inf(1), 1, []float64{1}, true},
	} {
		m := &models.Model{Task: models.EpsilonSVR, Kernel: c.kernel, Machines: []models.Machine{{Coef: c.coef[:], Rho: c.rho}}}
		m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{c.vector}})
		m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{-c.vector}})
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		row := New(p, "m")
		x := vec.Vector{Value: c.row}
		for i := range c.row {
			x.Index = append(x.Index, int32(i+1))
		}
		value := []float64{0}
		p.Decisions(value, x)
		if math.IsNaN(value[0]) != c.nan {
			t.Errorf("%v: the value of %v is %v", c.kernel, c.row, value[0])
		}
		if err := row.Row(x); (err != nil) != c.nan {
			t.Errorf("%v: %v: %v", c.kernel, c.row, err)
		}
	}
}
