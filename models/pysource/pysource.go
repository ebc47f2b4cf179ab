// Package pysource writes models as Python: a module that needs nothing but Python 3.8 or later and its standard
// library, for programs that carry a classifier where Go does not run.
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

// Problem: the answers, values and probabilities of a model from a module of functions, with the bits of
// svm-predict on every machine and release of Python.
//
// Method: as in C and Java (models/csource, models/javasource) the module has vectors, coefficients and functions that
// sum in the order of package predict. Python's floats are double, and nothing is fused; its sum is not one of
// them since 3.12, so sums are loops. math.exp and math.tanh are those of the C library that there is, so they are
// written out, as in Java. Where C goes on with an infinite quotient, Python raises an exception: divisors
// that can be 0 are looked at. Tables are in Base64, which is read a hundred times as fast as numbers. The
// file is ASCII, whatever labels are.

// ErrRanges reports that ranges are not those of a model's rows.
var ErrRanges = plan.ErrRanges

// reserved are words that are no names in Python, own modules that the file uses itself.
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
	}
	return nil
}

// Write writes a model as a Python module with a name that CheckName accepts, by which its text speaks of itself. The
// answers, values and probabilities are those of package predict, to the last bit. Vectors are left out of machines in
// which they have the coefficient 0: where such a vector's kernel value overflows to infinity, package predict's value
// may be NaN where that in Python is not. A kernel that is not of package kernel is an error.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

// WriteScaled is Write for a model whose rows were scaled by ranges before training, and have to be
// before every answer: the module has a function that scales, with the bits of scale.Scaler, and
// numbers that are not finite, which the other functions refuse, where that returns an error. Targets that
// were scaled stay so. It returns an ErrRanges if the ranges cannot be those of the model's rows.
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
	return s.Flush() // the first error of all
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	*plan.Plan
}

func (s *source) put(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// answers returns the type of the answers, and what they are.
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
