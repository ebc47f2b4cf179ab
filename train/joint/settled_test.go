package joint

import (
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestSettled: a descent has settled when after four more looks the objective is not much lower and
// few answers have changed. If many have changed, it has not, even if as many are wrong as before.
func TestSettled(t *testing.T) {
	answers := func(wrong ...int) (j judgement) {
		j.wrong = make([]float64, 200)
		for _, i := range wrong {
			j.wrong[i] = 1
		}
		return j
	}
	loss := func(v float64) judgement { return judgement{doubt: v} }
	a := answers(3, 4, 5)
	for _, c := range []struct {
		name   string
		curve  []judgement
		values []float64
		want   bool
	}{
		{"too short", []judgement{a, a, a, a}, []float64{9, 9, 9, 9}, false},
		{"level", []judgement{a, a, a, a, a}, []float64{9.02, 9.01, 9, 9, 9}, true},
		{"lower", []judgement{a, a, a, a, a}, []float64{9.1, 9.05, 9.03, 9.01, 9}, false},
		{"it was lower before that", []judgement{a, a, a, a, a, a}, []float64{20, 9.02, 9.01, 9, 9, 9}, true},
		{"two answers are others", []judgement{a, a, a, a, answers(3, 4, 6)}, []float64{9, 9, 9, 9, 9}, true},
		{"four are", []judgement{a, a, a, a, answers(3, 6, 7)}, []float64{9, 9, 9, 9, 9}, false},
		{"no objective", []judgement{a, a, a, a, a}, []float64{9, 9, 9, 9, math.NaN()}, false},
		{"a regression", []judgement{loss(5), loss(4), loss(4), loss(4), loss(5.01)}, []float64{9, 9, 9, 9, 9}, true},
		{"a regression with less loss", []judgement{loss(5), loss(4), loss(4), loss(4), loss(4.9)}, []float64{9, 9, 9, 9, 9}, false},
	} {
		if got := settled(c.curve, c.values); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTextSettles: texts have so many features that descents go on fitting rows one by one, long
// after the answers for other texts no longer change.
func TestTextSettles(t *testing.T) {
	before := manyDimensions
	manyDimensions = 100
	t.Cleanup(func() { manyDimensions = before })
	r := newRand(5, 5)
	d := new(format.Dataset)
	for i := range 120 {
		class := i % 2
		row := map[int32]bool{}
		for range 12 {
			u := r.Float64()
			word := int32(1 + 600*u*u*u)
			if r.IntN(3) == 0 {
				word = int32(600 + 40*class + r.IntN(60))
			}
			row[word] = true
		}
		var v vec.Vector
		for word := range row {
			v.Index = append(v.Index, word)
		}
		slices.Sort(v.Index)
		for range v.Index {
			v.Value = append(v.Value, 1/math.Sqrt(float64(len(v.Index))))
		}
		d.Append(format.Instance{X: v, Y: float64(class), Weight: 1})
	}
	iterations := 0
	tr := Default()
	tr.Task, tr.Kernel, tr.Vectors = models.CSVC, kernel.RBF{Gamma: 1. / 700}, 6
	tr.Report = func(e train.Event) {
		if p, ok := e.(train.Progress); ok {
			iterations = max(iterations, p.Iterations)
		}
	}
	if _, err := tr.Train(t.Context(), d, train.NewRand(1)); err != nil {
		t.Fatal(err)
	}
	if iterations > 1200 {
		t.Errorf("%d iterations", iterations)
	}
}
