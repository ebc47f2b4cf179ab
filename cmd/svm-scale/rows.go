package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// errLabel marks faults of labels, for which LIBSVM has a text and a status.
var errLabel = errors.New("expected a label")

// rows reads the rows that are scaled. LIBSVM's svm-scale has a reader of its
// own, more generous than svm-train's, and this one accepts what it reads as it
// stands:
//
//	row = label { blank index ":" value } [ blank "#" comment ]
//
// with any white space C knows between them, behind a colon and at both ends of the
// line, where svm-train knows blanks and tabs only; labels and values as strtod
// reads them, to the nearest float64 even when tiny; indices from 0 that increase;
// comments with colons.
//
// LIBSVM also reads, but as something else, and here it is a fault: a label or
// a value that is not finite or is followed by other characters ("1,2"), an
// index below 0 or beyond 2^31-1, indices that do not increase (features would
// come out twice), a word that is neither a pair nor a comment (ends LIBSVM's
// row, or crashes it), a row without a label (the first pair goes), NUL bytes.
type rows struct {
	lines *textscan.Lines
	row   format.Instance
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func newRows(r io.Reader) *rows { return &rows{lines: textscan.NewLines(r)} }

// Header returns an empty header: the format declares no columns.
func (r *rows) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Line returns the number of the line that the last row stood in.
func (r *rows) Line() int { return r.lines.Number() }

func (r *rows) place(err error) error { return &format.Error{Line: r.Line(), Err: err} }

// Read returns the next row, valid until the next call, or io.EOF.
func (r *rows) Read() (format.Instance, error) {
	line, err := r.lines.Next()
	if err != nil {
		return format.Instance{}, err
	}
	if r.lines.Number() == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	// other white space than blanks is rare: only what is refused is read again
	if f := parseRow(line, &r.row); f != nil && !(blankOut(line) && parseRow(line, &r.row) == nil) {
		return format.Instance{}, f.Locate(r.lines.Number())
	}
	return r.row, nil
}

// parseRow reads a line into row, reusing its memory.
func parseRow(line []byte, row *format.Instance) *textscan.Fault {
	f := parse(line, row)
	if f != nil { // there is no NUL without a fault
		if i := bytes.IndexByte(line, 0); i >= 0 {
			return &textscan.Fault{At: i, Err: errors.New("unexpected NUL byte")}
		}
	}
	return f
}

// parse is parseRow, which calls a NUL byte by its name.
func parse(line []byte, row *format.Instance) (f *textscan.Fault) {
	row.Weight = 1
	at := 0
	for at < len(line) && textscan.IsSpace(line[at]) {
		at++
	}
	y, n, _ := textscan.Float(line[at:])
	end := at + n
	if n == 0 || end < len(line) && !textscan.IsSpace(line[end]) || math.IsNaN(y) || math.IsInf(y, 0) {
		return &textscan.Fault{At: at, Err: fmt.Errorf("%w, a finite number, found %s", errLabel, textscan.QuoteWord(line[at:]))}
	}
	row.Y = y
	row.X.Index, row.X.Value, f = textscan.Pairs(line, end, true, row.X.Index[:0], row.X.Value[:0])
	if f != nil && isComment(line, f.At) && bytes.IndexByte(line, 0) < 0 {
		f = nil
	}
	return f
}

// blankOut replaces white space other than blanks and tabs by blanks and reports
// whether there was any.
func blankOut(line []byte) (any bool) {
	for i, c := range line {
		if textscan.IsSpace(c) && c != ' ' && c != '\t' {
			line[i], any = ' ', true
		}
	}
	return any
}

// beginsRow reports whether a text begins with a row, which may be cut off at its
// end.
func beginsRow(head []byte) bool {
	line, _, whole := bytes.Cut(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'})
	var row format.Instance
	f := parseRow(line, &row)
	return f == nil || !whole && len(row.X.Index) > 0
}

// isComment reports whether a comment begins at line[at]: after a colon, # is no
// comment but a bad value.
func isComment(line []byte, at int) bool {
	return at < len(line) && line[at] == '#' && textscan.IsSpace(line[at-1])
}
