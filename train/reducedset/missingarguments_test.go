package reducedset

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestMissingArguments: an argument that the caller left out is named by an error.
func TestMissingArguments(t *testing.T) {
	x, classes, rng := new(vec.Matrix), [][]int{{0}, {1}}, rand.New(rand.NewPCG(1, 1))
	x.Append(vec.Vector{})
	x.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	trainer := train.OneVsOne{Kernel: kernel.Linear{}, Task: models.CSVC}
	if _, err := DefaultBasis(nil, 1).Vectors(t.Context(), x, classes, 1, rng); err == nil || err.Error() != "no trainer" {
		t.Error(err)
	}
	if _, err := DefaultBasis(trainer, 1).Vectors(t.Context(), nil, classes, 1, rng); err == nil || err.Error() != "no rows" {
		t.Error(err)
	}
	if _, err := DefaultBasis(trainer, 1).Vectors(t.Context(), x, classes, 1, nil); !errors.Is(err, train.ErrNoRand) {
		t.Error(err)
	}
	if _, err := CostsOf(t.Context(), nil, new(format.Dataset)); err == nil || err.Error() != "invalid model: no model" {
		t.Error(err)
	}
	m := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Labels: []int{1}, Group: []int{0}}
	if _, err := CostsOf(t.Context(), m, nil); err == nil || err.Error() != "no data set" {
		t.Error(err)
	}
}

// TestZeroSettings: the error for a Reducer that was not made by Default says what sets its fields.
func TestZeroSettings(t *testing.T) {
	for _, c := range []struct {
		r    Reducer
		want string
	}{
		{Reducer{}, "Method and Search are not set: Default sets them"},
		{Reducer{Vectors: 10}, "Method and Search are not set: Default sets them"},
		{Reducer{Vectors: 10, Method: Shared}, "Search is not set: Default sets it"},
	} {
		if err := c.r.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
