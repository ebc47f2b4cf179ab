package cs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
	"github.com/slimsvm/slimsvm/train/internal/preimage"
)

// A Classifier is f(x) = sum_j Coef[j] K(Points[j], x) - Rho.
type Classifier struct {
	Points []vec.Vector
	Coef   []float64
	Rho    float64
}

// Metrics are measurements of a classifier.
type Metrics struct {
	Used           int // points with a coefficient
	SupportVectors int // rows with a multiplier; in the closed forms, rows that count
	Right, Of      int // right answers, and all, on the sample
	// HeldRight and HeldOut are the same for the held-out rows.
	HeldRight, HeldOut int
	// RightWeight and the next three are the same answers weighted by the costs of their rows,
	// class weights included. Choices are made by the share that is right of these.
	RightWeight, OfWeight          float64
	HeldRightWeight, HeldOutWeight float64

	Objective float64
	Pivots    int
	// Steps are those of the search for the weights of (7). Gap is the remaining difference between
	// its objective and the dual's, relative to 1 + the objective.
	Steps int
	Gap   float64
}

// A Result is a classifier with its figures.
type Result struct {
	Classifier
	Metrics
}

// ErrNotSolved reports a linear programme without a solution whose optimality can be certified in
// float64.
var ErrNotSolved = onenorm.ErrNotSolved

// ErrCosts reports that the costs of errors overflow.
var ErrCosts = errors.New("the costs overflow: lower nu, or the weights of classes and rows")

func cause(err error) error {
	switch {
	case errors.Is(err, onenorm.ErrNotFinite) || errors.Is(err, preimage.ErrFar):
		return train.ErrOverflow
	case errors.Is(err, onenorm.ErrCosts):
		return ErrCosts
	}
	return err
}

// matrixOf returns vectors as a matrix.
func matrixOf(vectors []vec.Vector) *vec.Matrix {
	m := new(vec.Matrix)
	m.Reserve(len(vectors))
	for _, v := range vectors {
		m.Append(v)
	}
	return m
}

// allRows returns the numbers of n rows.
func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// rowsOf returns rows of x as vectors, which share its memory.
func rowsOf(x *vec.Matrix, rows []int) []vec.Vector {
	all := make([]vec.Vector, len(rows))
	for k, i := range rows {
		all[k] = x.Row(i)
	}
	return all
}

// Decide returns f of the given rows of x.
func (c *Classifier) Decide(k kernel.Kernel, x *vec.Matrix, rows []int) []float64 {
	switch {
	case k == nil:
		panic("cs: no kernel")
	case x == nil:
		panic("cs: no rows to decide")
	case len(c.Points) != len(c.Coef):
		panic(fmt.Sprintf("cs: a classifier of %d points with %d coefficients", len(c.Points), len(c.Coef)))
	}
	return decide(context.Background(), k, matrixOf(c.Points), c.Coef, c.Rho, x, rows)
}

// works holds *work values. Many machines are small, and would need more memory for a batch than
// for themselves.
var works = sync.Pool{New: func() any { return new(work) }}

// A work is memory for the values of a batch of rows.
type work struct {
	batch  kernel.Batch
	xs     []vec.Vector
	values []float64
	sum    []float64
}

// pack puts rows of x into the batch, at most kernel.BatchRows.
func (w *work) pack(basis *kernel.Basis, x *vec.Matrix, rows []int) {
	w.xs = w.xs[:0]
	for _, i := range rows {
		w.xs = append(w.xs, x.Row(i))
	}
	w.batch.Pack(basis, w.xs)
}

// room returns n numbers with undefined contents, in the memory of s if that is enough.
func room(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	*s = (*s)[:n]
	return *s
}

// addTo sets the decision values of rows from the kernel values at each point, which are lanes
// apart.
func (w *work) addTo(to, coef []float64, rho float64, values []float64, lanes int) {
	sum := room(&w.sum, lanes)
	clear(sum)
	columns.AddOneTo(sum, coef, values)
	for i := range to {
		to[i] = sum[i] - rho
	}
}

// decide returns sum_j coef_j K(z_j, x) - rho for rows of x. If ctx is cancelled, some are missing.
func decide(ctx context.Context, k kernel.Kernel, zs *vec.Matrix, coef []float64, rho float64, x *vec.Matrix, rows []int) []float64 {
	values := make([]float64, len(rows))
	if zs.Len() == 0 {
		for i := range values {
			values[i] = -rho
		}
		return values
	}
	basis := kernel.NewBasis(k, zs)
	w := works.Get().(*work)
	defer works.Put(w)
	for from := 0; from < len(rows) && ctx.Err() == nil; from += kernel.BatchRows {
		part := rows[from:min(from+kernel.BatchRows, len(rows))]
		w.pack(basis, x, part)
		lanes := w.batch.Lanes()
		all := room(&w.values, len(coef)*lanes)
		w.batch.EvaluateTo(all, 0, len(coef))
		w.addTo(values[from:from+len(part)], coef, rho, all, lanes)
	}
	return values
}

// right returns how many of the given rows of p the classifier answers rightly, the sum of what
// errors on these would cost, and that sum for all of the rows.
func (c *Classifier) right(p *train.Problem, rows []int) (n int, weight, of float64) {
	return rightOf(c.Decide(p.Kernel, &p.X, rows), p, rows)
}

// rightOf is right for the classifier's values of the rows.
func rightOf(values []float64, p *train.Problem, rows []int) (n int, weight, of float64) {
	for k, v := range values {
		w := costOf(p, rows[k])
		of += w
		if (v > 0) == (p.Y[rows[k]] > 0) {
			n++
			weight += w
		}
	}
	return n, weight, of
}

// costOf returns the cost of an error on row i, without nu.
func costOf(p *train.Problem, i int) float64 {
	cost := p.Weight.Pos.Times(1)
	if p.Y[i] < 0 {
		cost = p.Weight.Neg.Times(1)
	}
	if p.RowWeight != nil {
		cost *= p.RowWeight[i]
	}
	return cost
}

// largest returns the points of the n largest coefficients that are not 0, by size.
func (c *Classifier) largest(n int) []int {
	var order []int
	for j, u := range c.Coef {
		if u == 0 {
			continue
		}
		at := len(order)
		for at > 0 && math.Abs(c.Coef[order[at-1]]) < math.Abs(u) {
			at--
		}
		if at < n {
			order = append(order[:at], append([]int{j}, order[at:]...)...)
			order = order[:min(n, len(order))]
		}
	}
	return order
}

// Largest returns the n points whose coefficients are largest in absolute value, or all points with
// a coefficient if there are fewer.
func (c *Classifier) Largest(n int) (points []vec.Vector) {
	for _, j := range c.largest(n) {
		points = append(points, c.Points[j])
	}
	return points
}

// used returns the classifier without the points that have no coefficient.
func (c *Classifier) used() Classifier {
	u := Classifier{Rho: c.Rho}
	for j, v := range c.Coef {
		if v != 0 {
			u.Points, u.Coef = append(u.Points, c.Points[j]), append(u.Coef, v)
		}
	}
	return u
}

// A chunk has some rows of a problem, for which classifiers over some points are to be found.
type chunk struct {
	p       *train.Problem
	rows    []int
	zs      *vec.Matrix   // the points
	points  []vec.Vector  // the same
	basis   *kernel.Basis // of them, or nil: not made yet
	step    *Steps
	lps     *onenorm.Programme
	y, cost []float64  // of each row; cost without nu
	values  []float64  // kernel values, if the closed forms keep them
	several bool       // several classifiers are to be found
	own     cachedRows // rows
	held    cachedRows // held-out rows, the same for all classifiers

	multipliers []float64 // of the rows, in the last programme's solution
	apart       bool      // that solution has no errors: it is also the one for higher costs

	progress         func(pivots int) // nil: pivots are not reported
	before, reported int              // pivots of the programmes that are done, and what was reported last
}

// A cachedRows has the kernel values of rows at a chunk's points. They are kept if they are few and
// several classifiers are to be found.
type cachedRows struct {
	parts [][]float64 // of each batch, lanes apart
	lanes []int
}

// mostKnown is the largest number of kernel values that are kept.
const mostKnown = 1 << 15

// rightOf returns what right does for a classifier over all points of the chunk.
func (c *chunk) rightOf(cls *Classifier, of *cachedRows, rows []int) (n int, weight, all float64) {
	if len(c.points) == 0 || len(rows)*len(c.points) > mostKnown {
		used := cls.used() // the other points add nothing, and in wide programmes they are nearly all
		return used.right(c.p, rows)
	}
	w := works.Get().(*work)
	defer works.Put(w)
	values := make([]float64, len(rows))
	for from := 0; from < len(rows); from += kernel.BatchRows {
		part, at := rows[from:min(from+kernel.BatchRows, len(rows))], from/kernel.BatchRows
		if at >= len(of.parts) {
			if c.basis == nil {
				c.basis = kernel.NewBasis(c.p.Kernel, c.zs)
			}
			w.pack(c.basis, &c.p.X, part)
			lanes := w.batch.Lanes()
			all := room(&w.values, len(c.points)*lanes)
			w.batch.EvaluateTo(all, 0, len(c.points))
			if !c.several {
				w.addTo(values[from:from+len(part)], cls.Coef, cls.Rho, all, lanes)
				continue
			}
			of.parts, of.lanes = append(of.parts, slices.Clone(all)), append(of.lanes, lanes)
		}
		w.addTo(values[from:from+len(part)], cls.Coef, cls.Rho, of.parts[at], of.lanes[at])
	}
	return rightOf(values, c.p, rows)
}

// newChunk returns the chunk of rows of p and points zs. progress, if not nil, is called now and
// then with the number of pivots of all its programmes.
func newChunk(ctx context.Context, p *train.Problem, rows []int, zs *vec.Matrix, step *Steps, progress func(int)) (*chunk, error) {
	return newChunkOver(ctx, p, rows, &points{zs, rowsOf(zs, allRows(zs.Len())), nil}, step, progress)
}

// points are the points over which classifiers are found.
type points struct {
	zs    *vec.Matrix
	list  []vec.Vector
	basis *kernel.Basis // nil: not made
}

// newChunkOver is newChunk for points that several chunks share.
func newChunkOver(ctx context.Context, p *train.Problem, rows []int, over *points, step *Steps, progress func(int)) (*chunk, error) {
	zs := over.zs
	c := &chunk{p: p, rows: rows, zs: zs, points: over.list, basis: over.basis, step: step, y: make([]float64, len(rows)), cost: make([]float64, len(rows))}
	for k, i := range rows {
		c.y[k], c.cost[k] = p.Y[i], costOf(p, i)
	}
	if step.Form != Programme {
		return c, nil
	}
	some := p.X.Select(rows)
	var err error
	c.lps, err = onenorm.NewWithBasis(ctx, p.Kernel, &some, c.y, zs, c.basis, int(min(step.MatrixMB*(1<<20)/8, math.MaxInt32)))
	if err != nil {
		return nil, cause(err)
	}
	c.progress = progress
	c.lps.Progress = c.reportPivots
	return c, nil
}

// reportPivots passes on the number of pivots of the current programme. A programme that is not
// solved in the end does not say how many it had.
func (c *chunk) reportPivots(pivots int) {
	if c.progress != nil {
		c.reported = max(c.reported, c.before+pivots)
		c.progress(c.reported)
	}
}

// solve finds the classifier for nu.
func (c *chunk) solve(ctx context.Context, nu float64) (*Result, error) {
	if c.step.Form != Programme {
		return c.closed(ctx, nu)
	}
	cy, cv := make([]float64, len(c.rows)), make([]float64, len(c.points))
	for k, v := range c.cost {
		cy[k] = nu * v
	}
	for j := range cv {
		cv[j] = 1
	}
	sol, err := c.lps.Solve(ctx, cy, cv)
	if err != nil {
		return nil, cause(err)
	}
	c.reportPivots(sol.Pivots)
	c.before += sol.Pivots
	c.multipliers, c.apart = sol.T, !slices.ContainsFunc(sol.Y, func(y float64) bool { return y != 0 })
	r := &Result{
		Classifier: Classifier{Points: c.points, Coef: sol.U, Rho: sol.Gamma},
		Metrics:    Metrics{SupportVectors: count(sol.Rows), Used: count(sol.Vectors), Objective: sol.Objective, Pivots: sol.Pivots},
	}
	for j, is := range sol.Vectors {
		if !is {
			r.Coef[j] = 0
		}
	}
	r.Of = len(c.rows)
	r.Right, r.RightWeight, r.OfWeight = c.rightOf(&r.Classifier, &c.own, c.rows)
	return r, nil
}

// hold fills in the figures on held-out rows, which are the same for all classifiers of a chunk.
func (c *chunk) hold(r *Result, rows []int) {
	if len(rows) > 0 {
		r.HeldOut = len(rows)
		r.HeldRight, r.HeldRightWeight, r.HeldOutWeight = c.rightOf(&r.Classifier, &c.held, rows)
	}
}

// count returns how many are true.
func count(is []bool) (n int) {
	for _, v := range is {
		if v {
			n++
		}
	}
	return n
}

// learn fills in the figures on the sample.
func (r *Result) learn(p *train.Problem, rows []int) {
	r.Of = len(rows)
	r.Right, r.RightWeight, r.OfWeight = r.right(p, rows)
}

// hold fills in the figures on held-out rows.
func (r *Result) hold(p *train.Problem, rows []int) {
	if len(rows) > 0 {
		r.HeldOut = len(rows)
		r.HeldRight, r.HeldRightWeight, r.HeldOutWeight = r.right(p, rows)
	}
}

// Classify returns the classifier LP(rows, points), or that of the closed form in step.Form, with
// nu as the cost of errors. held are the held-out rows for the figures.
func Classify(ctx context.Context, p *train.Problem, rows []int, points []vec.Vector, nu float64, step Steps, held []int) (*Result, error) {
	if err := step.Validate(); err != nil {
		return nil, err
	}
	if err := positive("cost", nu); err != nil {
		return nil, err
	}
	if err := checkProblem(p); err != nil {
		return nil, err
	}
	for _, i := range slices.Concat(rows, held) {
		if i < 0 || i >= len(p.Y) {
			return nil, fmt.Errorf("row %d of a problem of %d rows, which are counted from 0", i, len(p.Y))
		}
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("no points for a classifier of %d rows", len(rows))
	}
	c, err := newChunk(ctx, p, rows, matrixOf(points), &step, nil)
	if err != nil {
		return nil, err
	}
	r, err := c.solve(ctx, nu)
	if err != nil {
		return nil, err
	}
	r.hold(p, held)
	return r, nil
}
