// Package libsvmfmt reads and writes LIBSVM's sparse data format and SVMlight's.
//
// [Parse] reads a whole data set, on all processors: see its example. [NewReader] reads row by row
// in constant memory, and [NewWriter] writes. [Codec] and [SVMLight] describe the two formats to
// programs that choose a format at run time. Pass these functions what format.Open returns to read
// compressed files too.
//
// # LIBSVM's format
//
// A data set is a text with one row a line:
//
//	row     = label { blank index ":" value } [ blank "#" comment ]
//	label   = real                    a class (cut to an integer) or a target
//	index   = decimal integer         0 to 2^31-1, increasing within the row
//	value   = real                    finite, without loss at the small end
//	real    = what C's strtod reads   decimal, hexadecimal, exponent
//	blank   = one or more blanks or tabs
//
// Further rules:
//
//   - A line ends with LF or CR LF; the last line may have no end. It is shorter than 1 GiB.
//   - A row without pairs is a row of zeros. Pairs whose value is zero are kept.
//   - Every line is a row: an empty line is an error.
//   - A byte order mark at the start is skipped.
//   - A comment contains no colon.
//
// LIBSVM silently misreads some files. These are errors here:
//
//   - labels and values that are not finite
//   - indices beyond 2^31-1
//   - words after the pairs that are not a comment
//   - text between a value and the next blank
//   - a file cut off inside a pair
//
// A value so small that digits are lost is an error, as in LIBSVM. If its text is exact, as
// 0x1p-1074 is, it is read.
package libsvmfmt

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Codec describes LIBSVM's data format.
var Codec = format.Codec{
	Name:       "libsvm",
	Extensions: []string{".libsvm", ".svm"},
	Sniff:      sniff,
	Resembles:  resembles,
	NewReader:  func(r io.Reader) format.Reader { return NewReader(r) },
	NewWriter:  func(w io.Writer) format.Writer { return NewWriter(w) },
	Parse:      Parse,
}

// Faults of a row.
var (
	ErrEmptyLine = errors.New("empty line, expected a label")
	ErrLabel     = errors.New("the label is not a number")
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// A Reader reads rows one by one. It implements format.Reader.
type Reader struct {
	lines *textscan.Lines
	plain plainRows
	next  int // of plain

	err     error
	isFault bool // err is a fault in the text: Skip goes on
}

// NewReader returns a reader of r.
func NewReader(r io.Reader) *Reader { return &Reader{lines: textscan.NewLines(r)} }

// Header returns an empty header: the format declares no columns.
func (r *Reader) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Line returns the line number of the row that Read returned last.
func (r *Reader) Line() int { return r.lines.Number() - (r.plain.Len() - r.next) }

// Read returns the next row, which is valid until the next call, or io.EOF. A fault in the text is
// a *format.Error with line and column. After an error, Read returns the same error until Skip is
// called.
func (r *Reader) Read() (in format.Instance, err error) {
	if r.err != nil {
		return in, r.err
	}
	if r.next == r.plain.Len() && r.plain.due() {
		r.next = 0
		r.plain.readLines(r.lines)
	}
	if r.next < r.plain.Len() {
		in.Y, in.X = row(&r.plain.PlainRows, r.next)
		in.Weight = 1
		r.next++
		return in, nil
	}
	line, err := r.lines.Next()
	if err == nil {
		at := 0
		if r.lines.Number() == 1 && bytes.HasPrefix(line, byteOrderMark) {
			at = len(byteOrderMark)
		}
		var f *textscan.Fault
		if in.Y, f = r.plain.line(line, at); f == nil {
			in.X = vec.Vector{Index: r.plain.Index, Value: r.plain.Value}
			in.Weight = 1
			return in, nil
		}
		in.Y, err, r.isFault = 0, f.Locate(r.lines.Number()), true
	}
	r.err = err
	return in, err
}

// Skip passes over the line in which Read found a fault, so that the next Read continues with the
// line after it. In this way a program can list all faults of a text. It returns false if there was
// no fault to skip.
func (r *Reader) Skip() bool {
	was := r.isFault
	if was {
		r.err, r.isFault = nil, false
	}
	return was
}

// parseLine reads a line from offset at, appends its pairs to index and value, and
// returns these and the label.
func parseLine(line []byte, at int, index []int32, value []float64) (float64, []int32, []float64, *textscan.Fault) {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	y, n, _ := textscan.Float(line[at:])
	end := at + n
	var f *textscan.Fault
	switch {
	case n > 0 && textscan.WordEnds(line, end) && finite(y):
		index, value, f = textscan.Pairs(line, end, false, index, value)
	case n > 0 && textscan.WordEnds(line, end):
		f = &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s is not finite", ErrLabel, textscan.QuoteWord(line[at:]))}
	case len(bytes.Trim(line[at:], " \t\v\f\r")) == 0:
		f = &textscan.Fault{At: 0, Err: ErrEmptyLine}
	default:
		f = &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s", ErrLabel, textscan.QuoteBegun(line[at:]))}
	}
	return y, index, value, f
}

// sniff reports whether head begins with a line of this format.
func sniff(head []byte) bool {
	line, _, whole := bytes.Cut(bytes.TrimPrefix(head, byteOrderMark), []byte{'\n'})
	_, index, _, f := parseLine(line, 0, nil, nil)
	return f == nil || !whole && len(index) > 0
}
