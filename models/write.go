package models

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Numbers of digits in LIBSVM's model files: coefficients and parameters read back exactly,
// features are rounded.
const (
	coefDigits    = 17
	featureDigits = 8
	shortest      = -1 // as few digits as read back exactly
)

// Write writes m as a model file.
//
// A model that LIBSVM's format can express is written byte for byte as LIBSVM writes it. LIBSVM
// rounds features to eight significant digits, so the decision values of a model read back can
// differ from m's in the last digits. Synthetic vectors are written in full.
//
// Any other model, see [Model.Extended], is written in the extended dialect, where nothing is
// rounded. There each vector has a coefficient for every machine that may use it: 0 for machines
// whose Index does not list it. If the kernel value of such a vector overflows to infinity, the
// machine's value is NaN after reading back, which it need not be before.
//
// A kernel that is not from package kernel is an error, because model files have no name for it. The
// example of kernel.Kernel writes such a model with the name of another.
func Write(w io.Writer, m *Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	kernelType, ok := kernel.FileName(m.Kernel)
	if !ok {
		return fmt.Errorf("model files have no name for the kernel %T", m.Kernel)
	}
	t := &text{w: bufio.NewWriter(w)}
	extended := m.Extended()
	if extended {
		t.ints(extendedMark, extendedVersion)
	}
	t.line("svm_type", m.Task.String())
	t.line("kernel_type", kernelType)
	t.kernel(m.Kernel)
	t.ints("nr_class", m.classes())
	if extended {
		t.extended(m)
	}
	t.ints("total_sv", m.Vectors.Len())
	if m.Vote != Ensemble {
		t.perMachine("rho", m, func(c *Machine) float64 { return c.Rho })
	}
	if m.Task.Classifies() {
		t.ints("label", m.Labels...)
	}
	if m.Probability && m.Vote != Ensemble {
		switch {
		case m.Task.Regresses():
			t.reals("probA", m.Noise)
		case m.Task == OneClass:
			t.reals("prob_density_marks", m.DensityMarks...)
		default:
			t.perMachine("probA", m, func(c *Machine) float64 { return c.Sigmoid.A })
			t.perMachine("probB", m, func(c *Machine) float64 { return c.Sigmoid.B })
		}
	}
	if m.Task.Classifies() && !extended {
		t.ints("nr_sv", m.Group...)
	}
	t.line("SV")
	t.vectors(m)
	if m.Inputs != nil {
		t.line(inputsMark)
		t.w.Write(m.Inputs)
		if n := len(m.Inputs); n > 0 && m.Inputs[n-1] != '\n' {
			t.w.WriteByte('\n')
		}
	}
	return t.w.Flush()
}

// classes returns the model file's nr_class, which is 2 if the model has no classes.
func (m *Model) classes() int {
	if m.Task.Classifies() {
		return len(m.Labels)
	}
	return 2
}

// text writes lines. Its bufio.Writer keeps the first error until Flush.
type text struct {
	w   *bufio.Writer
	buf []byte
}

func (t *text) line(words ...string) {
	for i, word := range words {
		if i > 0 {
			t.w.WriteByte(' ')
		}
		t.w.WriteString(word)
	}
	t.w.WriteByte('\n')
}

func (t *text) ints(key string, values ...int) {
	t.buf = append(t.buf[:0], key...)
	for _, v := range values {
		t.buf = append(t.buf, ' ')
		t.buf = strconv.AppendInt(t.buf, int64(v), 10)
	}
	t.w.Write(append(t.buf, '\n'))
}

func (t *text) reals(key string, values ...float64) {
	t.list(key, len(values), func(i int) float64 { return values[i] })
}

func (t *text) perMachine(key string, m *Model, value func(*Machine) float64) {
	t.list(key, len(m.Machines), func(i int) float64 { return value(&m.Machines[i]) })
}

// listPiece is about how many bytes of a long line are buffered.
const listPiece = 4 << 10

func (t *text) list(key string, n int, value func(i int) float64) {
	t.buf = append(t.buf[:0], key...)
	for i := range n {
		t.buf = append(t.buf, ' ')
		t.buf = textscan.AppendG(t.buf, value(i), coefDigits)
		if len(t.buf) >= listPiece {
			t.w.Write(t.buf)
			t.buf = t.buf[:0]
		}
	}
	t.w.Write(append(t.buf, '\n'))
}

// kernel writes the parameters of a kernel.
func (t *text) kernel(k kernel.Kernel) {
	switch k := k.(type) {
	case kernel.Poly:
		t.ints("degree", k.Degree)
		t.reals("gamma", k.Gamma)
		t.reals("coef0", k.Coef0)
	case kernel.RBF:
		t.reals("gamma", k.Gamma)
	case kernel.Sigmoid:
		t.reals("gamma", k.Gamma)
		t.reals("coef0", k.Coef0)
	}
}

// vectors writes a line for each vector: its coefficients, then its features. In the plain dialect
// a classifier's vector has coefficients in the machines of its class, in the order of the other
// classes; in the extended dialect, in all machines. An ensemble's line begins with the machine's
// columns instead.
func (t *text) vectors(m *Model) {
	_, serialOnly := m.Kernel.(kernel.Precomputed)
	extended := m.Extended()
	width := max(m.classes()-1, 1)
	if extended {
		width = len(m.Machines)
	}
	// returns a function that appends the coefficients of a vector; each goroutine has its own
	coefs := func() func(b []byte, i int) []byte { return func(b []byte, _ int) []byte { return b } }
	switch {
	case m.Vote == Ensemble:
		width = 0
	case m.Task.Classifies() && !extended && !slices.ContainsFunc(m.Machines, func(c Machine) bool { return c.Index != nil }):
		coefs = m.pairCoefs
	default:
		columns := m.coefColumns(width, extended)
		each := func(b []byte, i int) []byte {
			for _, c := range columns[i*width : (i+1)*width] {
				b = appendCoef(b, c)
			}
			return b
		}
		coefs = func() func(b []byte, i int) []byte { return each }
	}
	var sizes []int
	if m.Vote == Ensemble {
		sizes = m.memberSizes()
	}
	n, nnz := m.Vectors.Len(), m.Vectors.NNZ()
	writeLines(t.w, n, width+nnz/max(n, 1), func() func(b []byte, i int) []byte {
		var seen *texts
		if nnz >= manyFeatures {
			seen = newTexts()
		}
		coefs := coefs()
		return func(b []byte, i int) []byte {
			if m.Vote == Ensemble {
				b = m.appendMachine(b, i, sizes[i])
			}
			b = coefs(b, i)
			v := m.Vectors.Row(i)
			exact := extended || m.Origin != nil && m.Origin[i] == 0
			if seen != nil && !serialOnly && !exact {
				return append(seen.appendPairs(b, v), '\n')
			}
			for k, index := range v.Index {
				b = textscan.AppendInt(b, int64(index))
				b = append(b, ':')
				if serialOnly {
					b = textscan.AppendInt(b, int64(v.Value[k]))
					b = append(b, ' ')
					break
				}
				digits := featureDigits
				if exact {
					digits = shortest
				}
				b = textscan.AppendG(b, v.Value[k], digits)
				b = append(b, ' ')
			}
			return append(b, '\n')
		}
	})
}

// appendCoef appends a coefficient, exactly, and a blank.
func appendCoef(b []byte, c float64) []byte {
	return append(textscan.AppendG(b, c, coefDigits), ' ')
}

// pairCoefs returns a function that appends the coefficients of a vector as in the plain dialect:
// for each other class, the coefficient in the machine of the two classes. Machines must have a
// coefficient for every vector of their classes.
func (m *Model) pairCoefs() func(b []byte, i int) []byte {
	start, k := m.GroupStart(), len(m.Labels)
	first, behind := 0, 0              // the vectors of the present class
	columns := make([][]float64, 0, k) // the coefficients of these vectors in each of their machines
	return func(b []byte, i int) []byte {
		if i < first || i >= behind {
			g := sort.SearchInts(start, i+1) - 1
			first, behind, columns = start[g], start[g+1], columns[:0]
			for c := range g {
				columns = append(columns, m.Machines[PairIndex(c, g, k)].Coef[m.Group[c]:])
			}
			for c := g + 1; c < k; c++ {
				columns = append(columns, m.Machines[PairIndex(g, c, k)].Coef)
			}
		}
		for _, coefs := range columns {
			b = appendCoef(b, coefs[i-first])
		}
		return b
	}
}

// coefColumns returns the coefficients as the file lists them: for each vector one for each
// machine, or in the plain dialect one for each machine of its class. There, column c of a vector
// of class g belongs to the pair of g with class c if c < g, else with class c+1.
func (m *Model) coefColumns(width int, extended bool) []float64 {
	columns := make([]float64, m.Vectors.Len()*width)
	start := m.GroupStart()
	for p := range m.Machines {
		c := &m.Machines[p]
		put := func(vector int, coef float64) {
			column := 0
			switch {
			case extended:
				column = p
			case !m.Task.Classifies():
			case vector < start[c.Neg]: // of class Pos, which is less than Neg
				column = c.Neg - 1
			default:
				column = c.Pos
			}
			columns[vector*width+column] = coef
		}
		if c.Index != nil {
			for k, i := range c.Index {
				put(int(i), c.Coef[k])
			}
			continue
		}
		k := 0
		for _, s := range c.Spans(start) {
			for i := s.From; i < s.To; i++ {
				put(i, c.Coef[k])
				k++
			}
		}
	}
	return columns
}
