package plan

import (
	"encoding/binary"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// Doubles and Ints are tables of double numbers and of 32-bit integers, as big-endian bytes.
type (
	Doubles []byte
	Ints    []byte
)

// Add appends a number.
func (d *Doubles) Add(v float64) { *d = binary.BigEndian.AppendUint64(*d, math.Float64bits(v)) }

// Add appends an integer.
func (d *Ints) Add(v int) { *d = binary.BigEndian.AppendUint32(*d, uint32(v)) }

// Lists reports whether vectors are written as lists of nonzero features.
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

// Rows returns the numbers of the training rows that are the vectors of a precomputed kernel, and
// the largest of them.
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

// Vectors returns the numbers and values of the vectors' nonzero features. begin has the place
// where each vector's features begin, followed by the place where the last ones end.
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

// Coefficients returns the machines' vectors and coefficients. first has the place where each
// machine's begin, followed by the place where the last ones end.
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

// Offsets returns the numbers that are subtracted from the machines' sums.
func (p *Plan) Offsets() (rho Doubles) {
	for i := range p.Model.Machines {
		rho.Add(p.Model.Machines[i].Rho)
	}
	return rho
}

// Members returns, for an ensemble's members, the class, the first hyperplane, and the number of
// classes.
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

// Powers returns the table for exp.
func Powers() (values Doubles) {
	for _, v := range kernel.ExpTable() {
		values.Add(v)
	}
	return values
}

// Scaling returns the shifts and widths of the features that are made from columns.
func (p *Plan) Scaling() (shift, width Doubles) {
	scales, _ := p.Scales()
	for _, scale := range scales {
		shift.Add(scale.Shift)
		width.Add(scale.Width)
	}
	return shift, width
}

// Identifier reports whether a text consists of ASCII letters, digits and _, and does not begin
// with a digit. Such a text is a name in all languages, unless it is one of their own words.
func Identifier(text string) bool {
	for i, r := range text {
		if r != '_' && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (i == 0 || r < '0' || '9' < r) {
			return false
		}
	}
	return text != ""
}
