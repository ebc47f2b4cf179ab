package psvm

import (
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: many ensembles are kept while their training goes on: the one that is being shifted, the
// first one for all forms, and the best one of each form. A hyperplane has a weight for each
// feature, a machine one for each pair of its classes.
//
// Method: hyperplanes are kept as what they are made of, a coefficient for each of a few rows. The
// weights are computed anew, the same to the last bit, when a model is asked for. So only one
// ensemble has weights at a time.

// A plane is a hyperplane between two classes of a machine: the sum of the coefficients times the
// rows relative to the machine's exemplar.
type plane struct {
	rows    []int32 // of D
	coef    []float64
	rho     float64 // of values relative to the exemplar
	sigmoid *models.Sigmoid
}

// A machine is a trained member.
type machine struct {
	exemplar int     // row of D
	classes  []int   // the exemplar's first; the other of a single hyperplane is models.Rest
	planes   []plane // of the pairs of classes
}

// An ensemble is the machines of an iteration.
type ensemble struct {
	run           *run
	p             *points // without distances
	probabilities bool
	machines      []machine
}

// model returns the ensemble with its weights.
func (e *ensemble) model() *models.Model {
	r := e.run
	m := models.NewEnsemble(r.classes.Labels, r.common, r.Ballot)
	m.Probability = e.probabilities
	hyperplanes := 0
	for i := range e.machines {
		hyperplanes += len(e.machines[i].planes)
	}
	m.Vectors.Reserve(hyperplanes)
	m.Origin = make([]int, 0, hyperplanes)
	w := weigher{p: e.p, w: make([]float64, len(e.p.columns))}
	for i := range e.machines {
		of := &e.machines[i]
		planes := w.weigh(of)
		if r.single() {
			h := &planes[0]
			m.AddMachine(of.classes[0], h.W, h.Rho, h.Sigmoid)
		} else {
			m.AddMember(of.classes, planes)
		}
		for range planes {
			m.Origin = append(m.Origin, e.p.rows[of.exemplar]+1)
		}
	}
	return m
}

// A weigher computes the weights of hyperplanes.
type weigher struct {
	p      *points
	w      []float64 // a weight for each feature; all 0 between hyperplanes
	planes []models.Plane
}

// weigh returns the hyperplanes of a machine in the features of the data set. They are valid until
// the next call.
func (w *weigher) weigh(m *machine) []models.Plane {
	for len(w.planes) < len(m.planes) {
		w.planes = append(w.planes, models.Plane{})
	}
	planes := w.planes[:len(m.planes)]
	for i := range planes {
		w.set(&planes[i], m.exemplar, &m.planes[i])
	}
	return planes
}

// set sets h to a hyperplane of the machine of an exemplar, in h's memory.
func (w *weigher) set(h *models.Plane, exemplar int, of *plane) {
	for k, i := range of.rows {
		c := of.coef[k]
		if w.p.dense != nil {
			d := w.p.dense[exemplar]
			for e, v := range w.p.dense[i] {
				w.w[e] += float64(c * (v - d[e]))
			}
			continue
		}
		x := w.p.x[i]
		for e, at := range x.Index {
			w.w[at] += float64(c * x.Value[e])
		}
	}
	h.Rho, h.Sigmoid = of.rho, of.sigmoid
	d := w.p.x[exemplar]
	for e, at := range d.Index {
		h.Rho += float64(w.w[at] * d.Value[e])
	}
	h.W = vec.Vector{Index: h.W.Index[:0], Value: h.W.Value[:0]}
	for e, v := range w.w {
		if v != 0 {
			h.W.Index = append(h.W.Index, w.p.columns[e])
			h.W.Value = append(h.W.Value, v)
		}
	}
	clear(w.w)
}
