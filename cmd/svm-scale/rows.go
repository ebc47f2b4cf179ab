package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// parseLine reads a row that is scaled, appends its pairs to index and value, and
// returns these and the label. LIBSVM's svm-scale has a reader of its own, more
// generous than svm-train's, and this one accepts what it reads as it stands:
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
func parseLine(line []byte, index []int32, value []float64) (float64, []int32, []float64, *textscan.Fault) {
	y, index, value, f := parse(line, index, value)
	if f != nil { // there is no NUL without a fault
		if i := bytes.IndexByte(line, 0); i >= 0 {
			f = &textscan.Fault{At: i, Err: errors.New("unexpected NUL byte")}
		}
	}
	return y, index, value, f
}

// parse is parseLine, which calls a NUL byte by its name.
func parse(line []byte, index []int32, value []float64) (y float64, _ []int32, _ []float64, f *textscan.Fault) {
	at := 0
	for at < len(line) && textscan.IsSpace(line[at]) {
		at++
	}
	y, n, _ := textscan.Float(line[at:])
	end := at + n
	switch whole := n > 0 && (end == len(line) || textscan.IsSpace(line[end])); { // told as svm-train does
	case at == len(line):
		return 0, index, value, &textscan.Fault{At: 0, Err: libsvmfmt.ErrEmptyLine}
	case !whole:
		return 0, index, value, &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s", libsvmfmt.ErrLabel, textscan.QuoteBegun(line[at:]))}
	case math.IsNaN(y) || math.IsInf(y, 0):
		return 0, index, value, &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s is not finite", libsvmfmt.ErrLabel, textscan.QuoteWord(line[at:]))}
	}
	index, value, f = textscan.Pairs(line, end, true, index, value)
	if f != nil && isComment(line, f.At) && bytes.IndexByte(line, 0) < 0 {
		f = nil
	}
	return y, index, value, f
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
	_, index, _, f := parseLine(line, nil, nil)
	return f == nil || !whole && len(index) > 0
}

// isComment reports whether a comment begins at line[at]: after a colon, # is no
// comment but a bad value.
func isComment(line []byte, at int) bool {
	return at < len(line) && line[at] == '#' && textscan.IsSpace(line[at-1])
}
