package reducedset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/linear"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// places says where rows are: class after class, each beginning with a new tile, so that the rows
// of a machine are whole tiles.
type places struct {
	x      vec.Matrix // rows with a place, in the order of their places
	at     []int      // the place of each row
	weight []float64  // of each row
	groups [][]int    // the tiles of each class
	rows   [][]int    // the rows of each class, by number in x
}

// layOut gives rows of d their places.
func layOut(d *format.Dataset, groups [][]int) places {
	p := places{groups: make([][]int, len(groups)), rows: make([][]int, len(groups))}
	var order []int
	tile := 0
	for g, rows := range groups {
		for n, i := range rows {
			if n%linear.TileRows == 0 {
				p.groups[g] = append(p.groups[g], tile)
				tile++
			}
			p.rows[g] = append(p.rows[g], len(order))
			p.at = append(p.at, (tile-1)*linear.TileRows+n%linear.TileRows)
			p.weight = append(p.weight, weight(d, i))
			order = append(order, i)
		}
	}
	p.x = d.X.Select(order)
	return p
}

// tiles returns the number of tiles.
func (p *places) tiles() int {
	n := 0
	for _, g := range p.groups {
		n += len(g)
	}
	return n
}

// spread returns values of the rows by place, 0 where there is none.
func (p *places) spread(values []float64) []float64 {
	dst := make([]float64, p.tiles()*linear.TileRows)
	for i, at := range p.at {
		dst[at] = values[i]
	}
	return dst
}

func weight(d *format.Dataset, i int) float64 {
	if d.Weight == nil {
		return 1
	}
	return d.Weight[i]
}

// sides gives each machine the rows of its classes, with their weights times the factors of the
// classes. Labels are truncated to integers, as in training. Rows of weight 0 are left out. A
// weight that is not positive and finite after multiplication with the factor is an error.
func (s *state) sides(d *format.Dataset, factors []float64) error {
	place := map[int]int{}
	for c, label := range s.parent.Labels {
		place[label] = c
	}
	groups := make([][]int, len(s.parent.Labels))
	for i, y := range d.Y {
		label, ok := train.TruncateLabel(y)
		if !ok {
			continue
		}
		if c, ok := place[label]; ok && weight(d, i) > 0 {
			groups[c] = append(groups[c], i)
		}
	}
	if c := slices.IndexFunc(groups, func(g []int) bool { return len(g) == 0 }); c >= 0 {
		return &LabelError{s.parent.Labels[c]}
	}
	s.places = layOut(d, groups)
	if err := s.checkFinite(groups); err != nil {
		return err
	}
	for c, rows := range s.places.rows {
		for k, n := range rows {
			s.places.weight[n] *= factors[c]
			if err := s.checkCosts(s.places.weight[n], c); err != nil {
				return &train.RowError{Row: groups[c][k], Err: err}
			}
		}
	}
	weights := s.places.spread(s.places.weight)
	for l := range s.machines {
		c := &s.machines[l]
		of := &s.parent.Machines[l]
		for g, tiles := range s.places.groups {
			side := -1.0
			switch {
			case g == of.Pos:
				side = 1
			case g != of.Neg && of.Neg != models.Rest:
				continue
			}
			for _, t := range tiles {
				c.tiles = append(c.tiles, t)
				for _, w := range weights[t*linear.TileRows : (t+1)*linear.TileRows] {
					c.weight = append(c.weight, w)
					if w == 0 {
						c.y = append(c.y, 0)
					} else {
						c.y = append(c.y, side)
					}
				}
			}
		}
	}
	return nil
}

// checkFinite returns a *train.RowError for the first row of the groups whose K(x, x) overflows.
// With such rows no coefficient can be trained, and a search finds nothing.
func (s *state) checkFinite(groups [][]int) error {
	n, first := 0, math.MaxInt
	length := make([]float64, s.places.x.Len())
	s.parent.Kernel.DiagTo(length, &s.places.x)
	for _, rows := range groups {
		for _, i := range rows {
			if !finite(length[n]) {
				first = min(first, i)
			}
			n++
		}
	}
	if first < math.MaxInt {
		return &train.RowError{Row: first, Err: train.ErrOverflow}
	}
	return nil
}

// checkVectors returns an error for the first vector of a model whose K(z, z) overflows.
func checkVectors(m *models.Model) error {
	length := make([]float64, m.Vectors.Len())
	m.Kernel.DiagTo(length, &m.Vectors)
	if i := slices.IndexFunc(length, func(v float64) bool { return !finite(v) }); i >= 0 {
		return fmt.Errorf("vector %d of the model: %w", i+1, train.ErrOverflow)
	}
	return nil
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// ErrCosts reports that the costs of errors overflow.
var ErrCosts = errors.New("the costs overflow: lower the cost, or the weights of classes and rows")

// checkCosts returns an error unless the weight of a row of a class, factor included, and the cost
// of an error on it in machines that are trained again are positive and finite.
func (s *state) checkCosts(weight float64, class int) error {
	check := func(cost float64) error {
		if cost > math.MaxFloat64 {
			return ErrCosts
		}
		return train.CheckCost(cost, train.OfRow)
	}
	if err := check(weight); err != nil || !s.Method.trains() {
		return err
	}
	for l := range s.machines {
		if of := &s.parent.Machines[l]; of.Pos != class && of.Neg != class && of.Neg != models.Rest {
			continue
		}
		if err := check(s.machines[l].cost * weight); err != nil {
			return err
		}
	}
	return nil
}

// targets gives the single machine of a model without classes all rows, and the values of the model
// for them.
func (s *state) targets(ctx context.Context, d *format.Dataset) error {
	var rows []int
	for i := range d.Len() {
		if weight(d, i) > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return train.ErrNoData
	}
	s.places = layOut(d, [][]int{rows})
	if err := s.checkFinite([][]int{rows}); err != nil {
		return err
	}
	values := make([]float64, s.places.x.Len())
	err := decide(ctx, s.parent, &s.places.x, func(i int, of []float64) { values[i] = of[0] })
	if err != nil {
		return err
	}
	c := &s.machines[0]
	c.tiles = s.places.groups[0]
	c.y, c.weight = s.places.spread(values), s.places.spread(s.places.weight)
	return nil
}

// decide calls f with the values of a model's machines for each row of x. The values are valid
// during the call. Several goroutines may call f at once.
func decide(ctx context.Context, m *models.Model, x *vec.Matrix, f func(row int, values []float64)) error {
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	team.Do(ctx, (x.Len()+predict.BatchRows-1)/predict.BatchRows, func(ctx context.Context, k int) {
		if ctx.Err() != nil {
			return
		}
		var xs []vec.Vector
		from := k * predict.BatchRows
		for i := from; i < min(from+predict.BatchRows, x.Len()); i++ {
			xs = append(xs, x.Row(i))
		}
		b := p.NewBatch()
		b.Decide(xs)
		of := make([]float64, len(m.Machines))
		for r := range xs {
			b.Decisions(of, r)
			f(from+r, of)
		}
	})
	return ended.Err(ctx)
}
