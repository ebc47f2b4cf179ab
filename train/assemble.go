package train

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: put the machines of many pairs together as one model, in little more memory than the
// model takes.
//
// Until all machines are there, each has the coefficients of its pair's rows, those of the first
// class before those of the second: of all rows, or of the rows that Index lists. Rows that are not
// listed have coefficient 0, in the second class -0, because model files show the sign of such
// zeros. When all rows have their coefficients, the model's replace them.

// compress gives the machine the coefficients that are not the zero of their class, or all if lists
// would take more memory.
func (p *pair) compress(machine *models.Machine, coefs []float64) {
	pos := len(p.pos)
	listed := func(i int) bool { return coefs[i] != 0 || math.Signbit(coefs[i]) != (i >= pos) }
	n := 0
	for i := range coefs {
		if listed(i) {
			n++
		}
	}
	if 3*n >= 2*len(coefs) { // of 8 bytes, and 4 of a list
		machine.Index, machine.Coef = nil, numbers(p.coefs, floats, len(coefs))
		copy(machine.Coef, coefs)
		return
	}
	machine.Index = numbers(p.coefs, narrow, n)[:0]
	machine.Coef = numbers(p.coefs, floats, n)[:0]
	for i, v := range coefs {
		if listed(i) {
			machine.Index = append(machine.Index, int32(i))
			machine.Coef = append(machine.Coef, v)
		}
	}
}

// whole reports whether a machine has the coefficients of all rows of its pair, of which there are n.
func whole(machine *models.Machine, n int) bool { return len(machine.Coef) == n }

// row returns which row of the pair coefficient k of a machine is for.
func row(machine *models.Machine, whole bool, k int) int {
	if whole {
		return k
	}
	return int(machine.Index[k])
}

// vectors returns rows of a data set as the vectors of a model in a room.
func (t *OneVsOne) vectors(d *format.Dataset, rows []int, r *room) vec.Matrix {
	if r == nil || t.Kernel == (kernel.Precomputed{}) {
		return SelectVectors(t.Kernel, d, rows)
	}
	d.X.SelectTo(&r.vectors, rows)
	return r.vectors
}

// places are where the rows of two classes are among the vectors of a model, counted from 1; 0 for
// a row that is none.
type places struct{ pos, neg []int32 }

// of returns where row i of the pair is.
func (p places) of(i int) *int32 {
	if i < len(p.pos) {
		return &p.pos[i]
	}
	return &p.neg[i-len(p.pos)]
}

// assemble makes the solutions of all pairs a model whose machines share their
// vectors: the rows with a coefficient that is not zero in any pair, grouped by
// class. A machine keeps a coefficient for all vectors of its two classes, or, if the model is
// not kept, for those of them that have one.
func (t *OneVsOne) assemble(m *models.Model, d *format.Dataset, classes *Classes) {
	vector := make([][]int32, len(classes.Rows))
	for c, rows := range classes.Rows {
		vector[c] = numbers(t.room, narrow, len(rows))
	}
	of := func(machine *models.Machine) (places, bool) {
		p := places{vector[machine.Pos], vector[machine.Neg]}
		return p, whole(machine, len(p.pos)+len(p.neg))
	}
	for i := range m.Machines {
		machine := &m.Machines[i]
		at, whole := of(machine)
		for k, c := range machine.Coef {
			if c != 0 {
				*at.of(row(machine, whole, k)) = 1
			}
		}
	}
	n := 0
	for _, marks := range vector {
		for _, is := range marks {
			n += int(is)
		}
	}
	rows := numbers(t.room, ints, n)[:0]
	m.Origin = numbers(t.room, ints, n)[:0]
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
	m.Vectors = t.vectors(d, rows, t.room)
	start := m.GroupStart()
	most := 0 // coefficients of machines that get some for all vectors of their classes
	for i := range m.Machines {
		machine := &m.Machines[i]
		if _, whole := of(machine); !whole && !t.few(machine, m.Group) {
			most += m.Group[machine.Pos] + m.Group[machine.Neg]
		}
	}
	room := numbers(t.coefs, floats, most)
	for i := range m.Machines {
		machine := &m.Machines[i]
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
}

// keep leaves a machine that has the coefficients of all rows those of vectors.
func keep(machine *models.Machine, at places) {
	coefs := machine.Coef[:0]
	for i, c := range machine.Coef {
		if *at.of(i) > 0 {
			coefs = append(coefs, c)
		}
	}
	machine.Coef = coefs
}

// fewListed is how many times more vectors than coefficients that are not 0 machines have
// that list theirs.
const fewListed = 2

// few reports whether a machine of a model that is not kept is to list the vectors that it has
// coefficients for. What LIBSVM adds for others is 0 if their kernel values are finite, as the
// Gaussian kernel's are.
func (t *OneVsOne) few(machine *models.Machine, group []int) bool {
	k, is := t.Kernel.(kernel.RBF)
	return t.room != nil && is && k.Gamma > 0 && fewListed*len(machine.Coef) <= group[machine.Pos]+group[machine.Neg]
}

// list makes a machine list vectors where it has listed rows.
func list(machine *models.Machine, at places) {
	index, coefs := machine.Index[:0], machine.Coef[:0]
	for k, c := range machine.Coef {
		if c != 0 {
			index, coefs = append(index, *at.of(int(machine.Index[k]))-1), append(coefs, c)
		}
	}
	machine.Index, machine.Coef = index, coefs
}

// spread gives a machine that lists rows coefficients of all vectors of its classes: coefs, which are zeros.
func spread(machine *models.Machine, at places, group, start []int, coefs []float64) {
	behind := group[machine.Pos] // of vectors of the first class
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
