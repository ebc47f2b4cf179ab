package arff

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/labels"
)

// A column is an attribute as its values are read.
type column struct {
	name   string
	kind   format.Type
	any    bool              // the declaration was faulty: any value will do, as a String
	labels labels.Set        // of a Nominal
	folded map[string]string // the first label of each format.Folded; nil: nobody has asked
	date   *datePattern
	inner  *rows // of a Relational

	// As Weka: the first text and table in the file, which are what a sparse row
	// means that leaves the column out.
	met   bool
	text  string
	table []format.Instance
}

// isEmpty reports whether the column is one of labels and has none. A sparse row
// cannot mean the first of them by leaving it out.
func (c *column) isEmpty() bool { return c.kind == format.Nominal && c.labels.Len() == 0 }

// readValue reads the value that the lexer's token is.
func (r *rows) readValue(c *column) (float64, *fault) {
	switch k := r.lex.tok.kind; {
	case k != word && k != quoted:
		return 0, r.lex.expected("a value of attribute " + clip(c.name))
	case r.lex.isMissing():
		return math.NaN(), nil
	}
	b, f := r.lex.text()
	if f != nil {
		return 0, f
	}
	switch c.kind {
	case format.Numeric:
		if v, ok := number(b); ok {
			return v, nil
		}
		f := r.lex.expected("a number for attribute " + clip(c.name))
		if hint := noNumber(b, r.lex.tok.kind); hint != "" {
			f.Err = fmt.Errorf("%w: %s", f.Err, hint)
		}
		return 0, f
	case format.Nominal:
		if k, ok := c.labels.Find(b); ok {
			return float64(k), nil
		}
		return 0, &fault{At: r.lex.tok.at, Err: c.undeclared(b)}
	case format.Date:
		ms, err := c.date.parse(b, r.century, r.lex.weka)
		if err != nil {
			err = fmt.Errorf("expected a date like %s for attribute %s, %w", clip(c.date.text), clip(c.name), err)
			if hint := missing(b); hint != "" {
				err = fmt.Errorf("%w: %s", err, hint)
			}
			return 0, &fault{At: r.lex.tok.at, Err: err}
		}
		return ms, nil
	case format.Relational:
		table, f := c.inner.table(b)
		if f != nil {
			return 0, &fault{At: r.lex.source(f.At), Err: within(c, f.Err)}
		}
		r.tables = append(r.tables, table)
		return float64(len(r.tables) - 1), nil
	}
	r.text = append(r.text, b...)
	r.ends = append(r.ends, len(r.text))
	return float64(len(r.ends) - 1), nil
}

// source returns the position in the line of the character that byte at of tok's
// text comes from.
func (l *lexer) source(at int) int {
	b, start := l.raw()
	lo, hi := 0, len(b)
	for lo < hi { // the first position whose text is longer than at
		mid := (lo + hi) / 2
		if len(l.expand(l.buf[:0:0], b, mid+1)) > at {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return start + lo
}

// noNumber says what a text may be that stands where a number is expected, "" if
// there is no telling.
func noNumber(text []byte, k kind) string {
	hint := missing(text)
	if hint == "" && k == word && bytes.ContainsAny(text[:min(len(text), clipBytes)], ";|") {
		return "commas or blanks stand between values"
	}
	return hint
}

// missing says how a missing value is written, if a text seems to be meant for one.
func missing(text []byte) string {
	switch s := strings.ToLower(string(trim(text[:min(len(text), clipBytes)]))); {
	case s == "?":
		return "a missing value is a ? without quotes"
	case s == "", slices.Contains(missingWords, s):
		return "a missing value is a ?"
	}
	return ""
}

// missingWords are what other programs write for a missing value.
var missingWords = []string{"na", "n/a", "#n/a", "nan", "nil", "null", "none", "missing", "-", "--", "."}

// undeclared returns the error that text is none of the labels.
func (c *column) undeclared(text []byte) error {
	if c.labels.Len() == 0 {
		return fmt.Errorf("attribute %s has no labels, found %s", clip(c.name), clip(text))
	}
	hint := ""
	if string(text) == "?" {
		hint = ": a missing value is a ? without quotes"
	} else if like, ok := c.like(text); ok {
		hint = fmt.Sprintf(": %s differs in capitals or blanks only", clip(like))
	}
	return fmt.Errorf("expected a label of attribute %s (%s), found %s%s", clip(c.name), labels.List(c.labels.Texts(), clip), clip(text), hint)
}

// like returns the first label that differs from a text in capitals or blanks only. There may be as
// many texts that are no label as there are labels, so it does not go through them each time.
func (c *column) like(text []byte) (label string, ok bool) {
	if c.folded == nil {
		c.folded = make(map[string]string, c.labels.Len())
		for _, label := range slices.Backward(c.labels.Texts()) {
			c.folded[format.Folded(label)] = label
		}
	}
	label, ok = c.folded[format.Folded(string(text))]
	return label, ok
}
