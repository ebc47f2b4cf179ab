package predict

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: from the decision values of a model with probability information,
// the probability of each class.
//
// Two classes: the machine's sigmoid (Platt 2000). More: pairwise probabilities
// r_ij of i against j are coupled by the second method of Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling",
// JMLR 5 (2004), Algorithm 2. One machine a class: the sigmoids' values, divided
// by their sum. An ensemble: the shares of the classes in what its machines give. A
// one-class model: a table of ten levels.

// pairLimit keeps pairwise probabilities away from 0 and 1.
const pairLimit = 1e-7

// Probabilities sets dst to the probabilities of the classes in the order of
// the model's labels, for a one-class model to those of inside and outside, and
// returns the answer: the label of the most probable class, of equal ones the
// first; for a one-class model 1 or -1 by the sign of the decision value. The
// model must have probability information and not be a regression. limit
// reports that the coupling ended at its limit of rounds.
func (p *Predictor) Probabilities(dst []float64, x vec.Vector) (answer float64, limit bool) {
	p.checkOutcomes(dst)
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	p.decide(s, x)
	return p.couple(s, dst)
}

// couple sets dst to the probabilities that the machines' values give.
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
			r := sigmoid(s.decisions[i], *m.Machines[i].Sigmoid)
			dst[i] = min(max(r, pairLimit), 1-pairLimit)
			sum += dst[i]
		}
		for i := range dst {
			dst[i] /= sum
		}
		return float64(m.Labels[argMax(dst)]), false
	}
	s.coupling.reset(k)
	for i := range m.Machines {
		c := &m.Machines[i]
		r := sigmoid(s.decisions[i], *c.Sigmoid)
		r = min(max(r, pairLimit), 1-pairLimit)
		s.coupling.set(c.Pos, c.Neg, r)
	}
	if k == 2 {
		dst[0], dst[1] = s.coupling.r[0*k+1], s.coupling.r[1*k+0]
	} else {
		limit = s.coupling.solve(dst)
	}
	return float64(m.Labels[argMax(dst)]), limit
}

func (p *Predictor) checkOutcomes(dst []float64) {
	if m := p.model; !m.Probability || m.Task.Regresses() {
		panic("predict: the model has no class probabilities")
	}
	if len(dst) != p.Outcomes() {
		panic("predict: dst needs one place for each probability")
	}
}

// Outcomes returns the number of probabilities that Probabilities gives.
func (p *Predictor) Outcomes() int {
	if p.model.Task == models.OneClass {
		return 2
	}
	return len(p.model.Labels)
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

// densityLevel returns the probability of being inside for a one-class decision
// value: in tenths, by the marks it lies between.
func densityLevel(marks []float64, f float64) float64 {
	last := len(marks) - 1
	switch {
	case f < marks[0]:
		return 0.001
	case f >= marks[last]: // LIBSVM says 0 where they are equal
		return 0.999
	}
	i := 1
	for f >= marks[i] {
		i++
	}
	return float64(i) / 10
}

// coupling turns pairwise into class probabilities.
type coupling struct {
	k    int
	r    []float64 // r[i*k+j]: probability of class i when it is i or j
	q    []float64 // the matrix Q of equation (18)
	qp   []float64 // Q p
	size int
}

func (c *coupling) reset(k int) {
	c.k = k
	if c.size < k {
		c.size = k
		c.r, c.q, c.qp = make([]float64, k*k), make([]float64, k*k), make([]float64, k)
	}
}

func (c *coupling) set(i, j int, r float64) {
	c.r[i*c.k+j] = r
	c.r[j*c.k+i] = 1 - r
}

// solve finds the p that minimises p'Qp with sum 1, where
//
//	Q_tt = sum_{s != t} r_st^2,  Q_tj = -r_jt r_tj,
//
// by cyclic updates of one p_t at a time with renormalisation, until
// max_t |(Qp)_t - p'Qp| < 0.005/k. limit reports that the rounds ran out.
func (c *coupling) solve(p []float64) (limit bool) {
	k := c.k
	q, qp := c.q[:k*k], c.qp[:k]
	for t := range k {
		p[t] = 1 / float64(k)
		diagonal := 0.0
		for j := range k {
			if j != t {
				diagonal += float64(c.r[j*k+t] * c.r[j*k+t])
				q[t*k+j] = -c.r[j*k+t] * c.r[t*k+j]
			}
		}
		q[t*k+t] = diagonal
	}
	eps := 0.005 / float64(k)
	for range max(100, k) {
		pqp := 0.0
		for t := range k {
			sum := 0.0
			for j := range k {
				sum += float64(q[t*k+j] * p[j])
			}
			qp[t] = sum
			pqp += float64(p[t] * sum)
		}
		worst := 0.0
		for t := range k {
			worst = max(worst, math.Abs(qp[t]-pqp))
		}
		if worst < eps {
			return false
		}
		for t := range k {
			step := (-qp[t] + pqp) / q[t*k+t]
			p[t] += step
			pqp = (pqp + float64(step*(float64(step*q[t*k+t])+float64(2*qp[t])))) / (1 + step) / (1 + step)
			for j := range k {
				qp[j] = (qp[j] + float64(step*q[t*k+j])) / (1 + step)
				p[j] /= 1 + step
			}
		}
	}
	return true
}
