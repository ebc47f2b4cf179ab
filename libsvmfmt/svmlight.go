package libsvmfmt

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// SVMLight describes the data format of the program SVMlight, from which LIBSVM's is derived. It
// differs in
//
//	line    = [ row | blanks ] [ "#" any text ]
//	row     = target [ blank "qid:" integer ] { blank index ":" value }
//	index   = decimal integer         1 to 2^31-1, increasing within the row
//	value   = real                    finite; the nearest number if too small
//
// Comments may contain colons. A line of its own may hold a comment; comment lines and empty lines
// are not rows. A target is a class (+1 or -1) or a number. In SVMlight the target 0 marks a row
// whose class is unknown; here it is read as the number 0. A query id (qid) says which rows are to
// be ranked among each other. A format.Instance has no place for it, so it is an error unless
// [SVMLightReader.DropQueries] is set. In all else the format is LIBSVM's.
var SVMLight = format.Codec{
	Name:       "svmlight",
	Extensions: []string{".svmlight"},
	Sniff:      sniffSVMLight,
	Resembles:  resemblesSVMLight,
	NewReader:  func(r io.Reader) format.Reader { return NewSVMLightReader(r) },
	NewWriter:  func(w io.Writer) format.Writer { return NewSVMLightWriter(w) },
	Parse: func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
		return format.ReadAll(ctx, NewSVMLightReader(r))
	},
}

// ErrQuery is the fault of a row with a query id, where query ids are not dropped.
var ErrQuery = errors.New("query ids cannot be kept")

// An SVMLightReader reads rows of SVMlight's format one by one. It implements format.Reader.
type SVMLightReader struct {
	// DropQueries makes the reader drop query ids instead of returning ErrQuery. Set it before the
	// first call.
	DropQueries bool

	lines *textscan.Lines
	row   format.Instance

	err     error
	isFault bool // err is a fault in the text: Skip goes on
}

// NewSVMLightReader returns a reader of r.
func NewSVMLightReader(r io.Reader) *SVMLightReader {
	return &SVMLightReader{lines: textscan.NewLines(r)}
}

// Header returns an empty header: the format declares no columns.
func (r *SVMLightReader) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Line returns the line number of the row that Read returned last.
func (r *SVMLightReader) Line() int { return r.lines.Number() }

// Read returns the next row, as [Reader.Read] does.
func (r *SVMLightReader) Read() (format.Instance, error) {
	for r.err == nil {
		line, err := r.lines.Next()
		if err != nil {
			r.err = err
			break
		}
		line, at := rowOf(line, r.lines.Number())
		if at == len(line) {
			continue
		}
		if f := parseSVMLight(line, at, r.DropQueries, &r.row); f != nil {
			r.err, r.isFault = f.Locate(r.lines.Number()), true
			break
		}
		return r.row, nil
	}
	return format.Instance{}, r.err
}

// Skip passes over a line with a fault, as [Reader.Skip] does.
func (r *SVMLightReader) Skip() bool {
	was := r.isFault
	if was {
		r.err, r.isFault = nil, false
	}
	return was
}

// rowOf returns the part of a line in front of a comment, and where its first
// word begins; at its end when there is none.
func rowOf(line []byte, number int) (row []byte, at int) {
	if number == 1 && bytes.HasPrefix(line, byteOrderMark) {
		at = len(byteOrderMark)
	}
	if n := bytes.IndexByte(line, '#'); n >= 0 {
		line = line[:n]
	}
	for at < len(line) && textscan.IsSpace(line[at]) {
		at++
	}
	return line, at
}

// parseSVMLight reads the row that begins at line[at], reusing the memory of row.
func parseSVMLight(line []byte, at int, dropQuery bool, row *format.Instance) *textscan.Fault {
	row.Weight = 1
	row.X.Index, row.X.Value = row.X.Index[:0], row.X.Value[:0]
	y, n, _ := textscan.Float(line[at:])
	end := at + n
	switch {
	case n == 0 || !textscan.WordEnds(line, end):
		return &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s", ErrLabel, textscan.QuoteBegun(line[at:]))}
	case !finite(y):
		return &textscan.Fault{At: at, Err: fmt.Errorf("%w: %s is not finite", ErrLabel, textscan.QuoteWord(line[at:]))}
	}
	row.Y = y
	end, f := query(line, end, dropQuery)
	if f == nil {
		row.X.Index, row.X.Value, f = textscan.Pairs(line, end, true, row.X.Index, row.X.Value)
	}
	if f == nil && len(row.X.Index) > 0 && row.X.Index[0] == 0 {
		f = &textscan.Fault{At: skip(line, end), Err: errors.New("feature index 0: expected 1 or more")}
	}
	return f
}

// query reads the query id at line[at:], if there is one, and returns where it ends.
func query(line []byte, at int, drop bool) (end int, f *textscan.Fault) {
	const key = "qid:"
	start := skip(line, at)
	if !bytes.HasPrefix(line[start:], []byte(key)) {
		return at, nil
	}
	end = start + len(key)
	_, n, err := textscan.Int(line[end:])
	switch word := textscan.QuoteWord(line[start:]); {
	case n == 0 || err != nil || textscan.IsSpace(line[end]) || !textscan.WordEnds(line, end+n):
		return 0, &textscan.Fault{At: start, Err: fmt.Errorf("expected an integer as query id, found %s", word)}
	case !drop:
		return 0, &textscan.Fault{At: start, Err: fmt.Errorf("%w: found %s", ErrQuery, word)}
	}
	return end + n, nil
}

// skip returns where white space at line[at:] ends.
func skip(line []byte, at int) int {
	for at < len(line) && textscan.IsSpace(line[at]) {
		at++
	}
	return at
}

// sniffSVMLight reports whether head begins with comments, if any, and a row.
func sniffSVMLight(head []byte) bool {
	for number := 1; len(head) > 0; number++ {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line, at := rowOf(line, number); at < len(line) {
			var row format.Instance
			f := parseSVMLight(line, at, true, &row)
			return f == nil || !whole && len(row.X.Index) > 0
		}
	}
	return false
}

// An SVMLightWriter writes rows in SVMlight's format. It implements format.Writer. It writes
// numbers with the fewest digits that read back to the same value.
type SVMLightWriter struct {
	w   *bufio.Writer
	buf []byte
}

// NewSVMLightWriter returns a writer to w. Call Flush at the end.
func NewSVMLightWriter(w io.Writer) *SVMLightWriter { return &SVMLightWriter{w: bufio.NewWriter(w)} }

// WriteHeader writes nothing. It returns an error if h declares columns, as [Writer.WriteHeader]
// does.
func (w *SVMLightWriter) WriteHeader(h *format.Header) error { return checkHeader(h, "SVMlight") }

// Write writes one row. It returns an error, and writes nothing, for a row that the format cannot
// hold: one with a weight other than 1, a number that is not finite, feature 0, or indices that do
// not increase.
func (w *SVMLightWriter) Write(in format.Instance) error {
	if in.Weight != 1 {
		return fmt.Errorf("weight %v of a row, expected 1: the SVMlight format has no weights", in.Weight)
	}
	if !finite(in.Y) {
		return fmt.Errorf("target %v of a row: the SVMlight format holds finite numbers only", in.Y)
	}
	if in.X.Check() != nil || len(in.X.Index) > 0 && in.X.Index[0] == 0 {
		return faultOf(in.X, "SVMlight", "finite numbers from feature 1 on")
	}
	b := textscan.AppendG(w.buf[:0], in.Y, -1)
	for k, i := range in.X.Index {
		b = append(b, ' ')
		b = textscan.AppendInt(b, int64(i))
		b = append(b, ':')
		b = textscan.AppendG(b, in.X.Value[k], -1)
	}
	w.buf = append(b, '\n')
	_, err := w.w.Write(w.buf)
	return err
}

// Flush writes what is buffered.
func (w *SVMLightWriter) Flush() error { return w.w.Flush() }
