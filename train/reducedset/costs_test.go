package reducedset

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// unequal returns overlapping classes 1, 2 ... with the given numbers of rows.
func unequal(rows ...int) *format.Dataset {
	rng := rand.New(rand.NewPCG(5, 6))
	d := new(format.Dataset)
	for c, n := range rows {
		for range n {
			at := 1.2 * float64(c)
			d.Append(format.Instance{
				X: vec.Vector{Index: []int32{1, 2}, Value: []float64{at + rng.NormFloat64(), at*float64(1-c) + rng.NormFloat64()}},
				Y: float64(c + 1), Weight: 1,
			})
		}
	}
	return d
}

// readBack writes m to a file and returns it as it is read again.
func readBack(t *testing.T, m *models.Model) *models.Model {
	t.Helper()
	var b bytes.Buffer
	if err := models.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	again, err := models.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestCostsOf: a model's coefficients tell the costs that it was trained with, also if it is read
// from a file.
func TestCostsOf(t *testing.T) {
	two, three := unequal(200, 40), unequal(150, 60, 20)
	heavy := unequal(150, 60, 20)
	heavy.Weight = make([]float64, heavy.Len())
	for i := range heavy.Weight {
		heavy.Weight[i] = 0.25 + float64(i%4)
	}
	apart, near := new(format.Dataset), unequal(30, 30)
	for i := range near.Len() { // no row is at the bound
		x := near.X.Row(i)
		apart.Append(format.Instance{X: vec.Vector{Index: x.Index, Value: []float64{x.Value[0] + 20*near.Y[i], x.Value[1]}}, Y: near.Y[i], Weight: 1})
	}
	weights := func(w ...float64) (all []train.ClassWeight) {
		for c, v := range w {
			all = append(all, train.ClassWeight{Label: c + 1, Weight: v})
		}
		return all
	}
	for name, c := range map[string]struct {
		d     *format.Dataset
		cost  float64
		given []train.ClassWeight
		want  []train.ClassWeight
	}{
		"none":           {d: two, cost: 3},
		"two classes":    {d: two, cost: 3, given: weights(1, 10), want: weights(1, 10)},
		"three":          {d: three, cost: 0.5, given: weights(1, 2.5, 8), want: weights(1, 2.5, 8)},
		"equal ones":     {d: three, cost: 2, given: weights(4, 4, 4)},
		"less than one":  {d: three, cost: 2, given: weights(0.125, 1, 1), want: weights(0.125, 1, 1)},
		"rows":           {d: heavy, cost: 0.5},
		"rows and class": {d: heavy, cost: 0.5, given: weights(1, 3, 6), want: weights(1, 3, 6)},
		"none at bounds": {d: apart, cost: 1000},
	} {
		for _, rest := range []bool{false, true} {
			solver := smo.DefaultCSVC()
			solver.C = c.cost
			var trainer train.Trainer = train.OneVsOne{Solver: solver, Kernel: kernel.RBF{Gamma: 0.5}, Weights: c.given}
			if rest {
				trainer = train.OneVsRest{Solver: solver, Kernel: kernel.RBF{Gamma: 0.5}, Weights: c.given}
			}
			m, err := trainer.Train(t.Context(), c.d, nil)
			if err != nil {
				t.Fatal(err)
			}
			// with the digits of LIBSVM's files
			m = readBack(t, m)
			got, err := CostsOf(t.Context(), m, c.d)
			if err != nil {
				t.Fatal(err)
			}
			cost := c.cost
			switch name {
			case "equal ones":
				cost *= 4
			case "none at bounds":
				cost = got.Cost
			}
			alike := got.FromDual && math.Abs(got.Cost-cost) <= 1e-9*cost && len(got.Weights) == len(c.want)
			for k := range c.want {
				alike = alike && got.Weights[k].Label == c.want[k].Label && math.Abs(got.Weights[k].Weight-c.want[k].Weight) <= 1e-9*c.want[k].Weight
			}
			if !alike {
				t.Errorf("%s, one against the rest %v: %+v, want cost %v, weights %v", name, rest, got, cost, c.want)
			}
		}
	}
}

// TestCostsUntold: coefficients that are not multipliers tell no costs.
func TestCostsUntold(t *testing.T) {
	d := unequal(200, 40)
	m := classifier(t, kernel.RBF{Gamma: 0.5}, d)
	m.Machines[0].Coef[0] *= 1.5
	if got, err := CostsOf(t.Context(), m, d); err != nil || got.FromDual || got.Weights != nil || got.Cost != 1.5 && got.Cost != 1 {
		t.Errorf("%v, %+v", err, got)
	}
}

// TestFactorsOf: a class without a vector at the bound gets the smallest cost of another class that
// is not below its coefficients.
func TestFactorsOf(t *testing.T) {
	const rounded = 1 + 1e-12
	for _, c := range []struct {
		largest []float64 // of each class
		short   []bool
		want    []float64
	}{
		{[]float64{1, 1, 5}, []bool{true, true, true}, []float64{1, 1, 5}},
		{[]float64{1, 1, 5}, []bool{true, false, true}, []float64{1, 1, 5}},
		{[]float64{1, rounded, 5}, []bool{true, false, true}, []float64{1, 1, 5}},
		{[]float64{1, 1.5, 5}, []bool{true, false, true}, []float64{1, 5, 5}},
		{[]float64{1, 5, 5}, []bool{true, false, true}, []float64{1, 5, 5}},
		{[]float64{1, 7, 5}, []bool{true, false, true}, []float64{1, 7, 5}},
		{[]float64{1, 7, 5}, []bool{false, false, false}, []float64{1, 1, 1}},
	} {
		var sides []side
		for k, v := range c.largest {
			sides = append(sides, side{class: k, largest: v})
		}
		if got := factorsOf(len(c.largest), sides, c.short); !slices.Equal(got, c.want) {
			t.Errorf("%v, short of the margin %v: factors %v, want %v", c.largest, c.short, got, c.want)
		}
	}
}

// TestCostsOfRows: a vector that is not a row of the data tells nothing about costs, because its
// weight is not known, unless there are no others.
func TestCostsOfRows(t *testing.T) {
	m := &models.Model{Labels: []int{4, 5}, Machines: []models.Machine{{Pos: 0, Neg: 1}}}
	etas := [][]coefficient{{{0, 2}, {1, 9}, {2, 4}, {4, -3}, {5, -8}}}
	for _, c := range []struct {
		weights []float64
		cost    float64
		at      [2][]int
	}{
		{[]float64{1, 1, 1, 1, 1, 1}, 9, [2][]int{{1}, {5}}},
		{[]float64{1, 0, 2, 1, 1, 0}, 3, [2][]int{{0, 2}, {4}}},
		{[]float64{0, 0, 0, 0, 0, 0}, 9, [2][]int{nil, nil}},
	} {
		told := &inferredCosts{factors: []float64{1, 1}}
		if cost := told.costOf(m, 0, etas[0], nil, c.weights); cost != c.cost {
			t.Errorf("weights %v: cost %v, want %v", c.weights, cost, c.cost)
		}
		for k, s := range sidesOf(m, etas, c.weights) {
			if s.class != k || !slices.Equal(s.at, c.at[k]) {
				t.Errorf("weights %v: class %d has its largest coefficient at %v, want %v", c.weights, k, s.at, c.at[k])
			}
		}
	}
}

// TestShortOfMargin: a value as near to the margin as solvers leave it is not short of it.
func TestShortOfMargin(t *testing.T) {
	for _, c := range []struct {
		value float64 // of the vector of the first class, and the opposite of the other's
		want  bool
	}{{1.2, false}, {1, false}, {1 - 1e-3, false}, {0.95, false}, {0.85, true}, {-1, true}} {
		m := &models.Model{
			Kernel: kernel.Linear{}, Labels: []int{1, 2}, Group: []int{1, 1},
			Machines: []models.Machine{{Pos: 0, Neg: 1, Coef: []float64{c.value / 2, -c.value / 2}}},
		}
		for _, x := range []float64{1, -1} {
			m.Vectors.Append(vec.Vector{Index: []int32{1}, Value: []float64{x}})
		}
		short, err := shortOfMargin(t.Context(), m, []side{{class: 0, at: []int{0}}, {class: 1, at: []int{1}}})
		if want := []bool{c.want, c.want}; err != nil || !slices.Equal(short, want) {
			t.Errorf("%v: %v, %v, want %v", c.value, short, err, want)
		}
	}
}

// TestReduceWeighted: with every method, the reduction of a machine that was trained with class
// weights answers like that machine, and not like one without weights, unless other weights are
// given.
func TestReduceWeighted(t *testing.T) {
	d := unequal(300, 40)
	right := func(m *models.Model) (rare float64) {
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		n := 0.0
		for i, y := range d.Y {
			if y == 2 {
				n++
				if p.Predict(d.X.Row(i)) == 2 {
					rare++
				}
			}
		}
		return rare / n
	}
	trained := func(weight float64) *models.Model {
		m, err := train.OneVsOne{
			Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}, Weights: []train.ClassWeight{{Label: 2, Weight: weight}},
		}.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return readBack(t, m)
	}
	plain, weighted := trained(1), trained(10)
	if before, after := right(plain), right(weighted); after < before+0.2 {
		t.Fatalf("the weight makes no difference: %v, %v", before, after)
	}
	for _, method := range Methods {
		r := quick()
		r.Method = method
		small, err := r.Reduce(t.Context(), weighted, d)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := right(small), right(weighted); got < want-0.1 {
			t.Errorf("%s: %v of the rare class are right, the parent has %v", method, got, want)
		}
		r.Weights = []train.ClassWeight{{Label: 2, Weight: 0.1}}
		if small, err = r.Reduce(t.Context(), weighted, d); err != nil {
			t.Fatal(err)
		}
		if got := right(small); got > 0.5 {
			t.Errorf("%s, with a low weight: %v of the rare class are right", method, got)
		}
	}
	r := quick()
	r.Weights = []train.ClassWeight{{Label: 2, Weight: math.Inf(1)}}
	if _, err := r.Reduce(t.Context(), weighted, d); err == nil || err.Error() != "weight +Inf of class 2 is not a positive number" {
		t.Errorf("infinite weight: %v", err)
	}
}

// TestThresholdTies: with equal errors, an offset between values is better than one beyond all of
// them, in any unit. An offset beyond them has a distance in proportion to their range.
func TestThresholdTies(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-40, 0x1p40} {
		for _, c := range []struct {
			values, y []float64
			want      float64
		}{
			{[]float64{1, 2, 4}, []float64{-1, 1, 1}, 1.5},
			{[]float64{1, 2, 4, 5}, []float64{1, -1, 1, -1}, 3}, // as bad as any constant
			{[]float64{1, 2, 3}, []float64{1, -1, -1}, 4},       // the row beyond costs as much
			{[]float64{1, 3}, []float64{1, 1}, 0},
			{[]float64{1, 3}, []float64{-1, -1}, 4},
			{[]float64{2, 2}, []float64{-1, -1}, 3},
			{[]float64{-2, -2}, []float64{1, 1}, -3},
		} {
			m := machine{y: c.y}
			var values []float64
			for _, v := range c.values {
				values, m.weight = append(values, unit*v), append(m.weight, 1)
			}
			if got := m.threshold(values); got != unit*c.want {
				t.Errorf("%v of %v, times %v: %v, want %v", c.y, c.values, unit, got/unit, c.want)
			}
		}
	}
}

// TestCollapseProbability: an exact reduction keeps probabilities.
func TestCollapseProbability(t *testing.T) {
	d := unequal(60, 60, 60)
	m, err := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.Linear{}, Probability: true}.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	r := quick()
	small, err := r.Reduce(t.Context(), m, d)
	if err != nil || !small.Probability {
		t.Fatalf("%v, probabilities: %v", err, small.Probability)
	}
	of := func(m *models.Model) string {
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]float64, 3)
		s := ""
		for i := range d.Len() {
			p.Probabilities(dst, d.X.Row(i))
			s += fmt.Sprintf("%.6f\n", dst)
		}
		return s
	}
	if of(small) != of(m) {
		t.Error("the probabilities are others")
	}
}
