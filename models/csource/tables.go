package csource

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// real returns a constant of type double.
func real(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "INFINITY"
	case math.IsInf(v, -1):
		return "-INFINITY"
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0" // an integer constant might be too large in C
	}
	return s
}

// text returns a string constant.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?' || c < ' ' || c > '~': // ? could begin a trigraph
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment returns a quoted text that can be inside a C comment.
func comment(s string) string {
	s = strconv.QuoteToASCII(s)
	for _, pair := range []string{"*/", "/*", "??"} {
		s = strings.ReplaceAll(s, pair, pair[:1]+" "+pair[1:])
	}
	return s
}

// lineLength is the length from which the line of a table is broken.
const lineLength = 90

// A list writes the elements of a table in lines.
type list struct {
	s      *source
	column int
}

func (l *list) add(element string) {
	switch {
	case l.column == 0:
		l.s.WriteByte('\t')
	case l.column > lineLength:
		l.s.WriteString("\n\t")
		l.column = 0
	default:
		l.s.WriteByte(' ')
	}
	l.s.WriteString(element)
	l.s.WriteByte(',')
	l.column += len(element) + 2
}

// table writes a table. declaration is the part before the equals sign.
func (s *source) table(declaration string, elements func(add func(string))) {
	s.put("%s = {\n", strings.ReplaceAll(declaration, "@", s.name))
	l := list{s: s}
	elements(l.add)
	s.put("\n};\n\n")
}

// smallest returns the smallest C type for numbers from 0 to most.
func smallest(most int64) string {
	switch {
	case most <= math.MaxUint8:
		return "unsigned char"
	case most <= math.MaxUint16:
		return "unsigned short"
	}
	return "unsigned"
}

// rounded and warned enclose the tables whose numbers may be float. Without them, -Wconversion
// gives a warning for each number that is rounded.
const (
	rounded = `#if defined __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wimplicit-float-conversion"
#elif defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#endif

`
	warned = `#if defined __clang__
#pragma clang diagnostic pop
#elif defined __GNUC__
#pragma GCC diagnostic pop
#endif

`
)

// tables writes the tables that the functions read.
func (s *source) tables() {
	m := s.Model
	if s.Terms > 0 {
		s.put("%s", rounded)
		switch {
		case s.Precomputed():
			s.rows()
		case s.Dense:
			s.matrix()
		default:
			s.lists()
		}
		if !s.Ensemble() {
			s.machines()
		}
		s.put("%s", warned)
	}
	if len(m.Machines) > 0 {
		s.table("static const double @_rho[@_MACHINES]", func(add func(string)) {
			for i := range m.Machines {
				add(real(m.Machines[i].Rho))
			}
		})
	}
	if m.Task.Classifies() {
		s.table("const int @_classes[@_CLASSES]", func(add func(string)) {
			for _, label := range m.Labels {
				if label == math.MinInt32 { // C reads it as the negative of a number that is not an int
					add(fmt.Sprintf("%d - 1", label+1))
				} else {
					add(strconv.Itoa(label))
				}
			}
		})
	}
	if s.Labels() {
		labels := s.Inputs.ClassColumn().Labels
		s.table(fmt.Sprintf("const char *const @_labels[%d]", len(labels)), func(add func(string)) {
			for _, label := range labels {
				add(text(label))
			}
		})
	}
}

// rows writes the numbers of the training rows that are the vectors of a precomputed kernel.
func (s *source) rows() {
	s.table("const unsigned @_rows[@_VECTORS]", func(add func(string)) {
		for i := range s.Model.Vectors.Len() {
			add(strconv.Itoa(int(s.Model.Vectors.Row(i).Value[0])))
		}
	})
}

// matrix writes the vectors as dense rows.
func (s *source) matrix() {
	s.table(fmt.Sprintf("static const SLIMSVM_REAL @_vectors[@_VECTORS][%d]", s.Width), func(add func(string)) {
		x := &s.Model.Vectors
		row := make([]float64, s.Width)
		for i := range x.Len() {
			clear(row)
			r := x.Row(i)
			for k, j := range r.Index {
				row[j-s.First] = r.Value[k]
			}
			before := "{"
			for j, v := range row {
				after := ""
				if j == len(row)-1 {
					after = "}"
				}
				add(before + real(v) + after)
				before = ""
			}
		}
	})
}

// lists writes the nonzero features of vectors, by their indices in x.
func (s *source) lists() {
	x := &s.Model.Vectors
	s.table("static const unsigned @_begin[@_VECTORS + 1]", func(add func(string)) {
		n := 0
		add("0")
		for i := range x.Len() {
			n += len(x.Row(i).Index)
			add(strconv.Itoa(n))
		}
	})
	s.table(fmt.Sprintf("static const %s @_index[%d]", smallest(s.Width), x.NNZ()), func(add func(string)) {
		for i := range x.Len() {
			for _, j := range x.Row(i).Index {
				add(strconv.Itoa(int(j - s.First)))
			}
		}
	})
	s.table(fmt.Sprintf("static const SLIMSVM_REAL @_entry[%d]", x.NNZ()), func(add func(string)) {
		for i := range x.Len() {
			for _, v := range x.Row(i).Value {
				add(real(v))
			}
		}
	})
}

// machines writes the vectors and coefficients of each machine.
func (s *source) machines() {
	counts := make([]int, len(s.Model.Machines))
	s.EachTerm(func(i, _ int, _ float64) { counts[i]++ })
	s.table("static const unsigned @_first[@_MACHINES + 1]", func(add func(string)) {
		n := 0
		add("0")
		for _, count := range counts {
			n += count
			add(strconv.Itoa(n))
		}
	})
	s.table(fmt.Sprintf("static const %s @_vector[%d]", smallest(int64(s.Model.Vectors.Len())), s.Terms), func(add func(string)) {
		s.EachTerm(func(_, v int, _ float64) { add(strconv.Itoa(v)) })
	})
	s.table(fmt.Sprintf("static const SLIMSVM_REAL @_coef[%d]", s.Terms), func(add func(string)) {
		s.EachTerm(func(_, _ int, a float64) { add(real(a)) })
	})
}
