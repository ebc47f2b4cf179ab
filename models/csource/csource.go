// Package csource writes models as C: a source file that needs nothing but a C99 compiler and
// its math library, for programs that carry a classifier where Go does not run.
package csource

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: the answers of a model from a few functions and constant tables, without memory
// that has to be allocated, and with the bits of svm-predict where arithmetic is double.
//
// Method: the file has the vectors, densely where a third of their features are not 0 and
// as lists of those otherwise; for each machine the vectors that have a coefficient there;
// and loops over them that sum in the order of package predict. A model of declared columns
// also has a function that makes features of a row's columns, as format/encode does.

// The errors of models that C sources are not written of.
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
// accepts, and an underscore; the comment that it begins with says what there is. The answers are
// those of package predict, without probabilities, to the last bit if the C library's exp and tanh
// are LIBSVM's and the compiler does not fuse multiplications and additions.
// A model with a precomputed kernel is ErrPrecomputed, an ensemble ErrEnsemble.
func Write(w io.Writer, m *models.Model, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := m.Validate(); err != nil {
		return err
	}
	switch {
	case m.Kernel == kernel.Kernel(kernel.Precomputed{}):
		return ErrPrecomputed
	case m.Vote == models.Ensemble && m.Task.Classifies():
		return ErrEnsemble
	}
	s := &source{Writer: bufio.NewWriter(w), m: m, name: name, first: 1}
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
	s.about()
	s.tables()
	s.kernel()
	s.decisions()
	s.answer()
	if s.inputs != nil {
		s.encoder()
	}
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
}

// put writes lines in which @ stands for the name.
func (s *source) put(format string, args ...any) {
	fmt.Fprintf(s, strings.ReplaceAll(format, "@", s.name), args...)
}

// denseShare is the share of values that are not 0 from which on lists would take as much memory.
const denseShare = 1.0 / 3

func (s *source) measure() {
	x := &s.m.Vectors
	for i := range x.Len() {
		if r := x.Row(i); len(r.Index) > 0 && r.Index[0] == 0 {
			s.first = 0
		}
	}
	s.width = max(1, int(x.MaxIndex())+1-int(s.first)) // a table has one column at least
	s.dense = x.NNZ() == 0 || float64(x.NNZ()) >= denseShare*float64(x.Len())*float64(s.width)
	s.eachTerm(func(int, int, float64) { s.terms++ })
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

// answers returns the type of the answers, and what they are.
func (s *source) answers() (ctype, what string) {
	switch {
	case s.m.Task.Regresses():
		return "double", "the target"
	case s.m.Task == models.OneClass:
		return "int", "1 inside, -1 outside"
	case s.labels():
		return "int", "the label's place in " + s.name + "_labels, from 0"
	}
	return "int", "the label"
}

// labels reports whether answers are places among texts.
func (s *source) labels() bool { return s.m.Task.Classifies() && s.inputs != nil && s.inputs.Nominal() }

// about writes the comment and the declarations.
func (s *source) about() {
	m := s.m
	ctype, what := s.answers()
	s.put(`/* A support vector machine in C99, written by slimsvm export --c: %s, %s kernel,
 * %s, %s. Link with -lm.
 *
 * %s @_predict(const double *x, size_t n)
 *     %s. x[0] to x[n-1] are features %s; further ones are 0.
 * void @_decisions(const double *x, size_t n, double *values)
 *     sets values[0] to values[@_MACHINES-1] to the machines' values, as svm-predict
 *     computes them%s.
`, m.Task, kernel.Name(m.Kernel), count(m.Vectors.Len(), "vector"), count(len(m.Machines), "machine"), ctype, what, map[int32]string{0: "0 to n-1", 1: "1 to n"}[s.first], s.order())
	if s.inputs != nil {
		s.put(` * void @_encode(const double *columns, double *x)
 *     sets x[0] to x[@_FEATURES-1] to the features of a row with these columns:
`)
		s.columns()
	}
	s.put(` *
 * With -DSLIMSVM_REAL=float tables and arithmetic are float. The bits are svm-predict's where
 * they are double and multiplications and additions are not fused (-ffp-contract=off).
`)
	if len(m.Machines) > 1 {
		s.put(" * There has to be room on the stack for %s.\n", s.stack())
	}
	s.put(` */
#include <math.h>
#include <stddef.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifndef SLIMSVM_REAL
#define SLIMSVM_REAL double
#endif

enum {
	@_VECTORS = %d,
	@_MACHINES = %d`, m.Vectors.Len(), len(m.Machines))
	if m.Task.Classifies() {
		s.put(",\n\t@_CLASSES = %d", len(m.Labels))
	}
	if s.inputs != nil {
		s.put(",\n\t@_COLUMNS = %d,\n\t@_FEATURES = %d", len(s.inputs.Columns)-1, s.inputs.Features())
	}
	s.put("\n};\n\n%s @_predict(const double *x, size_t n);\nvoid @_decisions(const double *x, size_t n, double *values);\n", ctype)
	if s.inputs != nil {
		s.put("void @_encode(const double *columns, double *x);\n")
		if s.labels() {
			s.put("extern const char *const @_labels[%d];\n", len(s.inputs.ClassColumn().Labels))
		}
	}
	s.put("\n")
}

// stack says what the functions of several machines keep there.
func (s *source) stack() string {
	switch {
	case s.m.Vote == models.OneVsRest && s.terms == 0:
		return "a few numbers"
	case s.m.Vote == models.OneVsRest:
		return s.name + "_VECTORS numbers"
	case s.terms == 0:
		return s.name + "_CLASSES integers"
	}
	return s.name + "_VECTORS numbers and " + s.name + "_CLASSES integers"
}

// check returns an error unless the model's features and labels are those of its inputs, if it has some.
func (s *source) check() error {
	if s.inputs == nil {
		return nil
	}
	if s.first == 0 {
		return errors.New("a vector has feature 0, and the features of the model's columns are numbered from 1")
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

// order says which machine is which.
func (s *source) order() string {
	switch {
	case !s.m.Task.Classifies():
		return ""
	case s.m.Vote == models.OneVsRest:
		return ", one for each of " + s.name + "_classes;\n *     the largest wins"
	}
	return ", of the pairs 0-1, 0-2, ..., 1-2, ...\n *     of " + s.name + "_classes: one that is positive is a vote for the first of its pair"
}

// columns lists what a row of @_encode has.
func (s *source) columns() {
	place := 0
	for i := range s.inputs.Columns {
		c := &s.inputs.Columns[i]
		if i == s.inputs.Class {
			continue
		}
		what := "a number"
		switch c.Type {
		case format.Date:
			what = "milliseconds since 1970"
		case format.Nominal:
			what = "the place, from 0, of its label; -1 for another:"
			for _, label := range c.Labels {
				what += " " + comment(label)
			}
		}
		s.put(" *         columns[%d] %s: %s\n", place, comment(c.Name), what)
		place++
	}
	s.put(" *     NAN is a missing value.\n")
}

// count returns a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
