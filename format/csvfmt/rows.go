package csvfmt

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/labels"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A rowMaker makes rows of records of which the columns are known.
type rowMaker struct {
	records     *records
	splits      bool // records are split before rows are made of them
	missing     missingTexts
	onlyNumbers bool               // see Reader.Numeric
	attributes  []format.Attribute // the columns
	labels      []labels.Set       // of each column; empty if it is not Nominal
	numeric     []bool             // which columns are, and are not kept

	kept    []*keptCell // by column, see KeepTexts; nil: not
	lenient []bool      // by column, see AllowInvalidNumbers
	strict  bool        // see DisallowInvalidNumbers

	row     format.Instance
	strings []byte // the row's strings one behind the other
	ends    []int  // where each ends
}

// begin prepares for the rows of the reader's records.
func (m *rowMaker) begin(r *Reader) {
	m.records, m.splits = r.records, r.named || r.separator == Blanks
	m.missing, m.onlyNumbers, m.attributes = r.survey.missing, r.Numeric, r.header.Attributes
	for k := range m.attributes {
		m.labels = append(m.labels, r.survey.columns[k].texts.set)
		m.numeric = append(m.numeric, m.attributes[k].Type == format.Numeric && !m.keeps(k))
		m.row.X.Index = append(m.row.X.Index, int32(k))
	}
	m.row.X.Value = make([]float64, len(m.attributes))
	m.row.Weight = 1
}

// another returns a rowMaker for records of the lines, for another goroutine. Texts must not be
// kept.
func (m *rowMaker) another(lines lineSource) *rowMaker {
	own := *m
	own.labels = make([]labels.Set, len(m.labels))
	for k := range own.labels {
		own.labels[k] = m.labels[k].Finder()
	}
	records := m.records.within(lines)
	own.records = &records
	own.row.X = vec.Vector{Index: m.row.X.Index, Value: make([]float64, len(m.row.X.Value))}
	own.row.Strings, own.strings, own.ends = nil, nil, nil
	return &own
}

// beginRow goes to the next record, which has a row.
func (m *rowMaker) beginRow() error {
	if m.splits {
		return m.records.next()
	}
	return m.records.nextLine()
}

// makeValues makes a row of the record.
func (m *rowMaker) makeValues() error {
	if m.splits {
		return m.makeCells()
	}
	return m.makeRow()
}

// makeCells makes a row of the record, which is split.
func (m *rowMaker) makeCells() (err error) {
	values, cells := m.row.X.Value, m.records.cells
	if len(cells) != len(values) {
		return format.ErrChanged
	}
	m.strings, m.ends = m.strings[:0], m.ends[:0]
	for k := range cells {
		if values[k], err = m.value(k, &cells[k]); err != nil {
			return err
		}
	}
	m.cutStrings()
	return nil
}

// makeRow makes a row of the record, which is not split.
func (m *rowMaker) makeRow() error {
	rec := m.records
	quick := !m.missing.likeNumbers && !m.onlyNumbers && !m.records.comma // a number may be no missing value, nor 0x10
	m.strings, m.ends = m.strings[:0], m.ends[:0]
	b, end := rec.rec, rec.end()
	values, numeric, separator := m.row.X.Value, m.numeric[:len(m.row.X.Value)], rec.separator
	at := 0
	for k := range values {
		if quick && numeric[k] && at < end {
			if v, n := textscan.Decimal(b[at:end]); n > 0 && b[at+n] == separator {
				values[k], at = v, at+n+1
				continue
			}
			if b[at] > ' ' {
				v, n, err := textscan.Float(b[at:end])
				if stop := at + n; n > 0 && err == nil && stop < end && b[stop] == separator && !math.IsNaN(v) { // a nan may go on, see numberAt
					values[k], at = v, stop+1
					continue
				}
			}
			if v, next := numberAt(b, at, end, separator, rec.quote); next > 0 {
				values[k], at = v, next
				continue
			}
		}
		if at > len(b) {
			return format.ErrChanged
		}
		rec.cells = rec.cells[:0]
		next, err := rec.cellAt(at)
		if err != nil {
			return changed(err)
		}
		if values[k], err = m.value(k, &rec.cells[0]); err != nil {
			return err
		}
		b, end = rec.rec, rec.end()
		at = next
	}
	if at <= len(b) {
		return format.ErrChanged
	}
	m.cutStrings()
	return nil
}

// numberAt returns the number in the cell that begins at b[at] of a record without line end,
// b[:end], and where the next cell begins, beyond the end of b when there is none; 0 when the cell
// holds something else or blanks, or a nan: of nan(5) only the first three bytes are in the cell
// where ( separates.
func numberAt(b []byte, at, end int, separator, quote byte) (v float64, next int) {
	for at < end && b[at] == ' ' {
		at++
	}
	quoted := at < end && b[at] == quote
	if quoted {
		at++
	}
	if at >= end || b[at] <= ' ' {
		return 0, 0
	}
	v, n, err := textscan.Float(b[at:end])
	if at += n; n == 0 || err != nil || math.IsNaN(v) {
		return 0, 0
	}
	if quoted {
		if at == end || b[at] != quote {
			return 0, 0
		}
		at++
	}
	switch {
	case at == end:
		return v, len(b) + 1
	case b[at] == separator:
		return v, at + 1
	}
	return 0, 0
}

// cutStrings makes the row's strings, parts of one.
func (m *rowMaker) cutStrings() {
	m.row.Strings = m.row.Strings[:0]
	if len(m.ends) == 0 {
		return
	}
	all, start := string(m.strings), 0
	for _, end := range m.ends {
		m.row.Strings = append(m.row.Strings, all[start:end])
		start = end
	}
}

// value returns what a cell stands for in column k.
func (m *rowMaker) value(k int, c *cell) (float64, error) {
	b := m.records.text(c)
	if m.keeps(k) {
		m.keep(k, c, b)
	}
	if m.missing.is(c, b) {
		return math.NaN(), nil
	}
	a := &m.attributes[k]
	if a.Type == format.Numeric && m.missing.isAmongNumbers(c.quoted, b) {
		return math.NaN(), nil
	}
	switch a.Type {
	case format.Nominal:
		if i, ok := m.labels[k].Find(b); ok {
			return float64(i), nil
		}
		return 0, format.ErrChanged
	case format.String:
		m.strings = append(m.strings, b...)
		m.ends = append(m.ends, len(m.strings))
		return float64(len(m.ends) - 1), nil
	}
	v, n, err := m.records.float(b)
	switch {
	case m.onlyNumbers && m.records.kind(b) == text: // such as 0x10
	case n == len(b) && (err == nil || v > -1 && v < 1): // the nearest to a tiny number
		return v, nil
	case m.allowsInvalid(k) && (n == len(b) || m.records.kind(b) == comma):
		return 0, nil
	case n == len(b):
		return 0, m.records.fault(c.at, errTooLarge(b))
	case m.records.kind(b) == comma:
		return 0, m.records.fault(c.at, m.records.errMark(b))
	}
	if m.onlyNumbers {
		return 0, m.records.fault(c.at, &NotNumberError{string(b)})
	}
	return 0, format.ErrChanged
}

// keeps reports whether the texts of column k are kept.
func (m *rowMaker) keeps(k int) bool { return uint(k) < uint(len(m.kept)) && m.kept[k] != nil }

// keep keeps the text of a cell in column k.
func (m *rowMaker) keep(k int, c *cell, text []byte) {
	own := m.kept[k]
	own.text, own.place = append(own.text[:0], text...), m.records.place(c.at)
	own.missing = m.missing.is(c, text) || m.missing.isAmongNumbers(c.quoted, text)
}

// allowsInvalid reports whether cells of column k may be invalid numbers.
func (m *rowMaker) allowsInvalid(k int) bool {
	return k < len(m.lenient) && m.lenient[k] && !m.strict
}
