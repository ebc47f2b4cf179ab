package reducedset

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// Problem: a model file has neither C nor the class weights, which are needed to train the small
// machines.
//
// Method: a row's coefficient is at most C times the weights of its class and of the row. It is
// exactly that if the row's value is short of the margin. So the largest coefficients of each class
// are examined: if one of them belongs to a row that is short of the margin, it is the cost of the
// class.

// Costs are the costs of errors that a model was trained with, as far as its coefficients show.
type Costs struct {
	// Cost is C: the largest coefficient divided by the weights of its class and row. It is less
	// than the C of the training if no vector is at the bound.
	Cost float64
	// Weights are the factors of all classes; nil: all are 1.
	Weights []train.ClassWeight
	// FromDual says that the coefficients are those of a support vector machine's dual problem.
	// Other coefficients, such as those of a least squares fit, have no bound from which costs can
	// be inferred.
	FromDual bool
}

// CostsOf returns the costs that m was trained with on d. Row weights are not part of them.
func CostsOf(ctx context.Context, m *models.Model, d *format.Dataset) (Costs, error) {
	if err := m.Validate(); err != nil {
		return Costs{}, fmt.Errorf("invalid model: %w", err)
	}
	if err := d.Check(); err != nil {
		return Costs{}, err
	}
	t, err := inferCosts(ctx, m, d, nil)
	if err != nil {
		return Costs{}, err
	}
	c := Costs{FromDual: t.dual}
	for _, cost := range t.machines {
		c.Cost = max(c.Cost, cost)
	}
	if slices.ContainsFunc(t.factors, func(f float64) bool { return f != 1 }) {
		for k, f := range t.factors {
			c.Weights = append(c.Weights, train.ClassWeight{Label: m.Labels[k], Weight: f})
		}
	}
	return c, nil
}

// inferredCosts is what the coefficients of a model tell about its costs.
type inferredCosts struct {
	dual     bool      // see Costs.FromDual
	machines []float64 // C of each machine: its largest coefficient, without factors
	factors  []float64 // of each class
}

// A side is about the coefficients of one sign in a machine, which are those of one class.
type side struct {
	machine, class int
	largest        float64 // without the weights of rows
	at             []int   // vectors that have this coefficient, up to mostChecked
}

// mostChecked is the number of vectors with a side's largest coefficient that are examined for one
// that is short of the margin.
const mostChecked = 32

// inferCosts infers the costs from the coefficients of a model. Factors on the costs of classes
// that are given are not inferred.
func inferCosts(ctx context.Context, m *models.Model, d *format.Dataset, given []train.ClassWeight) (*inferredCosts, error) {
	t := &inferredCosts{machines: make([]float64, len(m.Machines)), factors: make([]float64, len(m.Labels))}
	for c := range t.factors {
		t.factors[c] = 1
	}
	etas := coefficientsOf(m)
	weights := weightsOfVectors(m, d)
	t.dual = dual(m, etas)
	switch {
	case given != nil:
		for c, label := range m.Labels {
			for _, w := range given {
				if w.Label == label {
					t.factors[c] *= w.Weight
				}
			}
		}
	case t.dual && m.Task == models.CSVC:
		sides := sidesOf(m, etas, weights)
		short, err := shortOfMargin(ctx, m, sides)
		if err != nil {
			return nil, err
		}
		t.factors = factorsOf(len(m.Labels), sides, short)
	}
	first := firstPositive(m, etas)
	for l := range m.Machines {
		t.machines[l] = t.costOf(m, l, etas[l], first, weights)
	}
	return t, nil
}

// A coefficient is the coefficient of vector at in a machine, not 0.
type coefficient struct {
	at int
	of float64
}

// coefficientsOf lists the coefficients of each machine, in the order of the vectors. With many
// classes, most machines have few of the vectors.
func coefficientsOf(m *models.Model) [][]coefficient {
	etas := make([][]coefficient, len(m.Machines))
	start, eta := m.GroupStart(), make([]float64, m.Vectors.Len())
	for l := range etas {
		of := &m.Machines[l]
		spreadTo(eta, of, start)
		etas[l] = make([]coefficient, 0, len(of.Coef))
		for i, e := range eta {
			if e != 0 {
				etas[l] = append(etas[l], coefficient{i, e})
			}
		}
	}
	return etas
}

// firstPositive returns for each vector the positive class of the first machine in which its
// coefficient is above 0, or -1.
func firstPositive(m *models.Model, etas [][]coefficient) []int {
	first := make([]int, m.Vectors.Len())
	for i := range first {
		first[i] = -1
	}
	for l, eta := range etas {
		for _, e := range eta {
			if e.of > 0 && first[e.at] < 0 {
				first[e.at] = m.Machines[l].Pos
			}
		}
	}
	return first
}

// dual reports whether the coefficients of every machine add up to 0 and, if the vectors are
// grouped, have the signs of their classes.
func dual(m *models.Model, etas [][]coefficient) bool {
	if _, ok := m.Kernel.(kernel.Precomputed); ok || m.Vote == models.Ensemble {
		return false // nothing can be examined
	}
	start := m.GroupStart()
	for l, eta := range etas {
		sum, size := 0.0, 0.0
		for _, e := range eta {
			sum += e.of
			size += math.Abs(e.of)
			if m.Group != nil && (e.of > 0) != (e.at >= start[m.Machines[l].Pos] && e.at < start[m.Machines[l].Pos+1]) {
				return false
			}
		}
		if !(math.Abs(sum) <= 1e-5*size) { // LIBSVM's older versions wrote six digits
			return false
		}
	}
	return true
}

// sidesOf lists the sides of all machines, except those of the rest.
func sidesOf(m *models.Model, etas [][]coefficient, weights []float64) (sides []side) {
	const alike = 1e-9
	for l := range m.Machines {
		of := &m.Machines[l]
		for _, s := range []struct {
			class int
			sign  float64
		}{{of.Pos, 1}, {of.Neg, -1}} {
			if s.class == models.Rest {
				continue
			}
			one := side{machine: l, class: s.class}
			for _, e := range etas[l] {
				if w := weights[e.at]; w > 0 {
					one.largest = max(one.largest, s.sign*e.of/w)
				}
			}
			for _, e := range etas[l] {
				if w := weights[e.at]; w > 0 && s.sign*e.of/w >= (1-alike)*one.largest && len(one.at) < mostChecked {
					one.at = append(one.at, e.at)
				}
			}
			sides = append(sides, one)
		}
	}
	return sides
}

// slack is the distance by which a row's value must be short of the margin to be surely not on it:
// far more than solvers tolerate.
const slack = 0.1

// shortOfMargin reports for each side whether one of its vectors is short of the margin. A vector
// that several sides have is evaluated once, and no values are kept, because many classes have many
// machines.
func shortOfMargin(ctx context.Context, m *models.Model, sides []side) ([]bool, error) {
	of := make([][]int, m.Vectors.Len()) // the sides that have each vector
	for n, s := range sides {
		for _, i := range s.at {
			of[i] = append(of[i], n)
		}
	}
	var rows []int
	for i := range of {
		if len(of[i]) > 0 {
			rows = append(rows, i)
		}
	}
	x := m.Vectors.Select(rows)
	short := make([]atomic.Bool, len(sides))
	err := decide(ctx, m, &x, func(k int, values []float64) {
		for _, n := range of[rows[k]] {
			v := values[sides[n].machine]
			if sides[n].class != m.Machines[sides[n].machine].Pos {
				v = -v
			}
			if v < 1-slack {
				short[n].Store(true)
			}
		}
	})
	all := make([]bool, len(sides))
	for n := range all {
		all[n] = short[n].Load()
	}
	return all, err
}

// factorsOf returns the factors of the classes. A class without a vector at the bound gets the
// smallest cost of another class that is not below its largest coefficient; if there is none, it
// gets that coefficient, a lower bound. The factor 1 is that of most classes, or of the class with
// the smallest cost.
func factorsOf(classes int, sides []side, short []bool) []float64 {
	cost, known := make([]float64, classes), make([]bool, classes)
	for n, s := range sides {
		if short[n] && !known[s.class] {
			known[s.class], cost[s.class] = true, 0
		}
		if short[n] || !known[s.class] {
			cost[s.class] = max(cost[s.class], s.largest)
		}
	}
	var levels []float64
	for c, k := range known {
		if k {
			levels = append(levels, cost[c])
		}
	}
	factors := make([]float64, classes)
	if len(levels) == 0 {
		for c := range factors {
			factors[c] = 1
		}
		return factors
	}
	slices.Sort(levels)
	one, most := levels[0], 0
	for _, v := range levels {
		n := 0
		for _, w := range levels {
			if sameCost(v, w) {
				n++
			}
		}
		if n > most {
			one, most = v, n
		}
	}
	for c := range factors {
		v := cost[c]
		if !known[c] {
			if at := slices.IndexFunc(levels, func(l float64) bool { return l >= v || sameCost(l, v) }); at >= 0 {
				v = levels[at]
			}
		}
		if factors[c] = v / one; sameCost(v, one) {
			factors[c] = 1
		}
	}
	return factors
}

// sameCost reports whether two costs differ by rounding only.
func sameCost(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(a, b) }

// costOf returns the largest coefficient of machine l, divided by factors and weights. eta has its
// coefficients; first is what firstPositive returns.
func (t *inferredCosts) costOf(m *models.Model, l int, eta []coefficient, first []int, weights []float64) float64 {
	heaviest := 1.0
	if len(t.factors) > 0 {
		heaviest = slices.Max(t.factors)
	}
	start := m.GroupStart()
	largest := func(known bool) (cost float64) {
		for _, e := range eta {
			w := weights[e.at]
			if known && w == 0 {
				continue
			}
			if w == 0 {
				w = 1
			}
			if m.Task.Classifies() {
				if c := classOf(m, l, e, first, start); c >= 0 {
					w *= t.factors[c]
				} else {
					w *= heaviest
				}
			}
			cost = max(cost, math.Abs(e.of)/w)
		}
		return cost
	}
	if cost := largest(true); cost > 0 {
		return cost
	}
	return largest(false)
}

// classOf returns the class of the vector of a coefficient of machine l, or -1.
func classOf(m *models.Model, l int, e coefficient, first, start []int) int {
	of := &m.Machines[l]
	switch {
	case m.Group != nil:
		c, _ := slices.BinarySearchFunc(start[1:], e.at, func(end, i int) int {
			if end <= i {
				return -1
			}
			return 1
		})
		return c
	case e.of > 0:
		return of.Pos
	case of.Neg != models.Rest:
		return of.Neg
	}
	return first[e.at]
}

// weightsOfVectors returns, for each vector, the weight of the row that it is, or 0 if d has no
// such row. Numbers in LIBSVM's files have eight digits. If several rows are equal, the model does
// not say which of them a vector is, and the weight is the largest of theirs: costs follow from the
// largest coefficients divided by their weights, and if one of equal rows is short of the margin,
// all are.
func weightsOfVectors(m *models.Model, d *format.Dataset) []float64 {
	weights := make([]float64, m.Vectors.Len())
	for i := range weights {
		weights[i] = 1
	}
	if d.Weight == nil {
		return weights
	}
	rows := projectedRows{d: d}
	for i := range d.Len() {
		at, _ := project(d.X.Row(i))
		rows.list = append(rows.list, projectedRow{at, i})
	}
	slices.SortStableFunc(rows.list, func(a, b projectedRow) int { return cmp.Compare(a.at, b.at) })
	for i := range weights {
		weights[i] = rows.weight(m.Vectors.Row(i))
	}
	return weights
}

// projectedRows are rows in the order of their projections on a line, so that a row that nearly
// equals a vector is found.
type projectedRows struct {
	d    *format.Dataset
	list []projectedRow
}

type projectedRow struct {
	at  float64
	row int
}

// digits is the largest relative error of a number that was rounded to eight digits.
const digits = 5.1e-8

// project returns the place of a vector on the line, and by how much it may be off if its numbers
// were rounded to eight digits.
func project(v vec.Vector) (at, off float64) {
	for k, f := range v.Index {
		// coefficients of features that are not nearly multiples of each other
		part := float64(v.Value[k] * (1 + math.Mod(float64(f)*math.Phi, 1)))
		at += part
		off += math.Abs(part)
	}
	return at, 2 * digits * off
}

// weight returns the largest weight of a row that equals v except for rounding to eight digits, or
// 0 if there is none. If very many rows have the same projection, it does not examine all.
func (s *projectedRows) weight(v vec.Vector) (most float64) {
	at, off := project(v)
	first, _ := slices.BinarySearchFunc(s.list, at-off, func(e projectedRow, at float64) int { return cmp.Compare(e.at, at) })
	for _, e := range s.list[first:min(len(s.list), first+1024)] {
		if e.at > at+off {
			break
		}
		if w := weight(s.d, e.row); w > most && near(s.d.X.Row(e.row), v) {
			most = w
		}
	}
	return most
}

// near reports whether vectors differ only by rounding to eight digits.
func near(a, b vec.Vector) bool {
	if len(a.Index) != len(b.Index) {
		return false
	}
	for k, f := range a.Index {
		x, y := a.Value[k], b.Value[k]
		if b.Index[k] != f || !(math.Abs(x-y) <= 2*digits*max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}
