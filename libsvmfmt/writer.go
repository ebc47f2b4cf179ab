package libsvmfmt

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// minNormal is the smallest number whose decimal digits LIBSVM reads as a value.
const minNormal = 0x1p-1022

// A Writer writes rows in LIBSVM's format. It implements format.Writer. It writes numbers with the
// fewest digits that read back to the same value. It writes subnormal values in hexadecimal,
// because LIBSVM accepts them only if no digit is lost.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// NewWriter returns a writer to w. Call Flush at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// WriteHeader writes nothing, because the format declares no columns. It returns an error if h
// declares columns: rows under such a header hold their label among the values.
func (w *Writer) WriteHeader(h *format.Header) error { return checkHeader(h, "LIBSVM") }

// Write writes one row. It returns an error, and writes nothing, for a row that the format cannot
// hold: one with a weight other than 1, with a label or value that is not finite, or with indices
// that do not increase from 0 or more.
func (w *Writer) Write(in format.Instance) error {
	if in.Weight != 1 {
		return fmt.Errorf("weight %v of a row, expected 1: the LIBSVM format has no weights", in.Weight)
	}
	if !finite(in.Y) {
		return fmt.Errorf("label %v of a row: the LIBSVM format holds finite numbers only", in.Y)
	}
	if in.X.Check() != nil {
		return faultOf(in.X, "LIBSVM", "finite numbers only")
	}
	b := textscan.AppendG(w.buf[:0], in.Y, -1)
	for k, i := range in.X.Index {
		v := in.X.Value[k]
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

// checkHeader returns an error if h declares columns, which a format of this name does not.
func checkHeader(h *format.Header, name string) error {
	if err := h.CheckFeatures(); err != nil {
		return fmt.Errorf("the %s format has no columns: %w", name, err)
	}
	return nil
}

// faultOf returns what keeps x from being written in a format of this name, which holds no such
// numbers.
func faultOf(x vec.Vector, name, holds string) error {
	if err := x.CheckIndices(); err != nil {
		return fmt.Errorf("a row that the %s format cannot hold: %w", name, err)
	}
	k := max(0, slices.IndexFunc(x.Value, func(v float64) bool { return !finite(v) }))
	return fmt.Errorf("value %v of feature %d: the %s format holds %s", x.Value[k], x.Index[k], name, holds)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
