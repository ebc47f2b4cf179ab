package pysource

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/internal/plan"
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

// lineBytes is the number of bytes of a table in one line. 3 bytes take 4 characters.
const lineBytes = 72

// blob writes a table as a call of the function that decodes its bytes. name may include a type.
func (s *source) blob(name, decoder string, table []byte) {
	s.put("%s = %s(\"\"\"", name, decoder)
	for i := 0; i < len(table); i += lineBytes {
		s.WriteString("\n" + base64.StdEncoding.EncodeToString(table[i:min(i+lineBytes, len(table))]))
	}
	s.WriteString("\"\"\")\n")
}

func (s *source) doubles(name string, list plan.Doubles) { s.blob(name, "_doubles", list) }
func (s *source) ints(name string, list plan.Ints)       { s.blob(name, "_ints", list) }

// tables writes the tables that the functions read, and the functions that decode them from Base64.
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
			rows, _ := s.Rows()
			s.put("# The training rows whose kernel values are read: the others' may be any.\n")
			s.ints("ROWS", rows)
		case s.Dense:
			s.doubles("_z", s.Matrix())
			s.put("_Z = [_z[v : v + %d] for v in range(0, len(_z), %[1]d)]\ndel _z\n", s.Width)
		default:
			begin, index, values := s.Vectors()
			s.ints("_begin", begin)
			s.ints("_index", index)
			s.doubles("_entry", values)
			s.put("_Z = [(_index[a:b], _entry[a:b]) for a, b in zip(_begin, _begin[1:])]\ndel _begin, _index, _entry\n")
		}
		if !s.Ensemble() {
			first, vector, coef := s.Coefficients()
			s.ints("_first", first)
			s.ints("_vector", vector)
			s.doubles("_coef", coef)
			s.put("_MACHINES = [(_vector[a:b], _coef[a:b]) for a, b in zip(_first, _first[1:])]\ndel _first, _vector, _coef\n")
		}
	}
	if len(m.Machines) > 0 {
		s.doubles("_RHO", s.Offsets())
	}
	if s.Ensemble() && len(m.Machines) > 0 {
		class, first, size := s.Members()
		s.ints("_member", class)
		s.ints("_plane", first)
		s.ints("_size", size)
		s.put("_MEMBERS = list(zip(_member, _plane, _size))\ndel _member, _plane, _size\n")
	}
	if s.ClassProbabilities() && len(m.Machines) > 0 {
		var a, b plan.Doubles
		for i := range m.Machines {
			a.Add(m.Machines[i].Sigmoid.A)
			b.Add(m.Machines[i].Sigmoid.B)
		}
		s.doubles("_A", a)
		s.doubles("_B", b)
	}
	if s.Exponentials() {
		s.doubles("_POWERS", plan.Powers())
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

// columns writes the table that encode reads: for each column the place of its first feature, the
// replacement for missing values, and the labels of a nominal column or None.
func (s *source) columns() {
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
	shift, width := s.Scaling()
	s.doubles("_SHIFT", shift)
	s.doubles("_WIDTH", width)
}
