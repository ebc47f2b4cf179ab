package arff

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/formattest"
)

// The conformance suite knows labels and numbered features; ARFF has a column
// for everything. labelled is the codec for such rows: sparse ones, whose label
// is the class, a numeric column behind the features.
var labelled = format.Codec{
	Name:       Codec.Name,
	Extensions: Codec.Extensions,
	Sniff:      Codec.Sniff,
	NewReader:  func(r io.Reader) format.Reader { return newLabelledReader(r) },
	NewWriter:  func(w io.Writer) format.Writer { return &labelledWriter{w: NewWriter(w)} },
	Parse: func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
		return format.ReadAll(ctx, newLabelledReader(r))
	},
}

type labelledReader struct {
	r     *Reader
	class int32
	text  bytes.Buffer // what was read
}

func newLabelledReader(r io.Reader) *labelledReader {
	l := new(labelledReader)
	l.r = NewReader(io.TeeReader(r, &l.text))
	return l
}

func (r *labelledReader) Header() (*format.Header, error) {
	h, err := r.r.Header()
	if err != nil {
		return nil, r.lineFeedsOnly(err)
	}
	r.class = int32(len(h.Attributes)) - 1
	labelled := *h
	labelled.Class = int(r.class)
	return &labelled, nil
}

func (r *labelledReader) Read() (format.Instance, error) {
	in, err := r.r.Read()
	if err != nil {
		return in, r.lineFeedsOnly(err)
	}
	if k := len(in.X.Index) - 1; k >= 0 && in.X.Index[k] == r.class {
		in.Y = in.X.Value[k]
		in.X.Index, in.X.Value = in.X.Index[:k], in.X.Value[:k]
	}
	return in, nil
}

// lineFeedsOnly gives a fault the position that it has for the suite, which takes
// only LF for the end of a line.
func (r *labelledReader) lineFeedsOnly(err error) error {
	e, ok := err.(*format.Error)
	if !ok {
		return err
	}
	text := r.text.Bytes()
	at := 0
	for range e.Line - 1 {
		at += bytes.IndexAny(text[at:], "\r\n") + 1
		if text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
	}
	before := text[:at+e.Column-1]
	return &format.Error{Line: bytes.Count(before, []byte("\n")) + 1, Column: len(before) - bytes.LastIndexByte(before, '\n'), Err: e.Err}
}

type labelledWriter struct {
	w     *Writer
	class int
}

func (w *labelledWriter) WriteHeader(h *format.Header) error {
	w.class = h.Class
	return w.w.WriteHeader(h)
}

func (w *labelledWriter) Write(in format.Instance) error {
	if n := len(in.X.Index); n > 0 && int(in.X.Index[n-1]) >= w.class {
		return fmt.Errorf("feature %d of %d", in.X.Index[n-1], w.class)
	}
	in.Sparse = true
	in.X.Index = append(slices.Clip(in.X.Index), int32(w.class))
	in.X.Value = append(slices.Clip(in.X.Value), in.Y)
	return w.w.Write(in)
}

func (w *labelledWriter) Flush() error { return w.w.Flush() }

// numericHeader declares a column for every feature of d, and the label's.
func numericHeader(d *format.Dataset) *format.Header {
	n := d.X.MaxIndex() + 1
	h := &format.Header{Relation: "set", Class: n}
	for i := range n {
		h.Attributes = append(h.Attributes, format.Attribute{Name: fmt.Sprint("x", i)})
	}
	h.Attributes = append(h.Attributes, format.Attribute{Name: "label"})
	return h
}

const sampleHeader = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y numeric\n@data\n"

func TestConformance(t *testing.T) {
	row := formattest.Row
	half := row(3, 0, 1, 1, 2)
	half.Weight = 0.5
	formattest.Run(t, labelled, formattest.Limits{MaxIndex: 62_000, Header: numericHeader},
		formattest.Sample{Name: "dense and sparse", Text: sampleHeader + "1,2,3\n{1 5, 2 6}\n\n% comment\n1 2 3 {0.5}\n",
			Rows: []format.Instance{row(3, 0, 1, 1, 2), row(6, 1, 5), half}},
		formattest.Sample{Name: "word", Text: sampleHeader + "1,2,3\n1,§x,3\n", Rows: []format.Instance{row(3, 0, 1, 1, 2)},
			Fault: `expected a number for attribute "b", found "x"`},
		formattest.Sample{Name: "short row", Text: sampleHeader + "1,2§\n", Fault: "2 values of 3"},
		formattest.Sample{Name: "long row", Text: sampleHeader + "1,2,3,§4\n", Fault: "expected the end of the row"},
		formattest.Sample{Name: "no data", Text: "@relation r\n@attribute a numeric\n§", Fault: "expected @data, found the end of the file"},
		formattest.Sample{Name: "type", Text: "@relation r\n@attribute a §float\n@data\n", Fault: "expected a type"},
		formattest.Sample{Name: "nothing", Text: "§", Fault: "expected @relation, found the end of the file"},
	)
}
