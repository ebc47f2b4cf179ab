package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
)

// The text form of an encoding is one JSON object a line: first the data set, then each column in
// order.
//
//	{"relation":"weather","class":5,"columns":5}
//	{"name":"outlook","type":"nominal","labels":["sunny","rainy"],"fill":0,"feature":1}
//	{"name":"humidity","type":"numeric","fill":81.6,"feature":2,"scale":[[65,31]]}
//
// class and feature count from 1. scale has a pair of shift and width for each feature of the
// column. labels, pattern and scale are left out where there are none. So is decimal, which is a
// comma where DecimalComma is set.
type (
	textHead struct {
		Relation string `json:"relation"`
		Class    int    `json:"class"`
		Columns  int    `json:"columns"`
		Decimal  string `json:"decimal,omitempty"`
	}
	textColumn struct {
		Name    string      `json:"name"`
		Type    string      `json:"type"`
		Labels  []string    `json:"labels,omitempty"`
		Pattern string      `json:"pattern,omitempty"`
		Fill    float64     `json:"fill"`
		Feature int32       `json:"feature"`
		Scale   [][]float64 `json:"scale,omitempty"`
	}
)

// decimalComma is what decimal is if it is not left out.
const decimalComma = ","

var typeNames = map[format.Type]string{format.Numeric: "numeric", format.Nominal: "nominal", format.Date: "date"}

// MarshalText returns the text form, which ends with a line feed. Names and labels of columns must
// be UTF-8. In the data set's name, on which nothing depends, invalid bytes become U+FFFD.
func (e *Encoding) MarshalText() ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	head := textHead{Relation: e.Relation, Class: e.Class + 1, Columns: len(e.Columns)}
	if e.DecimalComma {
		head.Decimal = decimalComma
	}
	if err := w.Encode(head); err != nil {
		return nil, err
	}
	for _, c := range e.Columns {
		for _, text := range append([]string{c.Name, c.Pattern}, c.Labels...) {
			if !utf8.ValidString(text) {
				return nil, fmt.Errorf("column %q: the text %q is not UTF-8", c.Name, text)
			}
		}
		t := textColumn{c.Name, typeNames[c.Type], c.Labels, c.Pattern, c.Fill, c.First, nil}
		for _, s := range c.Scales {
			t.Scale = append(t.Scale, []float64{s.Shift, s.Width})
		}
		if err := w.Encode(t); err != nil {
			return nil, fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	return b.Bytes(), nil
}

// UnmarshalText reads the text form and checks that it is consistent. A fault is a *format.Error
// with the line, and with the column if possible.
func (e *Encoding) UnmarshalText(text []byte) error {
	at := func(line int, err error) error {
		f := &format.Error{Line: line + 1, Err: err}
		if j := (*jsonFault)(nil); errors.As(err, &j) {
			f.Column = j.column
		}
		return f
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'})
	var head textHead
	if err := decode(lines[0], &head); err != nil {
		return at(0, fmt.Errorf("data set: %w", err))
	}
	lines = lines[1:]
	if head.Columns != len(lines) {
		return at(0, fmt.Errorf("%d columns announced, %d found", head.Columns, len(lines)))
	}
	if head.Class < 1 || head.Class > len(lines) {
		return at(0, fmt.Errorf("the label's column is %d of %d", head.Class, len(lines)))
	}
	if len(lines) < 2 {
		return at(0, errors.New("there is no column beside the label's"))
	}
	if head.Decimal != "" && head.Decimal != decimalComma {
		return at(0, fmt.Errorf("decimal %q, expected %q", head.Decimal, decimalComma))
	}
	read := Encoding{Relation: head.Relation, Class: head.Class - 1, DecimalComma: head.Decimal != ""}
	named := make(map[string]bool, len(lines))
	next := int32(1)
	for i, line := range lines {
		var t textColumn
		if err := decode(line, &t); err != nil {
			return at(i+1, fmt.Errorf("column %d: %w", i+1, err))
		}
		c := Column{Name: t.Name, Labels: t.Labels, Pattern: t.Pattern, Fill: t.Fill, First: t.Feature}
		err := c.setScales(t.Scale)
		if err == nil {
			err = c.check(t.Type, i == read.Class, next)
		}
		if err == nil && named[t.Name] {
			err = errors.New("another column has the name already")
		}
		if err != nil {
			return at(i+1, fmt.Errorf("column %d, %q: %w", i+1, t.Name, err))
		}
		named[t.Name] = true
		next++
		if i != read.Class {
			next += int32(c.features()) - 1
		}
		read.Columns = append(read.Columns, c)
	}
	read.makeIndex()
	*e = read
	return nil
}

var errNoInputs = errors.New("the model has no inputs: its features are numbers as they stand, without columns to encode")

// UnmarshalInputs is UnmarshalText for a section of a file, such as models.Model.Inputs. first is
// the number of the section's first line in the file, for errors; 0 if it is from no file. A text
// that is nil is an error: a model without inputs, as LIBSVM's are, has no encoding.
func (e *Encoding) UnmarshalInputs(text []byte, first int) error {
	if text == nil {
		return errNoInputs
	}
	err := e.UnmarshalText(text)
	if f := (*format.Error)(nil); errors.As(err, &f) {
		f.Line += max(first, 1) - 1
		f.Err = fmt.Errorf("inputs: %w", f.Err)
	}
	return err
}

// setScales sets the scales from pairs of shift and width.
func (c *Column) setScales(pairs [][]float64) error {
	for _, p := range pairs {
		if len(p) != 2 || !(p[1] >= 0) {
			return fmt.Errorf("scale %v, expected a shift and a width that is not negative", p)
		}
		c.Scales = append(c.Scales, Scale{p[0], p[1]})
	}
	return nil
}

// check sets the column's type by name and returns an error unless the rest fits.
func (c *Column) check(typeName string, class bool, next int32) error {
	known := false
	for t, name := range typeNames {
		if name == typeName {
			c.Type, known = t, true
		}
	}
	features := c.features()
	if class {
		features = 1
	}
	nominal := c.Type == format.Nominal
	switch {
	case !known:
		return fmt.Errorf("unknown type %q", typeName)
	case c.First != next:
		return fmt.Errorf("its first feature is %d, expected %d", c.First, next)
	case c.Scales != nil && len(c.Scales) != features:
		return fmt.Errorf("%d scales for %d features", len(c.Scales), features)
	case c.Scales != nil && class && nominal:
		return errors.New("labels have a scale")
	case !nominal && c.Labels != nil:
		return fmt.Errorf("labels in a column of type %s", typeName)
	case nominal && (c.Fill != math.Trunc(c.Fill) || c.Fill < 0 || c.Fill > 0 && c.Fill >= float64(len(c.Labels))):
		return fmt.Errorf("no label %v among %d", c.Fill, len(c.Labels))
	case nominal && class && len(c.Labels) == 0:
		return errors.New("no labels")
	}
	if label, ok := repeated(c.Labels); ok {
		return fmt.Errorf("two labels %q", label)
	}
	return nil
}
