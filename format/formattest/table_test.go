package formattest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// The table format has what the toy has not: a header line with the columns'
// names, a column for every feature, the label in the last one.
var table = format.Codec{
	Name:       "table",
	Extensions: []string{".tbl"},
	NewReader:  newTableReader,
	NewWriter:  func(w io.Writer) format.Writer { return &tableWriter{w: bufio.NewWriter(w)} },
	Parse: func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
		return format.ReadAll(ctx, newTableReader(r))
	},
}

var tableLimits = Limits{
	MinIndex: 1, MaxIndex: 2000, NoWeight: true, DropsZeros: true,
	Header: func(d *format.Dataset) *format.Header {
		n := max(d.X.MaxIndex(), 0)
		h := &format.Header{Class: n}
		for i := range n {
			h.Attributes = append(h.Attributes, format.Attribute{Name: fmt.Sprintf("x%d", i+1)})
		}
		h.Attributes = append(h.Attributes, format.Attribute{Name: "class"})
		return h
	},
}

var tableSamples = []Sample{
	{Name: "two rows", Text: "a,b,class\n1,0,5\n0,-2,6\n", Rows: []format.Instance{Row(5, 1, 1), Row(6, 2, -2)}},
	{Name: "short row", Text: "a,b,class\n1,2,3\n1,2¶\n", Rows: []format.Instance{Row(3, 1, 1, 2, 2)}, Fault: "2 values for 3 columns"},
	{Name: "word", Text: "a,class\n1,§yes\n", Fault: `"yes"`},
	{Name: "no header", Text: "", Fault: "no header"},
}

func TestTable(t *testing.T) {
	Run(t, table, tableLimits, tableSamples...)
}

// What the limits of a table leave out is skipped aloud, and a header that does
// not come back is found.
func TestLimits(t *testing.T) {
	s := newSuite(table, tableLimits, nil)
	for name, want := range map[string]string{
		"long lines":  "features up to 2000 do not fill a line of 1048576 bytes",
		"late faults": "the format has a header: a faulty sample cannot follow other text",
	} {
		for _, c := range checks {
			var skip skipped
			if c.name == name && (!errors.As(runCheck(c, s), &skip) || string(skip) != want) {
				t.Errorf("%s: %q, want %q", name, skip, want)
			}
		}
	}
	l := tableLimits
	l.Header = func(d *format.Dataset) *format.Header {
		h := tableLimits.Header(d)
		h.Relation = "lost"
		return h
	}
	if err := newSuite(table, l, nil).roundTrip(); err == nil || !strings.Contains(err.Error(), "header {Relation: ") {
		t.Errorf("lost relation: %v", err)
	}
	l = tableLimits
	l.DropsZeros = false
	if err := newSuite(table, l, nil).roundTrip(); err == nil || !strings.Contains(err.Error(), "gaps: ") {
		t.Errorf("filled gaps: %v", err)
	}
	l = toyLimits
	l.MinIndex = 1
	if err := newSuite(toy, l, nil).refusals(); err != nil {
		t.Errorf("an index 0 that comes back after all: %v", err)
	}
}

type tableReader struct {
	lines  *textscan.Lines
	header *format.Header
	in     format.Instance
	err    error
}

func newTableReader(r io.Reader) format.Reader { return &tableReader{lines: textscan.NewLines(r)} }

func (r *tableReader) fault(column int, f string, args ...any) error {
	r.err = &format.Error{Line: r.lines.Number(), Column: column, Err: fmt.Errorf(f, args...)}
	return r.err
}

func (r *tableReader) next() ([]string, error) {
	line, err := r.lines.Next()
	if err != nil {
		r.err = err
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(line), "\r"), ","), nil
}

func (r *tableReader) Header() (*format.Header, error) {
	if r.header != nil || r.err != nil {
		return r.header, r.err
	}
	names, err := r.next()
	if err == io.EOF {
		return nil, r.fault(0, "no header")
	}
	if err != nil {
		return nil, err
	}
	r.header = &format.Header{Class: len(names) - 1}
	for _, name := range names {
		r.header.Attributes = append(r.header.Attributes, format.Attribute{Name: name})
	}
	return r.header, nil
}

func (r *tableReader) Read() (format.Instance, error) {
	if r.err != nil {
		return format.Instance{}, r.err
	}
	fields, err := r.next()
	if err != nil {
		return format.Instance{}, err
	}
	if len(fields) != r.header.Class+1 {
		return format.Instance{}, r.fault(0, "%d values for %d columns", len(fields), r.header.Class+1)
	}
	r.in = format.Instance{Weight: 1}
	column := 1
	for k, field := range fields {
		v, n, err := textscan.Float([]byte(field))
		if n == 0 || n < len(field) || textscan.IsSpace(field[0]) || err != nil && math.IsInf(v, 0) {
			return format.Instance{}, r.fault(column, "expected a number, found %q", field[:min(len(field), 40)])
		}
		column += len(field) + 1
		if k == r.header.Class {
			r.in.Y = v
			break
		}
		r.in.X.Index = append(r.in.X.Index, int32(k+1))
		r.in.X.Value = append(r.in.X.Value, v)
	}
	return r.in, nil
}

type tableWriter struct {
	w     *bufio.Writer
	class int
}

func (w *tableWriter) WriteHeader(h *format.Header) error {
	w.class = h.Class
	var names []string
	for _, a := range h.Attributes {
		names = append(names, a.Name)
	}
	_, err := w.w.WriteString(strings.Join(names, ",") + "\n")
	return err
}

func (w *tableWriter) Write(in format.Instance) error {
	if in.Weight != 1 {
		return fmt.Errorf("weight %v cannot be written", in.Weight)
	}
	if err := in.X.CheckIndices(); err != nil {
		return err
	}
	if n := len(in.X.Index); n > 0 && (in.X.Index[0] < 1 || int(in.X.Index[n-1]) > w.class) {
		return fmt.Errorf("features from %d to %d, but columns from 1 to %d", in.X.Index[0], in.X.Index[n-1], w.class)
	}
	var line bytes.Buffer
	for i := range w.class {
		fmt.Fprintf(&line, "%s,", textscan.AppendG(nil, in.X.At(int32(i+1)), 17))
	}
	fmt.Fprintf(&line, "%s\n", textscan.AppendG(nil, in.Y, 17))
	_, err := w.w.Write(line.Bytes())
	return err
}

func (w *tableWriter) Flush() error { return w.w.Flush() }
