package predict

import "math"

// Scores sums up predictions against the truth. The zero Scores is empty.
//
// A row of weight w counts as w rows. Means are updated row by row (West 1979) instead of summing
// squares, so an offset of the values costs no precision, and they are kept in scaled units, so
// values and weights of any size can be added.
type Scores struct {
	Total   int // rows
	Correct int // rows whose prediction equals the true value exactly

	Weight        float64 // sum of the weights of all rows
	CorrectWeight float64 // sum of the weights of the correct rows

	weights       sumUnit // scale of the following sums
	weight, right float64
	errors        errorSums
	ofP, ofT      sumUnit
	p, t          float64 // means
	pp, tt, pt    float64 // weighted sums of products of differences from the means

	plain struct{ squared, p, t, pp, tt, pt float64 } // sums as LIBSVM computes them
}

// Add adds a prediction and its true value, with weight 1.
func (s *Scores) Add(prediction, truth float64) { s.AddWeighted(prediction, truth, 1) }

// AddWeighted adds a prediction, its true value and the row's weight, which is finite and not
// negative.
func (s *Scores) AddWeighted(prediction, truth, weight float64) {
	s.Total++
	s.Weight += weight
	s.addPlain(prediction, truth)
	if prediction == truth {
		s.Correct++
		s.CorrectWeight += weight
	}
	s.weigh(weight)
	weight = s.weights.toUnits(weight)
	before := s.weight
	s.weight += weight
	if prediction == truth {
		s.right += weight
	}
	s.errors.add(prediction, truth, weight)
	if weight == 0 {
		return
	}
	f, g := s.ofP.fit(prediction), s.ofT.fit(truth)
	if f != 1 || g != 1 {
		s.p *= f
		s.t *= g
		s.pp = s.pp * f * f
		s.tt = s.tt * g * g
		s.pt = s.pt * f * g
	}
	prediction, truth = s.ofP.toUnits(prediction), s.ofT.toUnits(truth)
	share := weight / s.weight
	dp, dt := prediction-s.p, truth-s.t
	// if a row outweighs all others, compute the new means from its values, which are nearer to
	// them than the old means
	if rest := before / s.weight; rest < share {
		s.p, s.t = prediction-float64(dp*rest), truth-float64(dt*rest)
		weight *= rest
		s.pp += float64(float64(weight*dp) * dp)
		s.tt += float64(float64(weight*dt) * dt)
		s.pt += float64(float64(weight*dp) * dt)
		return
	}
	s.p += float64(dp * share)
	s.t += float64(dt * share)
	s.pp += float64(float64(weight*dp) * (prediction - s.p))
	s.tt += float64(float64(weight*dt) * (truth - s.t))
	s.pt += float64(float64(weight*dp) * (truth - s.t))
}

func (s *Scores) addPlain(prediction, truth float64) {
	d, a := prediction-truth, &s.plain
	a.squared += float64(d * d)
	a.p += prediction
	a.t += truth
	a.pp += float64(prediction * prediction)
	a.tt += float64(truth * truth)
	a.pt += float64(prediction * truth)
}

// weigh makes the unit of weights large enough for this weight.
func (s *Scores) weigh(weight float64) {
	f := s.weights.fit(weight)
	if f == 1 {
		return
	}
	for _, v := range []*float64{&s.weight, &s.right, &s.errors.squared, &s.errors.absolute, &s.pp, &s.tt, &s.pt} {
		*v *= f
	}
}

// errorSums are sums of w |d| and w d^2 in the units of their sumUnit.
type errorSums struct {
	of                sumUnit
	squared, absolute float64
}

// add adds d = a - b with its weight. d itself may overflow.
func (s *errorSums) add(a, b, weight float64) {
	if weight == 0 {
		return
	}
	d, half := a-b, 1.0
	if math.IsInf(d, 0) {
		d, half = float64(a/2)-float64(b/2), 2
	}
	if f := s.of.fit(d); f != 1 {
		s.squared = s.squared * f * f
		s.absolute *= f
	}
	d = s.of.toUnits(d) * half
	s.squared += float64(weight * float64(d*d))
	s.absolute += float64(weight * math.Abs(d))
}

// Accuracy returns the share of correct rows, 0 to 1; NaN if there are no rows.
func (s *Scores) Accuracy() float64 { return ratio(s.right, s.weight) }

// MeanSquaredError returns the mean of (prediction - truth)^2; NaN if there are no rows.
func (s *Scores) MeanSquaredError() float64 {
	return s.errors.of.fromUnits(s.errors.of.fromUnits(ratio(s.errors.squared, s.weight)))
}

// LIBSVMMeanSquaredError returns the mean of (prediction - truth)^2 as LIBSVM prints it: it is
// infinite or 0 if the sum of squares overflows or underflows. It ignores weights.
func (s *Scores) LIBSVMMeanSquaredError() float64 { return ratio(s.plain.squared, float64(s.Total)) }

// RootMeanSquaredError returns the square root of the mean of (prediction - truth)^2, which is in
// the unit of the targets; NaN if there are no rows.
func (s *Scores) RootMeanSquaredError() float64 {
	return s.errors.of.fromUnits(math.Sqrt(ratio(s.errors.squared, s.weight)))
}

// MeanAbsoluteError returns the mean of |prediction - truth|; NaN if there are no rows.
func (s *Scores) MeanAbsoluteError() float64 {
	return s.errors.of.fromUnits(ratio(s.errors.absolute, s.weight))
}

// MeanTruth returns the mean of the true values; 0 if there are no rows.
func (s *Scores) MeanTruth() float64 { return s.ofT.fromUnits(s.t) }

// SquaredCorrelation returns the squared correlation coefficient of predictions and truth, 0 to 1;
// NaN if either is constant. It measures how well any line fits truth against predictions, whereas
// [Scores.R2] measures the line on which they are equal.
func (s *Scores) SquaredCorrelation() float64 {
	if s.pp == 0 || s.tt == 0 {
		return ratio(0, 0)
	}
	return min(float64((s.pt/s.pp)*(s.pt/s.tt)), 1)
}

// LIBSVMSquaredCorrelation returns the squared correlation coefficient bit by bit as LIBSVM prints
// it, from sums of squares. It has few correct digits, or none, if the values are far from 0
// compared to their spread. It ignores weights.
func (s *Scores) LIBSVMSquaredCorrelation() float64 {
	n, a := float64(s.Total), &s.plain
	cov := float64(n*a.pt) - float64(a.p*a.t)
	return ratio(float64(cov*cov),
		float64((float64(n*a.pp)-float64(a.p*a.p))*(float64(n*a.tt)-float64(a.t*a.t))))
}

// R2 returns the coefficient of determination,
//
//	1 - sum (prediction - truth)^2 / sum (truth - mean of truth)^2.
//
// It is 1 if there are no errors, 0 for predictions no better than the mean of the truth, and
// negative for worse ones. NaN if the truth is constant.
func (s *Scores) R2() float64 {
	if s.tt == 0 {
		return ratio(0, 0)
	}
	f := s.errors.of.over(&s.ofT)
	return 1 - float64(s.errors.squared/s.tt*f*f)
}

// A Baseline collects the errors of predicting a constant, to which the errors of predictions are
// related. The zero Baseline is empty.
type Baseline struct {
	weights sumUnit
	errors  errorSums
}

// Add adds a row with its true value and its weight. constant is what the baseline predicts for it,
// usually the mean target of the training rows; in cross-validation each fold has its own.
func (b *Baseline) Add(constant, truth, weight float64) {
	if f := b.weights.fit(weight); f != 1 {
		b.errors.squared *= f
		b.errors.absolute *= f
	}
	b.errors.add(constant, truth, b.weights.toUnits(weight))
}

// RelativeAbsoluteError returns the sum of |prediction - truth| divided by that of the baseline,
// which must have the same rows; NaN if both are 0. Weka prints it in percent.
func (s *Scores) RelativeAbsoluteError(b *Baseline) float64 {
	return ratio(s.errors.absolute, b.errors.absolute) * s.errors.of.over(&b.errors.of) * s.weights.over(&b.weights)
}

// RootRelativeSquaredError returns the square root of the sum of (prediction - truth)^2 divided by
// that of the baseline, which must have the same rows; NaN if both are 0. Weka prints it in
// percent.
func (s *Scores) RootRelativeSquaredError(b *Baseline) float64 {
	root := math.Sqrt(ratio(s.errors.squared, b.errors.squared) * s.weights.over(&b.weights))
	return root * s.errors.of.over(&b.errors.of)
}

// ratio returns a/b. For 0/0 it returns a NaN with the sign bit set, as x86 processors do; LIBSVM
// prints it as such.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return math.Copysign(math.NaN(), -1)
	}
	return a / b
}
