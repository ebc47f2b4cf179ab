// Package pysource writes models as Python modules, for programs that use a classifier where Go
// does not run. A module needs only Python 3.8 or later and its standard library.
//
// Call [Write] with a model, or [WriteScaled] if its rows are scaled by svm-scale's ranges.
package pysource

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// Problem: give the answers, decision values and probabilities of a model with a module of
// functions, with the bits of svm-predict on every machine and in every release of Python.
//
// Method: as in C and Java (models/csource, models/javasource), the module has vectors,
// coefficients and functions that sum in the order of package predict. Python's floats are double,
// and nothing is fused. Since Python 3.12, sum is not a plain sum, so sums are loops. math.exp and
// math.tanh are those of the installed C library, so both are written out, as in Java. If a divisor
// is 0, C continues with an infinite quotient, but Python raises an exception; so divisors that can
// be 0 are tested. Tables are in Base64, which is read a hundred times as fast as numbers. The file
// is ASCII, even if labels are not.

// ErrRanges reports scaling ranges that cannot be those of the model's rows.
var ErrRanges = plan.ErrRanges

// reserved has the words that cannot be names in Python. own has the modules that the file uses
// itself.
var (
	reserved = strings.Fields(`False None True and as assert async await break class continue def del elif else except finally
		for from global if import in is lambda nonlocal not or pass raise return try while with yield`)
	own = strings.Fields(`base64 math operator struct typing`)
)

// CheckName returns an error unless a module may have the name.
func CheckName(name string) error {
	switch {
	case !plan.Identifier(name):
		return fmt.Errorf("%q is no name of a module in Python: expected letters, digits and _, and no digit first", name)
	case slices.Contains(reserved, name):
		return fmt.Errorf("%q is no name of a module in Python: it is a word of the language", name)
	case slices.Contains(own, name):
		return fmt.Errorf("%q is no name for the module: Python's own %[1]s is used in it", name)
	case slices.Contains(standard, name):
		return fmt.Errorf("%q is no name for the module: Python's standard library has one of that name", name)
	}
	return nil
}

// Write writes a model as a Python module. The text calls itself name, which [CheckName] must
// accept. Answers, decision values and probabilities are those of package predict, to the last bit.
//
// A vector is left out of machines where its coefficient is 0. If the kernel value of such a vector
// overflows to infinity, package predict's value may be NaN where Python's is not. A kernel that is
// not from package kernel is an error.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

// WriteScaled is [Write] for a model whose rows were scaled by r before training and must be scaled
// before every answer. The module then has a function that scales, with the bits of scale.Scaler;
// it gives numbers that are not finite, which the other functions refuse, where scale.Scaler
// returns an error. Scaled targets are not scaled back. The error is ErrRanges if r cannot belong
// to the model's rows.
func WriteScaled(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := r.Validate(); err != nil {
		return err
	}
	return write(w, m, name, r)
}

func write(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := CheckName(name); err != nil {
		return err
	}
	p, err := plan.New(m, r, "Python")
	if err != nil {
		return err
	}
	s := &source{Writer: bufio.NewWriter(w), Plan: p}
	s.about(name)
	s.public()
	if s.Inputs != nil {
		s.encoder()
	}
	if s.Ranges != nil {
		s.scaler()
	}
	s.rows()
	s.machines()
	s.answer()
	s.probabilities()
	s.numeric()
	s.tables()
	return s.Flush() // the first error of all writes
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	*plan.Plan
}

func (s *source) put(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// answers returns the Python type of the answers, and a description of them.
func (s *source) answers() (ptype, what string) {
	switch {
	case s.Model.Task.Regresses():
		return "float", "the target"
	case s.Model.Task == models.OneClass:
		return "int", "1 inside, -1 outside"
	case s.Labels():
		return "str", "the label"
	}
	return "int", "the label"
}
