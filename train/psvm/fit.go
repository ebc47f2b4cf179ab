package psvm

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/dcd"
)

// Problem: train the machine of an exemplar d between its sets P and N. It is LIBSVM's
// one-against-one classifier: each pair of the classes in P and N has a hyperplane between its rows
// and a sigmoid. Or it is one hyperplane between P and all of N. The exemplar's class comes first,
// the others in the order in which they appear in N.
//
// Method: rows are taken relative to d. That changes only the offset and makes the products of rows
// as exact as possible: with w.(x - d) - rho', the machine is w.x - (rho' + w.d).
//
// Unless costs are equal, a margin error of a row of P costs |N|/|P| times as much as one of a row
// of N, if N is larger, as with LIBSVM's option -w for the exemplar's class. Otherwise the errors
// of a single exemplar would cost less than those of the seven negatives, and the machine would not
// call its exemplar positive wherever a wrong label is near. The folds of a sigmoid are problems in
// which the costs of some rows are 0.
//
// With few rows and many features, a machine that has not seen its only positive row places it
// further on the wrong side than its negatives, and the sigmoid falls: it calls those rows most
// probable that are furthest from the machine's class. Rows that no machine calls positive, most
// rows in such data, are then answered the wrong way round. If the held-out rows show that for an
// ensemble, falling sigmoids are fitted again, to the values of the machine that is trained on all
// of its rows.

// A fitter has the memory to fit one machine at a time.
type fitter struct {
	p      *points
	cost   float64
	equal  bool // costs of P and N
	single bool // one hyperplane
	rising bool // falling sigmoids are fitted again, to own
	solver dcd.Solver
	gram   gram

	groups                  [][]int32 // the rows of each class of a machine
	all                     []float64 // the costs of all rows, none set to 0
	y, costs, start, values []float64
	own                     []float64 // the values by the machine trained on all rows
	perm                    []int
}

// folds is the number of folds of the values to which a sigmoid is fitted.
const folds = 5

// fit trains m on its sets. rng, if not nil, draws the folds of its sigmoids; nil: it has none.
func (f *fitter) fit(ctx context.Context, m *member, rng *train.Rand) error {
	f.group(m)
	dear := f.cost
	if !f.equal && len(m.neg) > len(m.pos) {
		dear *= float64(len(m.neg)) / float64(len(m.pos))
	}
	m.planes = make([]plane, 0, models.Pairs(len(f.groups)))
	m.unconverged = false
	for a, pos := range f.groups {
		for _, neg := range f.groups[a+1:] {
			if err := f.pair(ctx, m, pos, neg, dear, rng); err != nil {
				return err
			}
		}
		dear = f.cost
	}
	return nil
}

// group sets the classes of m, and the rows of each.
func (f *fitter) group(m *member) {
	m.classes = []int{f.p.class[m.exemplar]} // an ensemble may have the classes that it had
	f.groups = append(f.groups[:0], m.pos)
	if f.single {
		m.classes, f.groups = append(m.classes, models.Rest), append(f.groups, m.neg)
		return
	}
	for _, i := range m.neg {
		at := slices.Index(m.classes, f.p.class[i])
		if at < 0 {
			at = len(f.groups)
			m.classes, f.groups = append(m.classes, f.p.class[i]), append(f.groups, nil)
		}
		f.groups[at] = append(f.groups[at], i)
	}
}

// pair adds the hyperplane between the rows of two classes to m's planes. dear is the cost of
// errors on the first class.
func (f *fitter) pair(ctx context.Context, m *member, pos, neg []int32, dear float64, rng *train.Rand) error {
	f.gram.reset(f.p, m.exemplar, pos, neg)
	n := len(pos) + len(neg)
	f.y, f.all, f.start, f.values = f.y[:0], f.all[:0], f.start[:0], f.values[:0]
	for range pos {
		f.y, f.all = append(f.y, 1), append(f.all, dear)
	}
	for range neg {
		f.y, f.all = append(f.y, -1), append(f.all, f.cost)
	}
	f.costs = append(f.costs[:0], f.all...)
	for range n {
		f.values = append(f.values, 0)
	}
	r, err := f.solver.Solve(ctx, &f.gram, f.y, f.costs, nil)
	if err != nil && err != dcd.ErrNotConverged {
		return err
	}
	m.unconverged = m.unconverged || err != nil
	m.planes = append(m.planes, f.hyperplane(r))
	if rng == nil {
		return nil
	}
	f.start = append(f.start, r.Alpha...)
	f.own = f.own[:0]
	for _, v := range r.Values {
		f.own = append(f.own, v-r.Rho)
	}
	f.perm = f.perm[:0]
	for i := range n {
		f.perm = append(f.perm, i)
	}
	rng.Shuffle(f.perm)
	for fold := range folds {
		if err := f.decide(ctx, len(pos), len(neg), f.perm[fold*n/folds:(fold+1)*n/folds]); err != nil {
			return err
		}
	}
	s := train.FitSigmoid(f.values, f.y, nil)
	if f.rising && s.A > 0 {
		s = train.FitSigmoid(f.own, f.y, nil)
	}
	m.planes[len(m.planes)-1].sigmoid = &s
	return nil
}

// decide sets the values of the held-out rows to those of a machine that is trained on the others.
// If these are of one class, the values are its sign; if there are none, the values are 0. pos and
// neg are the numbers of all rows of the classes.
func (f *fitter) decide(ctx context.Context, pos, neg int, held []int) error {
	for _, i := range held {
		f.costs[i] = 0
		if f.y[i] > 0 {
			pos--
		} else {
			neg--
		}
	}
	constant := 0.0
	switch {
	case len(held) == 0:
	case pos > 0 && neg > 0:
		r, err := f.solver.Solve(ctx, &f.gram, f.y, f.costs, f.start)
		if err != nil && err != dcd.ErrNotConverged {
			return err
		}
		for _, i := range held {
			f.values[i] = r.Values[i] - r.Rho
		}
	case pos > 0:
		constant = 1
	case neg > 0:
		constant = -1
	}
	for _, i := range held {
		f.costs[i] = f.all[i]
		if pos == 0 || neg == 0 {
			f.values[i] = constant
		}
	}
	return nil
}

// hyperplane returns the solution.
func (f *fitter) hyperplane(r *dcd.Solution) plane {
	n := 0
	for _, a := range r.Alpha {
		if a != 0 {
			n++
		}
	}
	h := plane{rows: make([]int32, 0, n), coef: make([]float64, 0, n), rho: r.Rho}
	for k, a := range r.Alpha {
		if a != 0 {
			h.rows, h.coef = append(h.rows, f.gram.rows[k]), append(h.coef, a*f.y[k])
		}
	}
	return h
}

// A member is a machine of an ensemble with its sets, which are in order.
type member struct {
	machine
	pos, neg    []int32
	stale       bool // the sets have changed since the machine was trained
	unconverged bool // training did not converge
}
