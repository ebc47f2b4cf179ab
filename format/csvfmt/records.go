package csvfmt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
)

// A lineSource is a textscan.Lines or as good as one.
type lineSource interface {
	Next() ([]byte, error)
	Number() int
}

// A dialect is what a text is written in.
type dialect struct {
	separator, quote byte
}

// blank reports whether c is white space around a cell.
func (d dialect) blank(c byte) bool { return c == ' ' || c == '\t' && d.separator != '\t' }

// records splits a text into records, and those into cells.
type records struct {
	dialect
	lines lineSource
	most  int  // cells of a record; of what follows only one more is split off
	trust bool // the text was checked before

	rec    []byte // the current record, from its line's first byte on
	plain  bool   // it has no quotes
	marked bool   // a byte order mark stands in front of it
	line   int    // number of the line that it begins in
	cells  []cell

	own  []byte // memory for records of several lines
	ends []int  // where the lines of one end, in rec
}

// A cell is a part of a record: rec[lo:hi] without quotes and blanks around.
type cell struct {
	at, lo, hi int // at: where it begins, with its quote
	quoted     bool
	doubled    bool // holds doubled quotes
}

// text returns what is in a cell. It is valid until next is called.
func (r *records) text(c cell) []byte {
	b := r.rec[c.lo:c.hi]
	if c.doubled {
		q := []byte{r.quote}
		return bytes.ReplaceAll(b, append(q, r.quote), q)
	}
	return b
}

// A place is a position in the text.
type place struct{ line, column int }

// place returns where an offset of the current record is.
func (r *records) place(at int) place {
	n := sort.SearchInts(r.ends, at)
	switch {
	case n == 0 && r.marked:
		return place{r.line, len(byteOrderMark) + at + 1}
	case n == 0:
		return place{r.line, at + 1}
	}
	return place{r.line + n, at - r.ends[n-1]}
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

// nextWhole is next, but leaves a plain record whole.
func (r *records) nextWhole() error {
	for {
		line, err := r.lines.Next()
		if err != nil {
			return err
		}
		r.line = r.lines.Number()
		if r.marked = r.line == 1 && bytes.HasPrefix(line, byteOrderMark); r.marked {
			line = line[len(byteOrderMark):]
		}
		r.cells, r.ends = r.cells[:0], r.ends[:0]
		if r.plain = bytes.IndexByte(line, r.quote) < 0; !r.plain {
			return r.splitQuoted(line)
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		r.rec = line
		if !r.trust {
			if err := r.check(0, len(line)); err != nil {
				return err
			}
		}
		for _, c := range line {
			if !r.blank(c) {
				return nil
			}
		}
	}
}

// split splits a record without quotes.
func (r *records) split() {
	at := 0
	for {
		n := bytes.IndexByte(r.rec[at:], r.separator)
		if n < 0 {
			r.cells = append(r.cells, r.trim(at, len(r.rec)))
			return
		}
		r.cells = append(r.cells, r.trim(at, at+n))
		if len(r.cells) > r.most {
			return
		}
		at += n + 1
	}
}

// trim returns the cell in rec[lo:hi] without the blanks around.
func (r *records) trim(lo, hi int) cell {
	for lo < hi && r.blank(r.rec[lo]) {
		lo++
	}
	for lo < hi && r.blank(r.rec[hi-1]) {
		hi--
	}
	return cell{at: lo, lo: lo, hi: hi}
}

var (
	errNUL     = errors.New("unexpected NUL byte: expected a text in UTF-8")
	errReturn  = errors.New("carriage return inside a line: expected quotes around the cell")
	errUTF8    = errors.New("the text is not UTF-8")
	errUTF16   = errors.New("the text is UTF-16, expected UTF-8")
	errOpen    = errors.New("the quote that opens here is not closed")
	errColumns = fmt.Errorf("more than %d columns", mostColumns)
)

// mostColumns bounds the memory that a line of separators takes.
const mostColumns = 1 << 20

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
func (r *records) splitQuoted(line []byte) error {
	r.rec = line
	at := 0
	for {
		for at < len(r.rec) && r.blank(r.rec[at]) {
			at++
		}
		var err error
		if at < len(r.rec) && r.rec[at] == r.quote {
			at, err = r.quotedCell(at)
		} else {
			at, err = r.bareCell(at)
		}
		if err != nil || at > len(r.rec) || len(r.cells) > r.most {
			return err
		}
	}
}

// end returns the offset of the record's end without a carriage return.
func (r *records) end() int {
	if n := len(r.rec); n > 0 && r.rec[n-1] == '\r' {
		return n - 1
	}
	return len(r.rec)
}

// bareCell adds the cell without quotes at rec[at:] and returns where the next
// one begins, beyond the end when there is none.
func (r *records) bareCell(at int) (next int, err error) {
	hi, next := r.end(), len(r.rec)+1
	if n := bytes.IndexByte(r.rec[at:hi], r.separator); n >= 0 {
		hi, next = at+n, at+n+1
	}
	if !r.trust {
		if n := bytes.IndexByte(r.rec[at:hi], r.quote); n >= 0 {
			return 0, r.fault(at+n, fmt.Errorf("unexpected %q inside the cell %s: expected quotes around the cell, and doubled inside",
				r.quote, quoteText(r.rec[at:hi])))
		}
		if err := r.check(at, hi); err != nil {
			return 0, err
		}
	}
	r.cells = append(r.cells, r.trim(at, hi))
	return next, nil
}

// quotedCell adds the cell whose quote opens at rec[at] and returns where the
// next one begins, beyond the end when there is none.
func (r *records) quotedCell(at int) (next int, err error) {
	c := cell{at: at, lo: at + 1, quoted: true}
	i := c.lo
	for {
		n := bytes.IndexByte(r.rec[i:], r.quote)
		if n < 0 {
			i = len(r.rec) + 1
			if err := r.nextLine(c.at); err != nil {
				return 0, err
			}
			continue
		}
		i += n + 1
		if i == len(r.rec) || r.rec[i] != r.quote {
			break
		}
		c.doubled = true
		i++
	}
	c.hi = i - 1
	if !r.trust {
		if err := r.checkText(c.lo, c.hi); err != nil {
			return 0, err
		}
	}
	r.cells = append(r.cells, c)
	end := r.end()
	for i < end && r.blank(r.rec[i]) {
		i++
	}
	switch {
	case i == end:
		return len(r.rec) + 1, nil
	case r.rec[i] == r.separator:
		return i + 1, nil
	}
	return 0, r.fault(i, fmt.Errorf("expected %q or the end of the line behind the closing quote, found %s", r.separator, quoteText(r.rec[i:end])))
}

// nextLine adds another line to the record, whose quote opens at rec[at].
func (r *records) nextLine(at int) error {
	if len(r.own) == 0 || &r.rec[0] != &r.own[0] {
		r.own = append(r.own[:0], r.rec...)
	}
	line, err := r.lines.Next()
	if err != nil {
		if err == io.EOF {
			err = r.fault(at, errOpen)
		}
		return err
	}
	r.ends = append(r.ends, len(r.own))
	r.own = append(append(r.own, '\n'), line...)
	r.rec = r.own
	return nil
}
