package datafile

import (
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// CSV does not declare types, so that a column of labels which happen to be
// numbers, or are all missing in this file, reads as numeric. A retype takes the
// numbers of such columns for the labels of the training data: numbers[i] for
// the labels of column i, nil where nothing is to be done.
type retype []*numbers

// numbers are labels that are numbers: the place of each.
type numbers struct {
	name  string
	place map[float64]int
	other int    // place that stands for all others
	text  string // of that place
}

// retyped returns the header h of a file with the types that an encoding wants,
// and what turns rows accordingly; nil if nothing does.
func retyped(h *format.Header, e *encode.Encoding) (*format.Header, retype) {
	trained := make(map[string]*encode.Column, len(e.Columns))
	for i := range e.Columns {
		trained[e.Columns[i].Name] = &e.Columns[i]
	}
	changed := *h
	changed.Attributes = append([]format.Attribute(nil), h.Attributes...)
	t, some := make(retype, len(h.Attributes)), false
	for i := range changed.Attributes {
		a := &changed.Attributes[i]
		c := trained[a.Name]
		if c == nil || a.Type != format.Numeric || c.Type != format.Nominal {
			continue
		}
		n := &numbers{name: a.Name, place: make(map[float64]int), other: len(c.Labels), text: unseen(c.Labels)}
		for k, label := range c.Labels {
			if v := number(label); !math.IsNaN(v) {
				n.place[v] = k
			}
		}
		a.Type, a.Labels = format.Nominal, append(append([]string(nil), c.Labels...), n.text)
		t[i], some = n, true
	}
	if !some {
		return h, nil
	}
	return &changed, t
}

// unseen returns a text that is none of the labels.
func unseen(labels []string) string {
	for text := "another number"; ; text += "'" {
		found := false
		for _, label := range labels {
			found = found || label == text
		}
		if !found {
			return text
		}
	}
}

// standIn reports whether a text is not what the file says, but stands for a number
// that row has told of.
func (t retype) standIn(column, text string) bool {
	for _, n := range t {
		if n != nil && n.name == column && n.text == text {
			return true
		}
	}
	return false
}

// row puts labels in the place of numbers, and tells unknown of numbers that are
// none of the labels.
func (t retype) row(x vec.Vector, unknown func(column, label string)) {
	for k, i := range x.Index {
		n := t[i]
		if n == nil || math.IsNaN(x.Value[k]) {
			continue
		}
		place, ok := n.place[x.Value[k]]
		if !ok {
			place = n.other
			if unknown != nil {
				unknown(n.name, strconv.FormatFloat(x.Value[k], 'g', -1, 64))
			}
		}
		x.Value[k] = float64(place)
	}
}
