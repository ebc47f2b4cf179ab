package csvfmt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// inferColumns reads the text and returns what its columns are.
func (r *Reader) inferColumns() (*format.Header, error) {
	if err := r.options(); err != nil {
		return nil, err
	}
	if r.Context != nil {
		r.replay.Context = r.Context
	}
	b := readBeginning(r.replay.First(), r.dialect, r.most)
	if wide := format.WideText(b.head); wide != nil {
		return nil, &format.Error{Line: 1, Column: 1, Err: encodingError(wide.Error())}
	}
	r.lookAt(b)
	if err := r.measure(b.whole); err != nil {
		return nil, err
	}
	h, err := r.declare()
	if err != nil {
		return nil, err
	}
	comma, err := r.findComma()
	if err == nil && comma {
		h, err = r.takeComma()
	}
	if err != nil {
		return nil, err
	}
	if err := r.relabel(); err != nil {
		return nil, err
	}
	r.describe(h)
	return h, nil
}

// options checks the exported fields.
func (r *Reader) options() error {
	r.separator, r.quote, r.backslash = r.Separator, r.Quote, r.Backslash
	if r.quote == 0 {
		r.quote = '"'
	}
	if r.quote != '"' && r.quote != '\'' {
		return fmt.Errorf("csvfmt: %q cannot be a quote, expected \" or '", r.quote)
	}
	if r.separator != 0 && r.separator != Blanks && !CanSeparate(r.separator) {
		return fmt.Errorf("csvfmt: %q cannot separate cells", r.separator)
	}
	if r.FirstLine < FirstLineDetected || r.FirstLine > FirstLineRow {
		return fmt.Errorf("csvfmt: there is no FirstLine %d", r.FirstLine)
	}
	if r.DecimalMark != 0 && r.DecimalMark != '.' && r.DecimalMark != ',' {
		return fmt.Errorf("csvfmt: %q cannot begin a fraction, expected . or ,", r.DecimalMark)
	}
	r.comma = r.DecimalMark == ','
	r.survey.missing = newMissingTexts(r.Missing)
	return nil
}

// CanSeparate reports whether c can be a separator: it is not part of numbers or words, nor a
// blank, a quote or a line end.
func CanSeparate(c byte) bool {
	return c == '\t' || c > ' ' && c < 0x7f && !bytes.ContainsRune([]byte("+-._?\"'"), rune(c)) &&
		(c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// Found returns the separator and the quote of the text. They are known after Header.
func (r *Reader) Found() (separator, quote byte) { return r.separator, r.quote }

// lookAt finds out what the text is written in.
func (r *Reader) lookAt(b beginning) {
	head := b.head
	if r.returns = b.returns; r.returns {
		head, _ = io.ReadAll(&lineFeeds{r: bytes.NewReader(head)})
	}
	if !utf8.Valid(head) { // a fault, which tells nothing of what separates cells
		head = bytes.ToValidUTF8(head, []byte(string(utf8.RuneError)))
	}
	separator, rest := separatorLine(head)
	r.hasSeparatorLine = separator != 0
	if r.separator == 0 {
		r.separator = separator
	}
	s := sampler{head: rest, end: b.end, dialect: r.dialect, first: r.FirstLine}
	if r.separator == 0 {
		r.separator = s.find().separator
	}
	r.named = s.sample(r.separator).named
}

// newRecords returns the records of a text.
func (r *Reader) newRecords(text io.Reader) *records {
	if r.returns {
		text = &lineFeeds{r: text}
	}
	lines := textscan.NewLines(text)
	lines.Limit(r.most)
	if r.hasSeparatorLine {
		lines.Next() // an error comes again
	}
	return &records{dialect: r.dialect, lines: lines, most: mostColumns, bytes: r.most}
}

// measure makes the survey.
func (r *Reader) measure(text io.Reader) error {
	s := &r.survey
	rec := r.newRecords(text)
	rec.omit = s.skipped
	switch err := rec.next(); {
	case err == io.EOF:
		return &format.Error{Err: ErrEmpty}
	case err != nil:
		return err
	case len(rec.cells) > mostColumns:
		return rec.fault(rec.cells[mostColumns].at, errColumns)
	}
	rec.most = len(rec.cells)
	s.begin(rec)
	r.nameRecords(rec)
	s.class, _ = r.classOf(func(k int) string { return s.first[k].text }, len(s.first))
	if r.FirstLine == FirstLineRow {
		s.demote()
	}
	var when scouting
	for s.stop == nil {
		r.scoutAhead(rec, &when)
		if s.stop = rec.nextWhole(); s.stop == nil {
			s.stop = s.add(rec)
		}
		if s.stop != nil && r.skips(rec, s.stop) {
			s.stop, s.skipped = nil, append(s.skipped, r.skipping)
		}
	}
	if err := ended.Err(r.replay.Context); err != nil {
		return err // what is known of the columns is of use to nobody
	}
	s.finish()
	if r.FirstLine != FirstLineRow && s.repeatsNames() {
		return &format.Error{Line: s.repeatAt.line, Err: errRepeated}
	}
	if r.FirstLine == FirstLineDetected && !r.named && !s.hasAll(r.Names) {
		names, err := s.hasNames()
		if err != nil {
			return err
		}
		if !names {
			s.demote()
			s.finish()
		}
	}
	return nil
}

// ErrEmpty reports a text without a record.
var ErrEmpty = errors.New("there is no line, expected names or a row")

// again begins another reading of the rows.
func (r *Reader) again() error {
	text, err := r.replay.Again()
	if err != nil {
		return err
	}
	r.records = r.newRecords(text)
	r.records.trust, r.records.omit = true, r.survey.skipped
	if r.survey.first != nil {
		if err := r.records.next(); err != nil {
			return changed(err)
		}
	}
	r.records.most = len(r.survey.columns)
	r.nameRecords(r.records)
	return nil
}

// nameRecords tells the records behind the first whether they have names.
func (r *Reader) nameRecords(rec *records) {
	if rec.named = r.named; rec.named {
		rec.most++
	}
}

// isText reports whether column k is not numeric.
func (r *Reader) isText(k int) bool {
	c := &r.survey.columns[k]
	if r.isNamedNominal(k) {
		return true
	}
	if r.Numeric {
		return false
	}
	return c.isText() || !r.QuotedNumbers && r.survey.bare && c.cells > 0 && c.quotedNumbers == c.cells && !r.isForced(c)
}

// isNamedNominal reports whether Nominal names column k.
func (r *Reader) isNamedNominal(k int) bool { return r.nominal != nil && r.nominal[k] }

// isForced reports whether all cells of a column of numbers would be in quotes in any
// case, since there is a separator in each.
func (r *Reader) isForced(c *column) bool {
	with := c.commas
	if r.comma {
		with = c.decimals
	}
	return r.separator == ',' && with == c.cells
}

// relabel reads the text once more if columns of text begin with numbers, which were not taken for
// labels at first, or if the class was taken for another column and has lost its labels, and again
// if some labels are not kept.
func (r *Reader) relabel() error {
	few := func(k int) bool {
		c := &r.survey.columns[k]
		return !r.isNamedNominal(k) && (c.skipped > 0 && !c.texts.many || k == r.survey.class && c.texts.many)
	}
	if err := r.collect(false, few); err != nil {
		return err
	}
	return r.collect(true, func(k int) bool {
		c := &r.survey.columns[k]
		return r.isNamedNominal(k) || c.texts.digests != nil && !c.isString(k == r.survey.class)
	})
}

// collect reads the text again for the labels of the columns of text that want
// it. all says that there are no limits.
func (r *Reader) collect(all bool, want func(k int) bool) error {
	s := &r.survey
	var late []int
	for k := range s.columns {
		if c := &s.columns[k]; r.isText(k) && want(k) {
			late = append(late, k)
			c.texts = texts{comma: r.comma}
		}
	}
	if len(late) == 0 {
		return nil
	}
	if err := r.again(); err != nil {
		return err
	}
	add := func(k int, text []byte) { s.columns[k].texts.add(text, all || k == s.class) }
	for row := 0; row < s.rows; row++ {
		if row == r.sizes.alone {
			if row += r.collectAhead(late, s.rows-row, add); row == s.rows {
				return nil
			}
		}
		if err := r.records.next(); err != nil || len(r.records.cells) != len(s.columns) {
			return changed(err)
		}
		for _, k := range late {
			c := &r.records.cells[k]
			if b := r.records.text(c); !s.missing.is(c, b) {
				add(k, b)
			}
		}
	}
	return nil
}

// declare returns the header without types.
func (r *Reader) declare() (*format.Header, error) {
	names, err := r.survey.names()
	if err != nil {
		return nil, err
	}
	h := &format.Header{Attributes: make([]format.Attribute, len(names))}
	for k, name := range names {
		h.Attributes[k].Name = name
	}
	name := func(k int) string { return names[k] }
	if h.Class, err = r.classOf(name, len(names)); err != nil {
		return nil, err
	}
	r.survey.class = h.Class
	if len(r.Nominal) == 0 {
		return h, nil
	}
	places := make(map[string]int, len(names))
	for k, name := range names {
		places[name] = k
	}
	if r.nominal == nil {
		r.nominal = make([]bool, len(names))
	}
	for _, column := range r.Nominal {
		k, ok := places[column]
		if !ok {
			if k, err = unnamedColumn(column, "labels", name, len(names)); err != nil {
				return nil, err
			}
		}
		r.nominal[k] = true
	}
	return h, nil
}

// describe puts the types into the header.
func (r *Reader) describe(h *format.Header) {
	for k := range h.Attributes {
		a, c := &h.Attributes[k], &r.survey.columns[k]
		if !r.isText(k) {
			c.texts = texts{}
			continue
		}
		if !r.isNamedNominal(k) {
			r.resembles(k)
		}
		switch {
		case !r.isNamedNominal(k) && (c.isString(k == h.Class) || r.namesRows(k)):
			a.Type = format.String
			c.texts = texts{}
		default:
			a.Type = format.Nominal
			a.Labels = slices.Clone(c.texts.set.Texts())
		}
	}
}

// namesRows reports whether column k is what R's write.csv makes of the names of rows: the
// first, without a name itself, and with another text in quotes in each.
func (r *Reader) namesRows(k int) bool {
	s := &r.survey
	if k > 0 || s.first == nil || k == s.class || s.first[k].text != "" || !s.first[k].quoted {
		return false
	}
	c := &s.columns[k]
	return c.cells == s.rows && c.quoted == c.cells && c.texts.len() == c.cells
}

// classOf returns the position of the class among n columns with the given names.
func (r *Reader) classOf(name func(k int) string, n int) (int, error) {
	if r.Class != "" {
		return columnOf(r.Class, "the class", name, n)
	}
	aside := [2]int{-1, -1}
	for i, of := range []struct{ column, purpose string }{{r.Weights, "the weights of rows"}, {r.Groups, "the groups of rows"}} {
		if of.column == "" {
			continue
		}
		k, err := columnOf(of.column, of.purpose, name, n)
		if err != nil {
			return 0, err
		}
		aside[i] = k
	}
	for k := n - 1; k >= 0; k-- {
		if k != aside[0] && k != aside[1] {
			return k, nil
		}
	}
	return n - 1, nil
}

// columnOf returns the position of a column among n with the given names; purpose says
// what for.
func columnOf(column, purpose string, name func(k int) string, n int) (int, error) {
	for k := range n {
		if name(k) == column {
			return k, nil
		}
	}
	return unnamedColumn(column, purpose, name, n)
}

// unnamedColumn is columnOf for what is no name.
func unnamedColumn(column, purpose string, name func(k int) string, n int) (int, error) {
	switch column {
	case "last":
		return n - 1, nil
	case "first":
		return 0, nil
	}
	k, used, err := textscan.Int([]byte(column))
	switch {
	case used != len(column) || used == 0:
		e := &format.NoColumnError{Column: column, Text: fmt.Sprintf("there is no column %s for %s: expected the name of one, first, last, or a number from 1 to %d", textscan.Quote([]byte(column)), purpose, n)}
		for k := range n {
			e.Names = append(e.Names, name(k))
		}
		return -1, &format.Error{Err: e}
	case err != nil || k < 1 || k > int64(n):
		return -1, &format.Error{Err: fmt.Errorf("there is no column %s for %s: expected a number from 1 to %d", textscan.Quote([]byte(column)), purpose, n)}
	}
	return int(k) - 1, nil
}
