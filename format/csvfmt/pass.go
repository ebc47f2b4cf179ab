package csvfmt

import (
	"bytes"
	"errors"

	"github.com/slimsvm/slimsvm/format"
)

// A span is lines from one to another.
type span struct{ first, last int }

// Passing returns the first and the last line of the record for which Pass is being called.
func (r *Reader) Passing() (first, last int) { return r.passing.first, r.passing.last }

// passes reports whether the current record, which has a fault, is to be passed over.
func (r *Reader) passes(rec *records, fault error) bool {
	at := (*format.Error)(nil)
	if r.Pass == nil || !errors.As(fault, &at) || at.Column == 0 || at.Line < rec.line || at.Line > rec.lines.Number() {
		return false
	}
	if errors.Is(fault, ErrOpen) || !rec.endsClearly(fault, place{at.Line, at.Column}) {
		return false
	}
	r.passing = span{rec.line, rec.lines.Number()}
	return r.Pass(fault)
}

// mostBehind is how many lines behind a fault its record may go on: of more, a quote is probably one too many.
const mostBehind = 100

// endsClearly reports whether the current record, which has a fault at a place and of which only a
// part may have been split, certainly ends with the last line that has been read: it ends in the
// line where it begins, or no quote that opens before the line of the fault is the reason that it
// does not.
func (r *records) endsClearly(fault error, at place) bool {
	if misplaced := errors.Is(fault, ErrMisplaced); !misplaced && !r.plain {
		most := r.most
		r.cells, r.most, r.clean = r.cells[:0], mostColumns, true
		err := r.splitQuoted() // in one line, what else is wrong does not matter
		r.most = most
		if err != nil && r.joined {
			return false
		}
	}
	switch {
	case !r.joined || at.line == r.line:
		return r.lines.Number() < at.line+mostBehind
	case r.lines.Number() >= at.line+mostBehind:
		return false
	case errors.Is(fault, ErrEncoding): // inside quotes as outside
		return true
	}
	return r.failsAlone(at)
}

// failsAlone reports whether the line of a place in the current record has a fault up to there as the first of a
// record too. The line that closes a quote has: no cell begins where that is.
func (r *records) failsAlone(at place) bool {
	rest := r.rec
	for range at.line - r.line {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	alone := records{dialect: r.dialect, most: r.most, bytes: r.bytes, named: r.named,
		lines: &headLines{rest: rest, end: true, number: at.line - 1}}
	err := alone.next()
	if err == nil {
		columns := r.most
		if r.named {
			columns--
		}
		err = alone.checkWidth(columns)
	}
	fault := (*format.Error)(nil)
	return errors.As(err, &fault) && !errors.Is(err, ErrOpen) && fault.Line == at.line && fault.Column <= at.column
}
