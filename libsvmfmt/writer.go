package libsvmfmt

import (
	"bufio"
	"io"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// shortest asks AppendG for the fewest digits that read back as the same value.
const shortest = -1

// A Writer writes rows. It implements format.Writer. Numbers have the fewest
// digits that read back to the same value.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// NewWriter returns a writer on w. Flush it at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// WriteHeader does nothing: the format declares no columns.
func (w *Writer) WriteHeader(*format.Header) error { return nil }

// Write writes one row.
func (w *Writer) Write(in format.Instance) error {
	b := textscan.AppendG(w.buf[:0], in.Y, shortest)
	value := in.X.Value[:len(in.X.Index)]
	for k, i := range in.X.Index {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, ':')
		b = textscan.AppendG(b, value[k], shortest)
	}
	b = append(b, '\n')
	w.buf = b
	_, err := w.w.Write(b)
	return err
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.w.Flush() }
