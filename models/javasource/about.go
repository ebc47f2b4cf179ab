package javasource

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// about writes the comment of the class and its first line.
func (s *source) about(class string) {
	m := s.Model
	s.put(`/**
 * A support vector machine, written by slimsvm export --java: %s, %s kernel, %s,
 * %s. It needs Java 8 or later and nothing else. %s are
 * svm-predict's, to the last bit. All methods may be called by several threads at once.
 *
`, m.Task, kernel.Name(m.Kernel), plan.Count(m.Vectors.Len(), "vector"), plan.Count(len(m.Machines), "machine"),
		map[bool]string{false: "Answers and values", true: "Answers, values and probabilities"}[m.Probability])
	if s.Precomputed() {
		s.put(" * <p>A row has the kernel's values with the training rows: {@code x[0]} with the first.\n")
	} else {
		s.put(` * <p>A row is an array of features from feature %d on, of which further ones are 0; or an array of the
 * numbers of features, which increase, with one of their values, where all others are 0. A value that is
 * not finite is an {@link IllegalArgumentException}.
`, s.First)
	}
	if s.Inputs != nil {
		s.put(" * {@code encode} makes features of a row's columns.\n")
	}
	if s.Ranges != nil {
		s.put(" * They are scaled: {@code scale} does that with a row as it was before.\n")
	}
	s.put(` */
@SuppressWarnings("strictfp") // Java 17 and later compute so in any case
public final strictfp class %s {
    private %[1]s() {}
`, class)
}

// order describes the order of the machines.
func (s *source) order() string {
	switch {
	case s.Model.Task.Regresses():
		return "the target" + map[bool]string{true: ", as it is scaled"}[s.Inputs != nil && s.Inputs.ClassColumn().Scales != nil]
	case s.Model.Task == models.OneClass:
		return "positive inside"
	case s.Ensemble():
		return "of the hyperplanes of the ensemble's members"
	case s.Model.Vote == models.OneVsRest:
		return "one for each of {@link #classes}: the largest wins"
	}
	return "of the pairs 0-1, 0-2, ..., 1-2, ... of {@link #classes}: one that is\n     * positive is a vote for the first of its pair"
}

// aboutColumns describes the columns of a row for encode.
func (s *source) aboutColumns() {
	s.DescribeColumns(doc, func(place int, name, what string) {
		s.put("     * <li>{@code columns[%d]}, %s: %s</li>\n", place, name, what)
	})
}

// doc returns a quoted text that can be inside a Javadoc comment. Javadoc is HTML, and Java
// processes Unicode escapes even in comments.
func doc(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII && r >= ' ' && !strings.ContainsRune(`&<>@{}\*/"`, r):
			b.WriteRune(r)
		case unicode.IsPrint(r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			fmt.Fprintf(&b, "&#92;u{%x}", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
