package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestConfusion: class 2 is predicted and no row's, class 3 has rows and is never predicted.
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
	// o = 8/14, e = (6*8 + 6*4)/196
	if k := c.Kappa(); !(math.Abs(k-(8.0/14-72.0/196)/(1-72.0/196)) <= 1e-15) {
		t.Errorf("kappa %v", k)
	}
	if c.Count(1, 0) != 2 || c.Count(3, 3) != 0 || c.Count(9, 9) != 0 {
		t.Errorf("counts %v", c.cells)
	}
}

// TestConfusionOfLittle: of one class, and of no rows, there is no kappa.
func TestConfusionOfLittle(t *testing.T) {
	var none, one, missed Confusion
	one.Add(2, 2, 4)
	missed.Add(1, 0, 1)
	if k := none.Kappa(); !math.IsNaN(k) {
		t.Errorf("kappa of no rows %v", k)
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

// TestArea: the area is the share of pairs of a row inside and one outside that are in
// order, ties half.
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
					case class == 3: // has no scores
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

// TestWeightsUnit: weights count in proportion only, however large or small all of them are.
func TestWeightsUnit(t *testing.T) {
	of := func(unit float64) (kappa, area float64) {
		var c Confusion
		var r Ranking
		for i, answer := range []int{0, 0, 1, 1, 1, 0} {
			w := unit * float64(1+i%3)
			c.Add(i%2, answer, w)
			r.Add(i%2, w, []float64{float64(i * i % 5), float64(i % 3)})
		}
		return c.Kappa(), r.Area(1)
	}
	kappa, area := of(1)
	for _, exponent := range []int{-1074, -1030, -1000, -700, 700, 1000} {
		if k, a := of(math.Ldexp(1, exponent)); k != kappa || a != area {
			t.Errorf("weights times 2^%d: kappa %v, area %v; want %v, %v", exponent, k, a, kappa, area)
		}
	}
}
