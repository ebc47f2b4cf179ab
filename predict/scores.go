package predict

import "math"

// Scores sums up predictions against the truth. The zero Scores is empty.
//
// A row of weight w counts as w rows. Means of the sums are kept, not the sums of
// squares (West 1979), so that an offset of the values costs no digits.
type Scores struct {
	Total   int // rows
	Correct int // rows whose prediction equals the truth exactly

	Weight        float64 // sum of the weights of all rows
	CorrectWeight float64 // of the correct ones

	squared, absolute float64 // sums of (p-t)^2 and |p-t|
	p, t              float64 // means
	pp, tt, pt        float64 // sums of products of the distances from the means

	plain struct{ p, t, pp, tt, pt float64 } // LIBSVM's sums
}

// Add takes one prediction and the true value.
func (s *Scores) Add(prediction, truth float64) { s.AddWeighted(prediction, truth, 1) }

// AddWeighted takes the prediction and the true value of a row with a weight, a finite
// number from 0 on.
func (s *Scores) AddWeighted(prediction, truth, weight float64) {
	s.Total++
	s.Weight += weight
	if prediction == truth {
		s.Correct++
		s.CorrectWeight += weight
	}
	d := prediction - truth
	s.squared += float64(weight * float64(d*d))
	s.absolute += float64(weight * math.Abs(d))
	s.plain.p += prediction
	s.plain.t += truth
	s.plain.pp += float64(prediction * prediction)
	s.plain.tt += float64(truth * truth)
	s.plain.pt += float64(prediction * truth)
	if weight == 0 {
		return
	}
	share := weight / s.Weight
	dp, dt := prediction-s.p, truth-s.t
	s.p += float64(dp * share)
	s.t += float64(dt * share)
	s.pp += float64(float64(weight*dp) * (prediction - s.p))
	s.tt += float64(float64(weight*dt) * (truth - s.t))
	s.pt += float64(float64(weight*dp) * (truth - s.t))
}

// Accuracy returns the share of correct rows, 0 to 1; NaN of no rows.
func (s *Scores) Accuracy() float64 { return ratio(s.CorrectWeight, s.Weight) }

// MeanSquaredError returns the mean of (prediction - truth)^2; NaN of no rows.
func (s *Scores) MeanSquaredError() float64 { return ratio(s.squared, s.Weight) }

// RootMeanSquaredError returns the root of MeanSquaredError, which is in the unit of the
// targets.
func (s *Scores) RootMeanSquaredError() float64 { return math.Sqrt(s.MeanSquaredError()) }

// MeanAbsoluteError returns the mean of |prediction - truth|; NaN of no rows.
func (s *Scores) MeanAbsoluteError() float64 { return ratio(s.absolute, s.Weight) }

// MeanTruth returns the mean of the true values; 0 of no rows.
func (s *Scores) MeanTruth() float64 { return s.t }

// SquaredCorrelation returns the squared correlation coefficient of predictions and truth,
// 0 to 1; NaN when one of them is constant. It says how well a line through predictions
// and truth fits; to R2 the line is that on which they are equal.
func (s *Scores) SquaredCorrelation() float64 {
	if s.pp == 0 || s.tt == 0 {
		return ratio(0, 0)
	}
	return min(float64((s.pt/s.pp)*(s.pt/s.tt)), 1)
}

// LIBSVMSquaredCorrelation returns the squared correlation coefficient from sums of squares,
// bit by bit as LIBSVM prints it: where the values are far from 0 for their spread it has few
// digits, or none. Weights do not count.
func (s *Scores) LIBSVMSquaredCorrelation() float64 {
	n, a := float64(s.Total), &s.plain
	cov := float64(n*a.pt) - float64(a.p*a.t)
	return ratio(float64(cov*cov),
		float64((float64(n*a.pp)-float64(a.p*a.p))*(float64(n*a.tt)-float64(a.t*a.t))))
}

// R2 returns the coefficient of determination,
//
//	1 - sum (prediction - truth)^2 / sum (truth - mean of truth)^2,
//
// which is 1 for predictions without an error, 0 for those of no use, and below 0 for worse
// ones; NaN where the truth is constant.
func (s *Scores) R2() float64 {
	if s.tt == 0 {
		return ratio(0, 0)
	}
	return 1 - s.squared/s.tt
}

// A Baseline sums up the errors of one who answers with a constant, to which those of
// predictions can be related. The zero Baseline is empty.
type Baseline struct{ absolute, squared float64 }

// Add takes the constant, which is the mean of the targets in training as a rule, and the
// true value of a row with a weight. In cross-validation each fold has its own constant.
func (b *Baseline) Add(constant, truth, weight float64) {
	d := constant - truth
	b.absolute += float64(weight * math.Abs(d))
	b.squared += float64(weight * float64(d*d))
}

// RelativeAbsoluteError returns the sum of |prediction - truth| over that of the baseline,
// which has the same rows; NaN where both are 0. Weka prints it in percent.
func (s *Scores) RelativeAbsoluteError(b *Baseline) float64 { return ratio(s.absolute, b.absolute) }

// RootRelativeSquaredError returns the root of the sum of (prediction - truth)^2 over that
// of the baseline, which has the same rows; NaN where both are 0. Weka prints it in percent.
func (s *Scores) RootRelativeSquaredError(b *Baseline) float64 {
	return math.Sqrt(ratio(s.squared, b.squared))
}

// ratio returns a/b. 0/0 is a NaN with the sign bit set, as x86 processors give
// it and as LIBSVM therefore prints it.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return math.Copysign(math.NaN(), -1)
	}
	return a / b
}
