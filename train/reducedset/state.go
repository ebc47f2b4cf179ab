package reducedset

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// state is a reduction under way.
type state struct {
	*Reducer
	parent   *models.Model
	d        *format.Dataset
	class    []int // of each row, for a classifier; -1: none of the model's
	machines []machine

	zs    vec.Matrix
	owner []int       // the machine that each vector was found for
	kx    [][]float64 // kx[j][i] = k(z_j, row i)
	ks    [][]float64 // ks[j][i] = k(z_j, vector i of the parent)
	kz    [][]float64 // kz[j][k] = k(z_j, z_k)
}

// A machine is one of the machines to be replaced, and its replacement.
type machine struct {
	eta  []float64 // of each vector of the parent
	cost float64

	rows   []int     // that it is trained and judged on
	y      []float64 // their sides, or for models without classes the values to be met
	weight []float64 // of these rows

	own  []int     // vectors that it uses
	beta []float64 // their coefficients
	rho  float64
}

func newState(ctx context.Context, r *Reducer, m *models.Model, d *format.Dataset) (*state, error) {
	s := &state{Reducer: r, parent: m, d: d, machines: make([]machine, len(m.Machines))}
	start := m.GroupStart()
	for l := range s.machines {
		s.machines[l].eta = spread(&m.Machines[l], start, m.Vectors.Len())
		s.machines[l].cost = r.Cost
		if r.Cost == 0 {
			for _, e := range s.machines[l].eta {
				s.machines[l].cost = max(s.machines[l].cost, math.Abs(e))
			}
		}
	}
	if m.Task.Classifies() {
		return s, s.sides()
	}
	return s, s.targets(ctx)
}

// spread returns a coefficient for each of n vectors.
func spread(c *models.Machine, start []int, n int) []float64 {
	dst := make([]float64, n)
	if c.Index != nil {
		for k, i := range c.Index {
			dst[i] = c.Coef[k]
		}
		return dst
	}
	coef := c.Coef
	for _, span := range c.Spans(start) {
		copy(dst[span.From:span.To], coef)
		coef = coef[span.To-span.From:]
	}
	return dst
}

// sides gives each machine the rows of its classes.
func (s *state) sides() error {
	place := map[int]int{}
	for c, label := range s.parent.Labels {
		place[label] = c
	}
	s.class = make([]int, s.d.Len())
	seen := make([]bool, len(s.parent.Labels))
	for i, y := range s.d.Y {
		s.class[i] = -1
		if c, ok := place[int(y)]; ok && y == math.Trunc(y) {
			s.class[i], seen[c] = c, true
		}
	}
	if slices.Contains(seen, false) {
		return ErrLabels
	}
	for l := range s.machines {
		c := &s.machines[l]
		of := &s.parent.Machines[l]
		for i, class := range s.class {
			side := 0.0
			switch {
			case class < 0:
			case class == of.Pos:
				side = 1
			case class == of.Neg || of.Neg == models.Rest:
				side = -1
			}
			if side != 0 {
				c.rows, c.y = append(c.rows, i), append(c.y, side)
				c.weight = append(c.weight, weight(s.d, i))
			}
		}
	}
	return nil
}

func weight(d *format.Dataset, i int) float64 {
	if d.Weight == nil {
		return 1
	}
	return d.Weight[i]
}

// targets gives the one machine of a model without classes all rows, and the
// values that the model has there.
func (s *state) targets(ctx context.Context) error {
	p, err := predict.New(s.parent)
	if err != nil {
		return err
	}
	c := &s.machines[0]
	value := make([]float64, 1)
	for i := range s.d.Len() {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p.Decisions(value, s.d.X.Row(i))
		c.rows, c.y = append(c.rows, i), append(c.y, value[0])
		c.weight = append(c.weight, weight(s.d, i))
	}
	if len(c.rows) == 0 {
		return ErrLabels
	}
	return nil
}

// add takes a vector into the list, found for machine owner.
func (s *state) add(ctx context.Context, z vec.Vector, owner int) {
	j := s.zs.Len()
	s.zs.Append(z)
	s.owner = append(s.owner, owner)
	z = s.zs.Row(j)
	s.kx = append(s.kx, s.column(ctx, z, &s.d.X))
	s.ks = append(s.ks, s.column(ctx, z, &s.parent.Vectors))
	row := make([]float64, j+1)
	s.parent.Kernel.EvaluateTo(row, z, &s.zs)
	for k := range j {
		s.kz[k] = append(s.kz[k], row[k])
	}
	s.kz = append(s.kz, row)
}

// columnPart is the number of rows of a column that one task computes.
const columnPart = 2048

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

// value returns the machine's value for a row.
func (s *state) value(c *machine, row int) float64 {
	f := 0.0
	for k, j := range c.own {
		f += float64(c.beta[k] * s.kx[j][row])
	}
	return f - c.rho
}

// errors returns the share of the machine's rows on the wrong side, by LIBSVM's
// rule: a value that is not positive is the negative side's.
func (s *state) errors(c *machine) float64 {
	wrong, total := 0.0, 0.0
	for n, i := range c.rows {
		if (s.value(c, i) > 0) != (c.y[n] > 0) {
			wrong += c.weight[n]
		}
		total += c.weight[n]
	}
	return wrong / total
}

// model returns the reduced model.
func (s *state) model() *models.Model {
	p := s.parent
	small := &models.Model{
		Task: p.Task, Kernel: p.Kernel, Labels: p.Labels, Vote: p.Vote, Inputs: p.Inputs,
		Origin: make([]int, s.zs.Len()),
		Provenance: &models.Provenance{
			Method: "reduce-" + string(s.Method), Seed: s.Seed, Parent: p.Vectors.Len(),
			Parameters: []models.Parameter{{Name: "vectors", Value: strconv.Itoa(s.Vectors)}},
		},
	}
	for j := range s.zs.Len() {
		small.Vectors.Append(s.zs.Row(j))
	}
	for l := range s.machines {
		c := &s.machines[l]
		coef := make([]float64, s.zs.Len())
		for k, j := range c.own {
			coef[j] = c.beta[k]
		}
		small.Machines = append(small.Machines, models.Machine{
			Pos: p.Machines[l].Pos, Neg: p.Machines[l].Neg, Coef: coef, Rho: c.rho,
		})
	}
	return small
}

// tell passes the model on if somebody wants it.
func (s *state) tell() error {
	if s.Each == nil {
		return nil
	}
	return s.Each(s.model())
}
