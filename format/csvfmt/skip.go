package csvfmt

import (
	"bytes"
	"errors"

	"github.com/slimsvm/slimsvm/format"
)

// A span is lines from one to another.
type span struct{ first, last int }

// Skipping returns the first and the last line of the record for which SkipFault is being called.
func (r *Reader) Skipping() (first, last int) { return r.skipping.first, r.skipping.last }

// skips reports whether the current record, which has a fault, is to be passed over.
func (r *Reader) skips(rec *records, fault error) bool {
	at := (*format.Error)(nil)
	if r.SkipFault == nil || !errors.As(fault, &at) || at.Column == 0 || at.Line < rec.line || at.Line > rec.lines.Number() {
		return false
	}
	last, encoding := rec.lines.Number(), errors.Is(fault, ErrEncoding)
	clear, behind := false, fault
	if !errors.Is(fault, ErrOpen) {
		clear, behind = rec.endsClearly(fault, place{at.Line, at.Column})
	}
	if clear || !encoding {
		last = rec.lines.Number() // by now
	}
	if !clear {
		if rec == r.records || errors.Is(fault, ErrOpen) && at.Err != ErrOpen {
			return false // the rows are counted, or there is more behind it that was read
		}
		if !encoding && !errors.Is(behind, ErrEncoding) || last >= at.Line+mostBehind {
			last = at.Line
		} // else the quotes around such bytes are closed there
		if !encoding {
			if open := rec.opens(at); open != nil {
				fault, last = open, open.Line
			}
		}
	}
	r.skipping = span{rec.line, last}
	if !r.SkipFault(fault) {
		return false
	}
	rec.goBack(last)
	return true
}

// opens returns the fault of the quote that opens before the line of a fault in the current record,
// which does not end clearly, if that is the reason of it: nil if not. The next record begins in
// the line behind the quote's.
func (r *records) opens(at *format.Error) *format.Error {
	if at.Line == r.line {
		return nil
	}
	alone := r.alone(at.Line)
	for few := 1; errors.Is(alone, ErrOpen) && r.readOn(few); few *= 2 {
		alone = r.alone(at.Line)
	}
	if f := (*format.Error)(nil); errors.As(alone, &f) && f.Line == at.Line && f.Column <= at.Column {
		return nil
	}
	before := r.like(r.rec[:r.lineAt(at.Line)-1], r.line-1)
	open := (*format.Error)(nil)
	if err := before.next(); !errors.As(err, &open) || open.Err != ErrOpen {
		return nil
	}
	return open
}

// lineAt returns where a line begins in the current record.
func (r *records) lineAt(line int) int {
	at := 0
	for range line - r.line {
		at += bytes.IndexByte(r.rec[at:], '\n') + 1
	}
	return at
}

// like returns the records of a text whose first line has the number behind the given one.
func (r *records) like(text []byte, number int) *records {
	return &records{dialect: r.dialect, most: r.most, bytes: r.bytes, named: r.named,
		lines: &headLines{rest: text, end: true, number: number}}
}

// goBack makes the line behind last, which the current record may go on to, the next one.
func (r *records) goBack(last int) {
	if last >= r.lines.Number() {
		return
	}
	rest := r.rec[r.lineAt(last+1):]
	if p, ok := r.lines.(*pushed); ok && p.left() {
		p.at, p.number = p.at-len(rest)-1, last // they came from there
		return
	} else if ok {
		r.lines = p.lines
	}
	r.lines = &pushed{lines: r.lines, text: append(bytes.Clone(rest), '\n'), number: last}
}

// pushed is lines of which some are given again first.
type pushed struct {
	lines  lineSource
	text   []byte // of those
	at     int    // where the next of them begins
	number int    // of the last
}

func (p *pushed) left() bool { return p.at < len(p.text) }

func (p *pushed) Next() ([]byte, error) {
	if !p.left() {
		return p.lines.Next()
	}
	line, _, _ := bytes.Cut(p.text[p.at:], []byte{'\n'})
	p.at += len(line) + 1
	p.number++
	return line, nil
}

func (p *pushed) Number() int {
	if p.left() {
		return p.number
	}
	return p.lines.Number()
}

// mostBehind is how many lines behind a fault its record may go on: if there are more, a quote is
// probably one too many.
const mostBehind = 100

// endsClearly reports whether the current record, which has a fault at a place and of which only a
// part may have been split, certainly ends with the last line that has been read: it ends in the
// line where it begins, or no quote that opens before the line of the fault is the reason that it
// does not. behind is what is wrong with its quotes behind the fault.
func (r *records) endsClearly(fault error, at place) (clear bool, behind error) {
	if misplaced := errors.Is(fault, ErrMisplaced); !misplaced && !r.plain {
		most := r.most
		r.cells, r.most, r.clean = r.cells[:0], mostColumns, true
		err := r.splitQuoted() // in one line, what else is wrong does not matter
		r.most = most
		if err != nil && r.joined {
			return false, err
		}
	}
	switch {
	case !r.joined || at.line == r.line:
		return r.lines.Number() < at.line+mostBehind, nil
	case r.lines.Number() >= at.line+mostBehind:
		return false, nil
	case errors.Is(fault, ErrEncoding): // inside quotes as outside
		return true, nil
	}
	return r.failsAlone(at), nil
}

// failsAlone reports whether the line of a place in the current record has a fault up to there as
// the first of a record too. The line that closes a quote has: no cell begins where that is.
func (r *records) failsAlone(at place) bool {
	err, fault := r.alone(at.line), (*format.Error)(nil)
	return errors.As(err, &fault) && !errors.Is(err, ErrOpen) && fault.Line == at.line && fault.Column <= at.column
}

// alone returns what is wrong in a line of the current record, and in those behind it that belong
// to it, as the first of a record.
func (r *records) alone(line int) error {
	alone := r.like(r.rec[r.lineAt(line):], line-1)
	err := alone.next()
	if err == nil {
		columns := r.most
		if r.named {
			columns--
		}
		err = alone.checkWidth(columns)
	}
	return err
}

// readOn adds some lines to the current record, which has several, to be looked at, and reports
// whether there were any. There are none behind a record that is as long as it may be.
func (r *records) readOn(lines int) (more bool) {
	for ; lines > 0 && len(r.own) < r.bytes; lines-- {
		line, err := r.lines.Next()
		if err != nil {
			break // it comes again
		}
		r.own, more = append(append(r.own, '\n'), line...), true
		r.rec = r.own
	}
	return more
}
