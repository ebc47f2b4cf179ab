package train

import (
	"context"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// OneVsOne trains a classifier: one machine for each pair of classes, which
// vote. It draws from rng only for probabilities.
type OneVsOne struct {
	Solver Solver
	Kernel kernel.Kernel
	Task   models.Task // what the model says it is: models.CSVC or models.NuSVC
	// Weights multiply the cost of errors on classes. Several of one label
	// multiply.
	Weights []ClassWeight
	// Probability asks for a sigmoid with each machine.
	Probability bool
	Report      Report
}

// A ClassWeight is a factor on the cost of errors on one class.
type ClassWeight struct {
	Label  int
	Weight float64
}

var _ Trainer = OneVsOne{}

// Train implements Trainer.
func (t OneVsOne) Train(ctx context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	if d.Len() == 0 {
		return nil, ErrNoData
	}
	if err := CheckRows(t.Kernel, &d.X); err != nil {
		return nil, err
	}
	for _, w := range t.Weights {
		if !(w.Weight > 0) {
			return nil, fmt.Errorf("weight %v of class %d is not positive", w.Weight, w.Label)
		}
	}
	classes, err := GroupClasses(d.Y, t.Report)
	if err != nil {
		return nil, err
	}
	if err := classes.check(t.Report); err != nil {
		return nil, err
	}
	factors := t.factors(classes)
	k := len(classes.Labels)
	if k == 1 {
		t.Report.Send(SingleClass{classes.Labels[0]})
	}
	m := &models.Model{Task: t.Task, Kernel: t.Kernel, Labels: classes.Labels, Probability: t.Probability}
	coefs := make([][]float64, 0, models.Pairs(k)) // for the rows of both classes of each pair
	for i := range k {
		for j := i + 1; j < k; j++ {
			p := &pair{t, d, classes.Rows[i], classes.Rows[j], factors[i], factors[j]}
			machine := models.Machine{Pos: i, Neg: j}
			if t.Probability {
				if machine.Sigmoid, err = p.calibrate(ctx, rng); err != nil {
					return nil, err
				}
			}
			s, err := p.solve(ctx)
			if err != nil {
				return nil, fmt.Errorf("classes %d and %d: %w", classes.Labels[i], classes.Labels[j], err)
			}
			machine.Rho = s.Rho
			coefs = append(coefs, s.Coef)
			m.Machines = append(m.Machines, machine)
		}
	}
	assemble(m, d, classes, coefs)
	t.Report.Send(Assembled{m.Vectors.Len()})
	return m, nil
}

// factors returns the weights of each class, in their order.
func (t OneVsOne) factors(c *Classes) []Factors {
	place := make(map[int]int, len(c.Labels))
	for i, label := range c.Labels {
		place[label] = i
	}
	factors := make([]Factors, len(c.Labels))
	for _, w := range t.Weights {
		if i, ok := place[w.Label]; ok {
			factors[i] = append(factors[i], w.Weight)
		} else {
			t.Report.Send(WeightUnused{w.Label})
		}
	}
	return factors
}

// A pair is the training problem of two classes of a data set.
type pair struct {
	OneVsOne
	d                    *format.Dataset
	pos, neg             []int // rows
	posFactor, negFactor Factors
}

func (p *pair) rows() []int {
	rows := make([]int, 0, len(p.pos)+len(p.neg))
	return append(append(rows, p.pos...), p.neg...)
}

func (p *pair) solve(ctx context.Context) (*Solution, error) {
	problem := &Problem{X: p.d.X.Select(p.rows()), Kernel: p.Kernel, Y: make([]float64, 0, len(p.pos)+len(p.neg))}
	for range p.pos {
		problem.Y = append(problem.Y, 1)
	}
	for range p.neg {
		problem.Y = append(problem.Y, -1)
	}
	problem.Weight.Pos, problem.Weight.Neg = p.posFactor, p.negFactor
	return p.Solver.Solve(ctx, problem)
}

// assemble makes the solutions of all pairs a model whose machines share their
// vectors: the rows with a coefficient that is not zero in any pair, grouped by
// class. A machine keeps a coefficient for all vectors of its two classes, the
// zeros among them with their sign, as model files do.
func assemble(m *models.Model, d *format.Dataset, classes *Classes, coefs [][]float64) {
	used := make([]bool, d.Len())
	for p, machine := range m.Machines {
		for k, row := range append(append([]int(nil), classes.Rows[machine.Pos]...), classes.Rows[machine.Neg]...) {
			if coefs[p][k] != 0 {
				used[row] = true
			}
		}
	}
	start := make([]int, len(classes.Labels)+1)
	var rows []int
	for c, members := range classes.Rows {
		for _, row := range members {
			if used[row] {
				rows = append(rows, row)
				m.Origin = append(m.Origin, row+1)
			}
		}
		start[c+1] = len(rows)
		m.Group = append(m.Group, start[c+1]-start[c])
	}
	m.Vectors = SelectVectors(m.Kernel, d, rows)
	for p := range m.Machines {
		machine := &m.Machines[p]
		n := m.Group[machine.Pos] + m.Group[machine.Neg]
		machine.Index, machine.Coef = make([]int32, 0, n), make([]float64, 0, n)
		k := 0
		for _, c := range []int{machine.Pos, machine.Neg} {
			at := start[c]
			for _, row := range classes.Rows[c] {
				if used[row] {
					machine.Index = append(machine.Index, int32(at))
					machine.Coef = append(machine.Coef, coefs[p][k])
					at++
				}
				k++
			}
		}
	}
}
