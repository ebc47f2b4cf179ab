package javasource

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Base64 has 4 characters for 3 bytes. Lines have full ones, and parts full numbers and lines: a constant has at
// most 65,535 bytes.
const lineBytes = 72

var partBytes = 600 * lineBytes // changed by tests

// mostParts is the number of parts that a class can have: in the code that makes its tables, of at most 65,535
// bytes, each takes 8.
const mostParts = 7500

// checkSize returns an error if the tables of the model are more than a class can have.
func (s *source) checkSize() error {
	x := &s.Model.Vectors
	const number, integer = 8, 4
	bytes := int64(s.Terms)*(number+integer) + int64(len(s.Model.Machines))*(3*number+integer) // coefficients and machines
	if s.Dense {
		bytes += int64(x.Len()) * int64(s.Width) * number
	} else {
		bytes += int64(x.NNZ())*(number+integer) + int64(x.Len())*integer
	}
	if s.Inputs != nil {
		bytes += int64(s.Inputs.Features()) * 2 * number
		for i := range s.Inputs.Columns {
			bytes += 2*integer + number
			for _, label := range s.Inputs.Columns[i].Labels {
				bytes += integer + int64(len(label))
			}
		}
	}
	if s.Ranges != nil {
		bytes += int64(s.Scaled) * (2*number + integer)
	}
	if most := mostParts * int64(partBytes); bytes > most {
		return fmt.Errorf("the model's tables take %d MB, and those of a class in Java can take %d", (bytes+1<<20-1)>>20, most>>20)
	}
	return nil
}

// real returns a constant of type double.
func real(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "Double.POSITIVE_INFINITY"
	case math.IsInf(v, -1):
		return "Double.NEGATIVE_INFINITY"
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

// blob writes a table of bytes as the arguments of a method that decodes it.
func (s *source) blob(name, jtype, decoder string, count int, table []byte) {
	s.put("    private static final %s %s = %s(%d", jtype, name, decoder, count)
	for at := 0; at < len(table); at += partBytes {
		s.WriteString(",")
		part := table[at:min(at+partBytes, len(table))]
		for i := 0; i < len(part); i += lineBytes {
			plus := ""
			if i > 0 {
				plus = "+ "
			}
			s.WriteString("\n            " + plus + `"` + base64.StdEncoding.EncodeToString(part[i:min(i+lineBytes, len(part))]) + `"`)
		}
	}
	s.WriteString(");\n")
}

// A doubles is a table of numbers being made, an ints one of integers.
type (
	doubles []byte
	ints    []byte
)

func (d *doubles) add(v float64) { *d = binary.BigEndian.AppendUint64(*d, math.Float64bits(v)) }
func (d *ints) add(v int)        { *d = binary.BigEndian.AppendUint32(*d, uint32(v)) }

func (s *source) doubles(name string, list doubles) {
	s.blob(name, "double[]", "doubles", len(list)/8, list)
}
func (s *source) ints(name string, list ints) { s.blob(name, "int[]", "ints", len(list)/4, list) }

// text writes a table of texts: of each the number of its bytes in UTF-8, and these.
func (s *source) text(name string, list []string) {
	var b []byte
	for _, text := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	s.blob(name, "String[]", "texts", len(list), b)
}

// tables writes what the methods read.
func (s *source) tables() {
	m := s.Model
	s.put("\n")
	if s.Terms > 0 {
		s.put("    private static final int VECTORS = %d;\n", m.Vectors.Len())
		switch {
		case s.Precomputed():
			var list ints
			for i := range m.Vectors.Len() {
				list.add(int(m.Vectors.Row(i).Value[0]))
			}
			s.ints("ROWS", list)
		case s.Dense:
			s.matrix()
		default:
			s.vectors()
		}
		if !s.Ensemble() {
			s.coefficients()
		}
	}
	if len(m.Machines) > 0 {
		var rho doubles
		for i := range m.Machines {
			rho.add(m.Machines[i].Rho)
		}
		s.doubles("RHO", rho)
	}
	if m.Task.Classifies() {
		if s.Labels() {
			var list []string
			for _, label := range m.Labels {
				list = append(list, s.Inputs.ClassColumn().Labels[label])
			}
			s.text("CLASSES", list)
		} else {
			var list ints
			for _, label := range m.Labels {
				list.add(label)
			}
			s.ints("CLASSES", list)
		}
	}
	if s.Ensemble() {
		s.members()
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		var list doubles
		for i := range m.Machines {
			list.add(m.Machines[i].Sigmoid.A)
			list.add(m.Machines[i].Sigmoid.B)
		}
		s.doubles("SIGMOID", list)
	}
	if s.exponentials() {
		var list doubles
		for _, v := range kernel.ExpTable() {
			list.add(v)
		}
		s.doubles("POWERS", list)
	}
	if s.Inputs != nil {
		s.columns()
	}
	if s.Ranges != nil && s.Scaled > 0 {
		var places ints
		var ends doubles
		for _, f := range s.Ranges.X.Ranges {
			if !f.Constant() {
				places.add(int(f.Index) - 1)
				ends.add(f.Min)
				ends.add(f.Max)
			}
		}
		s.ints("SCALED", places)
		s.doubles("ENDS", ends)
	}
}

// matrix writes the vectors as rows.
func (s *source) matrix() {
	s.put("    private static final int WIDTH = %d;\n", s.Width)
	x := &s.Model.Vectors
	var list doubles
	row := make([]float64, s.Width)
	for i := range x.Len() {
		clear(row)
		r := x.Row(i)
		for k, j := range r.Index {
			row[j-s.First] = r.Value[k]
		}
		for _, v := range row {
			list.add(v)
		}
	}
	s.doubles("Z", list)
}

// vectors writes the features of vectors that are not 0.
func (s *source) vectors() {
	x := &s.Model.Vectors
	var begin, index ints
	var entry doubles
	begin.add(0)
	n := 0
	for i := range x.Len() {
		r := x.Row(i)
		n += len(r.Index)
		begin.add(n)
		for k, j := range r.Index {
			index.add(int(j))
			entry.add(r.Value[k])
		}
	}
	s.ints("BEGIN", begin)
	s.ints("INDEX", index)
	s.doubles("Z", entry)
}

// coefficients writes the vectors and coefficients of each machine.
func (s *source) coefficients() {
	counts := make([]int, len(s.Model.Machines))
	var vector ints
	var coef doubles
	s.EachTerm(func(i, v int, a float64) {
		counts[i]++
		vector.add(v)
		coef.add(a)
	})
	var first ints
	first.add(0)
	n := 0
	for _, count := range counts {
		n += count
		first.add(n)
	}
	s.ints("FIRST", first)
	s.ints("VECTOR", vector)
	s.doubles("COEF", coef)
}

// members writes the classes of an ensemble's members, and their hyperplanes if one has several.
func (s *source) members() {
	m := s.Model
	s.put("    private static final int MEMBERS = %d;\n", m.CountMembers())
	if m.CountMembers() == 0 {
		return
	}
	var class, begins, size ints
	for i := range m.CountMembers() {
		span, k := m.Member(i)
		class.add(m.Machines[span.From].Pos)
		begins.add(span.From)
		size.add(k)
	}
	s.ints("MEMBER", class)
	if planes, _ := s.Largest(); planes > 1 {
		s.ints("PLANES", begins)
		s.ints("SIZE", size)
	}
}

// columns writes what encode reads: labels is of a nominal column how many, of another -1.
func (s *source) columns() {
	scales, columns := s.Scales()
	s.put("    private static final int COLUMNS = %d;\n    private static final int FEATURES = %d;\n", columns, len(scales))
	if columns == 0 {
		return
	}
	var first, labels ints
	var fill, shift, width doubles
	var texts []string
	s.EachColumn(func(_ int, c *encode.Column) {
		n := -1
		if c.Type == format.Nominal {
			n = len(c.Labels)
			texts = append(texts, c.Labels...)
		}
		first.add(int(c.First) - 1)
		labels.add(n)
		fill.add(c.Fill)
	})
	for _, scale := range scales {
		shift.add(scale.Shift)
		width.add(scale.Width)
	}
	s.ints("COLUMN", first)
	s.ints("LABELS", labels)
	s.doubles("FILL", fill)
	s.doubles("SHIFT", shift)
	s.doubles("SPAN", width)
	if s.Nominal() {
		s.text("TEXTS", texts)
		s.put("    private static final java.util.Map<String, Integer> PLACES = places();\n")
	}
}
