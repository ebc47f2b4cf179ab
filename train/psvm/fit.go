package psvm

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/dcd"
)

// Problem: the machine between the sets P and N of an exemplar d, and its sigmoid.
//
// Rows are taken about d, which changes nothing but the offset and makes the products of
// rows as exact as they can be: with w.(x - d) - rho', the machine is w.x - (rho' + w.d).
// Unless costs are equal a margin error of a row of P costs |N|/|P| times as much as one of
// a row of N, if N is larger: else a single exemplar has its errors for less than the seven
// negatives have theirs, and its machine is silent at the exemplar wherever a wrong label is
// near. The folds of the sigmoid are problems with the costs of some rows put to 0.

// A fitter has the memory to fit one machine at a time.
type fitter struct {
	p      *points
	cost   float64
	equal  bool // costs of P and N
	solver dcd.Solver
	gram   gram

	all                     []float64 // costs, none put to 0
	y, costs, start, values []float64
	perm                    []int
	w                       []float64 // of every feature, 0 between fits
}

// folds is the number of folds whose values a sigmoid is fitted to.
const folds = 5

// fit trains m on its sets; rng, unless nil, is the stream of the folds of its sigmoid.
func (f *fitter) fit(ctx context.Context, m *member, rng *train.Rand) error {
	f.gram.reset(f.p, m)
	n := len(m.pos) + len(m.neg)
	f.y, f.all, f.start, f.values = f.y[:0], f.all[:0], f.start[:0], f.values[:0]
	dear := f.cost
	if !f.equal && len(m.neg) > len(m.pos) {
		dear *= float64(len(m.neg)) / float64(len(m.pos))
	}
	for range m.pos {
		f.y, f.all = append(f.y, 1), append(f.all, dear)
	}
	for range m.neg {
		f.y, f.all = append(f.y, -1), append(f.all, f.cost)
	}
	f.costs = append(f.costs[:0], f.all...)
	for range n {
		f.values = append(f.values, 0)
	}
	r, err := f.solver.Solve(ctx, &f.gram, f.y, f.costs, nil)
	if m.loose = err == dcd.ErrNotConverged; err != nil && !m.loose {
		return err
	}
	f.hyperplane(m, r)
	m.sigmoid = nil
	if rng == nil {
		return nil
	}
	f.start = append(f.start, r.Alpha...)
	f.perm = f.perm[:0]
	for i := range n {
		f.perm = append(f.perm, i)
	}
	rng.Shuffle(f.perm)
	for fold := range folds {
		if err := f.decide(ctx, m, f.perm[fold*n/folds:(fold+1)*n/folds]); err != nil {
			return err
		}
	}
	s := train.FitSigmoid(f.values, f.y, nil)
	m.sigmoid = &s
	return nil
}

// decide sets the values of some rows to those of a machine that is trained on the
// others; if these are of one class, to its sign, if there are none, to 0.
func (f *fitter) decide(ctx context.Context, m *member, held []int) error {
	pos, neg := len(m.pos), len(m.neg)
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

// hyperplane sets m's w and rho.
func (f *fitter) hyperplane(m *member, r *dcd.Solution) {
	if f.w == nil {
		f.w = make([]float64, len(f.p.columns))
	}
	for k, a := range r.Alpha {
		if a == 0 {
			continue
		}
		c := a * f.y[k]
		i := f.gram.rows[k]
		if f.p.dense != nil {
			d := f.p.dense[m.exemplar]
			for e, v := range f.p.dense[i] {
				f.w[e] += float64(c * (v - d[e]))
			}
			continue
		}
		x := f.p.x[i]
		for e, at := range x.Index {
			f.w[at] += float64(c * x.Value[e])
		}
	}
	m.w = vec.Vector{}
	m.rho = r.Rho
	d := f.p.x[m.exemplar]
	for e, at := range d.Index {
		m.rho += float64(f.w[at] * d.Value[e])
	}
	for e, v := range f.w {
		if v != 0 {
			m.w.Index = append(m.w.Index, f.p.columns[e])
			m.w.Value = append(m.w.Value, v)
		}
	}
	clear(f.w)
}

// A member is a machine of an ensemble with its sets, which are in order.
type member struct {
	exemplar int // row of D
	pos, neg []int32
	stale    bool // the sets have changed since the machine was trained
	loose    bool // training did not converge

	w       vec.Vector // in the features of the data set
	rho     float64
	sigmoid *models.Sigmoid
}
