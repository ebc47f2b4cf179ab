package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// signs is a solver whose coefficients are the labels, but in every third row 0 with the sign of
// the label.
type signs struct{}

func (signs) Solve(_ context.Context, p *Problem) (*Solution, error) {
	s := &Solution{Rho: 0.5}
	for i, y := range p.Y {
		c := p.Weight.Pos.Times(1)
		if y < 0 {
			c = p.Weight.Neg.Times(1)
		}
		if i%3 == 0 {
			c = 0
		}
		s.Coef = append(s.Coef, y*c)
	}
	return s, nil
}

// TestLabelsMergedOnce: labels that become one class are told of once, however classes are told apart.
func TestLabelsMergedOnce(t *testing.T) {
	for k := 2; k <= 3; k++ {
		d := rowsOf(12, false)
		for i := range d.Y {
			d.Y[i] = float64(i%k) + 0.25*float64(i%5)/5
		}
		var events []Event
		report := func(e Event) {
			if _, is := e.(LabelsMerged); is {
				events = append(events, e)
			}
		}
		for name, trainer := range map[string]Trainer{
			"one-vs-one":  OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}, Report: report},
			"one-vs-rest": OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}, Report: report},
		} {
			events = nil
			if _, err := trainer.Train(t.Context(), d, nil); err != nil {
				t.Fatal(err)
			}
			if len(events) != 1 || events[0] != (LabelsMerged{d.Y[0], d.Y[k]}) {
				t.Errorf("%s of %d classes: %v, want one event of %v and %v", name, k, events, d.Y[0], d.Y[k])
			}
		}
	}
}

func TestAssemble(t *testing.T) {
	d := &format.Dataset{}
	set, _ := generate.Lookup("gauss5")
	d.X = set.Generate(6, 1).X
	d.Y = []float64{2, 7, 7, 2, 9, 7}
	var events []Event
	m, err := OneVsOne{
		Solver: signs{}, Kernel: kernel.Linear{},
		Weights: []ClassWeight{{7, 3}, {1, 2}, {7, 0.5}},
		Report:  func(e Event) { events = append(events, e) },
	}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	// pairs: (2,7) rows 0 3 | 1 2 5, (2,9) rows 0 3 | 4, (7,9) rows 1 2 5 | 4
	if got, want := fmt.Sprint(m.Labels, m.Group, m.Origin), "[2 7 9] [1 3 1] [4 2 3 6 5]"; got != want {
		t.Errorf("labels, groups, origins %s, want %s", got, want)
	}
	var coefs []string
	for _, c := range m.Machines {
		coefs = append(coefs, fmt.Sprint(c.Coef))
	}
	if got, want := fmt.Sprint(coefs), "[[1 -1.5 -0 -1.5] [1 -1] [0 1.5 1.5 -0]]"; got != want {
		t.Errorf("coefficients %s, want %s", got, want)
	}
	if !slices.Contains(events, Event(WeightUnused{1})) || !slices.Contains(events, Event(ModelAssembled{5})) {
		t.Errorf("events %v", events)
	}
}

// given is a solver that answers with coefficients drawn by a test, now and then a 0 of either
// sign.
type given struct {
	t       *rapid.T
	answers *[][]float64
}

func (s given) Solve(_ context.Context, p *Problem) (*Solution, error) {
	var r Solution
	r.Rho = rapid.Float64Range(-1, 1).Draw(s.t, "rho")
	for range p.Y {
		r.Coef = append(r.Coef, rapid.SampledFrom([]float64{0, 0, 0, 0, math.Copysign(0, -1), 1, -2.5}).Draw(s.t, "coefficient"))
	}
	*s.answers = append(*s.answers, slices.Clone(r.Coef))
	return &r, nil
}

// TestAssembled: whatever the solutions are, the model has the rows with a coefficient in any pair,
// class after class, and each machine has the coefficients of its pair for them, to the sign of
// zero. If the model is not kept, it may list only those that are not 0.
func TestAssembled(t *testing.T) {
	listed := false
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "n")
		d := rowsOf(n, false)
		for i := range d.Y {
			d.Y[i] = rapid.SampledFrom([]float64{-1, 1, 7, 30}).Draw(t, "y")
		}
		var answers [][]float64
		trainer := OneVsOne{Solver: given{t, &answers}, Kernel: kernel.RBF{Gamma: 1}, Threads: 1}
		if rapid.Bool().Draw(t, "not kept") {
			trainer.arena = new(arena)
		}
		m, err := trainer.Train(context.Background(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		classes, err := GroupClasses(d.Y, nil)
		if err != nil {
			t.Fatal(err)
		}
		// coefs has for each row its coefficient in each pair
		coefs := make([]map[int]float64, n)
		for row := range coefs {
			coefs[row] = map[int]float64{}
		}
		p := 0
		for i, first := range classes.Rows {
			for _, second := range classes.Rows[i+1:] {
				for k, row := range append(slices.Clone(first), second...) {
					coefs[row][p] = answers[p][k]
				}
				p++
			}
		}
		var origin, group []int
		for _, rows := range classes.Rows {
			before := len(origin)
			for _, row := range rows {
				for _, c := range coefs[row] {
					if c != 0 {
						origin = append(origin, row+1)
						break
					}
				}
			}
			group = append(group, len(origin)-before)
		}
		if !slices.Equal(m.Labels, classes.Labels) || !slices.Equal(m.Group, group) || !slices.Equal(m.Origin, origin) {
			t.Fatalf("labels %v, groups %v, origins %v; want %v, %v, %v", m.Labels, m.Group, m.Origin, classes.Labels, group, origin)
		}
		for k, row := range origin {
			if m.Vectors.Row(k).At(1) != d.X.Row(row-1).At(1) {
				t.Fatalf("vector %d is not row %d", k, row)
			}
		}
		start := m.GroupStart()
		for p, c := range m.Machines {
			var want []float64
			for _, span := range c.Spans(start) {
				for _, row := range origin[span.From:span.To] {
					want = append(want, coefs[row-1][p])
				}
			}
			if c.Index != nil {
				listed = true
				c.Coef = unlisted(t, &c, start)
				for k := range want {
					want[k] += 0 // turns -0 into 0
				}
			}
			if fmt.Sprint(c.Coef) != fmt.Sprint(want) { // the texts of -0 and 0 differ
				t.Fatalf("machine %d has coefficients %v, want %v", p, c.Coef, want)
			}
		}
	})
	if !listed && !testing.Short() { // short tests try too few for that
		t.Error("no machine lists its vectors")
	}
}

// unlisted takes a machine that lists its vectors and returns its coefficients for all vectors of
// its classes.
func unlisted(t *rapid.T, c *models.Machine, start []int) (all []float64) {
	left, coef := c.Index, c.Coef
	for _, span := range c.Spans(start) {
		for i := span.From; i < span.To; i++ {
			value := 0.0
			if len(left) > 0 && int(left[0]) == i {
				value, left, coef = coef[0], left[1:], coef[1:]
				if value == 0 {
					t.Fatalf("vector %d is listed with 0", i)
				}
			}
			all = append(all, value)
		}
	}
	if len(left) > 0 {
		t.Fatalf("vectors %v are listed, %v are left of those of spans %v", c.Index, left, c.Spans(start))
	}
	return all
}

// TestRowWeights: the solver of a pair gets the weights of its rows.
func TestRowWeights(t *testing.T) {
	d := rowsOf(5, true)
	d.Y = []float64{3, 8, 3, 9, 8}
	var problems []*Problem
	o := OneVsOne{Solver: firstFeature{&problems}, Kernel: kernel.Linear{}, Threads: 1}
	if _, err := o.Train(context.Background(), d, nil); err != nil {
		t.Fatal(err)
	}
	for p, want := range [][]float64{{1, 3, 2, 5}, {1, 3, 4}, {2, 5, 4}} {
		if !slices.Equal(problems[p].RowWeight, want) {
			t.Errorf("pair %d has weights %v, want %v", p, problems[p].RowWeight, want)
		}
	}
	d.Weight = nil
	problems = nil
	if _, err := o.Train(context.Background(), d, nil); err != nil || problems[0].RowWeight != nil {
		t.Errorf("without weights the first pair has %v (%v)", problems[0].RowWeight, err)
	}
}

// signed is a solver whose coefficients are the labels times the first feature; it keeps the
// weights of rows.
type signed struct{ weights *[][]float64 }

func (s signed) Solve(_ context.Context, p *Problem) (*Solution, error) {
	*s.weights = append(*s.weights, slices.Clone(p.RowWeight))
	var r Solution
	for i, y := range p.Y {
		r.Coef = append(r.Coef, y*p.X.Row(i).At(1))
	}
	return &r, nil
}

// TestRestWeights: the solver of a class against the rest gets the weights of its rows times those
// of their classes, except for nu-SVC. The data keep their weights, and a machine has the
// coefficients of its rows.
func TestRestWeights(t *testing.T) {
	for _, c := range []struct {
		task     models.Task
		weighted bool
		want     [][]float64
	}{
		{models.CSVC, true, [][]float64{{1, 3, 12, 2, 30}, {12, 30, 1, 3, 2}, {2, 1, 12, 3, 30}}},
		{models.CSVC, false, [][]float64{{1, 1, 6, 0.5, 6}, {6, 6, 1, 1, 0.5}, {0.5, 1, 6, 1, 6}}},
		{models.NuSVC, true, [][]float64{{1, 3, 2, 4, 5}, {2, 5, 1, 3, 4}, {4, 1, 2, 3, 5}}},
		{models.NuSVC, false, [][]float64{nil, nil, nil}},
	} {
		d := rowsOf(5, c.weighted)
		d.Y = []float64{3, 8, 3, 9, 8}
		if !c.weighted {
			d.Weight = nil
		}
		before := slices.Clone(d.Weight)
		var got [][]float64
		o := OneVsRest{Solver: signed{&got}, Kernel: kernel.Linear{}, Task: c.task, Threads: 1, Weights: []ClassWeight{{8, 2}, {9, 0.5}, {8, 3}}}
		m, err := o.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal[[]float64]) || !slices.Equal(d.Weight, before) {
			t.Errorf("%v, of weights %v: %v, want %v; %v are left", c.task, before, got, c.want, d.Weight)
		}
		for k, want := range [][]float64{{1, -2, 3, -4, -5}, {-1, 2, -3, -4, 5}, {-1, -2, -3, 4, -5}} {
			if !slices.Equal(m.Machines[k].Coef, want) {
				t.Errorf("machine %d has coefficients %v, want %v", k, m.Machines[k].Coef, want)
			}
		}
	}
}

// TestSingleClass: one class is a model without machines or vectors.
func TestSingleClass(t *testing.T) {
	d := rowsOf(4, false)
	for i := range d.Y {
		d.Y[i] = -3
	}
	var events []Event
	m, err := OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}, Probability: true, Report: func(e Event) { events = append(events, e) }}.
		Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil || len(m.Machines) != 0 || m.Vectors.Len() != 0 || !slices.Equal(m.Labels, []int{-3}) {
		t.Errorf("model %+v (%v)", m, err)
	}
	if want := []Event{SingleClass{-3}, ModelAssembled{0}}; !slices.Equal(events, want) {
		t.Errorf("events %v, want %v", events, want)
	}
	d.Y[3], events = 5, nil // two classes are no single one
	m, err = OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}, Report: func(e Event) { events = append(events, e) }}.
		Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Event{ModelAssembled{m.Vectors.Len()}}; !slices.Equal(events, want) {
		t.Errorf("two classes: events %v, want %v", events, want)
	}
}

func TestRefused(t *testing.T) {
	set, _ := generate.Lookup("gauss")
	d := set.Generate(10, 1)
	ovo := OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}}
	for _, w := range []float64{0, -1, math.NaN()} {
		ovo.Weights = []ClassWeight{{1, w}}
		if _, err := ovo.Train(context.Background(), d, nil); err == nil {
			t.Errorf("weight %v is accepted", w)
		}
	}
	ovo.Weights = nil
	if _, err := ovo.Train(context.Background(), new(format.Dataset), nil); !errors.Is(err, ErrNoData) {
		t.Errorf("no rows: %v, want %v", err, ErrNoData)
	}
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		d.Weight = slices.Repeat([]float64{1}, d.Len())
		d.Weight[4] = w
		var row *RowError
		if _, err := ovo.Train(context.Background(), d, nil); !errors.As(err, &row) || row.Row != 4 {
			t.Errorf("a row of weight %v: %v", w, err)
		}
	}
	if err := CheckWeights(&format.Dataset{Weight: []float64{1, 1}}, false); err != nil {
		t.Errorf("weights of 1: %v", err)
	}
	if err := CheckWeights(&format.Dataset{Weight: []float64{1, 2}}, false); !errors.Is(err, ErrRowWeights) {
		t.Errorf("weights without use: %v", err)
	}
}

// TestCheckRows: the first row that a kernel cannot work with is named.
func TestCheckRows(t *testing.T) {
	plain := func(values ...float64) vec.Matrix {
		var x vec.Matrix
		for _, v := range values {
			x.Append(vec.Vector{Index: []int32{1}, Value: []float64{v}})
		}
		return x
	}
	table := func(rows ...[]float64) vec.Matrix {
		var x vec.Matrix
		for _, values := range rows {
			v := vec.Vector{Value: values}
			for i := range values {
				v.Index = append(v.Index, int32(i))
			}
			x.Append(v)
		}
		return x
	}
	var gap vec.Matrix
	gap.Append(vec.Vector{Index: []int32{0, 1, 2}, Value: []float64{1, 1, 1}})
	gap.Append(vec.Vector{Index: []int32{0, 2}, Value: []float64{2, 1}})
	var noSerial vec.Matrix
	noSerial.Append(vec.Vector{Index: []int32{1}, Value: []float64{1}})
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x    vec.Matrix
		want string
	}{
		{"no rows", kernel.Linear{}, vec.Matrix{}, ""},
		{"small", kernel.Linear{}, plain(1, -1e19), ""},
		{"a square beyond float32", kernel.Linear{}, plain(1, 2e19), "row 2: kernel values overflow: scale the features"},
		{"a square within half of float32", kernel.Linear{}, plain(1, 1.3e19), ""},
		{"a square twice of which is beyond", kernel.Linear{}, plain(1, 1.31e19), "row 2: " + ErrOverflow.Error()},
		{"the same with a small gamma", kernel.Poly{Degree: 1, Gamma: 1e-10}, plain(1, 2e19), ""},
		{"a power beyond float32", kernel.Poly{Degree: 3, Gamma: 1}, plain(1, 1e7), "row 2: kernel values overflow: scale the features, or lower gamma and degree"},
		{"NaN", kernel.RBF{Gamma: 1}, plain(math.NaN(), 1), "row 1: feature 1 is NaN, expected a finite number"},
		{"infinite", kernel.Linear{}, plain(0, math.Inf(-1)), "row 2: feature 1 is -Inf, expected a finite number"},
		{"a square beyond float64", kernel.RBF{Gamma: 1}, plain(1, 1, 1e155), "row 3: kernel values overflow: scale the features"},
		{"a large square", kernel.RBF{Gamma: 1}, plain(1e150), ""},
		{"a table", kernel.Precomputed{}, table([]float64{1, 2, 3}, []float64{2, 3, 4}), ""},
		{"a part of a table, in another order", kernel.Precomputed{}, table([]float64{2, 3, 4}), ""},
		{"no serial number", kernel.Precomputed{}, noSerial, "row 1: " + kernel.ErrSerial.Error()},
		{"serial number 0", kernel.Precomputed{}, table([]float64{1, 2}, []float64{0, 2}), "row 2: " + kernel.ErrSerialRange.Error() + ": 0"},
		{"a serial number beyond the columns", kernel.Precomputed{}, table([]float64{1, 2}, []float64{2, 2}), "row 2: " + kernel.ErrSerialRange.Error()},
		{"a short row", kernel.Precomputed{}, table([]float64{1, 2, 3}, []float64{2, 2}), "row 2: kernel values end at 1, expected 2"},
		{"a gap", kernel.Precomputed{}, gap, "row 2: kernel value 1 is missing: precomputed rows have no gaps"},
		{"NaN on the diagonal", kernel.Precomputed{}, table([]float64{1, 2, 3}, []float64{2, 3, math.NaN()}), "row 2: feature 2 is NaN, expected a finite number"},
	} {
		got := ""
		if err := CheckRows(c.k, &c.x); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
