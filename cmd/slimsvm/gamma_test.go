package main

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestGammaWidest: a feature 0 beside the last that there is makes 2^31, which are counted where an int has 32 bits, too.
// There --gamma auto was the default, and --gamma scale of a model of its own.
func TestGammaWidest(t *testing.T) {
	d := new(format.Dataset)
	d.Append(format.Instance{X: vec.Vector{Index: []int32{0, math.MaxInt32}, Value: []float64{1, 1}}, Y: 1, Weight: 1})
	d.Append(format.Instance{X: vec.Vector{Index: []int32{0}, Value: []float64{2}}, Y: -1, Weight: 1})
	rows := instancesOf(t.Context(), d)
	v, err := tallyOf(rows, math.MaxInt32)
	if err != nil || v.features != 1<<31 || v.n != 1<<32 {
		t.Fatalf("%+v, %v", v, err)
	}
	mean := 4.0 / (1 << 32)
	if gamma, err := v.gamma(rows); err != nil || math.Abs(gamma-1/(6.0/2-4*mean/2)) > 1e-15 {
		t.Errorf("gamma %v, %v", gamma, err)
	}
}
