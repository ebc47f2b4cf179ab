package pysource

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// real returns a constant of type float.
func real(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "math.inf"
	case math.IsInf(v, -1):
		return "-math.inf"
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// lineBytes is the number of bytes of a table that a line has, in 4 characters for 3.
const lineBytes = 72

// blob writes a table as what a function makes of its bytes. Its name may have a type.
func (s *source) blob(name, decoder string, table []byte) {
	s.put("%s = %s(\"\"\"", name, decoder)
	for i := 0; i < len(table); i += lineBytes {
		s.WriteString("\n" + base64.StdEncoding.EncodeToString(table[i:min(i+lineBytes, len(table))]))
	}
	s.WriteString("\"\"\")\n")
}

// A doubles is a table of numbers being made, an ints one of integers.
type (
	doubles []byte
	ints    []byte
)

func (d *doubles) add(v float64) { *d = binary.BigEndian.AppendUint64(*d, math.Float64bits(v)) }
func (d *ints) add(v int)        { *d = binary.BigEndian.AppendUint32(*d, uint32(v)) }

func (s *source) doubles(name string, list doubles) { s.blob(name, "_doubles", list) }
func (s *source) ints(name string, list ints)       { s.blob(name, "_ints", list) }

// tables writes what the functions read, and what makes it of Base64.
func (s *source) tables() {
	m := s.Model
	s.put(`

def _doubles(text: str) -> Tuple[float, ...]:
    table = base64.b64decode(text)
    return struct.unpack(">%%dd" %% (len(table) // 8), table)


def _ints(text: str) -> Tuple[int, ...]:
    table = base64.b64decode(text)
    return struct.unpack(">%%di" %% (len(table) // 4), table)


`)
	if m.Task.Classifies() {
		s.classes()
	}
	if m.Probability && m.Task.Regresses() {
		s.put("# The scale of the noise: targets differ from predictions by z with the density exp(-|z| / s) / (2 s), Laplace's.\nSIGMA = %s\n", real(s.Noise()))
	}
	if s.Terms > 0 {
		switch {
		case s.Precomputed():
			var list ints
			for i := range m.Vectors.Len() {
				list.add(int(m.Vectors.Row(i).Value[0]))
			}
			s.put("# The training rows whose kernel values are read: the others' may be any.\n")
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
		s.doubles("_RHO", rho)
	}
	if s.Ensemble() && len(m.Machines) > 0 {
		s.members()
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		var a, b doubles
		for i := range m.Machines {
			a.add(m.Machines[i].Sigmoid.A)
			b.add(m.Machines[i].Sigmoid.B)
		}
		s.doubles("_A", a)
		s.doubles("_B", b)
	}
	if s.exponentials() {
		var list doubles
		for _, v := range kernel.ExpTable() {
			list.add(v)
		}
		s.doubles("_POWERS", list)
	}
	if s.Inputs != nil {
		s.columns()
	}
	if s.Ranges != nil {
		s.put("_SCALED = (\n")
		for _, f := range s.Ranges.X.Ranges {
			if !f.Constant() {
				s.put("    (%d, %s, %s),\n", f.Index-1, real(f.Min), real(f.Max))
			}
		}
		s.put(")  # type: Tuple[Tuple[int, float, float], ...]\n")
	}
}

// classes writes the labels.
func (s *source) classes() {
	ptype, _ := s.answers()
	s.put("# The labels of the classes, in the order of the model.\nCLASSES: Tuple[%s, ...] = (", ptype)
	for _, label := range s.Model.Labels {
		if s.Labels() {
			s.put("\n    %s,", text(s.Inputs.ClassColumn().Labels[label]))
		} else {
			s.put("\n    %d,", label)
		}
	}
	s.put("\n)\n")
}

// matrix writes the vectors as rows.
func (s *source) matrix() {
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
	s.doubles("_z", list)
	s.put("_Z = [_z[v : v + %d] for v in range(0, len(_z), %[1]d)]\ndel _z\n", s.Width)
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
	s.ints("_begin", begin)
	s.ints("_index", index)
	s.doubles("_entry", entry)
	s.put("_Z = [(_index[a:b], _entry[a:b]) for a, b in zip(_begin, _begin[1:])]\ndel _begin, _index, _entry\n")
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
	s.ints("_first", first)
	s.ints("_vector", vector)
	s.doubles("_coef", coef)
	s.put("_MACHINES = [(_vector[a:b], _coef[a:b]) for a, b in zip(_first, _first[1:])]\ndel _first, _vector, _coef\n")
}

// members writes the classes of an ensemble's members, their first hyperplanes, and how many classes they tell apart.
func (s *source) members() {
	m := s.Model
	var class, begins, size ints
	for i := range m.CountMembers() {
		span, k := m.Member(i)
		class.add(m.Machines[span.From].Pos)
		begins.add(span.From)
		size.add(k)
	}
	s.ints("_member", class)
	s.ints("_plane", begins)
	s.ints("_size", size)
	s.put("_MEMBERS = list(zip(_member, _plane, _size))\ndel _member, _plane, _size\n")
}

// columns writes what encode reads: of each column the place of its first feature, what replaces missing values,
// and the labels of a nominal one, else None.
func (s *source) columns() {
	scales, _ := s.Scales()
	s.put("_COLUMNS: Tuple[Tuple[int, float, Optional[Tuple[str, ...]]], ...] = (\n")
	s.EachColumn(func(_ int, c *encode.Column) {
		s.put("    (%d, %s, ", c.First-1, real(c.Fill))
		switch {
		case c.Type != format.Nominal:
			s.put("None),\n")
		case len(c.Labels) == 0:
			s.put("()),\n")
		default:
			s.put("(\n")
			for _, label := range c.Labels {
				s.put("        %s,\n", text(label))
			}
			s.put("    )),\n")
		}
	})
	s.put(")\n_PLACES: List[Dict[str, int]] = [{label: i for i, label in reversed(list(enumerate(column[2] or ())))} for column in _COLUMNS]\n")
	var shift, width doubles
	for _, scale := range scales {
		shift.add(scale.Shift)
		width.add(scale.Width)
	}
	s.doubles("_SHIFT", shift)
	s.doubles("_WIDTH", width)
}
