package pysource

import (
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// about writes the module's docstring and its imports.
func (s *source) about(name string) {
	m := s.Model
	s.put(`"""A support vector machine, written by slimsvm export --python: %s, %s kernel,
%s, %s.

It needs Python 3.8 or later and its standard library. %s are
svm-predict's, to the last bit. Functions may be called by several threads at once.

`, m.Task, kernel.Name(m.Kernel), plan.Count(m.Vectors.Len(), "vector"), plan.Count(len(m.Machines), "machine"),
		map[bool]string{false: "Answers and values", true: "Answers, values and probabilities"}[m.Probability])
	if s.Precomputed() {
		s.put(`A row x has the kernel's values with the training rows: x[0] is that with the first. Or it is a mapping from
the numbers of training rows, from 1 on, to these values.
`)
	} else {
		s.put(`A row x is a sequence of features: x[0] is feature %d, and further ones are 0. Or it is a mapping from the
numbers of features to their values, where all others are 0. A value that is not finite is a ValueError.
`, s.First)
	}
	switch {
	case s.Inputs != nil:
		s.put("encode makes features of a row's columns:\n\n    %s.predict(%[1]s.encode(columns))\n", name)
	case s.Ranges != nil:
		s.put("Features are scaled: scale does that with a row as it was before:\n\n    %s.predict(%[1]s.scale(x))\n", name)
	default:
		s.put("\n    %s.predict(x)\n", name)
	}
	s.put(`"""

import base64
import math
import operator
import struct
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = [%s]

Row = Union[Sequence[float], Mapping[int, float]]
`, s.all())
}

// all lists the public names.
func (s *source) all() string {
	list := []string{"predict", "decisions"}
	if m := s.Model; m.Probability {
		switch {
		case m.Task.Regresses():
			list = append(list, "SIGMA")
		case m.Task == models.OneClass:
			list = append(list, "probabilities")
		default:
			list = append(list, "probabilities", "most_probable")
		}
	}
	if s.Model.Task.Classifies() {
		list = append(list, "CLASSES")
	}
	if s.Precomputed() && s.Terms > 0 {
		list = append(list, "ROWS")
	}
	if s.Inputs != nil {
		list = append(list, "encode")
	}
	if s.Ranges != nil {
		list = append(list, "scale")
	}
	return `"` + strings.Join(list, `", "`) + `"`
}

// public writes the public functions that take a row.
func (s *source) public() {
	m := s.Model
	ptype, what := s.answers()
	s.put(`

def predict(x: Row) -> %s:
    """Answers for a row: %s."""
    return _answer(_values(x))


def decisions(x: Row) -> List[float]:
    """Returns the machines' values, as svm-predict computes them%s."""
    return _values(x)
`, ptype, what, s.order())
	switch {
	case !m.Probability || m.Task.Regresses():
	case m.Task == models.OneClass:
		s.put(`

def probabilities(x: Row) -> List[float]:
    """Returns the probabilities of inside and outside, in tenths, as svm-predict -b 1 does."""
    return _outcomes(_values(x))
`)
	default:
		s.put(`

def probabilities(x: Row) -> List[float]:
    """Returns the probabilities of CLASSES, as svm-predict -b 1 does."""
    return _outcomes(_values(x))


def most_probable(x: Row) -> %s:
    """Answers as svm-predict -b 1 does, with the most probable class, which predict need not."""
    return CLASSES[_largest(probabilities(x))]
`, ptype)
	}
}

// order describes the order of the machines.
func (s *source) order() string {
	switch {
	case s.Model.Task.Regresses():
		return ": the target" + map[bool]string{true: ", as it is scaled"}[s.Inputs != nil && s.Inputs.ClassColumn().Scales != nil]
	case s.Model.Task == models.OneClass:
		return ": positive inside"
	case s.Ensemble():
		return ", of the hyperplanes of the ensemble's members"
	case s.Model.Vote == models.OneVsRest:
		return ", one for each of\n    CLASSES: the largest wins"
	}
	return ", of the pairs 0-1,\n    0-2, ..., 1-2, ... of CLASSES: one that is positive is a vote for the first of its pair"
}

// aboutColumns describes the columns of a row for encode.
func (s *source) aboutColumns() {
	s.DescribeColumns(doc, func(place int, name, what string) {
		s.put("        columns[%d] %s: %s\n", place, name, what)
	})
}

// text returns a string constant.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case ' ' <= r && r <= '~':
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// doc returns a string constant for use inside a docstring.
func doc(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text(s))
}
