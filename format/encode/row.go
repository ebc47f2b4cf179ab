package encode

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/labels"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// ErrUnknownLabel reports a text that is none of the labels of a column in training.
var ErrUnknownLabel = errors.New("the training rows did not declare the label")

// A ValueError reports a text that cannot be the value of a column.
type ValueError struct {
	Column string
	Text   string
	Err    error // wraps [ErrUnknownLabel] if the text is no label
}

// Error names the column, quotes the text and says what was expected.
func (e *ValueError) Error() string {
	return fmt.Sprintf("column %q: %v, found %s", e.Column, e.Err, clip(e.Text))
}

// Unwrap returns the cause.
func (e *ValueError) Unwrap() error { return e.Err }

// Row sets dst to the features of a row whose values a program has by the names of columns, such as
// the fields of a form or of JSON, and reuses dst's memory. It calls get for each column in order
// but the label's; get returns the value as text, or false if it is missing:
//
//	numeric    a decimal number with a point; nan is a missing value
//	nominal    the label as it was in training
//	date       the number of milliseconds since 1970-01-01T00:00 UTC: UnixMilli of a time.Time
//
// Row does not see what else the program has: a field whose name is misspelt is a missing value. A
// program that wants to refuse such names compares them with those of e.Columns.
//
// A text that is no such value is a [*ValueError]. If the only fault is that labels are not known,
// the error wraps [ErrUnknownLabel], and dst has all features nevertheless: those that a [Mapper]
// gives such labels. After any other error dst is of no use.
//
// Several goroutines may call Row at once, each with a dst of its own. Values that scaling makes
// infinite are found by the Check of a predict.Predictor.
func (e *Encoding) Row(dst *vec.Vector, get func(column string) (text string, ok bool)) error {
	if dst == nil || get == nil {
		panic("encode: Row needs a vector and a function")
	}
	m, index := &Mapper{e: e}, e.index()
	if index != nil {
		m.lasting = index.lasting
	} else {
		m.findLasting()
	}
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	var undeclared error
	for i := range e.Columns {
		if i == e.Class {
			continue
		}
		c := &e.Columns[i]
		value := math.NaN()
		if text, ok := get(c.Name); ok {
			var err error
			value, err = c.value(text, index.places(i))
			if err != nil {
				err = &ValueError{Column: c.Name, Text: text, Err: err}
				if !errors.Is(err, ErrUnknownLabel) {
					return err
				}
				if undeclared == nil {
					undeclared = err
				}
			}
		}
		m.put(dst, i, value)
	}
	return undeclared
}

// value returns the value that a text is in the encoding's terms. places has those of labels, or is
// nil.
func (c *Column) value(text string, places map[string]int) (float64, error) {
	if c.Type == format.Nominal {
		k, ok := places[text]
		if !ok || k >= len(c.Labels) || c.Labels[k] != text {
			k = slices.Index(c.Labels, text)
		}
		if k < 0 {
			return unknown, &undeclaredLabel{c.Labels}
		}
		return float64(k), nil
	}
	v, err := textscan.Number(text)
	switch {
	case err == nil && math.IsInf(v, 0):
		return 0, errors.New("expected a finite number")
	case err != nil && c.Type == format.Date:
		return 0, fmt.Errorf("%w of milliseconds", err)
	}
	return v, err
}

// undeclaredLabel is the error of a text that is none of the labels in training.
type undeclaredLabel struct{ labels []string }

// Error lists the labels, if they are few.
func (e *undeclaredLabel) Error() string {
	if len(e.labels) == 0 {
		return "the column had no labels in training"
	}
	return "expected a label of the training rows (" + labels.List(e.labels, clip) + ")"
}

// Unwrap returns ErrUnknownLabel.
func (e *undeclaredLabel) Unwrap() error { return ErrUnknownLabel }

// clip quotes a text, shortened if it is long.
func clip(text string) string {
	if len(text) > mostQuoted {
		return fmt.Sprintf("%q...", text[:mostQuoted])
	}
	return fmt.Sprintf("%q", text)
}
