package formattest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// The toy format: a row is a line, its label and then index:value pairs, each
// after one blank. A carriage return may end the line. Weights and subnormal
// values are refused.
var toy = toyWith(hooks{})

// hooks break the toy's reader.
type hooks struct {
	lines  func(r io.Reader) lineSource
	before func(line []byte) []byte
	after  func(line []byte, in format.Instance, err error) (format.Instance, error)
	goesOn bool // reading goes on after a fault
}

type lineSource interface {
	Next() ([]byte, error)
	Number() int
}

func toyWith(h hooks) format.Codec {
	if h.lines == nil {
		h.lines = func(r io.Reader) lineSource { return textscan.NewLines(r) }
	}
	newReader := func(r io.Reader) format.Reader { return &toyReader{hooks: h, source: h.lines(r)} }
	return format.Codec{
		Name:       "toy",
		Extensions: []string{".toy"},
		Sniff:      func(head []byte) bool { return bytes.IndexByte(head, 0) < 0 },
		NewReader:  newReader,
		NewWriter:  func(w io.Writer) format.Writer { return &toyWriter{w: bufio.NewWriter(w)} },
		Parse: func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
			return format.ReadAll(ctx, newReader(r))
		},
	}
}

var toyLimits = Limits{NoSubnormal: true, NoWeight: true, Concatenates: true}

var toySamples = []Sample{
	{Name: "plain", Text: "1 1:2 5:-0.5\n-1\n0x10 0:1e3\n", Rows: []format.Instance{Row(1, 1, 2, 5, -0.5), Row(-1), Row(16, 0, 1000)}},
	{Name: "no label", Text: "1 1:2\n§ 1:2\n", Rows: []format.Instance{Row(1, 1, 2)}, Fault: "label"},
	{Name: "index", Text: "1 3:1 §3:2\n", Fault: "index"},
	{Name: "subnormal", Text: "1 1:§1e-310\n", Fault: "too small"},
	{Name: "word", Text: "2 1:1\n1 3:§x1\n3 1:1\n", Rows: []format.Instance{Row(2, 1, 1)}, Fault: `number, found "x1"`},
}

type toyReader struct {
	hooks
	source lineSource
	in     format.Instance
	err    error
}

func (r *toyReader) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

func (r *toyReader) Read() (format.Instance, error) {
	if r.err != nil {
		return format.Instance{}, r.err
	}
	line, err := r.source.Next()
	if err != nil {
		r.err = err
		return format.Instance{}, err
	}
	if r.before != nil {
		line = r.before(line)
	}
	err = r.parse(line)
	if r.after != nil {
		r.in, err = r.after(line, r.in, err)
	}
	if !r.goesOn {
		r.err = err
	}
	return r.in, err
}

func (r *toyReader) fault(at int, f string, args ...any) error {
	return &format.Error{Line: r.source.Number(), Column: at + 1, Err: fmt.Errorf(f, args...)}
}

func (r *toyReader) parse(line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	y, at, err := textscan.Float(line)
	if at == 0 || textscan.IsSpace(line[0]) || at < len(line) && line[at] != ' ' || err != nil && math.IsInf(y, 0) {
		return r.fault(0, "expected a label, found %s", word(line))
	}
	r.in = format.Instance{X: vec.Vector{}, Y: y, Weight: 1}
	last := int64(-1)
	for at < len(line) {
		at++
		i, n, err := textscan.Int(line[at:])
		if n == 0 || err != nil || i <= last || i > math.MaxInt32 || textscan.IsSpace(line[at]) {
			return r.fault(at, "expected an index above %d, found %s", last, word(line[at:]))
		}
		if at+n == len(line) || line[at+n] != ':' {
			return r.fault(at+n, "expected a colon, found %s", word(line[at+n:]))
		}
		last = i
		at += n + 1
		v, n, err := textscan.Float(line[at:])
		if n == 0 || textscan.IsSpace(line[at]) || at+n < len(line) && line[at+n] != ' ' {
			return r.fault(at, "expected a number, found %s", word(line[at:]))
		}
		if math.IsInf(v, 0) && err != nil || v != 0 && math.Abs(v) < smallestNormal {
			return r.fault(at, "%s is too large or too small", word(line[at:]))
		}
		r.in.X.Index = append(r.in.X.Index, int32(i))
		r.in.X.Value = append(r.in.X.Value, v)
		at += n
	}
	return nil
}

func word(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte(" "))
	return fmt.Sprintf("%q", b[:min(len(b), 40)])
}

type toyWriter struct {
	w *bufio.Writer
}

func (w *toyWriter) WriteHeader(*format.Header) error { return nil }

func (w *toyWriter) Write(in format.Instance) error {
	if in.Weight != 1 {
		return fmt.Errorf("weight %v cannot be written", in.Weight)
	}
	if err := in.X.CheckIndices(); err != nil {
		return err
	}
	line := textscan.AppendG(nil, in.Y, 17)
	for k, i := range in.X.Index {
		line = fmt.Appendf(line, " %d:", i)
		line = textscan.AppendG(line, in.X.Value[k], 17)
	}
	_, err := w.w.Write(append(line, '\n'))
	return err
}

func (w *toyWriter) Flush() error { return w.w.Flush() }
