package reducedset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A state is the state of a reduction.
type state struct {
	*Reducer
	parent   *models.Model
	start    []int // where the vectors of each class begin, see models.Model.GroupStart
	places   places
	machines []machine

	zs     vec.Matrix
	kx     [][]float64 // kx[j] is k(z_j, x) at the places; nil if the machines share all vectors
	ks     [][]float64 // ks[j][i] = k(z_j, vector i of the parent)
	common *span       // of all vectors, if the machines share them

	searches int // number of searches for vectors so far
	features int // number of features of the parent's vectors; 0: not counted yet
}

// A machine is one of the machines to be replaced, with its replacement. Slices by place have an
// element for each place of its tiles, in order.
type machine struct {
	from *models.Machine // the machine of the parent
	cost float64
	// least is the smallest length of beta phi(z) that counts: less would hardly change any row's
	// value, or is rounding.
	least float64

	tiles  []int
	y      []float64 // by place: the side or, for models without classes, the value to be met; 0 where there is no row
	weight []float64 // by place: the row's weight times the factor of its class; 0 where there is no row

	own     []int     // vectors that it uses
	beta    []float64 // their coefficients
	rho     float64
	values  []float64 // by place: the value with these vectors; nil without classes
	wrong   float64   // share of the rows on the wrong side
	parent  float64   // the same for the parent's machine
	found   int       // number of vectors that were found for it
	span    *span     // the span of own, if the machine is to be trained on it
	trained *linear.Machine
	fit     *fit
}

func newState(ctx context.Context, r *Reducer, m *models.Model, d *format.Dataset) (*state, error) {
	s := &state{Reducer: r, parent: m, start: m.GroupStart(), machines: make([]machine, len(m.Machines))}
	for l := range s.machines {
		s.machines[l].from = &m.Machines[l]
	}
	costs, err := inferCosts(ctx, m, d, r.Weights)
	if err != nil {
		return nil, err
	}
	for l, cost := range costs.machines {
		if r.Cost != 0 {
			cost = r.Cost
		}
		if cost == 0 {
			cost = 1 // a machine without vectors
		}
		s.machines[l].cost = cost
	}
	if m.Task.Classifies() {
		err = s.sides(d, costs.factors)
	} else {
		err = s.targets(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	if r.Method.shares() {
		s.common = s.newSpan()
	}
	for l := range s.machines {
		c := &s.machines[l]
		if m.Task.Classifies() {
			c.values = make([]float64, len(c.y))
		}
		if r.Method == Retrain || r.Method == FixedPoints {
			c.span = s.newSpan()
		}
	}
	if m.Task.Classifies() {
		err = s.judgeParent(ctx)
	}
	if r.Method.searches() {
		s.weigh()
	}
	return s, err
}

// Limits below which a vector is worth nothing: a change of all values by the share nothing of
// their range, which is far less than a solver's tolerance, and the share noise of the size of a
// sum, which may be rounding.
const (
	nothing = 1e-6
	noise   = 1e-14
)

// weigh sets least of each machine, given the values of the parent's machines. beta phi(z) changes
// the value of a row x by at most |phi(x)| times its own length. Its rounding error is in
// proportion to sum_i |eta_i| |phi(x_i)|.
func (s *state) weigh() {
	lengths := func(x *vec.Matrix) []float64 {
		dst := make([]float64, x.Len())
		s.parent.Kernel.DiagTo(dst, x)
		for i, v := range dst {
			dst[i] = math.Sqrt(math.Abs(v)) // K(x, x) of a polynomial kernel may be below 0
		}
		return dst
	}
	of, rows := lengths(&s.parent.Vectors), s.places.spread(lengths(&s.places.x))
	eta := make([]float64, s.parent.Vectors.Len())
	for l := range s.machines {
		c := &s.machines[l]
		values := c.values
		if values == nil {
			values = c.y
		}
		low, high, longest, size := math.Inf(1), math.Inf(-1), 0.0, 0.0
		for n, t := range c.tiles {
			for k := range linear.TileRows {
				if i := n*linear.TileRows + k; c.weight[i] != 0 {
					low, high = min(low, values[i]), max(high, values[i])
					longest = max(longest, rows[t*linear.TileRows+k])
				}
			}
		}
		spreadTo(eta, c.from, s.start)
		for i, e := range eta {
			size += float64(math.Abs(e) * of[i])
		}
		if c.least = noise * size; longest > 0 {
			c.least = max(c.least, nothing*(high-low)/longest)
		}
	}
}

// judgeParent sets values, and the share of rows on the wrong side, of the parent's machines.
func (s *state) judgeParent(ctx context.Context) error {
	err := decide(ctx, s.parent, &s.places.x, func(i int, of []float64) {
		at := s.places.at[i]
		for l := range s.machines {
			c := &s.machines[l]
			if n, ok := slices.BinarySearch(c.tiles, at/linear.TileRows); ok {
				c.values[n*linear.TileRows+at%linear.TileRows] = of[l]
			}
		}
	})
	if err != nil {
		return err
	}
	for l := range s.machines {
		c := &s.machines[l]
		c.judge()
		c.parent = c.wrong
	}
	return nil
}

// eta returns the parent's coefficient in a machine for each of its vectors. They are not kept:
// with many classes, they would be far more than the parent's coefficients.
func (s *state) eta(c *machine) []float64 {
	return spread(c.from, s.start, s.parent.Vectors.Len())
}

// spread returns a coefficient for each of n vectors.
func spread(c *models.Machine, start []int, n int) []float64 {
	dst := make([]float64, n)
	spreadTo(dst, c, start)
	return dst
}

// spreadTo sets dst to a coefficient for each of a model's vectors.
func spreadTo(dst []float64, c *models.Machine, start []int) {
	clear(dst)
	if c.Index != nil {
		for k, i := range c.Index {
			dst[i] = c.Coef[k]
		}
		return
	}
	coef := c.Coef
	for _, span := range c.Spans(start) {
		copy(dst[span.From:span.To], coef)
		coef = coef[span.To-span.From:]
	}
}

// add appends a vector to zs, and adds it to the span of the machines that are to be trained on it,
// unless that is nil. If the vector would add nothing to the span, add does neither and returns
// false.
func (s *state) add(ctx context.Context, z vec.Vector, p *span) bool {
	j := s.zs.Len()
	var row []float64
	if p != nil {
		var own vec.Matrix
		own.Append(z)
		kz := make([]float64, j+1)
		s.parent.Kernel.EvaluateTo(kz[:j], z, &s.zs)
		s.parent.Kernel.EvaluateTo(kz[j:], z, &own)
		if row = p.widen(s, z, kz); row == nil {
			return false
		}
	}
	s.zs.Append(z)
	z = s.zs.Row(j)
	s.ks = append(s.ks, s.column(ctx, z, &s.parent.Vectors))
	at := s.places.spread(s.column(ctx, z, &s.places.x))
	if p != nil {
		p.add(j, row, at)
	}
	if s.common != nil {
		at = nil
	}
	s.kx = append(s.kx, at)
	return true
}

// columnPart is the number of rows of a column that one task computes.
const columnPart = 1024

func (s *state) column(ctx context.Context, z vec.Vector, x *vec.Matrix) []float64 {
	n := x.Len()
	dst := make([]float64, n)
	team.Do(ctx, (n+columnPart-1)/columnPart, func(_ context.Context, p int) {
		from, to := p*columnPart, min((p+1)*columnPart, n)
		part := x.Slice(from, to)
		s.parent.Kernel.EvaluateTo(dst[from:to], z, &part)
	})
	return dst
}

// valuesTo sets dst to the machine's values without the offset, at its places.
func (s *state) valuesTo(dst []float64, c *machine) {
	clear(dst)
	for k, j := range c.own {
		for n, t := range c.tiles {
			part := dst[n*linear.TileRows:][:linear.TileRows]
			columns.Axpy(part, c.beta[k], s.kx[j][t*linear.TileRows:])
		}
	}
}

// judge sets the share of the machine's rows on the wrong side, by LIBSVM's rule: a value that is
// not positive is on the negative side.
func (c *machine) judge() {
	wrong, total := 0.0, 0.0
	for i, w := range c.weight {
		if w != 0 && (c.values[i] > 0) != (c.y[i] > 0) {
			wrong += w
		}
		total += w
	}
	c.wrong = wrong / total
}

// model returns the reduced model, without vectors that have no coefficient in any machine except
// for rounding.
func (s *state) model() *models.Model { return s.modelBut(noise) }

// modelBut returns the reduced model without negligible vectors. The size of a vector in a machine
// is its coefficient times the length of its image. A vector is negligible if, in each machine, its
// size is at most the given share of the sum of all sizes.
func (s *state) modelBut(share float64) *models.Model {
	p := s.parent
	lengths := make([]float64, s.zs.Len())
	p.Kernel.DiagTo(lengths, &s.zs)
	for j, v := range lengths {
		if lengths[j] = math.Sqrt(v); !(v > 0) { // possible with a sigmoid kernel
			lengths[j] = 1
		}
	}
	small := &models.Model{
		Task: p.Task, Kernel: p.Kernel, Labels: p.Labels, Vote: p.Vote, Inputs: p.Inputs,
		Provenance: &models.Provenance{
			Method: "reduce-" + string(s.Method), Seed: s.Seed, Parent: p.Vectors.Len(),
			Parameters: []models.Parameter{{Name: "vectors", Value: strconv.Itoa(s.Vectors)}},
		},
	}
	used := make([]bool, s.zs.Len())
	for l := range s.machines {
		c := &s.machines[l]
		coef := make([]float64, s.zs.Len())
		own, beta, rho := c.own, c.beta, c.rho
		switch {
		case s.Method != Retrain:
		case c.fit != nil:
			beta, rho = c.span.coefficients(c.fit.w), -c.fit.bias
		case c.trained != nil:
			beta, rho = c.span.coefficients(c.trained.W), -c.trained.Bias
		}
		least := 0.0
		for k, j := range own {
			coef[j] = beta[k]
			least += float64(share * math.Abs(beta[k]) * lengths[j])
		}
		for k, j := range own {
			used[j] = used[j] || !(math.Abs(beta[k])*lengths[j] <= least)
		}
		small.Machines = append(small.Machines, models.Machine{
			Pos: p.Machines[l].Pos, Neg: p.Machines[l].Neg, Coef: coef, Rho: rho,
		})
	}
	for j, is := range used {
		if is {
			small.Vectors.Append(s.zs.Row(j))
		}
	}
	small.Origin = make([]int, small.Vectors.Len())
	if len(small.Origin) < len(used) {
		for l := range small.Machines {
			c := &small.Machines[l]
			all := c.Coef
			c.Coef = make([]float64, 0, len(small.Origin))
			for j, b := range all {
				if used[j] {
					c.Coef = append(c.Coef, b)
				}
			}
		}
	}
	return small
}

// result returns the reduced model, if the reduction ended with no error but ErrEnough.
func (s *state) result(ctx context.Context, err error) (*models.Model, error) {
	if err == nil {
		err = ended.Err(ctx) // it may have ended with the last vector
	}
	if err != nil && !errors.Is(err, ErrEnough) {
		return nil, err
	}
	m := s.model()
	if err := m.Validate(); err != nil { // coefficients near the largest number, which files may have
		return nil, fmt.Errorf("the smaller model: %w: %w", err, train.ErrOverflow)
	}
	return m, nil
}

// reportSize passes the model to Each, if that is set.
func (s *state) reportSize() error {
	if s.Each == nil {
		return nil
	}
	return s.Each(s.model())
}
