package models

import (
	"errors"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: express the same classifier in LIBSVM's format, where each vector belongs to a class and
// has coefficients only for the pairs of that class.
//
// Method: one-vs-one machines share vectors z_1..z_t with coefficients c_(ij) for the pair of
// classes i and j. Each of the first k-1 classes gets a copy of the vectors: the copy of class i
// has the coefficients c_(ij) for all j > i, and 0 for the other pairs. Machine (i, j) then sums
// the copy of class i with c_(ij) and the copy of class j with 0. A vector whose coefficients in a
// copy are all 0 is left out of that copy. With two classes there is only one copy, so nothing is
// repeated.
//
// One-vs-rest machines have coefficients c_i and offsets rho_i, and the largest value is the
// answer. They become the pairs with coefficients c_i - c_j and offsets rho_i - rho_j: the class
// with the largest value wins all its pairs. Each vector is copied for each class whose machine has
// it. The copy for class i has c_i - c_j for the pairs with later classes j, and -c_i for the pairs
// with earlier classes whose machines do not have the vector.
//
// Machines without vectors often have equal values. The first of such classes must win, but if a
// pair's value is 0, its second class gets the vote. Therefore the classes are in reverse order.

// ErrProbability is returned by [Lower] for one-vs-rest machines with sigmoids. LIBSVM's format
// cannot hold their probabilities.
var ErrProbability = errors.New("the probabilities of one-vs-rest machines cannot be said in LIBSVM's format")

// ErrEnsemble is returned by [Lower] for an ensemble. LIBSVM's format has no machines that vote for
// one class and say nothing about the others.
var ErrEnsemble = errors.New("the votes of an ensemble cannot be said in LIBSVM's format")

// Lower returns a model that LIBSVM's format can express and that gives the same answers as m. A
// model that is not [Model.Extended] is returned unchanged; m is never changed.
//
//   - One-vs-one machines keep their decision values to the last bit.
//   - One-vs-rest machines are replaced by the differences of each pair, with the classes in
//     reverse order. Labels are the same unless two values differ by no more than their rounding.
//   - If a kernel value overflows to infinity, answers may differ: a vector that a machine did not
//     list may get the coefficient 0, and the product is NaN.
//   - Provenance is dropped.
//
// Errors: [ErrEnsemble], [ErrProbability], and what [Model.Validate] finds.
func Lower(m *Model) (*Model, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if !m.Extended() {
		return m, nil
	}
	if m.Vote == Ensemble {
		return nil, ErrEnsemble
	}
	low := *m
	low.Provenance = nil
	if low.Origin == nil {
		low.Origin = make([]int, m.Vectors.Len()) // marks the vectors as synthetic, so that no digit is lost
	}
	if !m.Task.Classifies() || m.Group != nil {
		return &low, nil
	}
	if m.Vote == OneVsRest && m.Probability {
		return nil, ErrProbability
	}
	k := len(m.Labels)
	low.Vote = OneVsOne
	low.Vectors, low.Origin = vec.Matrix{}, nil
	low.Machines = make([]Machine, 0, Pairs(k))
	low.Group = make([]int, k)
	if m.Vote == OneVsRest {
		m = m.reversed()
		low.Labels = m.Labels
		low.differences(m)
	} else {
		low.copies(m)
	}
	return &low, low.Validate()
}

// copies sets the machines, vectors and group sizes of low from the one-vs-one model m. Each class
// except the last gets a copy of the vectors.
func (low *Model) copies(m *Model) {
	k, t := len(m.Labels), m.Vectors.Len()
	coefs := make([]float64, t*max(0, k-1)) // for the machines of one class at a time
	for i := range k - 1 {
		of := make([]pair, k-1-i)
		for n := range of {
			of[n] = m.pair(i, i+1+n, coefs[n*t:(n+1)*t])
		}
		for z := range t {
			if !slices.ContainsFunc(of, func(p pair) bool { return p.coef[z] != 0 }) {
				continue
			}
			at := int32(low.Vectors.Len())
			low.Vectors.Append(m.Vectors.Row(z))
			low.Origin = append(low.Origin, m.originOf(z))
			low.Group[i]++
			for j := range of {
				of[j].Index = append(of[j].Index, at)
				of[j].Coef = append(of[j].Coef, of[j].coef[z])
			}
		}
		for n := range of {
			c := &of[n].Machine
			if c.Index = slices.Clip(c.Index); c.Index == nil {
				c.Index = []int32{}
			}
			low.Machines = append(low.Machines, *c)
		}
	}
}

// differences sets the machines, vectors and group sizes of low from the one-vs-rest model m. Each
// class gets a copy of the vectors that its machine has.
func (low *Model) differences(m *Model) {
	k := len(m.Labels)
	never := func(i, j int) bool { // neither value is ever larger than the other
		a, b := m.Machines[i].Rho, m.Machines[j].Rho
		return math.IsInf(a, 0) && a == b
	}
	for i := range k {
		for j := i + 1; j < k; j++ {
			c := Machine{Pos: i, Neg: j, Index: []int32{}}
			if !never(i, j) {
				c.Rho = m.Machines[i].Rho - m.Machines[j].Rho
			}
			low.Machines = append(low.Machines, c)
		}
	}
	type entry struct {
		class int
		coef  float64
	}
	of := make([][]entry, m.Vectors.Len())
	dense := make([]float64, m.Vectors.Len())
	for i := range k {
		m.Machines[i].spread(dense)
		for z, v := range dense {
			if v != 0 {
				of[z] = append(of[z], entry{i, v})
			}
		}
	}
	coef := make([]float64, k) // a vector's coefficient in each machine
	for i := range k {
		m.Machines[i].spread(dense)
		for z, own := range dense {
			if own == 0 {
				continue
			}
			for _, e := range of[z] {
				coef[e.class] = e.coef
			}
			at, wanted := int32(low.Vectors.Len()), false
			for j, other := range coef {
				var c *Machine
				v := own - other
				switch {
				case j == i || v == 0 || never(i, j):
					continue
				case i < j:
					c = &low.Machines[PairIndex(i, j, k)]
				case other != 0: // in the copy for class j
					continue
				default:
					c, v = &low.Machines[PairIndex(j, i, k)], -own
				}
				c.Index, c.Coef = append(c.Index, at), append(c.Coef, v)
				wanted = true
			}
			for _, e := range of[z] {
				coef[e.class] = 0
			}
			if wanted {
				low.Vectors.Append(m.Vectors.Row(z))
				low.Origin = append(low.Origin, m.originOf(z))
				low.Group[i]++
			}
		}
	}
}

// reversed returns a one-vs-rest model with its classes in reverse order.
func (m *Model) reversed() *Model {
	r := *m
	r.Labels, r.Machines = slices.Clone(m.Labels), slices.Clone(m.Machines)
	slices.Reverse(r.Labels)
	slices.Reverse(r.Machines)
	return &r
}

// A pair is a one-vs-one machine with a coefficient for each vector of the original model.
type pair struct {
	Machine
	coef []float64
}

// pair returns the one-vs-one machine of the classes i < j. It writes the coefficients of the
// vectors to coef.
func (m *Model) pair(i, j int, coef []float64) pair {
	c := &m.Machines[PairIndex(i, j, len(m.Labels))]
	c.spread(coef)
	return pair{Machine{Pos: i, Neg: j, Rho: c.Rho, Sigmoid: c.Sigmoid}, coef}
}

// spread sets dst to the coefficients of all shared vectors.
func (c *Machine) spread(dst []float64) {
	if c.Index == nil {
		copy(dst, c.Coef)
		return
	}
	clear(dst)
	for n, i := range c.Index {
		dst[i] = c.Coef[n]
	}
}

func (m *Model) originOf(i int) int {
	if m.Origin == nil {
		return 0
	}
	return m.Origin[i]
}
