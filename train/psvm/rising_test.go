package psvm

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// wide returns rows of two classes whose means differ a little in every feature, of which there are
// many more than rows.
func wide(rows, features int, rng *rand.Rand) *format.Dataset {
	d := new(format.Dataset)
	for i := range rows {
		y := float64(1 - 2*(i%2))
		var x vec.Vector
		for k := range features {
			x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, 0.25*y+rng.NormFloat64())
		}
		d.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	return d
}

// TestRising: if cross-validation makes sigmoids fall that should rise, so that rows that no
// machine calls positive are answered the wrong way round, they are made to rise.
func TestRising(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	d, test := wide(50, 200, rng), wide(300, 200, rng)
	for _, form := range []Form{Auto, Others, Literal} {
		s := Default()
		s.Form, s.Iterations = form, 3
		before, after := 0.0, -1.0
		s.Report = func(e train.Event) {
			if e, is := e.(train.IterationDone); is {
				if e.Rising {
					after = max(after, e.Accuracy)
				} else {
					before = max(before, e.Accuracy)
				}
			}
		}
		m, right := trained(t, s, d, test)
		falling := 0
		for i := range m.Machines {
			if m.Machines[i].Sigmoid.A > 0 {
				falling++
			}
		}
		if before >= 0.5 && form != Auto { // where one of the forms has no machines left
			t.Fatalf("%v: %v of the rows held out are answered rightly: the test tells nothing", form, before)
		}
		if form == Literal {
			if after >= 0 || falling == 0 {
				t.Errorf("the thesis's own words: %d sigmoids fall", falling)
			}
			continue
		}
		if after < 0.9 || right < 270 || falling > 0 || parameter(m, "rising_sigmoids") != "1" {
			t.Errorf("%v: %d of 300 rows are answered rightly, held out %v and %v, and %d sigmoids fall", form, right, before, after, falling)
		}
	}
	s := Default() // exemplar machines alone are a baseline
	s.Iterations = 0
	if m, _ := trained(t, s, d, test); parameter(m, "rising_sigmoids") != "" {
		t.Error("the sigmoids of exemplar machines alone are made to rise")
	}
	s = Default() // without need they stay as they are
	s.Report = func(e train.Event) {
		if e, is := e.(train.IterationDone); is && e.Rising {
			t.Errorf("striated: %+v", e)
		}
	}
	if m, err := s.Train(t.Context(), set(t, "striated", 200), nil); err != nil || parameter(m, "rising_sigmoids") != "" {
		t.Errorf("striated: %v", err)
	}
}

// TestRisingRows: rows are drawn once, and that is reported once, although everything is trained
// again.
func TestRisingRows(t *testing.T) {
	d := wide(60, 200, rand.New(rand.NewPCG(3, 1)))
	s := Default()
	s.Form, s.Iterations, s.Rows = Others, 3, 50
	var told []train.RowsDrawn
	s.Report = func(e train.Event) {
		if e, is := e.(train.RowsDrawn); is {
			told = append(told, e)
		}
	}
	m, err := s.Train(t.Context(), d, nil)
	if err != nil || parameter(m, "rising_sigmoids") != "1" {
		t.Fatalf("error %v, or sigmoids need not rise", err)
	}
	if len(told) != 1 || told[0] != (train.RowsDrawn{Rows: 50, Of: 60}) {
		t.Errorf("told %+v", told)
	}
}

// text returns rows of few words each, of which there are many more than rows; one row in four is
// of the second class, which has some words more often.
func text(rows, words int, rng *rand.Rand) *format.Dataset {
	d := new(format.Dataset)
	for i := range rows {
		y, from := 1.0, 0
		if i%4 == 0 {
			y, from = -1, 20
		}
		has := make([]bool, words)
		for range 3 {
			has[from+rng.IntN(20)] = true
		}
		for range 3 {
			has[40+rng.IntN(words-40)] = true
		}
		var x vec.Vector
		for k, is := range has {
			if is {
				x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, 0.4)
			}
		}
		d.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	return d
}

// TestRisingText: sigmoids are made to rise if exemplar machines answer better with such sigmoids,
// even if answers were not worse than guessing.
func TestRisingText(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	d, test := text(200, 1000, rng), text(400, 1000, rng)
	s := Default()
	s.Iterations = 3
	before, first, after := 0.0, 0.0, 0.0
	s.Report = func(e train.Event) {
		switch e, is := e.(train.IterationDone); {
		case !is || e.Machines == 0:
		case !e.Rising:
			before = max(before, e.Accuracy)
		default:
			if e.Iteration == 0 {
				first = e.Accuracy
			}
			after = max(after, e.Accuracy)
		}
	}
	m, right := trained(t, s, d, test)
	if before < 0.8 {
		t.Fatalf("%v of the rows held out are answered rightly: the test tells nothing", before)
	}
	if !(first > before) || after < first || right < 340 || parameter(m, "rising_sigmoids") != "1" {
		t.Errorf("of the rows held out %v are answered rightly, then %v and %v; of 400 others %d", before, first, after, right)
	}
}

// trained returns the model of some rows, and how many of others it answers rightly.
func trained(t *testing.T, s Trainer, d, test *format.Dataset) (m *models.Model, right int) {
	t.Helper()
	m, err := s.Train(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range test.Len() {
		if p.Predict(test.X.Row(i)) == test.Y[i] {
			right++
		}
	}
	return m, right
}

// parameter returns a parameter of a model's provenance.
func parameter(m *models.Model, name string) string {
	for _, p := range m.Provenance.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}
