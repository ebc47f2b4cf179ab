package reducedset

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// state is a reduction under way.
type state struct {
	*Reducer
	parent   *models.Model
	start    []int // of its classes' vectors, see models.Model.GroupStart
	places   places
	machines []machine

	zs     vec.Matrix
	kx     [][]float64 // kx[j] is k(z_j, x) at the places; of machines that share nil
	ks     [][]float64 // ks[j][i] = k(z_j, vector i of the parent)
	common *span       // of all vectors, if the machines share them

	searches int // for vectors, so far
	features int // of the parent's vectors; 0: not counted yet
}

// A machine is one of the machines to be replaced, and its replacement. What is by
// place is for the places of its tiles, in their order.
type machine struct {
	from *models.Machine // the parent's
	cost float64
	// least is the least length of beta phi(z) that counts: of less no row's value would
	// change to speak of, or it is rounding.
	least float64

	tiles  []int
	y      []float64 // by place the side, or for models without classes the value to be met; 0 where there is no row
	weight []float64 // by place its own, times the factor of its class; 0 where there is no row

	own     []int     // vectors that it uses
	beta    []float64 // their coefficients
	rho     float64
	values  []float64 // by place, with these; without classes nil
	wrong   float64   // share of the rows on the wrong side
	parent  float64   // that share by the parent's machine
	found   int       // number of vectors that were found for it
	span    *span     // of own, if the machine is to be trained on it
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

// What a vector is worth nothing below: the share of the range of a machine's values, by
// which it changes any of them, which is far below what a solver's tolerance leaves open;
// and the share of the size of a sum that may be rounding.
const (
	nothing = 1e-6
	noise   = 1e-14
)

// weigh sets the least length of each machine, given the values of the parent's machines.
// Beta phi(z) changes the value of a row x by |phi(x)| times its length at most; and of w it
// is as exact as sum_i |eta_i| |phi(x_i)| is.
func (s *state) weigh() {
	lengths := func(x *vec.Matrix) []float64 {
		dst := make([]float64, x.Len())
		s.parent.Kernel.DiagTo(dst, x)
		for i, v := range dst {
			dst[i] = math.Sqrt(math.Abs(v)) // a polynomial kernel may be below 0
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

// judgeParent sets what the parent's machines have wrong.
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

// eta returns the parent's coefficient in a machine for each of its vectors. They are not kept: of many
// classes they would be far more than the parent has.
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

// add takes a vector into the list, and into the span of the machines that are to be
// trained on it; nil: there are none. It does neither, and returns false, if the vector adds
// nothing to the span.
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

// judge sets the share of the machine's rows on the wrong side, by LIBSVM's rule: a
// value that is not positive is the negative side's.
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

// model returns the reduced model, without vectors that no machine has a coefficient for but
// of rounding.
func (s *state) model() *models.Model { return s.modelBut(noise) }

// modelBut returns the reduced model, without vectors that no machine has more of than a
// share of all its vectors, each by the length of its image times its coefficient.
func (s *state) modelBut(share float64) *models.Model {
	p := s.parent
	lengths := make([]float64, s.zs.Len())
	p.Kernel.DiagTo(lengths, &s.zs)
	for j, v := range lengths {
		if lengths[j] = math.Sqrt(v); !(v > 0) { // as a sigmoid kernel may have it
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
		err = ctx.Err() // it may have ended with the last vector
	}
	if err != nil && !errors.Is(err, ErrEnough) {
		return nil, err
	}
	return s.model(), nil
}

// reportSize passes the model to Each, if that is set.
func (s *state) reportSize() error {
	if s.Each == nil {
		return nil
	}
	return s.Each(s.model())
}
