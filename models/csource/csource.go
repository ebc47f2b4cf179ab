// Package csource writes models as C: a source file that needs nothing but a C99 compiler and
// its math library, for programs that carry a classifier where Go does not run.
package csource

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: the answers of a model from a few functions and constant tables, without memory
// that has to be allocated, and with the bits of svm-predict where arithmetic is double.
//
// Method: the file has the vectors, densely where a third of their features are not 0 and
// as lists of those otherwise, or their rows' numbers if kernel values are given; for each machine
// the vectors that have a coefficient there, of an ensemble its hyperplane; and loops over them that
// sum in the order of package predict. What makes answers and probabilities of the machines' values
// is written as it is computed there. A model of declared columns also has a function that makes
// features of a row's columns, as format/encode does.

// Errors of models that C sources were once not written of.
//
// Deprecated: nothing returns them. All models are written.
var (
	ErrPrecomputed = errors.New("a model with a precomputed kernel has no vectors that C could compute with")
	ErrEnsemble    = errors.New("ensembles are not written in C")
)

// CheckName returns an error unless names in C may begin with the name.
func CheckName(name string) error {
	if name == "" {
		return errors.New("a name in C is not empty")
	}
	for i, r := range name {
		if r != '_' && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (i == 0 || r < '0' || '9' < r) {
			return fmt.Errorf("%q is no name in C: expected letters, digits and _, and no digit first", name)
		}
	}
	return nil
}

// Name returns a name in C that is like a text, the name of a file, say: what cannot be in it
// becomes _.
func Name(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '_', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			b.WriteRune(r)
		case '0' <= r && r <= '9':
			if i == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// Write writes a model as a C source file. All names in it begin with name, which CheckName
// accepts, and an underscore; the comment that it begins with says what there is. The answers, and
// the probabilities of a model that has such information, are those of package predict, to the last
// bit if the C library's exp and tanh are LIBSVM's and the arithmetic is that of double.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

func write(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := m.Validate(); err != nil {
		return err
	}
	s := &source{Writer: bufio.NewWriter(w), m: m, name: name, ranges: r, first: 1}
	if m.Inputs != nil {
		s.inputs = new(encode.Encoding)
		if err := s.inputs.UnmarshalText(m.Inputs); err != nil {
			return err
		}
	}
	s.measure()
	if err := s.check(); err != nil {
		return err
	}
	if err := s.checkRanges(); err != nil {
		return err
	}
	s.about()
	s.tables()
	s.kernel()
	s.helpers()
	if s.ensemble() {
		s.planes()
	} else {
		s.decisions()
	}
	s.answer()
	s.probabilities()
	if s.inputs != nil {
		s.encoder()
	}
	if s.ranges != nil {
		s.scaler()
	}
	s.put("%s", end)
	return s.Flush() // the first error of all
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	m      *models.Model
	name   string
	inputs *encode.Encoding // nil: features are numbers as they stand
	first  int32            // the feature that x[0] is
	width  int              // features that vectors have
	dense  bool             // vectors are rows of a matrix
	terms  int              // coefficients that are not 0, of all machines

	ranges   *scale.Ranges // nil: features are not scaled here
	scaled   int           // features that are
	features int           // the last of them
}

// ensemble reports whether the machines are the hyperplanes of an ensemble.
func (s *source) ensemble() bool { return s.m.Task.Classifies() && s.m.Vote == models.Ensemble }

// precomputed reports whether rows are kernel values.
func (s *source) precomputed() bool { return s.m.Kernel == kernel.Kernel(kernel.Precomputed{}) }

// put writes lines in which @ stands for the name.
func (s *source) put(format string, args ...any) {
	fmt.Fprintf(s, strings.ReplaceAll(format, "@", s.name), args...)
}

// denseShare is the share of values that are not 0 from which on lists would take as much memory.
const denseShare = 1.0 / 3

func (s *source) measure() {
	s.eachTerm(func(int, int, float64) { s.terms++ })
	if s.precomputed() {
		return
	}
	x := &s.m.Vectors
	last := int32(-1) // x.MaxIndex() may be that of the training data
	for i := range x.Len() {
		if r := x.Row(i); len(r.Index) > 0 {
			if r.Index[0] == 0 {
				s.first = 0
			}
			last = max(last, r.Index[len(r.Index)-1])
		}
	}
	s.width = max(1, int(last)+1-int(s.first)) // a table has one column at least
	s.dense = x.NNZ() == 0 || float64(x.NNZ()) >= denseShare*float64(x.Len())*float64(s.width)
}

// eachTerm gives the vectors and coefficients of all machines that are not 0, in the order
// in which they are summed.
func (s *source) eachTerm(f func(machine, vector int, coef float64)) {
	start := s.m.GroupStart()
	for i := range s.m.Machines {
		c := &s.m.Machines[i]
		if c.Index != nil {
			for k, v := range c.Index {
				if c.Coef[k] != 0 {
					f(i, int(v), c.Coef[k])
				}
			}
			continue
		}
		coef := c.Coef
		for _, span := range c.Spans(start) {
			for k := span.From; k < span.To; k++ {
				if a := coef[k-span.From]; a != 0 {
					f(i, k, a)
				}
			}
			coef = coef[span.To-span.From:]
		}
	}
}

// check returns an error unless the model's features and labels are those of its inputs, if it has some.
func (s *source) check() error {
	if s.inputs == nil {
		return nil
	}
	if s.precomputed() {
		return errors.New("the model's columns are not the values of a precomputed kernel")
	}
	if s.first == 0 {
		return errors.New("a vector has feature 0, and the features of the model's columns are numbered from 1")
	}
	for i := range s.inputs.Columns {
		for _, label := range s.inputs.Columns[i].Labels {
			if strings.Contains(label, "\x00") {
				return fmt.Errorf("label %q of column %q has the character U+0000, with which texts end in C", label, s.inputs.Columns[i].Name)
			}
		}
	}
	if s.labels() {
		n := len(s.inputs.ClassColumn().Labels)
		for _, label := range s.m.Labels {
			if label < 0 || label >= n {
				return fmt.Errorf("label %d is no place among the %d labels of column %q", label, n, s.inputs.ClassColumn().Name)
			}
		}
	}
	return nil
}
