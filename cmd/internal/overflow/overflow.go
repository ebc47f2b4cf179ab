// Package overflow finds rows for which a model has no answer, since its kernel values overflow.
package overflow

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// Problem: when sums of kernel values overflow, infinities of both signs meet, and a NaN votes for
// the second class or is written as a prediction. Only rows with huge values can cause that, so
// others need not be examined.
//
// Method: from the largest size of a feature of the vectors and the largest sum of sizes of a machine's
// coefficients follows how large kernel values may be, and from that how large the values of a row, so that no
// sum comes near infinity. A row whose values are all below that limit, divided by their number, is passed. Of
// any other the machines' values are computed one more time, and one that is a NaN is an error of the row.

// A Check finds rows that the model can't answer for, and those for which a machine's value is no number. One goroutine
// may use it at a time; copies made before that are independent.
type Check struct {
	p      *predict.Predictor
	path   string  // the model's
	limit  float64 // rows of n values, none above limit / n, need no look; all need one unless it is above 0
	values []float64
}

// New returns the check for a model from a path.
func New(p *predict.Predictor, path string) Check {
	return Check{p: p, path: path, limit: safeValue(p.Model())}
}

// Row returns an error for a row that has no answer.
func (s *Check) Row(x vec.Vector) error {
	if err := s.p.Check(x); err != nil {
		return err
	}
	if s.safe(x.Value) {
		return nil
	}
	if s.values == nil {
		s.values = make([]float64, len(s.p.Model().Machines))
	}
	s.p.Decisions(s.values, x)
	for _, v := range s.values {
		if math.IsNaN(v) {
			return fmt.Errorf("the value of %s is not a number: kernel values overflow", s.path)
		}
	}
	return nil
}

// safe reports whether a row of such values has an answer for sure.
func (s *Check) safe(values []float64) bool {
	if math.IsInf(s.limit, 1) {
		return true
	}
	if !(s.limit > 0) { // even a row without values may have none
		return false
	}
	most := s.limit / float64(len(values))
	for _, v := range values {
		if !(math.Abs(v) <= most) {
			return false
		}
	}
	return true
}

// safeValue returns the size up to which the values of a row may add up for sums of kernel values
// to stay far below the largest number. It is not above 0 if there is no such size.
func safeValue(m *models.Model) float64 {
	const room = 1e290
	feature := 1.0
	for i := range m.Vectors.Len() {
		feature = max(feature, largest(m.Vectors.Row(i).Value))
	}
	coefs := 1.0 // sum of a machine's
	for i := range m.Machines {
		sum := math.Abs(m.Machines[i].Rho)
		for _, c := range m.Machines[i].Coef {
			sum += math.Abs(c)
		}
		coefs = max(coefs, sum)
	}
	if coefs > room {
		return 0
	}
	values := room / coefs // of the kernel
	switch k := m.Kernel.(type) {
	case kernel.Linear:
		return values / feature
	case kernel.Poly:
		base := kernel.Exp(kernel.Log(values) / float64(max(k.Degree, 1)))
		return min((base-math.Abs(k.Coef0))/math.Abs(k.Gamma), room) / feature
	case kernel.Sigmoid:
		return room / feature / max(1, math.Abs(k.Gamma))
	case kernel.RBF:
		if k.Gamma > 0 { // an infinite distance has the value 0
			return math.Inf(1)
		}
		// With a gamma below 0, which a file may have, values grow with the distance, which is at most
		// the length of the row and that of the vector.
		return min(math.Sqrt(kernel.Log(values)/math.Abs(k.Gamma)), 1e100) - longest(&m.Vectors)
	case kernel.Precomputed:
		return values
	}
	return math.Inf(1)
}

// longest returns the largest sum of sizes of a vector's values, which its length is not above.
func longest(vectors *vec.Matrix) float64 {
	most := 0.0
	for i := range vectors.Len() {
		sum := 0.0
		for _, v := range vectors.Row(i).Value {
			sum += math.Abs(v)
		}
		most = max(most, sum)
	}
	return most
}

// largest returns the largest size of values.
func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}
