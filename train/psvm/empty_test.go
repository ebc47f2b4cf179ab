package psvm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

// halves returns rows of a square of the given size, of two classes on the sides of its diagonal.
func halves(n int, size float64) *format.Dataset {
	r := rand.New(rand.NewPCG(1, 1))
	d := new(format.Dataset)
	for range n {
		a, b := r.Float64(), r.Float64()
		y := 0.0
		if a+b > 1 {
			y = 1
		}
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: []float64{a * size, b * size}}, Y: y, Weight: 1})
	}
	return d
}

// TestEmpty: an ensemble without members, which results if all machines abstain on all rows, is not
// the result if there was one with members, even if its answers on held-out rows are as good, or
// not known. If no member is left in the end, that is reported.
func TestEmpty(t *testing.T) {
	for _, c := range []struct {
		size, share float64
		form        Form
		unpruned    bool
		empty       bool
	}{
		{1, 0, Others, false, false},
		{1, 0, Own, true, false},
		{1, 0.25, Own, false, false},
		{1e-8, 0.25, Own, true, false},
		{1e-8, 0, Others, true, false},
		{1e-8, 0.25, Own, false, true}, // one class answers as many rows as no members
	} {
		var last train.IterationDone
		told := 0
		s := Default()
		s.EqualCosts, s.Validation, s.Form, s.Unpruned = true, c.share, c.form, c.unpruned
		s.Report = func(e train.Event) {
			switch e := e.(type) {
			case train.IterationDone:
				last = e
			case train.NoVectors:
				told++
			}
		}
		m, err := s.Train(t.Context(), halves(200, c.size), nil)
		if err != nil {
			t.Fatal(err)
		}
		if last.Machines != 0 || last.Iteration == 0 {
			t.Errorf("%+v: the last iteration is %+v, expected one without machines", c, last)
		}
		if empty := m.CountMembers() == 0; empty != c.empty || (told == 1) != empty {
			t.Errorf("%+v: %d members, reported %d times that there are none", c, m.CountMembers(), told)
		}
	}
	one := halves(20, 1)
	one.Y = slices.Repeat([]float64{1}, 20)
	s := Default()
	s.Report = func(e train.Event) {
		if _, is := e.(train.NoVectors); is {
			t.Error("of one class there is no machine to miss")
		}
	}
	if _, err := s.Train(t.Context(), one, nil); err != nil {
		t.Error(err)
	}
}

// TestRoom: the number of distances within a large class does not overflow, also if an int has 32
// bits.
func TestRoom(t *testing.T) {
	if got := pairsWithin(map[int][]int{1: make([]int, 3), 2: make([]int, 65537), 4: nil}); got != 3+65537*65536/2 {
		t.Errorf("%v pairs", got)
	}
}

// TestZeroSettings: the error for a zero Trainer says what sets its fields.
func TestZeroSettings(t *testing.T) {
	err := Trainer{}.Validate()
	if want := "Negatives and FirstShare are 0: Default sets them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
