package predict

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestScoresFarFrom0: an offset of all values does not change any measure, though it makes LIBSVM's
// sums lose their digits.
func TestScoresFarFrom0(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var p, y []float64
	for range 50 {
		x := math.Round(1e6*rng.Float64()) / (1 << 20) // the offsets below do not round it
		p, y = append(p, x), append(y, x+math.Round(1e4*rng.NormFloat64())/(1<<20))
	}
	var near0 Scores
	for i := range p {
		near0.Add(p[i], y[i])
	}
	if r := near0.SquaredCorrelation(); !(math.Abs(r-near0.LIBSVMSquaredCorrelation()) <= 1e-12) || r < 0.99 {
		t.Fatalf("%v, LIBSVM's way %v", r, near0.LIBSVMSquaredCorrelation())
	}
	for _, offset := range []float64{1 << 20, -1 << 24, 1 << 27, 1 << 31} {
		var s Scores
		for i := range p {
			s.Add(p[i]+offset, y[i]+offset)
		}
		for what, v := range map[string][2]float64{
			"squared correlation": {s.SquaredCorrelation(), near0.SquaredCorrelation()},
			"R2":                  {s.R2(), near0.R2()},
			"squared error":       {s.MeanSquaredError(), near0.MeanSquaredError()},
			"mean":                {s.MeanTruth() - offset, near0.MeanTruth()},
		} {
			if !(math.Abs(v[0]-v[1]) <= 1e-6) {
				t.Errorf("%s at %v: %v, near 0 %v", what, offset, v[0], v[1])
			}
		}
	}
}

// TestLIBSVMSquaredCorrelation: the value is that of LIBSVM's formula to the last bit, also where
// its sums have no correct digits left.
func TestLIBSVMSquaredCorrelation(t *testing.T) {
	var s Scores
	for i := range 5 {
		s.Add(1e9+float64(i), 1e9+float64(2*i%5))
	}
	n, sp, st, pp, tt, pt := 5.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range 5 {
		p, y := 1e9+float64(i), 1e9+float64(2*i%5)
		sp, st, pp, tt, pt = sp+p, st+y, pp+float64(p*p), tt+float64(y*y), pt+float64(p*y)
	}
	cov := float64(n*pt) - float64(sp*st)
	want := float64(cov*cov) / float64((float64(n*pp)-float64(sp*sp))*(float64(n*tt)-float64(st*st)))
	if got := s.LIBSVMSquaredCorrelation(); math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := s.SquaredCorrelation(); !(math.Abs(got-0.25) <= 1e-12) { // covariance 5, variances 10
		t.Errorf("%v, want 0.25", got)
	}
}

// TestWeightedScores: a row of weight w counts as w rows.
func TestWeightedScores(t *testing.T) {
	rows := []struct {
		p, y   float64
		weight int
	}{{1, 1, 3}, {2, 3, 1}, {4, 4, 0}, {5, 4, 2}, {-1, 0.5, 7}}
	var weighted, repeated Scores
	var base, plain Baseline
	for _, r := range rows {
		weighted.AddWeighted(r.p, r.y, float64(r.weight))
		base.Add(2, r.y, float64(r.weight))
		for range r.weight {
			repeated.Add(r.p, r.y)
			plain.Add(2, r.y, 1)
		}
	}
	if weighted.Total != 5 || weighted.Correct != 2 || weighted.Weight != 13 || weighted.CorrectWeight != 3 || weighted.Accuracy() != 3.0/13 {
		t.Errorf("%+v", weighted)
	}
	for what, v := range map[string][2]float64{
		"squared error":         {weighted.MeanSquaredError(), repeated.MeanSquaredError()},
		"root":                  {weighted.RootMeanSquaredError(), math.Sqrt(repeated.MeanSquaredError())},
		"absolute error":        {weighted.MeanAbsoluteError(), (1 + 2 + 7*1.5) / 13},
		"correlation":           {weighted.SquaredCorrelation(), repeated.SquaredCorrelation()},
		"R2":                    {weighted.R2(), repeated.R2()},
		"mean":                  {weighted.MeanTruth(), repeated.MeanTruth()},
		"relative error":        {weighted.RelativeAbsoluteError(&base), repeated.RelativeAbsoluteError(&plain)},
		"relative to what is 2": {weighted.RelativeAbsoluteError(&base), 13.5 / (3*1 + 1 + 2*2 + 7*1.5)},
		"root relative":         {weighted.RootRelativeSquaredError(&base), math.Sqrt((1 + 2 + 7*2.25) / (3*1 + 1 + 2*4 + 7*2.25))},
	} {
		if !(math.Abs(v[0]-v[1]) <= 1e-14*math.Abs(v[1])) {
			t.Errorf("%s: %v, of repeated rows %v", what, v[0], v[1])
		}
	}
}

// TestScoresOfLittle: measures that are not defined are NaN.
func TestScoresOfLittle(t *testing.T) {
	var none, constant, right Scores
	var base Baseline
	constant.Add(1, 0.1)
	constant.Add(2, 0.1)
	base.Add(0.1, 0.1, 2)
	for i := range 9 {
		right.Add(float64(i)*0.1, float64(i)*0.1)
	}
	for what, v := range map[string]float64{
		"squared error of no rows": none.MeanSquaredError(), "absolute error of no rows": none.MeanAbsoluteError(),
		"correlation of no rows": none.SquaredCorrelation(), "R2 of no rows": none.R2(),
		"relative to nothing":      none.RelativeAbsoluteError(&Baseline{}),
		"correlation of one value": constant.SquaredCorrelation(), "R2 of one value": constant.R2(),
		"squared relative to nothing": none.RootRelativeSquaredError(&Baseline{}),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v", what, v)
		}
	}
	if v := constant.RelativeAbsoluteError(&base); !math.IsInf(v, 1) {
		t.Errorf("relative to no error: %v", v)
	}
	if right.SquaredCorrelation() != 1 || right.R2() != 1 {
		t.Errorf("of answers without an error: %v, %v", right.SquaredCorrelation(), right.R2())
	}
}

// TestSquaredCorrelationOfLines: if predictions are a linear function of the truth, the value is 1,
// and not more by rounding.
func TestSquaredCorrelationOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		var s Scores
		for range 5 {
			y := rng.NormFloat64()
			s.Add(float64(3*y)-1, y)
		}
		if r := s.SquaredCorrelation(); !(r <= 1 && r >= 1-1e-12) {
			t.Fatalf("%v, want 1", r)
		}
	}
}

// TestScoresOfAHeavyRow: if one row outweighs all others, it is the mean, and the distances of the
// others from it are what counts. They are not lost in the rounding of the mean, wherever the row
// stands.
func TestScoresOfAHeavyRow(t *testing.T) {
	truth := []float64{0.3, 1.7, -2.2, 5.1, 0.1, 3.3, -0.7}
	predicted := []float64{0.2, 1.9, -2, 4, 0.1, 3, 0}
	for heavy := range truth {
		for _, large := range []float64{1e20, 1e300} {
			var s Scores
			pp, tt, pt, squared := 0.0, 0.0, 0.0, 0.0
			for i := range truth {
				w := 1.0
				if i == heavy {
					w = large
				}
				s.AddWeighted(predicted[i], truth[i], w)
				dp, dt, e := predicted[i]-predicted[heavy], truth[i]-truth[heavy], predicted[i]-truth[i]
				pp, tt, pt, squared = pp+dp*dp, tt+dt*dt, pt+dp*dt, squared+w*e*e
			}
			if want, got := 1-squared/tt, s.R2(); !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
				t.Errorf("row %d of weight %v: R2 %v, want %v", heavy, large, got, want)
			}
			if want, got := pt*pt/(pp*tt), s.SquaredCorrelation(); !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("row %d of weight %v: squared correlation %v, want %v", heavy, large, got, want)
			}
		}
	}
}

// TestScoresOfWeight0: a row without weight changes no measure, however large its numbers are and
// wherever it stands.
func TestScoresOfWeight0(t *testing.T) {
	rows := [][2]float64{{0.3, 0.2}, {1e-3, 2e-3}, {-2.2, -2}}
	var want Scores
	for _, row := range rows {
		want.Add(row[0], row[1])
	}
	for at := range len(rows) + 1 {
		var s Scores
		for i, row := range rows {
			if i == at {
				s.AddWeighted(1e300, -1e300, 0)
			}
			s.Add(row[0], row[1])
		}
		if at == len(rows) {
			s.AddWeighted(1e300, -1e300, 0)
		}
		for what, v := range map[string][2]float64{
			"accuracy":       {s.Accuracy(), want.Accuracy()},
			"squared error":  {s.MeanSquaredError(), want.MeanSquaredError()},
			"absolute error": {s.MeanAbsoluteError(), want.MeanAbsoluteError()},
			"correlation":    {s.SquaredCorrelation(), want.SquaredCorrelation()},
			"R2":             {s.R2(), want.R2()},
		} {
			if v[0] != v[1] {
				t.Errorf("with a row of weight 0 before row %d: %s %v, without it %v", at, what, v[0], v[1])
			}
		}
	}
}
