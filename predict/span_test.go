package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestScoresOfAnySize: values and weights of any size have the scores of those of middle size, in
// any order.
func TestScoresOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	type row struct{ p, y, w float64 }
	var rows []row
	for i := range 40 {
		x := rng.NormFloat64()
		rows = append(rows, row{x, x + 0.3*rng.NormFloat64(), 0.1 + rng.Float64()})
		if i%8 == 0 {
			rows[i].y = rows[i].p
		}
	}
	score := func(ofP, ofT, ofW int) (*Scores, *Baseline) {
		s, b := new(Scores), new(Baseline)
		for _, r := range rows {
			y, w := math.Ldexp(r.y, ofT), math.Ldexp(r.w, ofW)
			s.AddWeighted(math.Ldexp(r.p, ofP), y, w)
			b.Add(math.Ldexp(0.1, ofT), y, w)
		}
		return s, b
	}
	plain, base := score(0, 0, 0)
	same := func(what string, size, weight int, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-13*math.Abs(want)) {
			t.Errorf("%s of values times 2^%d with weights times 2^%d: %v, want %v", what, size, weight, got, want)
		}
	}
	for _, size := range []int{0, 600, -600, 1020, -970} {
		for _, weight := range []int{0, 700, -700, 1023, -1000} {
			s, b := score(size, size, weight)
			same("accuracy", size, weight, s.Accuracy(), plain.Accuracy())
			same("correlation", size, weight, s.SquaredCorrelation(), plain.SquaredCorrelation())
			same("R2", size, weight, s.R2(), plain.R2())
			same("root of squares", size, weight, s.RootMeanSquaredError(), math.Ldexp(plain.RootMeanSquaredError(), size))
			same("absolute error", size, weight, s.MeanAbsoluteError(), math.Ldexp(plain.MeanAbsoluteError(), size))
			same("mean", size, weight, s.MeanTruth(), math.Ldexp(plain.MeanTruth(), size))
			same("relative error", size, weight, s.RelativeAbsoluteError(b), plain.RelativeAbsoluteError(base))
			same("relative root", size, weight, s.RootRelativeSquaredError(b), plain.RootRelativeSquaredError(base))
			apart, _ := score(-size, size, weight)
			same("correlation of those apart", size, weight, apart.SquaredCorrelation(), plain.SquaredCorrelation())
		}
	}
}

// TestScoresOfLeast: measures that are ratios do not depend on the unit of the numbers or of the
// weights, down to the least that there are; and a tiny row behind large ones is one of 0.
func TestScoresOfLeast(t *testing.T) {
	rows := [][3]float64{{3, 2, 1}, {0, 1, 2}, {7, 9, 1}, {4, 4, 3}, {-8, -6, 2}} // prediction, truth, weight
	measures := func(unit, ofWeights float64, more ...[3]float64) string {
		var s Scores
		var b Baseline
		for _, r := range rows {
			s.AddWeighted(r[0]*unit, r[1]*unit, r[2]*ofWeights)
			b.Add(2*unit, r[1]*unit, r[2]*ofWeights)
		}
		for _, r := range more {
			s.AddWeighted(r[0], r[1], r[2]*ofWeights)
			b.Add(0, r[1], r[2]*ofWeights)
		}
		return fmt.Sprintf("%.12g %.12g %.12g %.12g", s.R2(), s.SquaredCorrelation(), s.RelativeAbsoluteError(&b), s.RootRelativeSquaredError(&b))
	}
	want := measures(1, 1)
	for _, unit := range []float64{0x1p-1074, 0x1p-1060, 0x1p-600, 0x1p600, 0x1p1019} {
		for _, ofWeights := range []float64{1, 0x1p-1074, 0x1p1000} {
			if got := measures(unit, ofWeights); got != want {
				t.Errorf("units %v and %v: %s, want %s", unit, ofWeights, got, want)
			}
		}
	}
	none := measures(0x1p600, 1, [3]float64{0, 0, 1})
	if got := measures(0x1p600, 1, [3]float64{0x1p-600, -0x1p-700, 1}); got != none {
		t.Errorf("a tiny row behind large ones: %s, want %s", got, none)
	}
}

// TestScoresGrow: values that are larger than all before, and differences that are too large for a
// float64.
func TestScoresGrow(t *testing.T) {
	var s Scores
	var b Baseline
	for _, r := range [][3]float64{{0, 0, 0}, {0, 0, 1}, {1e-300, 2e-300, 1e-5}, {1, 2, 1}, {1.7e308, -1.7e308, 1e9}, {-1.7e308, 1.7e308, 1e9}} {
		s.AddWeighted(r[0], r[1], r[2])
		b.Add(0, r[1], r[2])
	}
	for what, v := range map[string][2]float64{
		"correlation": {s.SquaredCorrelation(), 1}, "R2": {s.R2(), -3},
		"relative error": {s.RelativeAbsoluteError(&b), 2}, "relative root": {s.RootRelativeSquaredError(&b), 2},
	} {
		if !(math.Abs(v[0]-v[1]) <= 1e-8) {
			t.Errorf("%s: %v, want %v", what, v[0], v[1])
		}
	}
	if v := s.LIBSVMMeanSquaredError(); !math.IsInf(v, 1) {
		t.Errorf("LIBSVM's squared error: %v", v)
	}
	var one Scores
	one.Add(math.Inf(1), 1)
	one.Add(2, 1)
	if v := one.RootMeanSquaredError(); !math.IsInf(v, 1) {
		t.Errorf("of an infinite answer: %v", v)
	}
}
