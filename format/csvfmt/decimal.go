package csvfmt

import (
	"bytes"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// Where fractions begin with a comma, numbers are those of the grammar with the comma in the
// place of the point, and a point is what a comma is elsewhere.

// kind returns what b looks like.
func (d dialect) kind(b []byte) kind {
	if !d.comma || bytes.IndexByte(b, ',') < 0 && bytes.IndexByte(b, '.') < 0 {
		return kindOf(b)
	}
	var room [longestQuote]byte
	swapped := append(room[:0], b...)
	for i, c := range swapped {
		switch c {
		case ',':
			swapped[i] = '.'
		case '.':
			swapped[i] = ','
		}
	}
	return kindOf(swapped)
}

// float is textscan.Float.
func (d dialect) float(b []byte) (v float64, n int, err error) {
	if !d.comma {
		return textscan.Float(b)
	}
	at := bytes.IndexByte(b, '.')
	if at < 0 {
		at = len(b)
	}
	var room [longestQuote]byte
	pointed := append(room[:0], b[:at]...)
	if i := bytes.IndexByte(pointed, ','); i >= 0 {
		pointed[i] = '.'
	}
	return textscan.Float(pointed)
}

// Decimal returns the decimal mark, a point or a comma. It is known after Header.
func (r *Reader) Decimal() byte {
	if r.comma {
		return ','
	}
	return '.'
}

// findComma reads the text once more if only decimal commas may make numbers of what stands in
// some columns. They are taken for that if no number of the text tells the contrary and one leaves
// no doubt.
func (r *Reader) findComma() (bool, error) {
	s := &r.survey
	look, some := make([]bool, len(s.columns)), false
	for k := range s.columns {
		c := &s.columns[k]
		look[k] = c.numbers > 0 && !r.isNamedNominal(k) && (!r.isText(k) || r.LikelyComma)
		some = some || look[k] && (c.commas > 0 || c.isText() || r.LikelyComma)
	}
	if r.DecimalMark != 0 || !some || len(look) == 1 || r.separator == ',' && !r.LikelyComma {
		return false, nil
	}
	for _, f := range s.first {
		if !f.quoted && strings.IndexByte(f.text, ',') >= 0 {
			return false, nil // which more likely separates
		}
	}
	if err := r.again(); err != nil {
		return false, err
	}
	marks, sure := false, false // numbers with a mark, and with one that is no thousands'
	for range s.rows {
		if err := r.records.next(); err != nil || len(r.records.cells) != len(s.columns) {
			return false, changed(err)
		}
		for k := range r.records.cells {
			c := &r.records.cells[k]
			if !look[k] {
				continue
			}
			b := r.records.text(c)
			kind := kindOf(b)
			if s.missing.is(c, b) || kind == text {
				continue
			}
			at, point := bytes.IndexByte(b, ','), bytes.IndexByte(b, '.')
			if at >= 0 && bytes.IndexByte(b[at+1:], ',') >= 0 || point >= 0 && (at >= 0 || !r.LikelyComma || !mayGroup(b, point)) {
				return false, nil
			}
			marks = marks || at >= 0 || point >= 0
			sure = sure || at >= 0 && !mayGroup(b, at)
		}
	}
	return sure || marks && r.LikelyComma && r.separator != ',', nil
}

// mayGroup reports whether the comma or point at b[at] may stand between thousands.
func mayGroup(b []byte, at int) bool {
	front := bytes.TrimLeft(b[:at], "+-")
	return len(b)-at-1 == 3 && digitsOnly(b[at+1:]) && len(front) > 0 && len(front) <= 3 && front[0] != '0'
}

// takeComma makes the survey anew, of a text whose fractions begin with commas.
func (r *Reader) takeComma() (*format.Header, error) {
	text, err := r.replay.Again()
	if err != nil {
		return nil, err
	}
	skip := r.SkipFault
	defer func() { r.SkipFault = skip }()
	r.SkipFault = nil // it has been called
	r.comma = true
	r.survey = survey{missing: r.survey.missing, skipped: r.survey.skipped}
	if err := r.measure(text); err != nil {
		return nil, err
	}
	return r.declare()
}
