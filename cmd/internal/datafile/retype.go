package datafile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
)

// Not every file declares the types of training. A column may be one of any text. In CSV,
// which declares no types, one of labels may be one of numbers, if this file's labels happen
// to be numbers or are all missing; dates are text there, and a column of numbers is one of
// labels or text if one cell is no number, or all stand in quotes. A retype makes of such
// columns what they were in training, by what stands in their cells: retype[i] for column i,
// nil where nothing is to be done.
type retype []*change

// A change is that of a column.
type change struct {
	column *encode.Column
	at     int32       // of the column in the file
	from   format.Type // which the file has
	label  bool        // the column is the label's
	comma  bool        // fractions begin with one in the file
	cells  bool        // texts are CSV's, where an empty one is a missing value among numbers

	places map[string]int  // of each label
	values map[float64]int // of each label that is a number, see numberOf; sameNumber: several are it
	other  string          // stands for all texts that are no label, behind the labels

	pattern arff.DatePattern // of dates
}

// sameNumber stands for the place of labels that are the same number.
const sameNumber = -1

// A cellsBy is what tells what the cells of a file are.
type cellsBy int

const (
	byType    cellsBy = iota // the column's type, which the file declares
	byNumbers                // the same, but numbers may be labels too, where they tell them apart
	byTexts                  // their texts, in a file that declares no types
)

// retyped returns the header h of a file with the types that an encoding wants,
// and what turns rows accordingly; nil if nothing does.
func retyped(h *format.Header, e *encode.Encoding, by cellsBy) (*format.Header, retype, error) {
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
		label := c == e.ClassColumn()
		if c == nil || !retypes(a.Type, c.Type, by) || label && !mayLabel(a, c) {
			continue
		}
		n, err := newChange(c, int32(i), a.Type, by)
		if err != nil {
			return nil, nil, fmt.Errorf("column %q: %w", a.Name, err)
		}
		n.label = label
		n.declare(a)
		t[i], some = n, true
	}
	if !some {
		return h, nil, nil
	}
	return &changed, t, nil
}

// retypes reports whether a column of one type may stand for one of another.
func retypes(from, to format.Type, by cellsBy) bool {
	switch {
	case to == format.Nominal:
		return from == format.String || from == format.Numeric && by != byType
	case to == format.Date:
		return from == format.String || by == byTexts && from != format.Date
	case to == format.Numeric:
		return from == format.String || by == byTexts && from == format.Nominal
	}
	return false
}

// mayLabel reports whether something in the column a may be a label of c: of numbers one
// label is one, where the column has labels.
func mayLabel(a *format.Attribute, c *encode.Column) bool {
	return a.Type != format.Nominal || c.Type != format.Numeric ||
		slices.ContainsFunc(a.Labels, func(label string) bool {
			_, point := csvfmt.Number([]byte(label))
			_, comma := csvfmt.CommaNumber([]byte(label))
			return point == nil || comma == nil
		})
}

func newChange(c *encode.Column, at int32, from format.Type, by cellsBy) (n *change, err error) {
	n = &change{column: c, at: at, from: from, cells: by == byTexts}
	switch c.Type {
	case format.Numeric:
		return n, nil
	case format.Date:
		n.pattern, err = arff.CompileDatePattern(c.Pattern)
		return n, err
	}
	n.places, n.values, n.other = make(map[string]int), make(map[float64]int), unseen(c.Labels)
	for k, label := range c.Labels {
		n.places[label] = k
		v := number(label)
		byText := by == byTexts || from == format.String
		if byText {
			v = numberOf(label)
		}
		if math.IsNaN(v) {
			continue
		}
		if first, again := n.values[v]; again && !byText {
			return nil, fmt.Errorf("its numbers do not tell the labels %q and %q apart; the file must have them as labels or text", c.Labels[first], label)
		} else if again {
			k = sameNumber
		}
		n.values[v] = k
	}
	return n, nil
}

// declare makes of a column's declaration what the change makes of its cells.
func (n *change) declare(a *format.Attribute) {
	a.Type, a.Pattern, a.Labels = n.column.Type, n.column.Pattern, nil
	if a.Type == format.Nominal {
		a.Labels = append(append([]string(nil), n.column.Labels...), n.other)
	}
}

// unseen returns a text that is none of the labels.
func unseen(labels []string) string {
	for text := "another label"; ; text += "'" {
		found := false
		for _, label := range labels {
			found = found || label == text
		}
		if !found {
			return text
		}
	}
}

// numberOf returns the number that a label may be told by, or NaN: 7.0 is a way to
// write 7, but 007 is the text of a code.
func numberOf(label string) float64 {
	digits := label
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9 {
		return math.NaN()
	}
	return number(label)
}

// of returns what a cell with a text stands for, where a text is known; ok is false
// for a label that training did not have, whose place is that of other, and for one that
// is no number where labels are, which is as if it were missing.
func (n *change) of(text string) (v float64, ok bool, err error) {
	switch n.column.Type {
	case format.Numeric:
		if n.cells && text == "" {
			return math.NaN(), true, nil
		}
		number := csvfmt.Number
		if n.comma {
			number = csvfmt.CommaNumber
		}
		if v, err = number([]byte(text)); err != nil && n.label {
			return math.NaN(), false, nil
		}
		return v, true, err
	case format.Date:
		v, err = n.pattern.Parse([]byte(text))
		if err == nil {
			return v, true, nil
		}
		if ms, iso := isoDate(text); iso {
			return ms, true, nil
		}
		return 0, true, err
	}
	if k, ok := n.places[text]; ok {
		return float64(k), true, nil
	}
	v, ok = n.ofNumber(numberOf(text))
	return v, ok, nil
}

// isoLayouts are the ways in which ISO 8601 writes a day, and a time of UTC unless it says
// otherwise; a fraction of the second may follow that.
var isoLayouts = []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339, time.DateTime}

// isoDate returns the milliseconds since 1970-01-01T00:00 UTC of a date that means the
// same in every pattern.
func isoDate(text string) (ms float64, ok bool) {
	for _, layout := range isoLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.UnixMilli()), true
		}
	}
	return 0, false
}

// ofNumber does what of does, for a cell of which nothing but its number is known.
func (n *change) ofNumber(v float64) (place float64, ok bool) {
	if k, ok := n.values[v]; ok && k != sameNumber {
		return float64(k), true
	}
	return float64(len(n.column.Labels)), false
}

// standIns returns for each column that changes the text that is not what the file says, but stands
// for one that is reported already.
func (t retype) standIns() map[string]string {
	texts := map[string]string{}
	for _, n := range t {
		if n != nil {
			texts[n.column.Name] = n.other
		}
	}
	return texts
}

// columns are the columns that change.
func (t retype) columns() (columns []int32) {
	for _, n := range t {
		if n != nil {
			columns = append(columns, n.at)
		}
	}
	return columns
}

// value returns what the value v of the last row's cell stands for, told by what
// the change knows of it.
func (r *Rows) value(n *change, v float64) (float64, error) {
	text, number := r.cell(n, v)
	var ok bool
	var err error
	if number {
		v, ok = n.ofNumber(v)
	} else {
		v, ok, err = n.of(text)
	}
	if err != nil {
		return 0, r.fault(n, err)
	}
	if !ok && r.Unknown != nil {
		r.Unknown(n.column.Name, text)
	}
	return v, nil
}

// cell returns the text of the last row's cell that has the value v; number says
// that the file has no text but a number.
func (r *Rows) cell(n *change, v float64) (text string, number bool) {
	switch {
	case r.texts != nil:
		b, _, _ := r.texts.Text(n.at)
		return string(b), false
	case n.from == format.String:
		return r.raw.Strings[int(v)], false
	}
	return strconv.FormatFloat(v, 'g', -1, 64), true
}

// fault puts the place of a cell into an error.
func (r *Rows) fault(n *change, err error) error {
	err = fmt.Errorf("column %q: %w", n.column.Name, err)
	if r.texts != nil {
		_, line, column := r.texts.Text(n.at)
		return r.in.At(&format.Error{Line: line, Column: column, Err: err})
	}
	return r.Here(err)
}
