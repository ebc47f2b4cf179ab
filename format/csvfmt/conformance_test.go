package csvfmt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/formattest"
	"github.com/slimsvm/slimsvm/format/vec"
)

// The suite's rows have a label beside their features, as LIBSVM's do, and a
// table's rows have it in the class's column: labelReader and labelWriter carry
// it over. They add another column, end, which is empty but for names: the suite
// cuts texts at every byte and wants the rows in front of the cut, but a number
// cut to a sign would make its column one of labels.

type labelReader struct{ format.Reader }

// class returns the class's column: that before end.
func class(h *format.Header) int {
	n := len(h.Attributes) - 1
	if n > 1 && h.Attributes[n].Name == "end" {
		n--
	}
	return n
}

// carried returns a row with the class's value as label.
func carried(x vec.Vector, h *format.Header) format.Instance {
	n := class(h)
	in := format.Instance{Y: x.Value[n], Weight: 1}
	in.X.Index, in.X.Value = x.Index[:n], x.Value[:n]
	return in
}

func (r *labelReader) Read() (format.Instance, error) {
	h, err := r.Header()
	if err != nil {
		return format.Instance{}, err
	}
	in, err := r.Reader.Read()
	if err != nil {
		return in, err
	}
	if len(in.X.Index) != len(h.Attributes) || in.Y != 0 || in.Weight != 1 || in.Sparse {
		return in, errors.New("a row without all columns, or with more")
	}
	return carried(in.X, h), nil
}

type labelWriter struct {
	format.Writer
	header *format.Header
}

func (w *labelWriter) WriteHeader(h *format.Header) error {
	w.header = h
	return w.Writer.WriteHeader(h)
}

func (w *labelWriter) Write(in format.Instance) error {
	n := int32(class(w.header))
	in.X = in.X.Clone()
	in.X.Index = append(in.X.Index, n, n+1)
	in.X.Value = append(in.X.Value, in.Y, math.NaN())
	return w.Writer.Write(in)
}

// labelled returns c with labels carried over.
func labelled(c format.Codec) format.Codec {
	of := c
	of.NewReader = func(r io.Reader) format.Reader { return &labelReader{c.NewReader(r)} }
	of.NewWriter = func(w io.Writer) format.Writer { return &labelWriter{Writer: c.NewWriter(w)} }
	of.Parse = func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
		d, err := c.Parse(ctx, r)
		if err != nil {
			return nil, err
		}
		out := &format.Dataset{Header: d.Header}
		for i := range d.Len() {
			out.Append(carried(d.X.Row(i), d.Header))
		}
		return out, nil
	}
	return of
}

var limits = formattest.Limits{
	MaxIndex: 70_000, NoWeight: true, DropsZeros: true,
	Header: func(d *format.Dataset) *format.Header {
		n := max(d.X.MaxIndex()+1, 1)
		h := &format.Header{Class: n + 1}
		for i := range n {
			h.Attributes = append(h.Attributes, format.Attribute{Name: fmt.Sprintf("x%d", i)})
		}
		h.Attributes = append(h.Attributes, format.Attribute{Name: "class"}, format.Attribute{Name: "end"})
		return h
	},
}

var (
	row     = formattest.Row
	samples = []formattest.Sample{
		{Name: "names", Text: "a,b,class\n1,0,5\n0,-2,6\n", Rows: []format.Instance{row(5, 0, 1), row(6, 1, -2)}},
		{Name: "no names", Text: "1,0,5\n0,-2,6\n", Rows: []format.Instance{row(5, 0, 1), row(6, 1, -2)}},
		{Name: "nominal", Text: "a,b,class\n1,x,yes\n2,y,no\n3,x,no\n", Rows: []format.Instance{row(0, 0, 1), row(1, 0, 2, 1, 1), row(1, 0, 3)}},
		{Name: "quotes", Text: "\"a\",\"b,\n c\",class\n1,\"x \"\"y\"\"\",2\n1,\"x\n\n y\",3\n", Rows: []format.Instance{row(2, 0, 1), row(3, 0, 1, 1, 1)}},
		{Name: "blank lines", Text: "\n \na;class\r\n\r\n 1 ;2\r\n\t\n3; 4\n\n", Rows: []format.Instance{row(2, 0, 1), row(4, 0, 3)}},
		{Name: "byte order mark", Text: "\ufeffa,class\n1,2\n", Rows: []format.Instance{row(2, 0, 1)}},
		{Name: "behind a byte order mark", Text: "\ufeffa,§\"b\n", Fault: "not closed"},
		{Name: "below a byte order mark", Text: "\ufeffa,\"b\n\",§\"c\n", Fault: "not closed"},
		{Name: "short row", Text: "a,b,class\n1,2,3\n1,2§\n", Rows: []format.Instance{row(3, 0, 1, 1, 2)}, Fault: "the line ends after 2 cells, expected 3 as in the first"},
		{Name: "long row", Text: "a,b,class\n1,2,3\n1,2,3, §4,5\n", Rows: []format.Instance{row(3, 0, 1, 1, 2)}, Fault: `cell 4 is one too many: expected 3 as in the first line, found "4"`},
		{Name: "behind a quote", Text: "a,class\n1,2\n\"1\" §x,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: `expected ',' or the end of the line behind the closing quote, found "x,2"`},
		{Name: "quote inside", Text: "a,class\n1,2\n3§\"x\",2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: `unexpected '"' inside the cell "3\"x\""`},
		{Name: "open quote", Text: "a,class\n1,2\n3, §\"x,2\n1,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: "not closed"},
		{Name: "open quote in line 4", Text: "a,class\n1,2\n\"\n\", §\"x,2\n1,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: "not closed"},
		{Name: "carriage return", Text: "a,class\n1,2\n1§\r,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: "carriage return"},
		{Name: "NUL", Text: "a,class\n1,2\n1,2§\x00\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: "NUL"},
		{Name: "Latin-1", Text: "a,class\n1,2\ngr§\xfc\xdf,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: "the text is not UTF-8: found the byte 0xfc"},
		{Name: "UTF-16", Text: "§\xff\xfea\x00\n\x00", Fault: "the text is UTF-16"},
		{Name: "UTF-32", Text: "§\xff\xfe\x00\x00a\x00\x00\x00\n\x00\x00\x00", Fault: "the text is UTF-32"},
		{Name: "decimal comma", Text: "a;class\n1.5;2\n§3,5;2\n4;5\n", Rows: []format.Instance{row(2, 0, 1.5)}, Fault: `the number "3,5" has a comma: expected a decimal point`},
		{Name: "thousands", Text: "a,class\n1,2\n§\"3,500,000\",2\n4,5\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: `the number "3,500,000" has a comma`},
		{Name: "too large", Text: "a,class\n1,2\n§-1e999,2\n", Rows: []format.Instance{row(2, 0, 1)}, Fault: `the number "-1e999" is too large`},
		{Name: "same name", Text: "a,b,§a\n1,2,3\n", Fault: `another column has the name "a" already`},
		{Name: "unclear", Text: "1,§N/A,x\n1,2,y\n", Fault: `there are only numbers below "N/A", but "1" in column 1 is no name`},
		{Name: "nothing", Text: "\n \r\n", Fault: "there is no line"},
	}
)

func TestConformance(t *testing.T) {
	formattest.Run(t, labelled(csvfmt.Codec), limits, samples...)
}

func TestConformanceTSV(t *testing.T) {
	l := limits
	l.MaxIndex = 300
	formattest.Run(t, labelled(csvfmt.TSV), l, samples...)
}
