package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// An outcome is what reading a text came to.
type outcome struct {
	header *format.Header
	rows   []format.Instance
	err    error // nil: the end was reached
}

// caught turns a panic into an error. The name defer gives it says which call.
func caught(call string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s panics: %v\n%s", call, p, debug.Stack())
	}
}

// stream reads r row by row. The error is a broken promise of the codec; a
// fault in the text is part of the outcome.
func (s *suite) stream(r io.Reader) (o outcome, broken error) {
	defer caught("reading", &broken)
	n := &countingReader{r: r}
	src := s.codec.NewReader(n)
	if o.header, o.err = src.Header(); o.err != nil {
		return o, nil
	}
	if o.header == nil {
		return o, errors.New("Header returns nil and no error")
	}
	if err := wellDeclared(o.header); err != nil {
		return o, err
	}
	for {
		in, err := src.Read()
		if err != nil {
			if _, again := src.Read(); again == nil {
				return o, fmt.Errorf("Read returns a row after it returned the error %q", err)
			} else if err == io.EOF && again != io.EOF {
				return o, fmt.Errorf("Read returns %q after io.EOF", again)
			}
			if err != io.EOF {
				o.err = err
			}
			return o, nil
		}
		if err := wellFormed(in); err != nil {
			return o, fmt.Errorf("row %d: %w", len(o.rows)+1, err)
		}
		o.rows = append(o.rows, in.Clone())
		if len(o.rows) > n.bytes+1 {
			return o, fmt.Errorf("%d rows from %d bytes: there is no end", len(o.rows), n.bytes)
		}
	}
}

type countingReader struct {
	r     io.Reader
	bytes int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.bytes += n
	return n, err
}

// wellDeclared checks what format.Header promises of the class.
func wellDeclared(h *format.Header) error {
	if h.Class < -1 || h.Class >= len(h.Attributes) {
		return fmt.Errorf("class %d of %d columns", h.Class, len(h.Attributes))
	}
	return nil
}

// wellFormed checks what vec.Vector promises.
func wellFormed(in format.Instance) error {
	if len(in.X.Index) != len(in.X.Value) {
		return fmt.Errorf("%d indices and %d values", len(in.X.Index), len(in.X.Value))
	}
	last := int32(-1)
	for _, i := range in.X.Index {
		if i <= last {
			return fmt.Errorf("index %d after %d", i, last)
		}
		last = i
	}
	return nil
}

// parse reads r at once.
func (s *suite) parse(ctx context.Context, r io.Reader) (o outcome, broken error) {
	defer caught("Parse", &broken)
	d, err := s.codec.Parse(ctx, r)
	if err != nil {
		return outcome{err: err}, nil
	}
	if d == nil || d.Header == nil {
		return o, errors.New("Parse returns no data set or no header, and no error")
	}
	if d.X.Len() != len(d.Y) || d.Weight != nil && len(d.Weight) != len(d.Y) {
		return o, fmt.Errorf("Parse returns %d rows, %d labels, %d weights", d.X.Len(), len(d.Y), len(d.Weight))
	}
	o.header = d.Header
	if err := wellDeclared(o.header); err != nil {
		return o, err
	}
	for i := range d.Y {
		in := instance(d, i)
		if err := wellFormed(in); err != nil {
			return o, fmt.Errorf("row %d: %w", i+1, err)
		}
		o.rows = append(o.rows, in)
	}
	return o, nil
}

// read reads a text row by row, byte by byte when it is short, and at once. All
// must come to the same, and faults must be as faults are to be.
func (s *suite) read(text string) (outcome, error) {
	o, err := s.stream(strings.NewReader(text))
	if err != nil {
		return o, err
	}
	if len(text) <= 1<<12 {
		slow, err := s.stream(iotest.OneByteReader(strings.NewReader(text)))
		if err == nil {
			err = same(o, slow)
		}
		if err != nil {
			return o, fmt.Errorf("one byte at a time: %w", err)
		}
	}
	bulk, err := s.parse(context.Background(), strings.NewReader(text))
	if err == nil {
		if o.err != nil && bulk.err != nil {
			bulk.rows = o.rows // Parse returns none
		}
		err = same(o, bulk)
	}
	if err != nil {
		return o, fmt.Errorf("Parse: %w", err)
	}
	if o.err != nil {
		if err := properFault(o.err, text); err != nil {
			return o, err
		}
	}
	return o, nil
}

// written is a data set as text.
type written struct {
	text string
	ends []int // ends[k] is the length of the text after k rows
}

// errRefused reports that the writer refuses a row.
var errRefused = errors.New("writer refuses")

// write writes a data set twice: flushing after every row, and only at the end,
// destroying the row that was written before it writes the next. Both must give
// the same bytes.
func (s *suite) write(d *format.Dataset) (w written, err error) {
	defer caught("writing", &err)
	var texts [2]string
	for pass := range texts {
		var buf bytes.Buffer
		dst := s.codec.NewWriter(&buf)
		if err := dst.WriteHeader(s.header(d)); err != nil {
			return w, fmt.Errorf("%w the header: %w", errRefused, err)
		}
		var in format.Instance
		for i := range d.Len() {
			if pass == 0 {
				if err := dst.Flush(); err != nil {
					return w, fmt.Errorf("%w: %w", errRefused, err)
				}
				w.ends = append(w.ends, buf.Len())
			}
			destroy(in)
			in = instance(d, i).Clone()
			if err := dst.Write(in); err != nil {
				return w, fmt.Errorf("%w row %d: %w", errRefused, i+1, err)
			}
			if err := sameRow(instance(d, i), in); err != nil {
				return w, fmt.Errorf("Write changes row %d: %w", i+1, err)
			}
		}
		destroy(in)
		if err := dst.Flush(); err != nil {
			return w, fmt.Errorf("%w: %w", errRefused, err)
		}
		texts[pass] = buf.String()
	}
	w.ends = append(w.ends, len(texts[0]))
	w.text = texts[0]
	if texts[0] != texts[1] {
		return w, fmt.Errorf("flushing after every row gives other bytes:\n%s\nthan flushing at the end:\n%s", clip(texts[0]), clip(texts[1]))
	}
	return w, nil
}

// destroy overwrites a row that a writer has no business with any more.
func destroy(in format.Instance) {
	for k := range in.X.Index {
		in.X.Index[k] = -7
		in.X.Value[k] = math.NaN()
	}
}

func (s *suite) header(d *format.Dataset) *format.Header {
	if s.limits.Header != nil {
		return s.limits.Header(d)
	}
	return emptyHeader()
}

// normal returns a row as the format gives it back: without zeros where it
// drops them.
func (s *suite) normal(in format.Instance) format.Instance {
	if !s.limits.DropsZeros {
		return in
	}
	var x vec.Vector
	for k, v := range in.X.Value {
		if v != 0 {
			x.Index = append(x.Index, in.X.Index[k])
			x.Value = append(x.Value, v)
		}
	}
	in.X = x
	return in
}

// rows returns the rows of d.
func rows(d *format.Dataset) []format.Instance {
	all := make([]format.Instance, d.Len())
	for i := range all {
		all[i] = instance(d, i)
	}
	return all
}
