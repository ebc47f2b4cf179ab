package csource

import (
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// answers returns the C type of the answers, and a description of them.
func (s *source) answers() (ctype, what string) {
	switch {
	case s.Model.Task.Regresses():
		return "double", "the target"
	case s.Model.Task == models.OneClass:
		return "int", "1 inside, -1 outside"
	case s.Labels():
		return "int", "the label's place in " + s.name + "_labels, from 0"
	}
	return "int", "the label"
}

// about writes the comment at the top and the declarations.
func (s *source) about() {
	m := s.Model
	ctype, what := s.answers()
	s.put(`/* A support vector machine in C99, written by slimsvm export --c: %s, %s kernel,
 * %s, %s. Link with -lm.
 *
 * %s @_predict(const double *x, size_t n)
 *     %s. x[0] to x[n-1] are %s; further ones are 0.
 * void @_decisions(const double *x, size_t n, double *values)
 *     sets values[0] to values[@_MACHINES-1] to the machines' values, as svm-predict
 *     computes them%s.
`, m.Task, kernel.Name(m.Kernel), plan.Count(m.Vectors.Len(), "vector"), plan.Count(len(m.Machines), "machine"), ctype, what, s.entries(), s.order())
	s.aboutProbabilities()
	if m.Task.Classifies() {
		what = "the labels of the classes"
		if s.Labels() {
			what = "the places of the classes' labels in @_labels"
		}
		s.put(" * const int @_classes[@_CLASSES]\n *     " + what + ".\n")
	}
	if s.Precomputed() && s.Terms > 0 {
		s.put(" * const unsigned @_rows[@_VECTORS]\n *     the training rows whose values are read: the others' may be any.\n")
	}
	if s.Inputs != nil {
		s.aboutEncoder()
	}
	if s.Ranges != nil {
		s.aboutScaler()
	}
	s.put(` *
 * With -DSLIMSVM_REAL=float tables and arithmetic are float%s. The bits are
 * svm-predict's where they are double and each result is rounded to it: FLT_EVAL_METHOD is 0
 * and options like -ffast-math are not given. What follows tells the compiler not to fuse
 * multiplications and additions.
`, map[bool]string{true: ", but for probabilities"}[s.ClassProbabilities()])
	if room := s.stack(); room != "" {
		s.put(" * There has to be room on the stack for " + room + ".\n")
	}
	s.put(` */
#include <math.h>
#include <stddef.h>
`)
	if s.Inputs != nil && s.Nominal() {
		s.put("#include <string.h>\n")
	}
	s.put(`
%s
#ifndef SLIMSVM_REAL
#define SLIMSVM_REAL double
#endif

`, begin)
	s.counts()
	s.declarations(ctype)
}

// begin and end enclose everything that computes. Otherwise GCC, in its own dialects of C, fuses
// products into sums if the processor can. Without end, the pragma would affect the rest of a file
// that includes this one.
const (
	begin = `#if defined __GNUC__ && !defined __clang__
#pragma GCC push_options
#pragma GCC optimize ("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
`
	end = `
#if defined __GNUC__ && !defined __clang__
#pragma GCC pop_options
#endif
`
)

// counts writes the constants for sizes.
func (s *source) counts() {
	m := s.Model
	s.put("enum {\n\t@_VECTORS = %d,\n\t@_MACHINES = %d", m.Vectors.Len(), len(m.Machines))
	if m.Task.Classifies() {
		s.put(",\n\t@_CLASSES = %d", len(m.Labels))
	}
	if s.Ensemble() {
		planes, classes := s.Largest()
		s.put(",\n\t@_MEMBERS = %d, /* of at most so many hyperplanes and classes each: */\n\t@_PLANES = %d,\n\t@_MOST = %d", m.CountMembers(), planes, classes)
	}
	if s.Inputs != nil {
		s.put(",\n\t@_COLUMNS = %d,\n\t@_FEATURES = %d", len(s.Inputs.Columns)-1, s.Inputs.Features())
	}
	if s.Ranges != nil {
		s.put(",\n\t@_FEATURES = %d", s.Features)
	}
	s.put("\n};\n\n")
}

// declarations writes the declarations of what other files may use.
func (s *source) declarations(ctype string) {
	s.put("%s @_predict(const double *x, size_t n);\nvoid @_decisions(const double *x, size_t n, double *values);\n", ctype)
	if s.Model.Probability {
		if s.Model.Task.Regresses() {
			s.put("extern const double @_sigma;\n")
		} else {
			s.put("int @_probabilities(const double *x, size_t n, double *p);\n")
		}
	}
	if s.Model.Task.Classifies() {
		s.put("extern const int @_classes[@_CLASSES];\n")
	}
	if s.Precomputed() && s.Terms > 0 {
		s.put("extern const unsigned @_rows[@_VECTORS];\n")
	}
	if s.Ranges != nil {
		s.put("void @_scale(const double *raw, size_t n, double *x);\n")
	}
	if s.Inputs != nil {
		s.put("void @_encode(const double *columns, double *x);\n")
		if s.Nominal() {
			s.put("int @_place(int column, const char *label);\n")
		}
		if s.Labels() {
			s.put("extern const char *const @_labels[%d];\n", len(s.Inputs.ClassColumn().Labels))
		}
	}
	s.put("\n")
}

// entries describes the elements of x.
func (s *source) entries() string {
	switch {
	case s.Precomputed():
		return "the kernel's values with the training rows 1 to n"
	case s.First == 0:
		return "features 0 to n-1"
	}
	return "features 1 to n"
}

// aboutProbabilities describes the function or constant for the model's probabilities.
func (s *source) aboutProbabilities() {
	switch m := s.Model; {
	case !m.Probability:
	case m.Task.Regresses():
		s.put(` * const double @_sigma
 *     the scale of the noise: targets differ from predictions by z with the density
 *     exp(-|z| / sigma) / (2 sigma), Laplace's.
`)
	case m.Task == models.OneClass:
		s.put(` * int @_probabilities(const double *x, size_t n, double *p)
 *     sets p[0] and p[1] to the probabilities of inside and outside, in tenths, as
 *     svm-predict -b 1 does, and returns the answer of @_predict.
`)
	default:
		s.put(` * int @_probabilities(const double *x, size_t n, double *p)
 *     sets p[0] to p[@_CLASSES-1] to the probabilities of @_classes, as svm-predict -b 1
 *     does, and returns the most probable class, which need not be the answer of @_predict.
`)
	}
}

// aboutEncoder describes the function that makes features from columns.
func (s *source) aboutEncoder() {
	if s.Nominal() {
		s.put(` * int @_place(int column, const char *label)
 *     the place, from 0, of a label among those of a column, -1 for another.
`)
	}
	s.put(` * void @_encode(const double *columns, double *x)
 *     sets x[0] to x[@_FEATURES-1] to the features of a row with these columns:
`)
	s.columns()
}

// stack describes what the functions keep on the stack, if that grows with the model.
func (s *source) stack() string {
	m, name := s.Model, s.name
	vectors := name + "_VECTORS numbers"
	switch {
	case s.Ensemble():
		return s.ensembleStack()
	case len(m.Machines) < 2:
		return ""
	case m.Vote == models.OneVsRest && s.Terms == 0:
		return ""
	case m.Vote == models.OneVsRest:
		return vectors
	}
	room := name + "_CLASSES integers"
	if s.Terms > 0 {
		room = vectors + " and " + room
	}
	if s.ClassProbabilities() {
		room += ",\n * and for " + name + "_CLASSES * (" + name + "_CLASSES + 3) / 2 of double where probabilities are asked for"
	}
	return room
}

// order describes the order of the machines.
func (s *source) order() string {
	switch {
	case !s.Model.Task.Classifies():
		return ""
	case s.Ensemble():
		return ", of the hyperplanes of the ensemble's members"
	case s.Model.Vote == models.OneVsRest:
		return ", one for each of " + s.name + "_classes;\n *     the largest wins"
	}
	return ", of the pairs 0-1, 0-2, ..., 1-2, ...\n *     of " + s.name + "_classes: one that is positive is a vote for the first of its pair"
}

// columns describes the columns of a row for @_encode.
func (s *source) columns() {
	s.EachColumn(func(place int, c *encode.Column) {
		what := "a number"
		switch c.Type {
		case format.Date:
			what = "milliseconds since 1970"
		case format.Nominal:
			what = "the place of its label:" + plan.ListLabels(c.Labels, comment)
		}
		s.put(" *         columns[%d] %s: %s\n", place, comment(c.Name), what)
	})
	s.put(" *     NAN is a missing value.\n")
}
