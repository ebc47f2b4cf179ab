// Package javasource writes models as Java: one source file of one class that needs nothing but Java 8
// or later, for programs that carry a classifier where Go does not run.
package javasource

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// Problem: the answers, values and probabilities of a model from a class with static methods, with the bits
// of svm-predict on every machine and release of Java, for models of any size.
//
// Method: as in C (models/csource) the file has vectors, coefficients and functions that sum in the order
// of package predict. Java's arithmetic is that of double, and nothing is fused. Its own exp and tanh have
// other bits than the C library's, and Math.fma is not in Java 8, so these are written out, as package
// kernel has them, with a fused operation made of others (numeric.go). Tables are not array initialisers, whose code has to
// fit into 64 KB, but texts in Base64, a table several constants where one would be too long.
// The file is ASCII, whatever labels are.

// ErrRanges reports that ranges are not those of a model's rows.
var ErrRanges = plan.ErrRanges

// Write writes a model as a Java source file of a class with a name that CheckName accepts. The answers,
// values and probabilities are those of package predict, to the last bit. Vectors are left out of machines in which
// they have the coefficient 0: where such a vector's kernel value overflows to infinity, package predict's value may be
// NaN where that in Java is not. A kernel that is not of package kernel is an error.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

// WriteScaled is Write for a model whose rows were scaled by ranges before training, and have to be
// before every answer: the class has a method that scales, with the bits of scale.Scaler, and
// numbers that are not finite, which the other methods refuse, where that returns an error. Targets that
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
	p, err := plan.New(m, r, "Java")
	if err != nil {
		return err
	}
	s := &source{Writer: bufio.NewWriter(w), Plan: p}
	if err := s.checkSize(); err != nil {
		return err
	}
	i := strings.LastIndexByte(name, '.')
	if i >= 0 {
		s.put("package %s;\n\n", name[:i])
	}
	s.about(name[i+1:])
	s.methods()
	if s.Inputs != nil {
		s.encoder()
	}
	if s.Ranges != nil {
		s.scaler()
	}
	s.kernel()
	s.machines()
	s.answer()
	s.probabilities()
	s.rows()
	s.numeric()
	s.decoders()
	s.tables()
	s.put("}\n")
	return s.Flush() // the first error of all
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	*plan.Plan
}

// put writes lines in which $row is how private methods take a row, and $arg how it is given to them: as
// all values from the first feature on, or those that are not 0 with their features where vectors are lists too.
func (s *source) put(format string, args ...any) {
	row, arg := "double[] x", "x"
	if s.Lists() {
		row, arg = "int[] j, double[] x", "j, x"
	}
	fmt.Fprintf(s, strings.NewReplacer("$row", row, "$arg", arg).Replace(format), args...)
}

// answers returns the type of the answers, and what they are.
func (s *source) answers() (jtype, what string) {
	switch {
	case s.Model.Task.Regresses():
		return "double", "the target"
	case s.Model.Task == models.OneClass:
		return "int", "1 inside, -1 outside"
	case s.Labels():
		return "String", "the label"
	}
	return "int", "the label"
}
