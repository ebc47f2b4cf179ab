package csvfmt

import (
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/slimsvm/slimsvm/format"
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
	// the same way; "": none. Like the weights, it is not the class unless Class says so. Name it in
	// Nominal too: a column of nearly all different texts is String else, and one of numbers Numeric.
	Groups string

	// SkipFault is called for a fault after which it can be told where the next record begins. If it
	// returns true, the faulty record is not a row and reading goes on. In this way a program can
	// list all faults of a text. Skipping returns the record's lines. nil: reading ends at the first
	// fault.
	//
	// If the line of the fault, which an earlier line's quote is open in, would have none up to there
	// as the first line of a record, that quote is the fault: an [ErrOpen]. The next record begins
	// behind the line of a quote that is left open, and else behind the faulty record.
	SkipFault func(fault error) bool

	// Workers is how many processors are kept busy with reading a large text, up to eight; 0 or 1:
	// only the caller's goroutine reads. Others, a few more than that, end soon when Read is no
	// longer called. What is read does not depend on them.
	Workers int

	// Context ends the reading: when it is cancelled, Header, which reads the whole text, and Read
	// soon return its error, with its cause. nil: nothing does.
	Context context.Context

	replay *format.Replay
	survey survey
	dialect
	returns          bool // lines end with carriage returns
	hasSeparatorLine bool // the first line says what the separator is
	most             int  // bytes of a record
	named            bool // behind the names each record begins with a name of its own
	header           *format.Header
	nominal          []bool   // which columns Nominal names; nil: none
	records          *records // of the last reading
	skipping         span     // see Skipping
	resembling       []Resembling
	rows             rowMaker
	read             int // rows

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
// (GOMAXPROCS). A column of numbers that has a word too, such as NA, is Nominal: a program that
// expects numbers takes a Reader and asks for [Reader.Mixed], as its example does.
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
	return r.rows.row, nil
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
		if err := r.nextRecord(); err == nil || !r.skips(r.records, err) {
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
		r.rows.begin(r)
	}
	r.read++
	if err := r.rows.beginRow(); err != nil {
		return changed(err)
	}
	return r.rows.makeValues()
}

// changed returns the error of a text that is not what it was, or err if its
// device failed.
func changed(err error) error {
	if e := (*format.Error)(nil); err == nil || err == io.EOF || errors.As(err, &e) {
		return format.ErrChanged
	}
	return err
}

// A Mixed describes a column that has both numbers and text, so that it is not Numeric. The text is
// often a misspelt number or a word for a missing value.
//
// If all numbers of a Nominal column are nan, a missing value among numbers but a label among
// words, Numbers is 0, and the texts told of are these: Line and Column are 0, since they are not
// known.
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
			mixed := Mixed{k, c.numbers, c.cells - c.numbers, c.textAt.line, c.textAt.column, c.text}
			if nan, ok := r.nanAmongWords(k); ok {
				mixed = Mixed{Attribute: k, Texts: c.numbers, Text: nan}
			}
			m = append(m, mixed)
		}
	}
	return m
}
