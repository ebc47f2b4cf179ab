package train

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: a map from decision values f to the probability of the first class,
//
//	P(+1 | f) = 1 / (1 + exp(A f + B)),
//
// whose A and B minimise the cross-entropy sum_i t_i log p_i + (1-t_i) log(1-p_i)
// (negated) over decision values f_i of rows that their machine was not trained
// on, with targets t = (N+ + 1)/(N+ + 2) and 1/(N- + 2) (Platt 2000). Solved by
// Newton's method with backtracking: Lin, Lin and Weng, "A note on Platt's
// probabilistic outputs for support vector machines", Machine Learning 68
// (2007), Algorithm 1.
const (
	sigmoidIterations = 100
	sigmoidMinStep    = 1e-10
	sigmoidRidge      = 1e-12 // keeps the Hessian positive definite
	sigmoidTolerance  = 1e-5  // on both parts of the gradient
	sigmoidDecrease   = 1e-4  // share of the linear decrease that a step must reach
)

// calibrationFolds is the number of inner folds that give decision values.
const calibrationFolds = 5

// FitSigmoid fits a sigmoid to decision values and labels (positive: first
// class).
func FitSigmoid(values, labels []float64, report Report) models.Sigmoid {
	pos, neg := 0.0, 0.0
	for _, y := range labels {
		if y > 0 {
			pos++
		} else {
			neg++
		}
	}
	t := targets{labels, (pos + 1) / (pos + 2), 1 / (neg + 2)}
	s := models.Sigmoid{A: 0, B: kernel.Log((neg + 1) / (pos + 1))}
	loss := sigmoidLoss(values, t, s)
	for range sigmoidIterations {
		g1, g2, h11, h21, h22 := sigmoidDerivatives(values, t, s)
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
			nextLoss := sigmoidLoss(values, t, next)
			if nextLoss < loss+float64(float64(sigmoidDecrease*step)*slope) {
				s, loss = next, nextLoss
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

// targets are the t_i: of a row of the first class high, of others low.
type targets struct {
	labels    []float64
	high, low float64
}

func (t *targets) of(i int) float64 {
	if t.labels[i] > 0 {
		return t.high
	}
	return t.low
}

// sigmoidLoss returns the negated cross-entropy, in the form that does not
// cancel: t z + log(1+e^-z) for z >= 0, (t-1) z + log(1+e^z) otherwise.
func sigmoidLoss(values []float64, t targets, s models.Sigmoid) float64 {
	sum := 0.0
	for i, f := range values {
		z := float64(f*s.A) + s.B
		if z >= 0 {
			sum += float64(t.of(i)*z) + kernel.Log(1+kernel.Exp(-z))
		} else {
			sum += float64((t.of(i)-1)*z) + kernel.Log(1+kernel.Exp(z))
		}
	}
	return sum
}

// sigmoidDerivatives returns gradient and Hessian of the loss.
func sigmoidDerivatives(values []float64, t targets, s models.Sigmoid) (g1, g2, h11, h21, h22 float64) {
	h11, h22 = sigmoidRidge, sigmoidRidge
	for i, f := range values {
		z := float64(f*s.A) + s.B
		var p, q float64
		if z >= 0 {
			e := kernel.Exp(-z)
			p, q = e/(1+e), 1/(1+e)
		} else {
			e := kernel.Exp(z)
			p, q = 1/(1+e), e/(1+e)
		}
		d2 := float64(p * q)
		h11 += float64(float64(f*f) * d2)
		h22 += d2
		h21 += float64(f * d2)
		d1 := t.of(i) - p
		g1 += float64(f * d1)
		g2 += d1
	}
	return g1, g2, h11, h21, h22
}
