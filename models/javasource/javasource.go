// Package javasource writes models as Java source code, for programs that use a classifier where Go
// does not run. A file has one class and needs only Java 8 or later.
//
// Call [Write] with a model, or [WriteScaled] if its rows are scaled by svm-scale's ranges.
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

// Problem: give the answers, decision values and probabilities of a model with a class of static
// methods, with the bits of svm-predict on every machine and in every release of Java, for models
// of any size.
//
// Method: as in C (models/csource), the file has vectors, coefficients and functions that sum in
// the order of package predict. Java computes in double and fuses nothing. Java's own exp and tanh
// have other bits than the C library's, and Math.fma does not exist in Java 8. Therefore exp and
// tanh are written out as in package kernel, with a fused multiply-add composed of other operations
// (numeric.go). Tables are not array initialisers, whose code must fit into 64 KB, but strings in
// Base64, split into several constants if one would be too long. The file is ASCII, even if labels
// are not.

// ErrRanges reports scaling ranges that cannot be those of the model's rows.
var ErrRanges = plan.ErrRanges

// Write writes a model as a Java source file with a class called name, which [CheckName] must
// accept. Answers, decision values and probabilities are those of package predict, to the last bit.
//
// A vector is left out of machines where its coefficient is 0. If the kernel value of such a vector
// overflows to infinity, package predict's value may be NaN where Java's is not. A kernel that is
// not from package kernel is an error.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

// WriteScaled is [Write] for a model whose rows were scaled by r before training and must be scaled
// before every answer. The class then has a method that scales, with the bits of scale.Scaler; it
// gives numbers that are not finite, which the other methods refuse, where scale.Scaler returns an
// error. Scaled targets are not scaled back. The error is ErrRanges if r cannot belong to the
// model's rows.
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
	return s.Flush() // the first error of all writes
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	*plan.Plan
}

// put writes text in which $row stands for the parameters with which private methods take a row,
// and $arg for the corresponding arguments: all values from the first feature on, or, if vectors
// are lists, the nonzero values with their features.
func (s *source) put(format string, args ...any) {
	row, arg := "double[] x", "x"
	if s.Lists() {
		row, arg = "int[] j, double[] x", "j, x"
	}
	fmt.Fprintf(s, strings.NewReplacer("$row", row, "$arg", arg).Replace(format), args...)
}

// answers returns the Java type of the answers, and a description of them.
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
