package formattest

import (
	"context"
	"errors"
	"io"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// What the broken codecs are made with.

// with returns the toy with something of its own.
func with(change func(c *format.Codec)) format.Codec {
	c := toy
	change(&c)
	return c
}

// withRow returns the toy with rows that are read otherwise.
func withRow(change func(in *format.Instance)) format.Codec {
	return toyWith(hooks{after: func(_ []byte, in format.Instance, err error) (format.Instance, error) {
		change(&in)
		return in, err
	}})
}

// withFault returns the toy with other faults.
func withFault(change func(line []byte, e *format.Error) error) format.Codec {
	return toyWith(hooks{after: func(line []byte, in format.Instance, err error) (format.Instance, error) {
		var e *format.Error
		if errors.As(err, &e) {
			err = change(line, e)
		}
		return in, err
	}})
}

// withParse returns the toy with a Parse that alters what the sound one reads
// and returns.
func withParse(parse func(ctx context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error)) format.Codec {
	return with(func(c *format.Codec) {
		c.Parse = func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
			return parse(ctx, r, toy.Parse)
		}
	})
}

// withWriter returns the toy with another writer.
func withWriter(wrap func(w io.Writer) format.Writer) format.Codec {
	return with(func(c *format.Codec) { c.NewWriter = wrap })
}

type writer struct {
	format.Writer
	write func(in format.Instance) error
	flush func() error
}

func (w writer) Write(in format.Instance) error { return w.write(in) }

func (w writer) Flush() error {
	if w.flush != nil {
		return w.flush()
	}
	return w.Writer.Flush()
}

// rowWriter returns the toy with rows that are written otherwise.
func rowWriter(change func(in *format.Instance)) format.Codec {
	return withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{Writer: dst, write: func(in format.Instance) error {
			change(&in)
			return dst.Write(in)
		}}
	})
}

// source is a lineSource of functions.
type source struct {
	next   func() ([]byte, error)
	number func() int
}

func (s source) Next() ([]byte, error) { return s.next() }
func (s source) Number() int           { return s.number() }

// altered returns textscan's lines, altered.
func altered(change func(l *textscan.Lines, s *source)) format.Codec {
	return toyWith(hooks{lines: func(r io.Reader) lineSource {
		l := textscan.NewLines(r)
		s := source{l.Next, l.Number}
		change(l, &s)
		return s
	}})
}

// nilHeader is a Reader without header.
type nilHeader struct{ format.Reader }

func (nilHeader) Header() (*format.Header, error) { return nil, nil }

// classReader is a Reader whose header names a class, but no columns.
type classReader struct{ format.Reader }

func (classReader) Header() (*format.Header, error) { return &format.Header{}, nil }

// zombie returns a row after the end.
type zombie struct {
	format.Reader
	dead bool
}

func (z *zombie) Read() (format.Instance, error) {
	if z.dead {
		return Row(0), nil
	}
	in, err := z.Reader.Read()
	z.dead = err != nil
	return in, err
}

// dropLast loses bytes that come with an error.
type dropLast struct{ r io.Reader }

func (d dropLast) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil {
		n = 0
	}
	return n, err
}

// failing fails with an error, or is at its end.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// lastFault parses all lines and reports the last fault.
func lastFault(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	src := toyWith(hooks{goesOn: true}).NewReader(r)
	d := dataset()
	var last error
	for {
		in, err := src.Read()
		var e *format.Error
		switch {
		case err == io.EOF:
			if last != nil {
				return nil, last
			}
			return d, nil
		case errors.As(err, &e):
			last = err
		case err != nil:
			return nil, err
		default:
			d.Append(in)
		}
	}
}
