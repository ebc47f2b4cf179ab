package javasource

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// lineBytes is the number of bytes of a table in one line. Base64 has 4 characters for 3 bytes, so
// whole lines need no padding.
const lineBytes = 72

// partBytes is the number of bytes of a table in one part, which is a string constant of at most
// 65,535 bytes. A part consists of whole numbers and whole lines.
var partBytes = 600 * lineBytes // changed by tests

// mostParts is the largest number of parts of a class: the code that makes its tables has at most
// 65,535 bytes, and each part takes 8.
const mostParts = 7500

// checkSize returns an error if the tables of the model are too large for a class.
func (s *source) checkSize() error {
	x := &s.Model.Vectors
	const number, integer = 8, 4
	bytes := int64(s.Terms)*(number+integer) + int64(len(s.Model.Machines))*(3*number+integer) // coefficients and machines
	if s.Dense {
		bytes += int64(x.Len()) * s.Width * number
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

// blob writes a table of bytes as arguments of the method that decodes it.
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

func (s *source) doubles(name string, list plan.Doubles) {
	s.blob(name, "double[]", "doubles", len(list)/8, list)
}
func (s *source) ints(name string, list plan.Ints) { s.blob(name, "int[]", "ints", len(list)/4, list) }

// text writes a table of texts: for each text the number of its bytes in UTF-8, then the bytes.
func (s *source) text(name string, list []string) {
	var b []byte
	for _, text := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	s.blob(name, "String[]", "texts", len(list), b)
}

// tables writes the tables that the methods read.
func (s *source) tables() {
	m := s.Model
	s.put("\n")
	if s.Terms > 0 {
		s.put("    private static final int VECTORS = %d;\n", m.Vectors.Len())
		switch {
		case s.Precomputed():
			rows, _ := s.Rows()
			s.ints("ROWS", rows)
		case s.Dense:
			s.put("    private static final int WIDTH = %d;\n", s.Width)
			s.doubles("Z", s.Matrix())
		default:
			begin, index, values := s.Vectors()
			s.ints("BEGIN", begin)
			s.ints("INDEX", index)
			s.doubles("Z", values)
		}
		if !s.Ensemble() {
			first, vector, coef := s.Coefficients()
			s.ints("FIRST", first)
			s.ints("VECTOR", vector)
			s.doubles("COEF", coef)
		}
	}
	if len(m.Machines) > 0 {
		s.doubles("RHO", s.Offsets())
	}
	if m.Task.Classifies() {
		if s.Labels() {
			var list []string
			for _, label := range m.Labels {
				list = append(list, s.Inputs.ClassColumn().Labels[label])
			}
			s.text("CLASSES", list)
		} else {
			var list plan.Ints
			for _, label := range m.Labels {
				list.Add(label)
			}
			s.ints("CLASSES", list)
		}
	}
	if s.Ensemble() && len(m.Machines) > 0 {
		class, first, size := s.Members()
		s.put("    private static final int MEMBERS = %d;\n", m.CountMembers())
		s.ints("MEMBER", class)
		if planes, _ := s.Largest(); planes > 1 {
			s.ints("PLANES", first)
			s.ints("SIZE", size)
		}
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		var list plan.Doubles
		for i := range m.Machines {
			list.Add(m.Machines[i].Sigmoid.A)
			list.Add(m.Machines[i].Sigmoid.B)
		}
		s.doubles("SIGMOID", list)
	}
	if s.Exponentials() {
		s.doubles("POWERS", plan.Powers())
	}
	if s.Inputs != nil {
		s.columns()
	}
	if s.Ranges != nil && s.Scaled > 0 {
		var places plan.Ints
		var ends plan.Doubles
		for _, f := range s.Ranges.X.Ranges {
			if !f.Constant() {
				places.Add(int(f.Index) - 1)
				ends.Add(f.Min)
				ends.Add(f.Max)
			}
		}
		s.ints("SCALED", places)
		s.doubles("ENDS", ends)
	}
}

// columns writes the tables that encode reads. labels has the number of labels of a nominal column,
// and -1 for others.
func (s *source) columns() {
	scales, columns := s.Scales()
	s.put("    private static final int COLUMNS = %d;\n    private static final int FEATURES = %d;\n", columns, len(scales))
	if columns == 0 {
		return
	}
	var first, labels plan.Ints
	var fill plan.Doubles
	var texts []string
	s.EachColumn(func(_ int, c *encode.Column) {
		n := -1
		if c.Type == format.Nominal {
			n = len(c.Labels)
			texts = append(texts, c.Labels...)
		}
		first.Add(int(c.First) - 1)
		labels.Add(n)
		fill.Add(c.Fill)
	})
	shift, width := s.Scaling()
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
