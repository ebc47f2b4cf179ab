package train

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: find a map from decision values f to the probability of the first class,
//
//	P(+1 | f) = 1 / (1 + exp(A f + B)),
//
// whose A and B minimise the (negated) cross-entropy sum_i t_i log p_i + (1-t_i) log(1-p_i) over
// decision values f_i of rows that their machine was not trained on. The targets t are (N+ + 1)/(N+
// + 2) and 1/(N- + 2) (Platt 2000).
//
// Method: Newton's method with backtracking: Lin, Lin and Weng, "A note on Platt's probabilistic
// outputs for support vector machines", Machine Learning 68 (2007), Algorithm 1.
const (
	sigmoidIterations = 100
	sigmoidMinStep    = 1e-10
	sigmoidRidge      = 1e-12 // keeps the Hessian positive definite
	sigmoidTolerance  = 1e-5  // for both parts of the gradient
	sigmoidDecrease   = 1e-4  // share of the linear decrease that a step must reach
)

// calibrationFolds is the number of folds of the cross-validation that gives decision values.
const calibrationFolds = 5

// FitSigmoid fits a sigmoid to decision values and their labels, one for each value; a positive
// label is the first class. report receives an event if the fit does not converge; it may be nil.
func FitSigmoid(values, labels []float64, report Report) models.Sigmoid {
	return FitWeightedSigmoid(values, labels, nil, report)
}

// FitWeightedSigmoid is [FitSigmoid] with positive row weights, of which only the proportions
// matter; nil means equal weights.
func FitWeightedSigmoid(values, labels, weights []float64, report Report) models.Sigmoid {
	if len(values) != len(labels) {
		panic(fmt.Sprintf("train: %d decision values but %d labels", len(values), len(labels)))
	}
	if weights != nil && len(values) != len(weights) {
		panic(fmt.Sprintf("train: %d decision values but %d weights", len(values), len(weights)))
	}
	weights = inUnits(weights)
	pos, neg := 0.0, 0.0
	for i, y := range labels {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if y > 0 {
			pos += w
		} else {
			neg += w
		}
	}
	l := losses.Get().(*loss)
	defer losses.Put(l)
	l.values, l.labels, l.weights, l.high, l.low = values, labels, weights, (pos+1)/(pos+2), 1/(neg+2)
	defer func() { l.values, l.labels, l.weights = nil, nil, nil }()
	s := models.Sigmoid{A: 0, B: kernel.Log((neg + 1) / (pos + 1))}
	least := l.at(s)
	for range sigmoidIterations {
		g1, g2, h11, h21, h22 := l.derivatives() // at s, where the loss was computed last
		if math.Abs(g1) < sigmoidTolerance && math.Abs(g2) < sigmoidTolerance {
			return s
		}
		det := float64(h11*h22) - float64(h21*h21)
		dA := -(float64(h22*g1) - float64(h21*g2)) / det
		dB := -(float64(-h21*g1) + float64(h11*g2)) / det
		slope := float64(g1*dA) + float64(g2*dB)
		step := 1.0
		for ; step >= sigmoidMinStep; step /= 2 {
			next := models.Sigmoid{A: s.A + float64(step*dA), B: s.B + float64(step*dB)}
			nextLoss := l.at(next)
			if nextLoss < least+float64(float64(sigmoidDecrease*step)*slope) {
				s, least = next, nextLoss
				break
			}
		}
		if step < sigmoidMinStep {
			report.Send(CalibrationStuck{})
			return s
		}
	}
	report.Send(CalibrationLimit{})
	return s
}

// inUnits returns the weights divided by their mean, or nil if all are equal.
func inUnits(weights []float64) []float64 {
	if len(weights) == 0 || slices.Max(weights) == slices.Min(weights) {
		return nil
	}
	units, sum := make([]float64, len(weights)), 0.0
	largest := slices.Max(weights)
	for i, w := range weights {
		units[i] = w / largest // so that the sum is finite
		sum += units[i]
	}
	for i := range units {
		units[i] /= sum / float64(len(units))
	}
	return units
}

// A loss is the negated cross-entropy as a function of the sigmoid.
type loss struct {
	values, labels []float64
	weights        []float64 // nil: all 1
	high, low      float64   // t_i of a row of the first class; of another row

	last models.Sigmoid // the sigmoid of the last call of at
	exps []float64      // for each row, exp(-|z|) with z = A f + B
}

// lossPart is the number of exponentials that are computed together.
const lossPart = 128

// losses holds unused losses.
var losses = sync.Pool{New: func() any { return new(loss) }}

func (l *loss) target(i int) float64 {
	if l.labels[i] > 0 {
		return l.high
	}
	return l.low
}

// z returns A f + B of the last sigmoid.
func (l *loss) z(f float64) float64 { return float64(f*l.last.A) + l.last.B }

// at returns the loss at s, in the form that does not cancel: t z + log(1+e^-z) if z >= 0, else
// (t-1) z + log(1+e^z).
func (l *loss) at(s models.Sigmoid) float64 {
	l.last = s
	l.exps = slices.Grow(l.exps[:0], len(l.values))[:len(l.values)]
	var sizes [lossPart]float64
	for from := 0; from < len(l.values); from += lossPart {
		values := l.values[from:min(from+lossPart, len(l.values))]
		for i, f := range values {
			sizes[i] = -math.Abs(l.z(f))
		}
		kernel.ExpTo(l.exps[from:][:len(values)], sizes[:len(values)])
	}
	sum := 0.0
	for i, f := range l.values {
		z, t := l.z(f), l.target(i)
		if !(z >= 0) {
			t--
		}
		one := float64(t*z) + kernel.Log(1+l.exps[i])
		if l.weights != nil {
			one = float64(one * l.weights[i])
		}
		sum += one
	}
	return sum
}

// derivatives returns gradient and Hessian of the loss at the last sigmoid.
func (l *loss) derivatives() (g1, g2, h11, h21, h22 float64) {
	h11, h22 = sigmoidRidge, sigmoidRidge
	for i, f := range l.values {
		e := l.exps[i]
		p, q := 1/(1+e), e/(1+e)
		if l.z(f) >= 0 {
			p, q = q, p
		}
		d2, d1 := float64(p*q), l.target(i)-p
		if l.weights != nil {
			d2, d1 = float64(d2*l.weights[i]), float64(d1*l.weights[i])
		}
		h11 += float64(float64(f*f) * d2)
		h22 += d2
		h21 += float64(f * d2)
		g1 += float64(f * d1)
		g2 += d1
	}
	return g1, g2, h11, h21, h22
}
