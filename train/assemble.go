package train

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: put the machines of many pairs together as one model, in little more memory than the
// model takes.
//
// Method: until all machines are there, each holds the coefficients of its pair's rows, first class
// before second class: those of all rows, or only of the rows that Index lists. A row that is not
// listed has coefficient 0, or -0 in the second class, because model files show the sign of such
// zeros. When all machines are there, these coefficients are replaced by those of the model's
// vectors.

// compress stores the coefficients of the pair's rows in the machine: only those that differ from
// the zero of their class, or all if a list would take more memory.
func (p *pair) compress(machine *models.Machine, coefs []float64) {
	pos := len(p.pos)
	n := others(coefs[:pos], 0) + others(coefs[pos:], math.Copysign(0, -1))
	if 3*n >= 2*len(coefs) { // 8 bytes for a coefficient, and 4 for its place in a list
		machine.Index, machine.Coef = nil, numbers(p.coefs, floats, len(coefs))
		copy(machine.Coef, coefs)
		return
	}
	machine.Index = numbers(p.coefs, narrow, n)[:0]
	machine.Coef = numbers(p.coefs, floats, n)[:0]
	zero := uint64(0)
	for i, v := range coefs {
		if i == pos {
			zero = math.Float64bits(math.Copysign(0, -1))
		}
		if math.Float64bits(v) != zero {
			machine.Index = append(machine.Index, int32(i))
			machine.Coef = append(machine.Coef, v)
		}
	}
}

// others returns how many coefficients differ from zero, which has a sign.
func others(coefs []float64, zero float64) (n int) {
	z := math.Float64bits(zero)
	for _, v := range coefs {
		if math.Float64bits(v) != z {
			n++
		}
	}
	return n
}

// whole reports whether a machine has the coefficients of all n rows of its pair.
func whole(machine *models.Machine, n int) bool { return len(machine.Coef) == n }

// row returns the row of the pair to which coefficient k of a machine belongs.
func row(machine *models.Machine, whole bool, k int) int {
	if whole {
		return k
	}
	return int(machine.Index[k])
}

// vectors returns rows of a data set as the vectors of a model, in the memory of an arena.
func (t *OneVsOne) vectors(d *format.Dataset, rows []int, r *arena) vec.Matrix {
	if r == nil || t.Kernel == (kernel.Precomputed{}) {
		return SelectVectors(t.Kernel, d, rows)
	}
	d.X.SelectTo(&r.vectors, rows)
	return r.vectors
}

// places gives, for the rows of two classes, their places among the vectors of a model, counted
// from 1. It is 0 for a row that is not a vector.
type places struct{ pos, neg []int32 }

// of returns the place of row i of the pair.
func (p places) of(i int) *int32 {
	if i < len(p.pos) {
		return &p.pos[i]
	}
	return &p.neg[i-len(p.pos)]
}

// assemble turns the solutions of all pairs into a model whose machines share their vectors: the
// rows with a nonzero coefficient in any pair, grouped by class. A machine keeps a coefficient for
// each vector of its two classes. In a model that is soon dropped, some machines keep only their
// nonzero ones (few).
func (t *OneVsOne) assemble(ctx context.Context, m *models.Model, d *format.Dataset, classes *Classes) {
	if len(m.Machines) >= manyMachines {
		var stop func()
		ctx, stop = team.With(ctx, t.Threads)
		defer stop()
	}
	each := func(f func(machines []models.Machine)) {
		n := len(m.Machines)
		if n < manyMachines {
			f(m.Machines)
			return
		}
		parts := assembled * team.Size(ctx)
		team.Do(ctx, parts, func(_ context.Context, k int) { f(m.Machines[partStart(n, parts, k):partStart(n, parts, k+1)]) })
	}
	vector := make([][]int32, len(classes.Rows))
	for c, rows := range classes.Rows {
		vector[c] = numbers(t.arena, narrow, len(rows))
	}
	of := func(machine *models.Machine) (places, bool) {
		p := places{vector[machine.Pos], vector[machine.Neg]}
		return p, whole(machine, len(p.pos)+len(p.neg))
	}
	each(func(machines []models.Machine) {
		for i := range machines {
			machine := &machines[i]
			at, whole := of(machine)
			for k, c := range machine.Coef {
				if c == 0 {
					continue
				}
				// rows are marked by several goroutines, mostly more than once
				if mark := at.of(row(machine, whole, k)); atomic.LoadInt32(mark) == 0 {
					atomic.StoreInt32(mark, 1)
				}
			}
		}
	})
	n := 0
	for _, marks := range vector {
		for _, is := range marks {
			n += int(is)
		}
	}
	rows := numbers(t.arena, ints, n)[:0]
	m.Origin = numbers(t.arena, ints, n)[:0]
	for c, members := range classes.Rows {
		before := len(rows)
		for k, row := range members {
			if vector[c][k] != 0 {
				rows = append(rows, row)
				vector[c][k] = int32(len(rows))
				m.Origin = append(m.Origin, row+1)
			}
		}
		m.Group = append(m.Group, len(rows)-before)
	}
	m.Vectors = t.vectors(d, rows, t.arena)
	start := m.GroupStart()
	each(func(machines []models.Machine) {
		most := 0 // number of coefficients of the machines that list rows now but not in the model
		for i := range machines {
			machine := &machines[i]
			if _, whole := of(machine); !whole && !t.few(machine, m.Group) {
				most += m.Group[machine.Pos] + m.Group[machine.Neg]
			}
		}
		room := numbers(t.coefs, floats, most)
		for i := range machines {
			machine := &machines[i]
			at, whole := of(machine)
			switch {
			case whole:
				keep(machine, at)
			case t.few(machine, m.Group):
				list(machine, at)
			default:
				n := m.Group[machine.Pos] + m.Group[machine.Neg]
				spread(machine, at, m.Group, start, room[:n:n])
				room = room[n:]
			}
		}
	})
}

// partStart returns where part k of n things begins. k times n may be too large for an int.
func partStart(n, parts, k int) int { return n/parts*k + n%parts*k/parts }

// From manyMachines on, several threads assemble a model, each assembled parts of it.
const manyMachines, assembled = 1 << 10, 4

// keep reduces a machine that has the coefficients of all rows to those of the vectors.
func keep(machine *models.Machine, at places) {
	coefs := machine.Coef[:0]
	for i, c := range machine.Coef {
		if *at.of(i) > 0 {
			coefs = append(coefs, c)
		}
	}
	machine.Coef = coefs
}

// fewListed is how many times as many vectors as coefficients a machine must have in order to list
// its vectors. Among many machines those that list rows list vectors too: coefficients for all of
// these would have to be in memory beside those that are there.
const fewListed = 2

// few reports whether a machine should list the vectors for which it has coefficients. It should
// not in models that are kept. What LIBSVM adds for the other vectors is 0 if their kernel values
// are finite, as with the Gaussian kernel.
func (t *OneVsOne) few(machine *models.Machine, group []int) bool {
	k, is := t.Kernel.(kernel.RBF)
	if t.arena == nil || !is || !(k.Gamma > 0) {
		return false
	}
	return models.Pairs(len(group)) > mostAtOnce || fewListed*len(machine.Coef) <= group[machine.Pos]+group[machine.Neg]
}

// list replaces the listed rows of a machine by the corresponding vectors.
func list(machine *models.Machine, at places) {
	index, coefs := machine.Index[:0], machine.Coef[:0]
	for k, c := range machine.Coef {
		if c != 0 {
			index, coefs = append(index, *at.of(int(machine.Index[k]))-1), append(coefs, c)
		}
	}
	machine.Index, machine.Coef = index, coefs
}

// spread gives a machine that lists rows a coefficient for every vector of its classes. They are
// stored in coefs, which must be zeros.
func spread(machine *models.Machine, at places, group, start []int, coefs []float64) {
	behind := group[machine.Pos] // number of vectors of the first class
	for k := range coefs[behind:] {
		coefs[behind+k] = math.Copysign(0, -1)
	}
	for k, row := range machine.Index {
		switch v := int(*at.of(int(row))) - 1; {
		case v < 0:
		case int(row) < len(at.pos):
			coefs[v-start[machine.Pos]] = machine.Coef[k]
		default:
			coefs[behind+v-start[machine.Neg]] = machine.Coef[k]
		}
	}
	machine.Index, machine.Coef = nil, coefs
}
