package rsvm

import (
	"context"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// rounds trains by systematic sampling and returns the rounds and the model.
func rounds(t *testing.T, d *format.Dataset, s Systematic) ([]train.RoundDone, *models.Model) {
	t.Helper()
	o := testOptions()
	o.Kernel, o.Set = kernel.RBF{Gamma: 0.002}, s
	var all []train.RoundDone
	o.Report = func(e train.Event) {
		if g, ok := e.(train.RoundDone); ok {
			all = append(all, g)
		}
	}
	m, err := Classifier{Options: o}.Train(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all, m
}

// bestRound returns the place of the round with the best score and, of equal ones, the least loss.
func bestRound(all []train.RoundDone) (best int) {
	for i, g := range all {
		if g.Score > all[best].Score || g.Score == all[best].Score && g.Loss < all[best].Loss {
			best = i
		}
	}
	return best
}

// TestGrowth: rounds add at most k rows of each class, up to the largest size. They end by patience
// or by the threshold. The round that is kept is the best and, of equally good ones, the one with
// the least loss, or the last one if Last is set.
func TestGrowth(t *testing.T) {
	set, _ := generate.Lookup("checkerboard")
	d := set.Generate(500, 1)
	s := DefaultSystematic()
	s.MaxVectors = 60
	all, m := rounds(t, d, s)
	for i, g := range all {
		if g.Round != i+1 || i > 0 && (g.Vectors <= all[i-1].Vectors || g.Vectors > all[i-1].Vectors+10) || g.Vectors > 60 {
			t.Errorf("round %d: %+v", i+1, g)
		}
	}
	best := bestRound(all)
	if all[0].Vectors != 5 || len(all) < 4 {
		t.Errorf("%d rounds, the first of %d vectors", len(all), all[0].Vectors)
	}
	if m.Vectors.Len() != all[best].Vectors {
		t.Errorf("%d vectors are kept, the best round has %d", m.Vectors.Len(), all[best].Vectors)
	}
	seen := map[int]bool{}
	for _, row := range m.Origin {
		if row < 1 || row > d.Len() || seen[row] {
			t.Errorf("vector of row %d", row)
		}
		seen[row] = true
	}

	s.MaxVectors = 400
	for s.Patience = 1; s.Patience <= 2; s.Patience++ {
		all, m = rounds(t, d, s)
		best := bestRound(all)
		if n := len(all); n-1-best != s.Patience || all[n-1].Vectors == s.MaxVectors {
			t.Errorf("patience %d: %d rounds after the best, %d vectors", s.Patience, n-1-best, all[n-1].Vectors)
		}
		if m.Vectors.Len() != all[best].Vectors {
			t.Errorf("patience %d: %d vectors are kept, the best round has %d", s.Patience, m.Vectors.Len(), all[best].Vectors)
		}
	}

	s.Patience, s.MaxVectors, s.Last = 100, 33, true
	all, m = rounds(t, d, s)
	if n := all[len(all)-1].Vectors; m.Vectors.Len() != n || n != 33 {
		t.Errorf("%d vectors are kept, the last round has %d", m.Vectors.Len(), n)
	}

	s.Threshold = all[2].Score
	ended, _ := rounds(t, d, s)
	if n := len(ended); n > 3 || ended[n-1].Score < s.Threshold {
		t.Errorf("threshold %v: %+v", s.Threshold, ended)
	}
}

// TestRepeatedRows: no row equal to one in the reduced set is added, in a later round, the same one,
// or at the start, whatever its label.
func TestRepeatedRows(t *testing.T) {
	set, _ := generate.Lookup("checkerboard")
	rows := set.Generate(60, 1)
	d := new(format.Dataset)
	for k := range 20 {
		for i := range rows.Len() {
			in := format.Instance{X: rows.X.Row(i), Y: rows.Y[i], Weight: 1}
			if i < 5 && k%3 == 0 {
				in.Y = -in.Y
			}
			d.Append(in)
		}
	}
	s := DefaultSystematic()
	s.Initial, s.Patience, s.MaxVectors, s.Last = 40, 1000, 1000, true
	all, m := rounds(t, d, s)
	if first := all[0].Vectors; first < 20 || first >= 40 {
		t.Errorf("%d vectors at first", first)
	}
	if len(all) < 2 || m.Vectors.Len() > rows.Len() {
		t.Errorf("%d rounds, %d vectors of %d rows", len(all), m.Vectors.Len(), rows.Len())
	}
	var distinct vec.Distinct
	for i := range m.Vectors.Len() {
		if n := distinct.Number(m.Vectors.Row(i)); n != i {
			t.Errorf("vector %d equals vector %d", i, n)
		}
	}
}

// TestPlateau: if all rounds answer equally many held-out rows rightly, all but those of a rare
// class or simply all, the growth goes on as long as the loss decreases, and the last gain is kept.
func TestPlateau(t *testing.T) {
	rare, apart := new(format.Dataset), new(format.Dataset)
	for i := range 400 {
		a, b := i%20, i/20
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(a), float64(b)}}
		add := func(d *format.Dataset, is bool) {
			y := -1.0
			if is {
				y = 1
			}
			d.Append(format.Instance{X: x, Y: y, Weight: 1})
		}
		add(rare, a/4 == 2 && b/3 == 3)
		x = vec.Vector{Index: x.Index, Value: []float64{float64(4 * a), float64(4 * b)}}
		add(apart, (a-9)*(a-9)+(b-9)*(b-9) < 50)
	}
	for name, c := range map[string]struct {
		d     *format.Dataset
		score float64
	}{"rare": {rare, 0.95}, "apart": {apart, 1}} {
		s := DefaultSystematic()
		s.Validation = 0.05
		all, m := rounds(t, c.d, s)
		first, best := -1, 0 // of the best score
		for i, g := range all {
			if g.Score > all[best].Score || g.Score == all[best].Score && g.Loss < all[best].Loss {
				best = i
			}
			if g.Score == c.score && first < 0 {
				first = i
			}
		}
		if first < 0 || best <= first || all[best].Score != c.score || m.Vectors.Len() != all[best].Vectors {
			t.Errorf("%s: %+v, of which the one of %d vectors is kept", name, all, m.Vectors.Len())
		}
	}
}

// TestWeightedScore: rounds are judged by the costs of errors on held-out rows. If one class has
// almost no weight, the score is the other's share of right answers.
func TestWeightedScore(t *testing.T) {
	set, _ := generate.Lookup("checkerboard")
	d := set.Generate(500, 1)
	groups := make([][]int, 2)
	for i, y := range d.Y {
		c, w := 0, 1.0
		if y != d.Y[0] {
			c, w = 1, 1e-12
		}
		groups[c] = append(groups[c], i)
		d.Weight = append(d.Weight, w)
	}
	s := DefaultSystematic()
	s.MaxVectors = 30
	held := float64(len(holdOut(groups, s.Validation, testOptions().Seed)[0]))
	all, _ := rounds(t, d, s)
	for _, g := range all {
		if right := g.Score * held; !(math.Abs(right-math.Round(right)) <= 1e-6) {
			t.Errorf("round %d: %v of %v rows are right", g.Round, right, held)
		}
	}
	if all[0].Score < 0.99 {
		t.Errorf("%v of the class that counts are right", all[0].Score)
	}
}

// TestScoreFarFrom0: the score of a regression is 1 - MSE/variance, also if the targets are far
// from 0 compared with their spread.
func TestScoreFarFrom0(t *testing.T) {
	d := new(format.Dataset)
	for i := range 10 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: 1e8 + float64(i%2), Weight: 1})
	}
	j := (Regression{Options: testOptions(), Epsilon: 0.1}).job()
	if err := j.setBasis(d.X.Select([]int{0}), []int32{0}, false, nil); err != nil {
		t.Fatal(err)
	}
	g := &growth{Job: j, d: d, held: memorySource{batches: j.label.batches(d, nil)}}
	got, err := g.score(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// the function is 0 before the first step
	if want := 1 - (1e16+1e8+0.5)/0.25; !(math.Abs(got.right-want) <= 1e-12*-want) || got.loss != 0 {
		t.Errorf("%+v, want %v", got, want)
	}
}

// TestAnswer: for the wrong class, answer returns how far on the wrong side the value is that
// separates it from the true one: the value of the pair, or the difference of the values of the two
// classes against the rest. With equally many votes, the first class wins.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		rest   bool
		values []float64 // of the pairs 0-1, 0-2, 1-2, or of the classes
		truth  int32
		class  int32
		off    float64
	}{
		{false, []float64{0.5, 2, -3}, 0, 0, 0},
		{false, []float64{0.5, 2, -3}, 1, 0, 0.5},
		{false, []float64{0.5, 2, -3}, 2, 0, 2},
		{false, []float64{-0.5, 2, 3}, 0, 1, 0.5},
		{false, []float64{-0.5, -2, -3}, 1, 2, 3},
		{false, []float64{0.5, -2, 3}, 2, 0, 2}, // one vote each
		{false, []float64{0, 2, 3}, 0, 1, 0},
		{true, []float64{-1, -0.25, -2}, 0, 1, 0.75},
		{true, []float64{-1, -0.25, -2}, 1, 1, 0},
		{true, []float64{1, 1, 4}, 1, 2, 3},
	} {
		g := &growth{Job: &Job{classes: []int{7, 8, 9}, rest: c.rest}}
		for a := range int32(3) {
			for b := a + 1; b < 3; b++ {
				g.machines = append(g.machines, &machine{pos: a, neg: b})
			}
		}
		class, off := g.answer(c.values, c.truth)
		if class != c.class || class != c.truth && off != c.off {
			t.Errorf("rest %v, values %v of a row of class %d: class %d, off by %v, want %d, %v", c.rest, c.values, c.truth, class, off, c.class, c.off)
		}
	}
}
