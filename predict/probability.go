package predict

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: compute the probability of each class from the decision values of a model with
// probability information.
//
//   - Two classes: the machine's sigmoid (Platt 2000).
//   - More classes: pairwise probabilities r_ij of i against j are coupled by the second method of
//     Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise
//     coupling", JMLR 5 (2004), Algorithm 2 (predict/internal/pairs).
//   - One machine for each class: the sigmoids' values divided by their sum.
//   - An ensemble: the classes' shares of what its machines give.
//   - A one-class model: a table of ten levels.

// pairLimit keeps pairwise probabilities away from 0 and 1.
const pairLimit = 1e-7

// Probabilities sets dst to the probabilities of the classes, in the order of the model's labels,
// and returns the label of the most probable class (the first of equally probable ones). For a
// one-class model it sets the probabilities of inside and outside and returns 1 or -1 by the sign
// of the decision value. dst has length [Predictor.Outcomes].
//
// The model must have probability information, which its Probability says, and must not be a
// regression: else Probabilities panics. limit reports that the iteration that couples pairwise
// probabilities stopped at its limit before it converged.
func (p *Predictor) Probabilities(dst []float64, x vec.Vector) (answer float64, limit bool) {
	p.checkOutcomes(dst)
	s := p.scratch()
	defer scratches.Put(s)
	p.decide(s, x)
	return p.couple(s, dst)
}

// couple sets dst to the probabilities that follow from the machines' values.
func (p *Predictor) couple(s *scratch, dst []float64) (answer float64, limit bool) {
	m := p.model
	if m.Task == models.OneClass {
		dst[0] = densityLevel(m.DensityMarks, s.decisions[0])
		dst[1] = 1 - dst[0]
		return p.vote(s), false
	}
	k := len(m.Labels)
	if k == 1 {
		dst[0] = 1
		return float64(m.Labels[0]), false
	}
	if m.Vote == models.Ensemble {
		p.ensembleTo(dst, s)
		return float64(m.Labels[argMax(dst)]), false
	}
	if m.Vote == models.OneVsRest {
		sum := 0.0
		for i := range m.Machines {
			dst[i] = clampForCoupling(sigmoid(s.decisions[i], *m.Machines[i].Sigmoid))
			sum += dst[i]
		}
		for i := range dst {
			dst[i] /= sum
		}
		return float64(m.Labels[argMax(dst)]), false
	}
	s.pairs = room(s.pairs, len(m.Machines))
	for i := range m.Machines {
		s.pairs[i] = clampForCoupling(sigmoid(s.decisions[i], *m.Machines[i].Sigmoid))
	}
	if k == 2 {
		dst[0], dst[1] = s.pairs[0], 1-s.pairs[0]
	} else {
		limit = s.coupling.One(dst, s.pairs)
	}
	return float64(m.Labels[argMax(dst)]), limit
}

func (p *Predictor) checkOutcomes(dst []float64) {
	p.checkModel()
	if m := p.model; !m.Probability || m.Task.Regresses() {
		panic("predict: the model has no class probabilities")
	}
	if len(dst) != p.Outcomes() {
		panic("predict: dst needs one place for each probability")
	}
}

// Outcomes returns the number of probabilities that Probabilities sets: one for each class, 2 for a
// one-class model, and 0 for a regression, which has none.
func (p *Predictor) Outcomes() int {
	p.checkModel()
	if p.model.Task == models.OneClass {
		return 2
	}
	return len(p.model.Labels)
}

// clampForCoupling cuts a probability to pairLimit and 1 - pairLimit. For NaN it returns pairLimit,
// as LIBSVM does.
func clampForCoupling(r float64) float64 {
	switch {
	case r > 1-pairLimit:
		return 1 - pairLimit
	case r > pairLimit:
		return r
	}
	return pairLimit
}

// sigmoid returns 1/(1+exp(A f + B)) without overflow.
func sigmoid(f float64, s models.Sigmoid) float64 {
	z := float64(f*s.A) + s.B
	if z >= 0 {
		e := kernel.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(z))
}

// densityLevel returns the probability of being inside for a one-class decision value: in tenths,
// by the marks between which the value lies.
func densityLevel(marks []float64, f float64) float64 {
	last := len(marks) - 1
	switch {
	case f < marks[0]:
		return 0.001
	case f >= marks[last]: // LIBSVM says 0 if f equals the last mark
		return 0.999
	}
	i := 1
	for f >= marks[i] {
		i++
	}
	return float64(i) / 10
}
