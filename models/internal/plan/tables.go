package plan

import (
	"encoding/binary"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// Doubles and Ints are tables of numbers of double, and of integers of 32 bits, as bytes, the highest first.
type (
	Doubles []byte
	Ints    []byte
)

// Add appends a number.
func (d *Doubles) Add(v float64) { *d = binary.BigEndian.AppendUint64(*d, math.Float64bits(v)) }

// Add appends an integer.
func (d *Ints) Add(v int) { *d = binary.BigEndian.AppendUint32(*d, uint32(v)) }

// Lists reports whether vectors are lists of features that are not 0.
func (p *Plan) Lists() bool { return p.Terms > 0 && !p.Dense && !p.Precomputed() }

// Exponentials reports whether answers or probabilities need exp.
func (p *Plan) Exponentials() bool {
	_, rbf := p.Model.Kernel.(kernel.RBF)
	return rbf && p.Terms > 0 || p.ClassProbabilities() && len(p.Model.Machines) > 0
}

// Tangents reports whether answers need tanh.
func (p *Plan) Tangents() bool {
	_, sigmoid := p.Model.Kernel.(kernel.Sigmoid)
	return sigmoid && p.Terms > 0
}

// Rows returns the training rows that vectors of a precomputed kernel are, and the largest.
func (p *Plan) Rows() (rows Ints, last int) {
	for i := range p.Model.Vectors.Len() {
		row := int(p.Model.Vectors.Row(i).Value[0])
		rows.Add(row)
		last = max(last, row)
	}
	return rows, last
}

// Matrix returns the vectors as rows of Width features.
func (p *Plan) Matrix() (values Doubles) {
	x := &p.Model.Vectors
	row := make([]float64, p.Width)
	for i := range x.Len() {
		clear(row)
		r := x.Row(i)
		for k, j := range r.Index {
			row[j-p.First] = r.Value[k]
		}
		for _, v := range row {
			values.Add(v)
		}
	}
	return values
}

// Vectors returns the numbers and values of the vectors' features that are not 0, and where those of each begin;
// last comes where they end.
func (p *Plan) Vectors() (begin, index Ints, values Doubles) {
	x := &p.Model.Vectors
	begin.Add(0)
	n := 0
	for i := range x.Len() {
		r := x.Row(i)
		n += len(r.Index)
		begin.Add(n)
		for k, j := range r.Index {
			index.Add(int(j))
			values.Add(r.Value[k])
		}
	}
	return begin, index, values
}

// Coefficients returns the machines' vectors and coefficients, and where those of each begin; last comes where they
// end.
func (p *Plan) Coefficients() (first, vector Ints, coef Doubles) {
	counts := make([]int, len(p.Model.Machines))
	p.EachTerm(func(i, v int, a float64) {
		counts[i]++
		vector.Add(v)
		coef.Add(a)
	})
	first.Add(0)
	n := 0
	for _, count := range counts {
		n += count
		first.Add(n)
	}
	return first, vector, coef
}

// Offsets returns what is taken off the machines' sums.
func (p *Plan) Offsets() (rho Doubles) {
	for i := range p.Model.Machines {
		rho.Add(p.Model.Machines[i].Rho)
	}
	return rho
}

// Members returns the classes of an ensemble's members, their first hyperplanes, and how many classes they tell
// apart.
func (p *Plan) Members() (class, first, size Ints) {
	m := p.Model
	for i := range m.CountMembers() {
		span, k := m.Member(i)
		class.Add(m.Machines[span.From].Pos)
		first.Add(span.From)
		size.Add(k)
	}
	return class, first, size
}

// Powers returns the table of exp.
func Powers() (values Doubles) {
	for _, v := range kernel.ExpTable() {
		values.Add(v)
	}
	return values
}

// Scaling returns the shifts and widths of the features that are made of columns.
func (p *Plan) Scaling() (shift, width Doubles) {
	scales, _ := p.Scales()
	for _, scale := range scales {
		shift.Add(scale.Shift)
		width.Add(scale.Width)
	}
	return shift, width
}

// Identifier reports whether a text is letters, digits and _ of ASCII, and no digit first, which is a name in all
// languages but for their own words.
func Identifier(text string) bool {
	for i, r := range text {
		if r != '_' && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (i == 0 || r < '0' || '9' < r) {
			return false
		}
	}
	return text != ""
}
