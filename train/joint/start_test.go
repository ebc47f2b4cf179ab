package joint

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// fixed is a basis of the same vectors whatever is asked for.
type fixed struct{ zs vec.Matrix }

func (fixed) Name() string { return "fixed" }

func (f fixed) Vectors(context.Context, *vec.Matrix, [][]int, int, *rand.Rand) (vec.Matrix, error) {
	return f.zs, nil
}

// TestOddStarts: given vectors have features numbered as in the data, also if Given is passed by
// pointer. Bases that propose what they were not asked for are an error.
func TestOddStarts(t *testing.T) {
	number := func(features ...int32) vec.Vector {
		v := vec.Vector{Index: features, Value: make([]float64, len(features))}
		for k := range v.Value {
			v.Value[k] = float64(k + 1)
		}
		return v
	}
	matrix := func(vs ...vec.Vector) (m vec.Matrix) {
		for _, v := range vs {
			m.Append(v)
		}
		return m
	}
	d := new(format.Dataset)
	for i := range 20 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{5, 900}, Value: []float64{float64(i), float64(i % 3)}}, Y: float64(i % 2), Weight: 1})
	}
	zs := matrix(number(5, 900), number(5, 17, 1000))
	for _, c := range []struct {
		name   string
		start  Basis
		vector vec.Vector
		fault  string
	}{
		{"value", Given{"here", zs}, number(5, 900), ""},
		{"pointer", &Given{"here", zs}, number(5, 900), ""},
		{"basis", fixed{matrix(number(1, 2))}, number(5, 900), ""},
		{"none", nil, vec.Vector{}, "start 1 is none"},
		{"no pointer", (*Given)(nil), vec.Vector{}, "start 1 is none"},
		{"original numbers", fixed{zs}, vec.Vector{}, "start fixed: feature 5 of vector 1, expected one from 1 to 2"},
		{"index 0", fixed{matrix(number(1), number(0))}, vec.Vector{}, "start fixed: feature 0 of vector 2, expected one from 1 to 2"},
		{"no vector", Given{"here", matrix(number(5), number(900, 5))}, vec.Vector{}, "start here: vector 2: index 5 follows index 900: indices must increase"},
		{"no number", fixed{matrix(vec.Vector{Index: []int32{2}, Value: []float64{math.NaN()}})}, vec.Vector{}, "start fixed: vector 1: feature 2 is NaN, expected a finite number"},
		{"too many", fixed{matrix(number(1), number(2), number(1))}, vec.Vector{}, "start fixed: 3 vectors, expected at most 2"},
	} {
		s := Default()
		s.Vectors, s.Evaluations, s.HeldOut, s.Starts = 2, 0, 0, []Basis{c.start}
		m, err := s.Train(t.Context(), d, train.NewRand(1))
		switch {
		case err != nil || c.fault != "":
			if err == nil || !strings.Contains(err.Error(), c.fault) || c.fault == "" {
				t.Errorf("%s: error %v, want %s", c.name, err, c.fault)
			}
		case vec.SquaredDistance(m.Vectors.Row(0), c.vector) != 0:
			t.Errorf("%s: vector %v, want %v", c.name, m.Vectors.Row(0), c.vector)
		}
	}
}
