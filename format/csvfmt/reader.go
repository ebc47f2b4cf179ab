package csvfmt

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A FirstLine says what the first line of a text holds.
type FirstLine int

// The kinds of first lines.
const (
	FirstLineDetected FirstLine = iota // names or a row, as it looks
	FirstLineNames
	FirstLineRow
)

// A Reader reads rows. It implements format.Reader. The exported fields are set
// before the first call.
type Reader struct {
	Separator byte      // between cells, or Blanks; 0: found out
	Quote     byte      // " or '; 0: "
	Backslash bool      // in quotes, backslashes are those of Weka's CSV
	FirstLine FirstLine // whether there are names
	Names     []string  // of columns elsewhere: a first record that has them all holds names
	Missing   []string  // words that stand for a missing value besides ?, NA for one; see the package comment of quotes

	// DecimalMark is what fractions begin with, a point or a comma; 0: found out, see the package comment.
	DecimalMark byte
	// LikelyComma says that other data, those of training for one, have decimal commas.
	LikelyComma bool

	// QuotedNumbers makes a column of numbers that are all in quotes numeric even
	// where other cells stand without quotes.
	QuotedNumbers bool

	// Numeric makes all columns numeric: a cell that is no number is an error, and
	// not the reason to take its column for labels.
	Numeric bool

	// Nominal names columns whose cells are labels, as they stand, even if all are
	// numbers: each by its name, first, last, or its number from 1. A name goes first.
	// They are not numeric where Numeric says that all are, and never String.
	Nominal []string

	// Class says which column holds the labels: its name, first, last, or its
	// number from 1; "": last. A name goes first.
	Class string

	// Weights names the column of the rows' weights, in the same way; "": none. It is numbers to this
	// reader as others are. The last column but this one is the class, unless Class says which.
	Weights string

	// Groups names the column of what rows belong to, a patient or a document, in the same way; "": none. Like that
	// of weights it is not the class unless Class says so.
	Groups string

	// Pass is told of a fault of a record that leaves no doubt where the next one begins, in whatever
	// line there may be quotes: the record is one line, in which none is left open, or the line of the
	// fault, where a quote from before is closed, has one as the first of a record too. Passing tells the
	// record's lines. If Pass returns true the record is no row, and reading goes on. So all faults of a
	// text can be listed. nil: reading ends at the first.
	Pass func(fault error) bool

	// Context ends the reading: when it is cancelled, Header, which reads the whole text, and Read
	// soon return its error. nil: nothing does.
	Context context.Context

	replay *format.Replay
	survey survey
	dialect
	returns    bool // lines end with carriage returns
	told       bool // the first line says what the separator is
	most       int  // bytes of a record
	named      bool // behind the names each record begins with a name of its own
	header     *format.Header
	nominal    []bool   // which columns Nominal names; nil: none
	records    *records // of the last reading
	numeric    []bool   // which columns are, and are not kept
	kept       []*kept  // by column, see KeepTexts; nil: not
	passing    span     // see Passing
	forgiven   []bool   // by column, see Forgive
	insists    bool     // see Insist
	resembling []Resembling
	read       int // rows
	row        format.Instance
	strings    []byte // the row's strings one behind the other
	ends       []int  // where each ends
	err        error  // of the last Read
}

// NewReader returns a reader of the text r, which it reads two to four times, and
// two times more where decimal commas are found out:
// see format.Replay.
func NewReader(r io.Reader) *Reader {
	replay := format.NewReplay(context.Background(), r)
	replay.Memory = keptInMemory
	return &Reader{replay: replay, most: mostRecord}
}

// mostRecord bounds the memory that a record takes: a packed file of some kilobytes may hold
// one of gigabytes. Of as many columns as there may be, each cell may take 256 bytes.
const mostRecord = 256 << 20

// keptInMemory is how much of an input that cannot be read twice is kept in memory
// and not in a file. Growing takes some times as much.
const keptInMemory = 4 << 20

// Parse reads a whole data set.
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	src := NewReader(r)
	src.Context = ctx
	defer src.Close()
	return format.ReadAll(ctx, src)
}

// Header reads the whole text, from which the types of the columns follow, and
// returns them. A fault behind some rows is reported when those have been read.
func (r *Reader) Header() (*format.Header, error) {
	if r.header == nil && r.err == nil {
		h, err := r.study()
		if err != nil {
			r.fail(err)
		}
		r.header = h
	}
	if r.header == nil {
		return nil, r.err
	}
	return r.header, nil
}

// fail ends the reading.
func (r *Reader) fail(err error) {
	r.err = err
	r.Close()
}

// Close gives back what is kept of a text that cannot be read twice. Reading to
// the end or to an error does the same.
func (r *Reader) Close() error { return r.replay.Close() }

// Read returns the next row, which is valid until the next call, or io.EOF. A
// fault in the text is a *format.Error with line and column; after any error
// the reader stays there.
func (r *Reader) Read() (format.Instance, error) {
	if _, err := r.Header(); err != nil {
		return format.Instance{}, err
	}
	if r.err == nil {
		if err := r.next(); err != nil {
			r.fail(err)
		}
	}
	if r.err != nil {
		return format.Instance{}, r.err
	}
	return r.row, nil
}

// next makes the next row.
func (r *Reader) next() error {
	for {
		if r.read == r.survey.rows {
			return r.survey.stop
		}
		if err := r.nextRecord(); err == nil || !r.passes(r.records, err) {
			return err
		}
	}
}

// nextRecord makes a row of the next record.
func (r *Reader) nextRecord() error {
	if r.read == 0 {
		if err := r.again(); err != nil {
			return err
		}
		r.row.Weight = 1
		for k := range r.header.Attributes {
			r.row.X.Index = append(r.row.X.Index, int32(k))
			r.numeric = append(r.numeric, r.header.Attributes[k].Type == format.Numeric && !r.keeps(k))
		}
		r.row.X.Value = make([]float64, len(r.row.X.Index))
	}
	r.read++
	if r.named || r.separator == Blanks {
		if err := r.records.next(); err != nil {
			return changed(err)
		}
		return r.makeCells()
	}
	if err := r.records.nextLine(); err != nil {
		return changed(err)
	}
	return r.makeRow()
}

// makeCells makes a row of the record, which is split.
func (r *Reader) makeCells() (err error) {
	values, cells := r.row.X.Value, r.records.cells
	if len(cells) != len(values) {
		return format.ErrChanged
	}
	r.strings, r.ends = r.strings[:0], r.ends[:0]
	for k := range cells {
		if values[k], err = r.value(k, &cells[k]); err != nil {
			return err
		}
	}
	r.cutStrings()
	return nil
}

// makeRow makes a row of the record, which is not split.
func (r *Reader) makeRow() error {
	rec := r.records
	quick := !r.survey.numbers && !r.Numeric && !r.comma // a number may be no missing value, nor 0x10
	r.strings, r.ends = r.strings[:0], r.ends[:0]
	b, end := rec.rec, rec.end()
	values, numeric, separator := r.row.X.Value, r.numeric[:len(r.row.X.Value)], r.separator
	at := 0
	for k := range values {
		if quick && numeric[k] && at < end {
			if b[at] > ' ' {
				v, n, err := textscan.Float(b[at:end])
				if stop := at + n; n > 0 && err == nil && stop < end && b[stop] == separator && !math.IsNaN(v) { // a nan may go on, see numberAt
					values[k], at = v, stop+1
					continue
				}
			}
			if v, next := numberAt(b, at, end, separator, r.quote); next > 0 {
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
		if values[k], err = r.value(k, &rec.cells[0]); err != nil {
			return err
		}
		b, end = rec.rec, rec.end()
		at = next
	}
	if at <= len(b) {
		return format.ErrChanged
	}
	r.cutStrings()
	return nil
}

// numberAt returns the number in the cell that begins at b[at] of a record
// without line end, b[:end], and where the next cell begins, beyond the end of b
// when there is none; 0 when the cell holds something else or blanks, or a nan: of nan(5)
// only the first three bytes are in the cell where ( separates.
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
func (r *Reader) cutStrings() {
	r.row.Strings = r.row.Strings[:0]
	if len(r.ends) == 0 {
		return
	}
	all, start := string(r.strings), 0
	for _, end := range r.ends {
		r.row.Strings = append(r.row.Strings, all[start:end])
		start = end
	}
}

// changed returns the error of a text that is not what it was, or err if its
// device failed.
func changed(err error) error {
	if e := (*format.Error)(nil); err == nil || err == io.EOF || errors.As(err, &e) {
		return format.ErrChanged
	}
	return err
}

// value returns what a cell stands for in column k.
func (r *Reader) value(k int, c *cell) (float64, error) {
	b := r.records.text(c)
	if r.keeps(k) {
		r.keep(k, c, b)
	}
	if r.survey.isMissing(c, b) {
		return math.NaN(), nil
	}
	a := &r.header.Attributes[k]
	if a.Type == format.Numeric && r.survey.isToldMissing(c.quoted, b) {
		return math.NaN(), nil
	}
	switch a.Type {
	case format.Nominal:
		if i, ok := r.survey.columns[k].texts.set.Find(b); ok {
			return float64(i), nil
		}
		return 0, format.ErrChanged
	case format.String:
		r.strings = append(r.strings, b...)
		r.ends = append(r.ends, len(r.strings))
		return float64(len(r.ends) - 1), nil
	}
	v, n, err := r.float(b)
	switch {
	case r.Numeric && r.kind(b) == text: // such as 0x10
	case n == len(b) && (err == nil || v > -1 && v < 1): // the nearest to a tiny number
		return v, nil
	case r.forgives(k) && (n == len(b) || r.kind(b) == comma):
		return 0, nil
	case n == len(b):
		return 0, r.records.fault(c.at, errTooLarge(b))
	case r.kind(b) == comma:
		return 0, r.records.fault(c.at, r.errMark(b))
	}
	if r.Numeric {
		return 0, r.records.fault(c.at, &NotNumberError{string(b)})
	}
	return 0, format.ErrChanged
}

// A Mixed column holds both numbers and text, so that it is not numeric. Often
// the text is a misspelt number or a word for a missing value.
type Mixed struct {
	Attribute    int // its position
	Numbers      int // how many cells are numbers
	Texts        int
	Line, Column int // where the first text stands
	Text         string
}

// Mixed returns the columns that hold both numbers and text, once Header has
// returned, but those that Nominal names.
func (r *Reader) Mixed() []Mixed {
	var m []Mixed
	for k := range r.survey.columns {
		if c := &r.survey.columns[k]; c.isText() && c.numbers > 0 && !r.isNamedNominal(k) {
			m = append(m, Mixed{k, c.numbers, c.cells - c.numbers, c.textAt.line, c.textAt.column, c.text})
		}
	}
	return m
}
