package train

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func TestGroupClasses(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want string
	}{
		{[]float64{3, 1, 3, 2}, "[3 1 2] [[0 2] [1] [3]]"},
		{[]float64{-1, 1, -1}, "[1 -1] [[1] [0 2]]"},
		{[]float64{1, -1}, "[1 -1] [[0] [1]]"},
		{[]float64{-1, 1, 0}, "[-1 1 0] [[0] [1] [2]]"},
		{[]float64{0, 1}, "[0 1] [[0] [1]]"},
		{[]float64{1.9, -0.5, 1.2}, "[1 0] [[0 2] [1]]"},
	} {
		g, err := GroupClasses(c.y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(g.Labels, g.Rows); got != c.want {
			t.Errorf("%v: %s, want %s", c.y, got, c.want)
		}
	}
}

// TestLabels: labels are truncated to 32-bit integers; others are refused, with their row.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		y     float64
		label int
		err   string
	}{
		{2147483647, 2147483647, ""},
		{2147483647.9, 2147483647, ""},
		{2147483648, 0, "row 2: label 2.147483648e+09 is no 32-bit integer"},
		{-2147483648, -2147483648, ""},
		{-2147483648.9, -2147483648, ""},
		{-2147483649, 0, "row 2: label -2.147483649e+09 is no 32-bit integer"},
		{-0.9, 0, ""},
		{math.Copysign(0, -1), 0, ""},
		{math.NaN(), 0, "row 2: label NaN is no 32-bit integer"},
		{math.Inf(1), 0, "row 2: label +Inf is no 32-bit integer"},
		{math.Inf(-1), 0, "row 2: label -Inf is no 32-bit integer"},
	} {
		g, err := GroupClasses([]float64{5, c.y}, nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if row := (*RowError)(nil); err != nil && (!errors.As(err, &row) || row.Row != 1) {
			t.Errorf("label %v: %v is no error of row 2", c.y, err)
		}
		if got != c.err || err == nil && g.Labels[1] != c.label {
			t.Errorf("label %v: %v, %v; want %d, %q", c.y, g, err, c.label, c.err)
		}
	}
}

// TestLabelsMerged: different labels that become one by truncation are reported, once.
func TestLabelsMerged(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want []Event
	}{
		{[]float64{1, 2, 1, 2}, nil},
		{[]float64{1.5, 2, 1.5}, nil},
		{[]float64{1.5, 2, 1.2, 2.5, 1}, []Event{LabelsMerged{1.5, 1.2}}},
		{[]float64{0.5, -0.5}, []Event{LabelsMerged{0.5, -0.5}}},
	} {
		var events []Event
		if _, err := GroupClasses(c.y, func(e Event) { events = append(events, e) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(events, c.want) {
			t.Errorf("%v: %v, want %v", c.y, events, c.want)
		}
	}
}

// TestManyClasses: a warning is given for labels that look like numbers, and they are refused if
// there are thousands and most occur once, or tens of thousands.
func TestManyClasses(t *testing.T) {
	for _, c := range []struct {
		classes, each int
		warned        bool
		refused       bool
	}{
		{100, 1, false, false},
		{101, 1, true, false},
		{101, 9, true, false},
		{101, 10, false, false},
		{3000, 1, true, false},
		{3001, 1, false, true},
		{3001, 2, true, false},
		{10000, 9, true, false},
		{10001, 9, false, true},
		{10001, 10, false, false},
	} {
		var y []float64
		for i := range c.classes * c.each {
			y = append(y, float64(i%c.classes))
		}
		g, err := GroupClasses(y, nil)
		if err != nil {
			t.Fatal(err)
		}
		warned := false
		err = g.Check(func(e Event) { _, warned = e.(ManyClasses) })
		if warned != c.warned || (err != nil) != c.refused {
			t.Errorf("%d classes of %d rows: warned %v, error %v", c.classes, c.each, warned, err)
		}
	}
}

// TestManyClassesOfFolds: a cross-validation gives this warning for all rows, but not for its
// folds, which have fewer.
func TestManyClassesOfFolds(t *testing.T) {
	for _, c := range []struct{ each, warnings int }{{10, 0}, {5, 1}} {
		d := new(format.Dataset)
		for i := range 101 * c.each {
			d.Append(format.Instance{Y: float64(i % 101), Weight: 1, X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i % 101)}}})
		}
		var events []Event
		report := func(e Event) {
			if e, ok := e.(ManyClasses); ok {
				events = append(events, e)
			}
		}
		rng := NewRand(1)
		folds, err := CrossValidationFolds(models.CSVC, d.Y, 2, rng, nil)
		if err != nil {
			t.Fatal(err)
		}
		trainer := OneVsOne{Kernel: kernel.Linear{}, Task: models.CSVC, Solver: signs{}, Report: report}
		if _, err := CrossValidate(t.Context(), trainer, d, folds, rng, report); err != nil {
			t.Fatal(err)
		}
		if len(events) != c.warnings || c.warnings > 0 && events[0] != (ManyClasses{101, 101 * c.each}) {
			t.Errorf("101 classes of %d rows: %v, want %d of all", c.each, events, c.warnings)
		}
	}
}

// TestCheckManyMachines: the number of pairs of classes may be too large for 32 bits.
func TestCheckManyMachines(t *testing.T) {
	const k = 70_000
	err := (&Classes{Labels: make([]int, k), Rows: make([][]int, k)}).Check(nil)
	if err == nil || !strings.Contains(err.Error(), " 2449965000 machines;") {
		t.Error(err)
	}
}
