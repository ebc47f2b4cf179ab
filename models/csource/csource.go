// Package csource writes models as C source code, for programs that use a classifier where Go does
// not run. A file needs only a C99 compiler and its math library.
//
// The functions allocate no memory: constant tables hold the model, and the file's first comment says
// how much room a function needs on the stack. With -DSLIMSVM_REAL=float, tables and arithmetic are
// float, for small processors; rows, decision values, scaling, encoding and probabilities stay double.
// Packages train/joint and train/reducedset make models of few vectors, whose files are small.
//
// Call [Write] with a model, or [WriteScaled] if its rows are scaled by svm-scale's ranges. [Name]
// makes a C name of a text such as a file's name.
package csource

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// Problem: give the answers of a model with a few functions and constant tables, without allocating
// memory, and with the bits of svm-predict if the arithmetic is double.
//
// Method: the file has the vectors, as dense rows if at least a third of their features are not 0
// and as lists otherwise, or the numbers of the training rows if the kernel is precomputed. For
// each machine it has the vectors with a coefficient, or for an ensemble the hyperplane. Loops sum
// over them in the order of package predict. Answers and probabilities are computed from the
// machines' values as in that package. A model of declared columns also has a function that makes
// features of a row's columns, as format/encode does.

// CheckName returns an error unless C names may begin with name.
func CheckName(name string) error {
	if name == "" {
		return errors.New("a name in C is not empty")
	}
	if !plan.Identifier(name) {
		return fmt.Errorf("%q is no name in C: expected letters, digits and _, and no digit first", name)
	}
	return nil
}

// Name returns a C name that resembles text, such as the name of a file. Characters that a C name
// cannot have become _.
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

// Write writes a model as a C source file. All names in the file begin with name, which [CheckName]
// must accept, and an underscore. The file's first comment lists its functions.
//
// Answers are those of package predict, and so are probabilities if the model has them: to the last
// bit if the C library's exp and tanh are those that LIBSVM uses and C's arithmetic is that of
// double.
//
// A vector is left out of machines where its coefficient is 0. If the kernel value of such a vector
// overflows to infinity, package predict's value may be NaN where C's is not. A kernel that is not
// from package kernel is an error.
func Write(w io.Writer, m *models.Model, name string) error { return write(w, m, name, nil) }

func write(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := CheckName(name); err != nil {
		return err
	}
	p, err := plan.New(m, r, "C")
	if err != nil {
		return err
	}
	if err := checkTexts(p); err != nil {
		return err
	}
	s := &source{Writer: bufio.NewWriter(w), Plan: p, name: name}
	s.about()
	s.tables()
	s.kernel()
	s.helpers()
	if s.Ensemble() {
		s.planes()
	} else {
		s.decisions()
	}
	s.answer()
	s.probabilities()
	if s.Inputs != nil {
		s.encoder()
	}
	if s.Ranges != nil {
		s.scaler()
	}
	s.put("%s", end)
	return s.Flush() // the first error of all writes
}

// A source is a file being written.
type source struct {
	*bufio.Writer
	*plan.Plan
	name string
}

// put writes text in which @ stands for the name.
func (s *source) put(format string, args ...any) {
	fmt.Fprintf(s, strings.ReplaceAll(format, "@", s.name), args...)
}

// checkTexts returns an error if a label cannot be a string in C.
func checkTexts(p *plan.Plan) error {
	if p.Inputs == nil {
		return nil
	}
	for i := range p.Inputs.Columns {
		for _, label := range p.Inputs.Columns[i].Labels {
			if strings.Contains(label, "\x00") {
				return fmt.Errorf("label %q of column %q has the character U+0000, with which texts end in C", label, p.Inputs.Columns[i].Name)
			}
		}
	}
	return nil
}
