package csvfmt

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A FirstLine says what the first line of a text holds.
type FirstLine int

// The kinds of first lines.
const (
	FirstLineDetected FirstLine = iota // names or a row, by the rules of the package comment
	FirstLineNames
	FirstLineRow
)

// A Reader reads rows. It implements format.Reader. Set the exported fields before the first call.
type Reader struct {
	Separator byte      // between cells, or Blanks; 0: found out
	Quote     byte      // " or '; 0: "
	Backslash bool      // backslashes in quotes have their meaning in Weka's CSV
	FirstLine FirstLine // whether there are names
	Names     []string  // known column names: a first record that has them all holds names
	Missing   []string  // further words for a missing value, such as NA; for quotes see the package comment

	// DecimalMark is the decimal mark, a point or a comma; 0: found out, see the package comment.
	DecimalMark byte
	// LikelyComma says that other data, such as the training data, have decimal commas.
	LikelyComma bool

	// QuotedNumbers makes a column of numbers that are all in quotes Numeric even if other cells
	// are not in quotes.
	QuotedNumbers bool

	// Numeric makes all columns Numeric: a cell that is not a number is an error instead of making
	// its column Nominal.
	Numeric bool

	// Nominal names columns whose cells are labels, even if all are numbers. A column is given by
	// its name, by first or last, or by its number from 1, in this order. Such columns are not
	// Numeric even if Numeric is set, and never String.
	Nominal []string

	// Class says which column has the labels: its name, first, last, or its number from 1, in this
	// order; "": last.
	Class string

	// Weights names the column of the rows' weights, in the same way; "": none. The Reader treats
	// it as an ordinary column of numbers, except that the last of the other columns is the class,
	// unless Class says which.
	Weights string

	// Groups names the column that says what a row belongs to, such as a patient or a document, in
	// the same way; "": none. Like the weights, it is not the class unless Class says so.
	Groups string

	// Pass is called for a fault after which it can be told where the next record begins. If it
	// returns true, the faulty record is not a row and reading goes on. In this way a program can
	// list all faults of a text. Passing returns the record's lines. nil: reading ends at the first
	// fault.
	//
	// If the line of the fault, which an earlier line's quote is open in, would have none up to there
	// as the first line of a record, that quote is the fault: an [ErrOpen]. The next record begins
	// behind the line of a quote that is left open, and else behind the faulty record.
	Pass func(fault error) bool

	// Workers is how many processors are kept busy with reading a large text, up to eight; 0 or 1:
	// only the caller's goroutine reads. Others, a few more than that, end soon when Read is no
	// longer called. What is read does not depend on them.
	Workers int

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
	lenient    []bool   // by column, see AllowInvalidNumbers
	strict     bool     // see DisallowInvalidNumbers
	resembling []Resembling
	read       int // rows
	row        format.Instance
	strings    []byte // the row's strings one behind the other
	ends       []int  // where each ends

	ahead rowBlocks
	sizes blockSizes

	err error // of the last Read
}

// NewReader returns a reader of r. It reads the text two to four times, and two more times to find
// out decimal commas: see format.Replay.
func NewReader(r io.Reader) *Reader {
	replay := format.NewReplay(context.Background(), r)
	replay.Memory = keptInMemory
	return &Reader{replay: replay, most: mostRecord, sizes: blockSizes{blockBytes, firstAlone, worthBlocks}}
}

// mostRecord bounds the memory that a record takes: a packed file of some kilobytes may hold
// one of gigabytes. Of as many columns as there may be, each cell may take 256 bytes.
const mostRecord = 256 << 20

// keptInMemory is how much of an input that cannot be read twice is kept in memory
// and not in a file.
const keptInMemory = 4 << 20

// Parse reads a whole data set. A large text is read by as many goroutines as there are processors
// (GOMAXPROCS).
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	src := NewReader(r)
	src.Context, src.Workers = ctx, runtime.GOMAXPROCS(0)
	defer src.Close()
	return format.ReadAll(ctx, src)
}

// Header returns the columns. It reads the whole text to find their types. A fault after some rows
// is reported by Read when those rows have been read.
func (r *Reader) Header() (*format.Header, error) {
	if r.header == nil && r.err == nil {
		h, err := r.inferColumns()
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

// Close frees what is kept of a text that cannot be read twice. Reading to the end or to an error
// does the same.
func (r *Reader) Close() error { return r.replay.Close() }

// Read returns the next row, which is valid until the next call, or io.EOF. A fault in the text is
// a *format.Error with line and column. After an error, Read returns the same error again.
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

// Line returns the number of the line in which the last row began, 0 before the first row.
func (r *Reader) Line() int {
	if r.read == 0 {
		return 0
	}
	return r.records.line
}

// next makes the next row.
func (r *Reader) next() error {
	for {
		if r.read == r.survey.rows {
			return r.survey.stop
		}
		if r.nextOfBlock() {
			return nil
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
	if err := r.beginRow(); err != nil {
		return changed(err)
	}
	return r.makeValues()
}

// beginRow goes to the next record, which has a row.
func (r *Reader) beginRow() error {
	if r.splits() {
		return r.records.next()
	}
	return r.records.nextLine()
}

// makeValues makes a row of the record.
func (r *Reader) makeValues() error {
	if r.splits() {
		return r.makeCells()
	}
	return r.makeRow()
}

// splits reports whether records are split before rows are made of them.
func (r *Reader) splits() bool { return r.named || r.separator == Blanks }

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
	case r.allowsInvalid(k) && (n == len(b) || r.kind(b) == comma):
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

// A Mixed describes a column that has both numbers and text, so that it is not Numeric. The text is
// often a misspelt number or a word for a missing value.
type Mixed struct {
	Attribute    int // position of the column
	Numbers      int // cells that are numbers
	Texts        int // cells that are text
	Line, Column int // of the first text
	Text         string
}

// Mixed returns the columns that have both numbers and text, except those that Nominal names. They
// are known after Header.
func (r *Reader) Mixed() []Mixed {
	var m []Mixed
	for k := range r.survey.columns {
		if c := &r.survey.columns[k]; c.isText() && c.numbers > 0 && !r.isNamedNominal(k) {
			m = append(m, Mixed{k, c.numbers, c.cells - c.numbers, c.textAt.line, c.textAt.column, c.text})
		}
	}
	return m
}
