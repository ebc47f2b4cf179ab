package arff

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
)

// appendAttributes appends declarations, and returns what writes rows of them.
func appendAttributes(b []byte, attributes []format.Attribute, depth int) ([]byte, *tableWriter, error) {
	t := &tableWriter{columns: make([]columnWriter, len(attributes))}
	names := make(map[string]bool, len(attributes))
	for i := range attributes {
		a := &attributes[i]
		c := &t.columns[i]
		c.Attribute = a
		if names[a.Name] {
			return b, t, fmt.Errorf("two attributes have the name %s", clip(a.Name))
		}
		names[a.Name] = true
		if a.Type == format.String || a.Type == format.Relational || a.Type == format.Nominal && len(a.Labels) == 0 {
			t.needed = append(t.needed, i)
		}
		var err error
		if b, err = c.appendDeclaration(b, depth); err != nil {
			return b, t, c.named(err)
		}
	}
	return b, t, nil
}

// appendDeclaration appends the lines that declare an attribute.
func (c *columnWriter) appendDeclaration(b []byte, depth int) (_ []byte, err error) {
	if !utf8.ValidString(c.Name) {
		return b, errors.New("the name is not UTF-8")
	}
	b = append(b, keywordAttribute+" "...)
	b = append(appendName(b, c.Name), ' ')
	switch c.Type {
	case format.Numeric, format.String:
		b = append(b, typeName(c.Type)...)
	case format.Nominal:
		if b, err = c.appendLabels(b); err != nil {
			return b, err
		}
	case format.Date:
		pattern := c.Pattern
		if pattern == "" {
			pattern = defaultPattern
		}
		if !utf8.ValidString(pattern) {
			return b, fmt.Errorf("the date pattern is not UTF-8: %s", clip(pattern))
		}
		if c.date, err = compileDate(pattern); err != nil {
			return b, fmt.Errorf("date pattern %s: %w", clip(pattern), err)
		}
		b = appendText(append(b, "date "...), pattern)
	case format.Relational:
		if depth == maxDepth {
			return b, fmt.Errorf("relations nest more than %d deep", maxDepth)
		}
		b = append(b, "relational"...)
	default:
		return b, fmt.Errorf("type %d is unknown", c.Type)
	}
	if math.IsNaN(c.Weight) {
		return b, errors.New("the weight is not a number")
	}
	if c.Weight != 0 && c.Weight != 1 {
		b = append(appendNumber(append(b, " {"...), c.Weight), '}')
	}
	b = append(b, '\n')
	if c.Type == format.Relational {
		if b, c.inner, err = appendAttributes(b, c.Attributes, depth+1); err != nil {
			return b, err
		}
		b = append(b, keywordEnd+" "...)
		b = append(appendName(b, c.Name), '\n')
	}
	return b, nil
}

// appendLabels appends the labels in braces.
func (c *columnWriter) appendLabels(b []byte) ([]byte, error) {
	b = append(b, '{')
	seen := make(map[string]bool, len(c.Labels))
	for k, label := range c.Labels {
		if !utf8.ValidString(label) {
			return b, fmt.Errorf("a label is not UTF-8: %s", clip(label))
		}
		if seen[label] {
			return b, fmt.Errorf("two labels are %s", clip(label))
		}
		seen[label] = true
		if k > 0 {
			b = append(b, ',')
		}
		start := len(b)
		b = appendText(b, label)
		c.labels = append(c.labels, string(b[start:]))
	}
	return append(b, '}'), nil
}

// setUp completes the writer and those of its relations.
func (t *tableWriter) setUp(century int) {
	t.century = century
	slices.Sort(t.needed)
	t.needed = slices.Compact(t.needed)
	if len(t.needed) > 0 && t.needed[0] < 0 {
		t.needed = t.needed[1:]
	}
	for i := range t.columns {
		if inner := t.columns[i].inner; inner != nil {
			inner.setUp(century)
		}
	}
}
