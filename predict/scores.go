package predict

import "math"

// Scores sums up predictions against the truth. The zero Scores is empty.
//
// A row of weight w counts as w rows. Means of the sums are kept, not the sums of
// squares (West 1979), so that an offset of the values costs no digits; and all of them in
// units, so that values and weights may be of any size.
type Scores struct {
	Total   int // rows
	Correct int // rows whose prediction equals the truth exactly

	Weight        float64 // sum of the weights of all rows
	CorrectWeight float64 // of the correct ones

	weights       span // of what follows
	weight, right float64
	errors        errorSums
	ofP, ofT      span
	p, t          float64 // means
	pp, tt, pt    float64 // sums of products of the distances from the means

	plain struct{ squared, p, t, pp, tt, pt float64 } // LIBSVM's sums
}

// Add takes one prediction and the true value.
func (s *Scores) Add(prediction, truth float64) { s.AddWeighted(prediction, truth, 1) }

// AddWeighted takes the prediction and the true value of a row with a weight, a finite
// number from 0 on.
func (s *Scores) AddWeighted(prediction, truth, weight float64) {
	s.Total++
	s.Weight += weight
	s.addPlain(prediction, truth)
	if prediction == truth {
		s.Correct++
		s.CorrectWeight += weight
	}
	s.weigh(weight)
	weight = s.weights.in(weight)
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
	prediction, truth = s.ofP.in(prediction), s.ofT.in(truth)
	share := weight / s.weight
	dp, dt := prediction-s.p, truth-s.t
	if rest := before / s.weight; rest < share { // of a row that outweighs all others the distances from the means are what these leave
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

// weigh makes the unit of weights large enough for one.
func (s *Scores) weigh(weight float64) {
	f := s.weights.fit(weight)
	if f == 1 {
		return
	}
	for _, v := range []*float64{&s.weight, &s.right, &s.errors.squared, &s.errors.absolute, &s.pp, &s.tt, &s.pt} {
		*v *= f
	}
}

// errorSums are sums of w |d| and w d^2 in the unit of their span.
type errorSums struct {
	of                span
	squared, absolute float64
}

// add takes d = a - b, which may be too large for a number, with its weight.
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
	d = s.of.in(d) * half
	s.squared += float64(weight * float64(d*d))
	s.absolute += float64(weight * math.Abs(d))
}

// Accuracy returns the share of correct rows, 0 to 1; NaN of no rows.
func (s *Scores) Accuracy() float64 { return ratio(s.right, s.weight) }

// MeanSquaredError returns the mean of (prediction - truth)^2; NaN of no rows.
func (s *Scores) MeanSquaredError() float64 {
	return s.errors.of.back(s.errors.of.back(ratio(s.errors.squared, s.weight)))
}

// LIBSVMMeanSquaredError returns the mean of (prediction - truth)^2 as LIBSVM prints it, which
// is infinite or 0 where the sum of squares is. Weights do not count.
func (s *Scores) LIBSVMMeanSquaredError() float64 { return ratio(s.plain.squared, float64(s.Total)) }

// RootMeanSquaredError returns the root of the mean of (prediction - truth)^2, which is in the
// unit of the targets; NaN of no rows.
func (s *Scores) RootMeanSquaredError() float64 {
	return s.errors.of.back(math.Sqrt(ratio(s.errors.squared, s.weight)))
}

// MeanAbsoluteError returns the mean of |prediction - truth|; NaN of no rows.
func (s *Scores) MeanAbsoluteError() float64 {
	return s.errors.of.back(ratio(s.errors.absolute, s.weight))
}

// MeanTruth returns the mean of the true values; 0 of no rows.
func (s *Scores) MeanTruth() float64 { return s.ofT.back(s.t) }

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
	f := s.errors.of.over(&s.ofT)
	return 1 - float64(s.errors.squared/s.tt*f*f)
}

// A Baseline sums up the errors of one who answers with a constant, to which those of
// predictions can be related. The zero Baseline is empty.
type Baseline struct {
	weights span
	errors  errorSums
}

// Add takes the constant, which is the mean of the targets in training as a rule, and the
// true value of a row with a weight. In cross-validation each fold has its own constant.
func (b *Baseline) Add(constant, truth, weight float64) {
	if f := b.weights.fit(weight); f != 1 {
		b.errors.squared *= f
		b.errors.absolute *= f
	}
	b.errors.add(constant, truth, b.weights.in(weight))
}

// RelativeAbsoluteError returns the sum of |prediction - truth| over that of the baseline,
// which has the same rows; NaN where both are 0. Weka prints it in percent.
func (s *Scores) RelativeAbsoluteError(b *Baseline) float64 {
	return ratio(s.errors.absolute, b.errors.absolute) * s.errors.of.over(&b.errors.of) * s.weights.over(&b.weights)
}

// RootRelativeSquaredError returns the root of the sum of (prediction - truth)^2 over that
// of the baseline, which has the same rows; NaN where both are 0. Weka prints it in percent.
func (s *Scores) RootRelativeSquaredError(b *Baseline) float64 {
	root := math.Sqrt(ratio(s.errors.squared, b.errors.squared) * s.weights.over(&b.weights))
	return root * s.errors.of.over(&b.errors.of)
}

// ratio returns a/b. 0/0 is a NaN with the sign bit set, as x86 processors give
// it and as LIBSVM therefore prints it.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return math.Copysign(math.NaN(), -1)
	}
	return a / b
}
