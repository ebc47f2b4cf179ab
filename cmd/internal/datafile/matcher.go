package datafile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// A LabelMatcher finds the labels of an encoding's columns that texts are probably meant for which
// are none of these.
type LabelMatcher struct {
	nominal map[string][]*encode.Column  // by their names
	columns map[string]map[string]string // of each column that was asked for: labels by what keyOf makes of them
}

// NewLabelMatcher returns the LabelMatcher of an encoding; nil has no labels.
func NewLabelMatcher(e *encode.Encoding) *LabelMatcher {
	l := &LabelMatcher{make(map[string][]*encode.Column), make(map[string]map[string]string)}
	for i := 0; e != nil && i < len(e.Columns); i++ {
		if c := &e.Columns[i]; c.Type == format.Nominal {
			l.nominal[c.Name] = append(l.nominal[c.Name], c)
		}
	}
	return l
}

// Match returns the only label of a column that differs from a text in capitals, blanks,
// characters that do not show, or the way in which a number is written. ok is false if there is none.
func (l *LabelMatcher) Match(column, text string) (label string, ok bool) {
	labels, known := l.columns[column]
	if !known {
		labels = l.labels(column)
		l.columns[column] = labels
	}
	label, ok = labels[keyOf(text)]
	return label, ok && label != ""
}

// Hint is what a message says behind "does not occur": which label does, if one is meant.
func (l *LabelMatcher) Hint(column, text string) string {
	if label, ok := l.Match(column, text); ok {
		return fmt.Sprintf(", but %q does", label)
	}
	return ""
}

// labels returns the labels of a column by their keys, nothing for a key that several have.
func (l *LabelMatcher) labels(column string) map[string]string {
	labels := map[string]string{}
	for _, c := range l.nominal[column] {
		for _, label := range c.Labels {
			key := keyOf(label)
			if _, again := labels[key]; again {
				label = ""
			}
			labels[key] = label
		}
	}
	return labels
}

// keyOf returns what texts have in common that look much the same.
func keyOf(text string) string {
	shown := strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(c))
	}, text)
	key := strings.Join(strings.Fields(shown), " ")
	if v := number(key); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return key
}
