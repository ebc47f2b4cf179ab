package arff

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A Writer writes a header and then rows. It implements format.Writer. Change its fields only
// before the first call.
type Writer struct {
	// Century is the Reader.Century with which the text will be read: a date that would be read
	// back as another is an error. NewWriter sets 1950.
	Century int

	w     *bufio.Writer
	table *tableWriter
	buf   []byte
}

// NewWriter returns a writer to w. Call Flush at the end.
func NewWriter(w io.Writer) *Writer {
	return &Writer{Century: firstCentury, w: bufio.NewWriterSize(w, 64<<10)}
}

// WriteHeader writes the header, which must have at least one attribute. The Writer keeps h: do not
// change it while rows are written.
func (w *Writer) WriteHeader(h *format.Header) error {
	if w.table != nil {
		return errors.New("arff: the header is written already")
	}
	if h == nil || len(h.Attributes) == 0 {
		return errors.New("ARFF declares columns, but the data has no attributes")
	}
	if h.Class < -1 || h.Class >= len(h.Attributes) {
		return fmt.Errorf("class %d is none of %s", h.Class, count(len(h.Attributes), "attribute"))
	}
	b := append(w.buf[:0], keywordRelation+" "...)
	if !utf8.ValidString(h.Relation) {
		return fmt.Errorf("the name of the relation is not UTF-8: %s", clip(h.Relation))
	}
	b = append(appendText(b, h.Relation), "\n\n"...)
	b, t, err := appendAttributes(b, h.Attributes, 0)
	if err != nil {
		return err
	}
	class := h.Class
	if last := len(h.Attributes) - 1; class < 0 && h.Attributes[last].Type == format.Nominal {
		class = last
	}
	t.needed = append(t.needed, class)
	t.setUp(w.Century)
	w.table = t
	w.buf = append(b, "\n"+keywordData+"\n"...)
	_, err = w.w.Write(w.buf)
	return err
}

// Write writes one row. It returns an error, and writes nothing, for a row that ARFF cannot
// express.
func (w *Writer) Write(in format.Instance) error {
	if w.table == nil {
		return errors.New("arff: Write before WriteHeader")
	}
	b, err := w.table.appendRow(w.buf[:0], in)
	w.buf = b
	if err != nil {
		return err
	}
	w.buf = append(b, '\n')
	_, err = w.w.Write(w.buf)
	return err
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.w.Flush() }

// A tableWriter writes the rows of a list of attributes.
type tableWriter struct {
	columns []columnWriter
	needed  []int  // columns that every sparse row lists; before setUp, -1 is none
	buf     []byte // a relation's rows, before they are quoted
	century int
}

type columnWriter struct {
	*format.Attribute
	labels []string // as they are written
	date   *datePattern
	inner  *tableWriter
}

// appendRow appends a row without the line end.
func (t *tableWriter) appendRow(b []byte, in format.Instance) ([]byte, error) {
	if err := in.X.CheckIndices(); err != nil {
		return b, fmt.Errorf("a row that ARFF cannot hold: %w", err)
	}
	if n := len(in.X.Index); n > 0 && int(in.X.Index[n-1]) >= len(t.columns) {
		return b, fmt.Errorf("row with index %d, in %s", in.X.Index[n-1], count(len(t.columns), "attribute"))
	}
	var err error
	if in.Sparse {
		b, err = t.appendSparse(b, &in)
	} else {
		b, err = t.appendDense(b, &in)
	}
	if err != nil {
		return b, err
	}
	if math.IsNaN(in.Weight) {
		return b, errors.New("the weight of a row is not a number")
	}
	switch {
	case in.Weight != 1:
		b = append(b, ",{"...)
		b = append(appendNumber(b, in.Weight), '}')
	case len(t.columns) == 0 && !in.Sparse: // an empty line is none
		return b, errors.New("the relation has no attributes, and cannot tell a row")
	}
	return b, nil
}

func (t *tableWriter) appendDense(b []byte, in *format.Instance) (_ []byte, err error) {
	k := 0
	for i := range t.columns {
		v := 0.0
		if k < len(in.X.Index) && int(in.X.Index[k]) == i {
			v = in.X.Value[k]
			k++
		}
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = t.appendValue(b, i, v, in); err != nil {
			return b, err
		}
	}
	return b, nil
}

// appendSparse appends what the row lists, and needed columns.
func (t *tableWriter) appendSparse(b []byte, in *format.Instance) (_ []byte, err error) {
	b = append(b, '{')
	first := true
	add := func(i int, v float64) error {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, ' ')
		b, err = t.appendValue(b, i, v, in)
		return err
	}
	next := 0 // of the needed
	for k, i := range in.X.Index {
		for next < len(t.needed) && t.needed[next] < int(i) {
			if err := add(t.needed[next], 0); err != nil {
				return b, err
			}
			next++
		}
		if next < len(t.needed) && t.needed[next] == int(i) {
			next++
		}
		if err := add(int(i), in.X.Value[k]); err != nil {
			return b, err
		}
	}
	for ; next < len(t.needed); next++ {
		if err := add(t.needed[next], 0); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// appendValue appends the value v of column i.
func (t *tableWriter) appendValue(b []byte, i int, v float64, in *format.Instance) ([]byte, error) {
	c := &t.columns[i]
	if math.IsNaN(v) {
		return append(b, '?'), nil
	}
	if c.Type == format.Numeric {
		return appendNumber(b, v), nil
	}
	if c.Type == format.Date {
		b, err := c.date.appendDate(b, v, t.century)
		return b, c.named(err)
	}
	n := 0
	switch c.Type {
	case format.Nominal:
		n = len(c.labels)
	case format.String:
		n = len(in.Strings)
	case format.Relational:
		n = len(in.Tables)
	}
	k := int(v)
	if v != math.Trunc(v) || v < 0 || v >= float64(n) {
		return b, c.named(fmt.Errorf("%v is no position among %s", v, count(n, "value")))
	}
	switch c.Type {
	case format.Nominal:
		return append(b, c.labels[k]...), nil
	case format.String:
		text := in.Strings[k]
		if !utf8.ValidString(text) {
			return b, c.named(fmt.Errorf("text is not UTF-8: %s", clip(text)))
		}
		return appendText(b, text), nil
	}
	text := c.inner.buf[:0]
	for j, row := range in.Tables[k] {
		if j > 0 {
			text = append(text, '\n')
		}
		var err error
		if text, err = c.inner.appendRow(text, row); err != nil {
			return b, c.named(err)
		}
	}
	c.inner.buf = text
	return appendQuoted(b, text), nil
}

// named returns err with the attribute's name.
func (c *columnWriter) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("attribute %s: %w", clip(c.Name), err)
}

// appendNumber appends a number in the fewest digits that read back as the same.
func appendNumber(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, "Infinity"...)
	case math.IsInf(v, -1):
		return append(b, "-Infinity"...)
	}
	return textscan.AppendPlain(b, v)
}
