package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestConfusion: class 2 is predicted but no row has it, and class 3 has rows and is never
// predicted.
func TestConfusion(t *testing.T) {
	var c Confusion
	for i, counts := range [][]float64{{5, 1, 0, 0}, {2, 3, 1, 0}, {0, 0, 0, 0}, {1, 0, 1, 0}} {
		for k, n := range counts {
			for range int(n) {
				c.Add(i, k, 1)
			}
		}
	}
	for i, want := range []string{
		"{0.625 0.8333 0.7143 6}", "{0.75 0.5 0.6 6}", "{0 0 0 0}", "{0 0 0 2}", "{0 0 0 0}",
	} {
		one := c.Class(i)
		if got := fmt.Sprintf("{%.4g %.4g %.4g %g}", one.Precision, one.Recall, one.F1, one.Support); got != want {
			t.Errorf("class %d: %s, want %s", i, got, want)
		}
	}
	m, w := c.Macro(), c.Weighted()
	got := fmt.Sprintf("%.4f %.4f %.4f %g; %.4f %.4f %.4f %g", m.Precision, m.Recall, m.F1, m.Support, w.Precision, w.Recall, w.F1, w.Support)
	if want := "0.3438 0.3333 0.3286 14; 0.5893 0.5714 0.5633 14"; got != want {
		t.Errorf("means %s, want %s", got, want)
	}
	// class 2 has no rows
	if b := c.BalancedAccuracy(); !(math.Abs(b-(5.0/6+3.0/6+0)/3) <= 1e-15) {
		t.Errorf("balanced accuracy %v", b)
	}
	// o = 8/14, e = (6*8 + 6*4)/196
	if k := c.Kappa(); !(math.Abs(k-(8.0/14-72.0/196)/(1-72.0/196)) <= 1e-15) {
		t.Errorf("kappa %v", k)
	}
	if c.Count(1, 0) != 2 || c.Count(3, 3) != 0 || c.Count(9, 9) != 0 {
		t.Errorf("counts %v", c.cells)
	}
}

// TestConfusionOfLittle: for one class, and for no rows, there is no kappa.
func TestConfusionOfLittle(t *testing.T) {
	var none, one, missed Confusion
	one.Add(2, 2, 4)
	missed.Add(1, 0, 1)
	if k := none.Kappa(); !math.IsNaN(k) {
		t.Errorf("kappa of no rows %v", k)
	}
	if b := none.BalancedAccuracy(); !math.IsNaN(b) {
		t.Errorf("balanced accuracy of no rows %v", b)
	}
	if b := missed.BalancedAccuracy(); b != 0 {
		t.Errorf("balanced accuracy of one row that is wrong %v", b)
	}
	if k := one.Kappa(); !math.IsNaN(k) {
		t.Errorf("kappa of one class %v", k)
	}
	if k := missed.Kappa(); k != 0 {
		t.Errorf("kappa of one row that is wrong %v", k)
	}
	if m := none.Macro(); !math.IsNaN(m.F1) {
		t.Errorf("mean of no classes %v", m)
	}
	if m := one.Macro(); m != (ClassScores{1, 1, 1, 4}) {
		t.Errorf("mean of one class %v", m)
	}
}

// TestArea: the area is the share of pairs of a row inside the class and one outside whose scores
// are in that order; ties count half.
func TestArea(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for try := range 40 {
		var r Ranking
		var scores [][]float64
		var truths []int
		var weights []float64
		for range 1 + rng.IntN(30) {
			s := []float64{float64(rng.IntN(5)), rng.NormFloat64(), math.Inf(rng.IntN(2) - 1)}
			w := 1.0
			if try%2 > 0 {
				w = []float64{0, 1, 0.5, 3}[rng.IntN(4)]
			}
			truths, weights, scores = append(truths, rng.IntN(4)), append(weights, w), append(scores, s)
			r.Add(truths[len(truths)-1], w, s)
		}
		for class := range 4 {
			won, pairs := 0.0, 0.0
			for i := range truths {
				for k := range truths {
					if truths[i] != class || truths[k] == class {
						continue
					}
					w := weights[i] * weights[k]
					pairs += w
					switch {
					case class == 3: // it has no scores
					case scores[i][class] > scores[k][class]:
						won += w
					case scores[i][class] == scores[k][class]:
						won += w / 2
					}
				}
			}
			got := r.Area(class)
			if class == 3 || pairs == 0 {
				if !math.IsNaN(got) {
					t.Errorf("area %v of nothing", got)
				}
			} else if !(math.Abs(got-won/pairs) <= 1e-12) {
				t.Errorf("area %v, by pairs %v", got, won/pairs)
			}
		}
	}
	var r Ranking
	r.Add(0, 1, []float64{1})
	r.Add(1, 1, []float64{math.NaN()})
	if a := r.Area(0); !math.IsNaN(a) {
		t.Errorf("area with a score that is no number: %v", a)
	}
}

// TestWeightsUnit: only proportions of weights count, however large or small all of them are.
func TestWeightsUnit(t *testing.T) {
	of := func(unit float64) (kappa, area float64, scores [3]ClassScores) {
		var c Confusion
		var r Ranking
		for i, answer := range []int{0, 0, 0, 1, 1, 0} {
			w := unit * float64(1+i%3)
			c.Add(i%2, answer, w)
			r.Add(i%2, w, []float64{float64(i * i % 5), float64(i % 3)})
		}
		scores = [...]ClassScores{c.Class(0), c.Macro(), c.Weighted()}
		for k := range scores {
			scores[k].Support = 0 // it is in proportion to the unit
		}
		return c.Kappa(), r.Area(1), scores
	}
	kappa, area, scores := of(1)
	for _, exponent := range []int{-1074, -1030, -1000, -700, 700, 1000} {
		if k, a, s := of(math.Ldexp(1, exponent)); k != kappa || a != area || s != scores {
			t.Errorf("weights times 2^%d: kappa %v, area %v, scores %v; want %v, %v, %v", exponent, k, a, s, kappa, area, scores)
		}
	}
	var heavy Confusion
	heavy.Add(0, 0, math.MaxFloat64)
	want := ClassScores{1, 1, 1, math.MaxFloat64}
	if one, all := heavy.Class(0), heavy.Weighted(); one != want || all != want {
		t.Errorf("a row of the largest weight: %v, all %v", one, all)
	}
}

// TestMCC: the coefficient is the correlation of the indicators of classes, summed over the
// classes; for two classes that is the correlation of the labels.
func TestMCC(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		classes := 2 + trial%4
		var c Confusion
		var truths, answers []int
		var weights []float64
		total := 0.0
		for range 30 {
			y, p, w := rng.IntN(classes), rng.IntN(classes), float64(rng.IntN(4))/4
			if rng.IntN(2) == 0 {
				p = y
			}
			truths, answers, weights, total = append(truths, y), append(answers, p), append(weights, w), total+w
			c.Add(y, p, w)
		}
		covariance := func(a, b []int) (sum float64) {
			for k := range classes {
				both, ofA, ofB := 0.0, 0.0, 0.0
				for i, w := range weights {
					if a[i] == k {
						ofA += w
					}
					if b[i] == k {
						ofB += w
					}
					if a[i] == k && b[i] == k {
						both += w
					}
				}
				sum += both/total - ofA/total*ofB/total
			}
			return sum
		}
		want := covariance(truths, answers) / math.Sqrt(covariance(truths, truths)*covariance(answers, answers))
		if got := c.MCC(); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("trial %d: %v, want %v", trial, got, want)
		}
	}
	for n := range 50 { // no error, and only wrong answers
		var right, wrong Confusion
		for i := range 2 {
			right.Add(i, i, float64(1+(n+1)*i)/2)
			wrong.Add(i, 1-i, float64(1+n)/2)
		}
		if r, w := right.MCC(), wrong.MCC(); r != 1 || w != -1 {
			t.Errorf("rows 1 to %d: %v without an error, %v where all are wrong", n+2, r, w)
		}
	}
	for name, pairs := range map[string][][2]int{"none": nil, "one truth": {{1, 0}, {1, 1}}, "one answer": {{0, 1}, {1, 1}, {2, 1}}, "one label": {{1, 1}}} {
		var c Confusion
		for _, p := range pairs {
			c.Add(p[0], p[1], 0.1)
		}
		if got := c.MCC(); !math.IsNaN(got) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestChances compares log loss and Brier score with numbers computed by hand. A class without a
// score, and one whose score is not a probability, have the probability 0.
func TestChances(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-15*math.Abs(want)) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	var two Ranking
	two.Add(0, 1, []float64{0.8, 0.2})
	two.Add(1, 3, []float64{0.4, 0.6})
	near("log loss", two.LogLoss(), -(math.Log(0.8)+3*math.Log(0.6))/4)
	near("Brier score of two classes", two.Brier(), (0.2*0.2+3*0.4*0.4)/4)
	var three Ranking
	three.Add(2, 1, []float64{0.5, 0.25, 0.25})
	near("log loss", three.LogLoss(), math.Log(4))
	near("Brier score of three classes", three.Brier(), 0.5*0.5+0.25*0.25+0.75*0.75)
	three.Add(3, 1, []float64{0.5, 0.5, math.Inf(-1)})
	near("log loss", three.LogLoss(), (math.Log(4)+52*math.Ln2)/2)
	near("Brier score", three.Brier(), (0.5*0.5+0.25*0.25+0.75*0.75+1+0.5*0.5+0.5*0.5)/2)
	var none Ranking
	if !math.IsNaN(none.LogLoss()) || !math.IsNaN(none.Brier()) {
		t.Error("no rows have a score")
	}
}

// TestLabelAsClass: a label that is no number of a class is said to be none, and counts nowhere.
func TestLabelAsClass(t *testing.T) {
	for _, pair := range [][2]int{{-1, 1}, {1, -1}} {
		var c Confusion
		func() {
			defer func() {
				if said := recover(); said != "predict: class -1 in a confusion matrix, expected a number from 0" {
					t.Errorf("%v: %v", pair, said)
				}
			}()
			c.Add(pair[0], pair[1], 1)
			t.Errorf("%v counts", pair)
		}()
		if s := c.Macro().Support; s > 0 {
			t.Errorf("%v: %v rows", pair, s)
		}
	}
}

// TestLabelAsClassOfRanking: a label that is no number of a class is refused. The log loss took the
// last score of the row before as its probability.
func TestLabelAsClassOfRanking(t *testing.T) {
	var r Ranking
	r.Add(0, 1, []float64{0.25, 0.75})
	want := r.LogLoss()
	func() {
		defer func() {
			if said := recover(); said != "predict: class -1 in a ranking, expected a number from 0" {
				t.Errorf("panic %v", said)
			}
		}()
		r.Add(-1, 1, []float64{0.5, 0.5})
	}()
	if got := r.LogLoss(); got != want {
		t.Errorf("log loss %v of the rows that were added, want %v", got, want)
	}
}
