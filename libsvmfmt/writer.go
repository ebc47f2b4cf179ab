package libsvmfmt

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// minNormal is the smallest number whose decimal digits LIBSVM reads as a value.
const minNormal = 0x1p-1022

// A Writer writes rows. It implements format.Writer. Numbers have the fewest
// digits that read back to the same value; subnormal values, which LIBSVM takes
// only when nothing is lost, are written in hexadecimal.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// NewWriter returns a writer on w. Flush it at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// WriteHeader does nothing: the format declares no columns.
func (w *Writer) WriteHeader(*format.Header) error { return nil }

// Write writes one row. A row that the format cannot hold is an error and not
// written: one with a weight, or with a label or value that is not finite.
func (w *Writer) Write(in format.Instance) error {
	if in.Weight != 1 {
		return fmt.Errorf("weight %v of a row: the LIBSVM format has no weights", in.Weight)
	}
	if !finite(in.Y) {
		return fmt.Errorf("label %v of a row: the LIBSVM format holds finite numbers only", in.Y)
	}
	b := textscan.AppendG(w.buf[:0], in.Y, -1)
	value := in.X.Value[:len(in.X.Index)]
	for k, i := range in.X.Index {
		v := value[k]
		if !finite(v) {
			return fmt.Errorf("value %v of feature %d: the LIBSVM format holds finite numbers only", v, i)
		}
		b = append(b, ' ')
		b = textscan.AppendInt(b, int64(i))
		b = append(b, ':')
		if v != 0 && math.Abs(v) < minNormal {
			b = strconv.AppendFloat(b, v, 'x', -1, 64)
		} else {
			b = textscan.AppendG(b, v, -1)
		}
	}
	b = append(b, '\n')
	w.buf = b
	_, err := w.w.Write(b)
	return err
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.w.Flush() }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
