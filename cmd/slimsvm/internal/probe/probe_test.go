package probe_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

func ExampleEvenSample() {
	fmt.Println(probe.EvenSample(10, 4), probe.EvenSample(3, 4), probe.EvenSample(0, 4))
	// Output: [1 3 5 8] [0 1 2] []
}

// TestEvenSample: a row of each part; of rows that take turns, as many of each kind as there are, about.
func TestEvenSample(t *testing.T) {
	for _, n := range []int{1000, 1001, 2000, 3000, 12345} {
		rows := probe.EvenSample(n, 1000)
		for k, i := range rows {
			if i < k*n/1000 || (k+1)*n/1000 <= i {
				t.Fatalf("row %d of %d is %d", k, n, i)
			}
		}
		for turns := 2; turns < 6; turns++ {
			count := make([]int, turns)
			for _, i := range rows {
				count[i%turns]++
			}
			for kind, got := range count {
				if want := 1000 / turns; got < want*3/4 || want*5/4 < got {
					t.Errorf("%d rows of %d, of kind %d of %d: about %d expected", got, n, kind, turns, want)
				}
			}
		}
	}
}

func ExampleInterquartileRange() {
	fmt.Println(probe.InterquartileRange([]float64{9, 1, 2, 100, 3, 4, -50, 5, 6}), probe.InterquartileRange([]float64{7}))
	// Output: 4 0
}

func ExampleOfEveryClass() {
	d := &format.Dataset{Y: []float64{1, 1, 1, 2, 3, 2}}
	fmt.Println(probe.OfEveryClass(d, 4), probe.OfEveryClass(d, 9))
	// Output: [0 3 4 1] [0 3 4 1 5 2]
}

// TestAnswers: a machine that tells rows by their only feature answers them in their order, as long as it is asked; one
// without coefficients has one answer for all.
func TestAnswers(t *testing.T) {
	d := &format.Dataset{}
	for _, x := range []float64{-2, -1, 1, 2} {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{x}}, Y: 1, Weight: 1})
	}
	for _, coef := range []float64{1, 0} {
		m := &models.Model{Kernel: kernel.Linear{}, Labels: []int{1, 2}, Machines: []models.Machine{{Pos: 0, Neg: 1, Coef: []float64{coef}, Rho: 0.5}}}
		m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		if err := probe.EachAnswer(t.Context(), p, d, []int{3, 2, 1, 0}, func(answer float64) bool {
			got = append(got, answer)
			return len(got) < 3
		}); err != nil {
			t.Fatal(err)
		}
		want := map[float64][]float64{1: {1, 1, 2}, 0: {2, 2, 2}}[coef]
		if !slices.Equal(got, want) {
			t.Errorf("coefficient %v: %v, want %v", coef, got, want)
		}
		label, same, err := probe.SameAnswer(t.Context(), p, d, []int{0, 1, 2, 3})
		if err != nil || same != (coef == 0) || same && label != 2 {
			t.Errorf("coefficient %v: label %d for all: %v, %v", coef, label, same, err)
		}
		if probe.Constant(m) != (coef == 0) {
			t.Errorf("coefficient %v: constant is %v", coef, probe.Constant(m))
		}
	}
}
