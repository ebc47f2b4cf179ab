package rsvm

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestCentres: the centres of groups of rows become vectors, as many for a rare class as for the
// others.
func TestCentres(t *testing.T) {
	d := &format.Dataset{}
	add := func(x, y float64, rows int) {
		for i := range rows { // symmetric about x
			off := 0.01 * float64(i%5-2)
			d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{x + off}}, Y: y, Weight: 1})
		}
	}
	add(1, 1, 500)
	add(3, 1, 500)
	add(2, 2, 10)
	add(4, 2, 10)
	o := testOptions()
	o.Set = Random{Vectors: 4, Even: true, Centres: true}
	m, err := Classifier{Options: o}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Group[0] != 2 || m.Group[1] != 2 || m.Origin != nil {
		t.Fatalf("vectors of classes %v, rows %v", m.Group, m.Origin)
	}
	for k, near := range map[int][2]float64{0: {1, 3}, 2: {2, 4}} {
		a, b := m.Vectors.Row(k).At(1), m.Vectors.Row(k+1).At(1)
		if min(a, b) < near[0]-0.005 || min(a, b) > near[0]+0.005 || max(a, b) < near[1]-0.005 || max(a, b) > near[1]+0.005 {
			t.Errorf("vectors %v and %v, want centres near %v", a, b, near)
		}
	}
}

// TestCentresOverflow: the sum of finite rows may not be finite.
func TestCentresOverflow(t *testing.T) {
	d := &format.Dataset{}
	for i := range 12 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{math.MaxFloat64}}, Y: float64(i % 2), Weight: 1})
	}
	o := testOptions()
	o.Kernel, o.Set = kernel.Sigmoid{Gamma: 1}, Random{Vectors: 2, Centres: true}
	if m, err := (Classifier{Options: o}).Train(context.Background(), d, nil); !errors.Is(err, train.ErrOverflow) || !strings.Contains(err.Error(), "centre 1: feature 1 is ") {
		t.Errorf("error %v, model %v", err, m)
	}
}

func TestCentresNeedFeatures(t *testing.T) {
	o := testOptions()
	o.Kernel, o.Set = kernel.Precomputed{}, Random{Vectors: 4, Centres: true}
	if err := o.Validate(); err == nil || !strings.Contains(err.Error(), "the vectors have to be rows") {
		t.Error(err)
	}
}
