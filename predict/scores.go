package predict

import "math"

// Scores sums up predictions against the truth. The zero Scores is empty.
type Scores struct {
	Total   int // rows
	Correct int // rows whose prediction equals the truth exactly

	squared          float64 // sum of (p-t)^2
	p, t, pp, tt, pt float64 // sums for the correlation
}

// Add takes one prediction and the true value.
func (s *Scores) Add(prediction, truth float64) {
	s.Total++
	if prediction == truth {
		s.Correct++
	}
	d := prediction - truth
	s.squared += float64(d * d)
	s.p += prediction
	s.t += truth
	s.pp += float64(prediction * prediction)
	s.tt += float64(truth * truth)
	s.pt += float64(prediction * truth)
}

// Accuracy returns the share of correct rows, 0 to 1; NaN of no rows.
func (s *Scores) Accuracy() float64 { return ratio(float64(s.Correct), float64(s.Total)) }

// MeanSquaredError returns the mean of (prediction - truth)^2; NaN of no rows.
func (s *Scores) MeanSquaredError() float64 { return ratio(s.squared, float64(s.Total)) }

// SquaredCorrelation returns the squared correlation coefficient of predictions
// and truth; NaN when one of them is constant.
func (s *Scores) SquaredCorrelation() float64 {
	n := float64(s.Total)
	cov := float64(n*s.pt) - float64(s.p*s.t)
	return ratio(float64(cov*cov),
		float64((float64(n*s.pp)-float64(s.p*s.p))*(float64(n*s.tt)-float64(s.t*s.t))))
}

// ratio returns a/b. 0/0 is a NaN with the sign bit set, as x86 processors give
// it and as LIBSVM therefore prints it.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return math.Copysign(math.NaN(), -1)
	}
	return a / b
}
