package csvfmt

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A lineSource is a textscan.Lines or as good as one.
type lineSource interface {
	Next() ([]byte, error)
	Number() int
}

// A dialect is what a text is written in.
type dialect struct {
	separator, quote byte
	comma            bool // fractions begin with one, not with a point
	backslash        bool // in quotes one stands before a character to make it another, or no quote
}

// Blanks is the Separator of tables whose cells are separated by any number of blanks and tabs, as
// R's write.table and Fortran write them.
const Blanks = ' '

// blank reports whether c is white space around a cell.
func (d dialect) blank(c byte) bool { return c == ' ' || c == '\t' && d.separator != '\t' }

// records splits a text into records, and those into cells.
type records struct {
	dialect
	lines lineSource
	most  int    // cells of a record; of what follows only one more is split off
	bytes int    // of a record
	trust bool   // the text was checked before
	named bool   // a record's first cell names it, and is left out of cells
	inner bool   // the text begins behind the first line of a file
	omit  []span // lines of records that are passed over, in order

	rec    []byte // the current record, from its line's first byte on
	plain  bool   // it has no quotes; false: not known
	clean  bool   // all of its lines have only bytes that a cell may have
	marked bool   // a byte order mark stands in front of it
	line   int    // number of the line that it begins in
	joined bool   // a quote is open at that line's end
	cells  []cell

	own  []byte // memory for records of several lines
	free []byte // and for cells with doubled quotes

	// what the last place of the record was found by: the next one is looked for behind it
	placed int // its offset
	above  int // lines of the record that end before it
	begins int // where its own begins
}

// A cell is a part of a record: rec[lo:hi] without quotes and blanks around.
type cell struct {
	at, lo, hi int // at: where it begins, with its quote
	quoted     bool
	doubled    bool // holds doubled quotes, or backslashes that mean something
	number     bool // is a plain number; false: not known
}

// A place is a position in the text.
type place struct{ line, column int }

// place returns where an offset of the current record is. Places that are asked for one behind the
// other take one pass over a record.
func (r *records) place(at int) place {
	if at < r.placed {
		r.placed, r.above, r.begins = 0, 0, 0
	}
	between := r.rec[r.placed:at]
	if n := bytes.Count(between, []byte{'\n'}); n > 0 {
		r.above += n
		r.begins = r.placed + bytes.LastIndexByte(between, '\n') + 1
	}
	r.placed = at
	column := at - r.begins + 1
	if r.above == 0 && r.marked {
		column += len(byteOrderMark)
	}
	return place{r.line + r.above, column}
}

// fault returns an error at an offset of the current record.
func (r *records) fault(at int, err error) error {
	p := r.place(at)
	return &format.Error{Line: p.line, Column: p.column, Err: err}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// next reads the next record that is not empty, and splits it. The error is
// io.EOF at the end, a fault in the text, or that of the input.
func (r *records) next() error {
	err := r.nextWhole()
	if err == nil && r.plain {
		r.split()
	}
	return err
}

// dropName leaves out the cell that names the record.
func (r *records) dropName() {
	if r.named {
		r.cells = r.cells[:copy(r.cells, r.cells[1:])]
	}
}

// nextWhole is next, but leaves a plain record whole.
func (r *records) nextWhole() error {
	for {
		if err := r.begin(); err != nil {
			return err
		}
		if r.plain = bytes.IndexByte(r.rec, r.quote) < 0; !r.plain {
			return r.splitQuoted()
		}
		r.rec = r.rec[:r.end()]
		if !r.clean {
			if err := r.check(0, len(r.rec)); err != nil {
				return err
			}
		}
		if !r.isBlank() {
			return nil
		}
	}
}

// nextLine goes to the next line that is not empty, of a text that was checked
// before. Its cells are for cellAt to find.
func (r *records) nextLine() error {
	for {
		if err := r.begin(); err != nil || !r.isBlank() {
			return err
		}
	}
}

// begin begins a record with the next line.
func (r *records) begin() error {
	line, err := r.lines.Next()
	for ; err == nil && len(r.omit) > 0 && r.omit[0].first <= r.lines.Number(); line, err = r.lines.Next() {
		if r.omit[0].last == r.lines.Number() {
			r.omit = r.omit[1:]
		}
	}
	if err != nil {
		return err
	}
	marked := !r.inner && r.lines.Number() == 1 && bytes.HasPrefix(line, byteOrderMark)
	if marked {
		line = line[len(byteOrderMark):]
	}
	r.begun(line, r.lines.Number())
	r.marked = marked
	r.clean = r.trust || isClean(line)
	return nil
}

// within returns records of lines from the middle of the text.
func (r *records) within(lines lineSource) records {
	w := *r
	w.lines, w.inner = lines, true
	w.rec, w.cells, w.own, w.free, w.omit = nil, nil, nil, nil, nil
	return w
}

// begun makes a line of the given number the beginning of the current record.
func (r *records) begun(line []byte, number int) {
	r.rec, r.line = line, number
	r.joined, r.plain, r.clean, r.marked = false, false, false, false
	r.cells = r.cells[:0]
	r.placed, r.above, r.begins = 0, 0, 0
}

// isBlank reports whether the record is an empty line.
func (r *records) isBlank() bool {
	for _, c := range r.rec[:r.end()] {
		if !r.blank(c) {
			return false
		}
	}
	return true
}

// split splits a record without quotes.
func (r *records) split() {
	if r.separator == Blanks {
		r.splitBlanks()
	} else {
		r.splitPlain()
	}
	r.dropName()
}

// splitPlain is split where a character stands between two cells.
func (r *records) splitPlain() {
	at := 0
	for {
		end := cellEnd(r.rec, at, r.separator)
		r.cells = append(r.cells, r.trim(at, end))
		if end == len(r.rec) || len(r.cells) > r.most {
			return
		}
		at = end + 1
	}
}

// splitBlanks is split where cells stand apart by blanks.
func (r *records) splitBlanks() {
	for at := r.past(0, len(r.rec)); at < len(r.rec) && len(r.cells) <= r.most; {
		end := r.blankAfter(at, len(r.rec))
		r.cells = append(r.cells, cell{at: at, lo: at, hi: end, number: plainNumber(r.rec, at) == end})
		at = r.past(end, len(r.rec))
	}
}

// past returns where the blanks at rec[at:end] end.
func (r *records) past(at, end int) int {
	for at < end && r.blank(r.rec[at]) {
		at++
	}
	return at
}

// blankAfter returns the position of the first blank in rec[at:end], or end.
func (r *records) blankAfter(at, end int) int {
	for at < end && !r.blank(r.rec[at]) {
		at++
	}
	return at
}

// scan returns the position of the first separator in rec[at:end], or end, and
// that of a quote before it, or -1.
func (r *records) scan(at, end int) (separator, quote int) {
	if r.separator == Blanks {
		separator = r.blankAfter(at, end)
	} else {
		separator = cellEnd(r.rec[:end], at, r.separator)
	}
	if cellEnd(r.rec[:separator], at, r.quote) < separator {
		return separator, cellEnd(r.rec[:separator], at, r.quote)
	}
	return separator, -1
}

// trim returns the cell in rec[lo:hi] without the blanks around.
func (r *records) trim(lo, hi int) cell {
	b := r.rec
	for lo < hi && b[lo] <= ' ' && r.blank(b[lo]) {
		lo++
	}
	for lo < hi && b[hi-1] <= ' ' && r.blank(b[hi-1]) {
		hi--
	}
	return cell{at: lo, lo: lo, hi: hi}
}

const (
	errNUL  = encodingError("unexpected NUL byte: expected a text in UTF-8")
	errUTF8 = encodingError("the text is not UTF-8")
)

var (
	errReturn  = misplaced("carriage return inside a line: expected quotes around the cell")
	errColumns = fmt.Errorf("more than %d columns", mostColumns)
)

// mostColumns bounds the memory that a line of separators takes.
const mostColumns = 1 << 20

// isClean reports whether check finds nothing in a line, but perhaps a carriage
// return at its end.
func isClean(line []byte) bool {
	if n := bytes.IndexByte(line, '\r'); n >= 0 && n < len(line)-1 {
		return false
	}
	return bytes.IndexByte(line, 0) < 0 && utf8.Valid(line)
}

// check looks for bytes that no text has, in rec[lo:hi] outside quotes.
func (r *records) check(lo, hi int) error {
	if n := bytes.IndexByte(r.rec[lo:hi], '\r'); n >= 0 {
		return r.fault(lo+n, errReturn)
	}
	return r.checkText(lo, hi)
}

// checkText looks for bytes that no text has, in rec[lo:hi].
func (r *records) checkText(lo, hi int) error {
	b := r.rec[lo:hi]
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return r.fault(lo+n, errNUL)
	}
	if utf8.Valid(b) {
		return nil
	}
	n := 0
	for {
		c, size := utf8.DecodeRune(b[n:])
		if c == utf8.RuneError && size == 1 {
			return r.fault(lo+n, fmt.Errorf("%w: found the byte %#x", errUTF8, b[n]))
		}
		n += size
	}
}

// splitQuoted splits a record whose first line has quotes.
func (r *records) splitQuoted() (err error) {
	at := 0
	for err == nil && at <= len(r.rec) && len(r.cells) <= r.most {
		if next := r.numberAt(at); next > 0 {
			at = next
		} else {
			at, err = r.cellAt(at)
		}
	}
	if err == nil {
		r.dropName()
	}
	return err
}

// numberAt is cellAt for a cell that is a plain number, perhaps in quotes; it
// returns 0 for any other.
func (r *records) numberAt(at int) (next int) {
	for at < len(r.rec) && r.rec[at] == ' ' {
		at++
	}
	c := cell{at: at, lo: at, number: true}
	if at < len(r.rec) && r.rec[at] == r.quote {
		c.lo, c.quoted = at+1, true
	}
	c.hi = plainNumber(r.rec, c.lo)
	if c.hi == c.lo || c.quoted && (c.hi == len(r.rec) || r.rec[c.hi] != r.quote) {
		return 0
	}
	end := c.hi
	if c.quoted {
		end++
	}
	if next = r.behind(end); next > 0 {
		r.cells = append(r.cells, c)
	}
	return next
}

// cellAt adds the cell that begins at rec[at] and returns where the next one
// does, beyond the end when there is none.
func (r *records) cellAt(at int) (next int, err error) {
	at = r.past(at, len(r.rec))
	if at < len(r.rec) && r.rec[at] == r.quote {
		return r.quotedCell(at)
	}
	return r.bareCell(at)
}

// end returns the offset of the record's end without a carriage return.
func (r *records) end() int {
	if n := len(r.rec); n > 0 && r.rec[n-1] == '\r' {
		return n - 1
	}
	return len(r.rec)
}

// bareCell is cellAt for a cell without quotes, which begins with no blank.
func (r *records) bareCell(at int) (next int, err error) {
	end := r.end()
	hi, quote := r.scan(at, end)
	next = r.behind(hi)
	if quote >= 0 {
		return 0, r.fault(quote, misplaced(fmt.Sprintf("unexpected %q inside the cell %s: expected quotes around the cell, and doubled inside",
			r.quote, textscan.Quote(r.rec[at:hi]))))
	}
	if !r.clean {
		if err := r.check(at, hi); err != nil {
			return 0, err
		}
	}
	r.cells = append(r.cells, r.trim(at, hi))
	return next, nil
}

// quotedCell is cellAt for a cell whose quote opens at rec[at].
func (r *records) quotedCell(at int) (next int, err error) {
	c := cell{at: at, lo: at + 1, quoted: true}
	i := c.lo
	for {
		n := bytes.IndexByte(r.rec[i:], r.quote)
		if n < 0 {
			i = len(r.rec) + 1
			if err := r.join(c.at); err != nil {
				return 0, err
			}
			continue
		}
		i += n + 1
		if r.escapes(r.rec[c.lo:], i-1-c.lo) {
			c.doubled = true
			continue
		}
		if i == len(r.rec) || r.rec[i] != r.quote {
			break
		}
		c.doubled = true
		i++
	}
	c.hi = i - 1
	if r.backslash && !c.doubled {
		c.doubled = bytes.IndexByte(r.rec[c.lo:c.hi], '\\') >= 0
	}
	if !r.clean {
		if err := r.checkText(c.lo, c.hi); err != nil {
			return 0, err
		}
	}
	r.cells = append(r.cells, c)
	end := r.end()
	if r.separator != Blanks {
		i = r.past(i, end)
	}
	if next = r.behind(i); next > 0 {
		return next, nil
	}
	separator := strconv.QuoteRune(rune(r.separator))
	if r.separator == Blanks {
		separator = "a blank"
	}
	return 0, r.fault(i, misplaced(fmt.Sprintf("expected %s or the end of the line behind the closing quote, found %s", separator, textscan.Quote(r.rec[i:end]))))
}

// behind returns where the cell behind the one that ends at rec[at] begins, beyond
// the end of the record when there is none; 0 when no cell ends there.
func (r *records) behind(at int) (next int) {
	if r.separator == Blanks && at < len(r.rec) && r.blank(r.rec[at]) {
		if at = r.past(at, len(r.rec)); at < r.end() {
			return at
		}
	}
	switch {
	case at < len(r.rec) && r.rec[at] == r.separator:
		return at + 1
	case at == r.end():
		return len(r.rec) + 1
	}
	return 0
}

// join adds another line to the record, whose quote opens at rec[at].
func (r *records) join(at int) error {
	r.joined = true
	if len(r.own) == 0 || &r.rec[0] != &r.own[0] {
		r.own = append(r.own[:0], r.rec...)
		r.rec = r.own // what it was is valid until the next line only
	}
	line, err := r.lines.Next()
	if err != nil {
		if err == io.EOF {
			err = r.fault(at, ErrOpen)
		}
		return err
	}
	if len(r.own)+len(line) >= r.bytes {
		return r.fault(at, fmt.Errorf("%w within %d MiB", ErrOpen, r.bytes>>20))
	}
	r.clean = r.clean && (r.trust || isClean(line))
	r.own = append(append(r.own, '\n'), line...)
	r.rec = r.own
	return nil
}
