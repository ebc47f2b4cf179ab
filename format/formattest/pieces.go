package formattest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing/iotest"
)

// texts returns the samples' texts and those of the data sets that a format
// must hold, by name.
func (s *suite) texts() (names, texts []string, err error) {
	for _, set := range s.held() {
		w, err := s.write(set.data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", set.name, err)
		}
		names = append(names, set.name)
		texts = append(texts, w.text)
	}
	for _, sample := range s.samples {
		p, err := sample.unmark()
		if err != nil {
			return nil, nil, err
		}
		names = append(names, "sample "+sample.Name)
		texts = append(texts, p.text)
	}
	return names, texts, nil
}

// ways are the ways in which bytes may arrive.
var ways = []struct {
	name string
	wrap func(io.Reader) io.Reader
}{
	{"one byte at a time", iotest.OneByteReader},
	{"half of what is asked for", iotest.HalfReader},
	{"the end with the last bytes", iotest.DataErrReader},
	{"one byte at a time, the end with the last", func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) }},
	{"nothing now and then", func(r io.Reader) io.Reader { return &idleReader{r: r} }},
	{"13 bytes at a time", func(r io.Reader) io.Reader { return &stepReader{r, 13} }},
}

// idleReader returns no bytes and no error at every second call.
type idleReader struct {
	r    io.Reader
	idle bool
}

func (i *idleReader) Read(p []byte) (int, error) {
	if i.idle = !i.idle; i.idle {
		return 0, nil
	}
	return i.r.Read(p)
}

// stepReader returns at most n bytes a call.
type stepReader struct {
	r io.Reader
	n int
}

func (s *stepReader) Read(p []byte) (int, error) {
	return s.r.Read(p[:min(len(p), s.n)])
}

// pieces checks that a text comes to the same however its bytes arrive.
func (s *suite) pieces() error {
	names, texts, err := s.texts()
	if err != nil {
		return err
	}
	var errs []error
	for i, text := range texts {
		want, err := s.read(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", names[i], err))
			continue
		}
		for _, way := range ways {
			got, err := s.stream(way.wrap(strings.NewReader(text)))
			if err == nil {
				err = same(want, got)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", names[i], way.name, err))
			}
			got, err = s.parse(context.Background(), way.wrap(strings.NewReader(text)))
			if err == nil {
				if want.err != nil && got.err != nil {
					got.rows = want.rows
				}
				err = same(want, got)
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: Parse: %s: %w", names[i], way.name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// errDevice is the error of a device that fails. It wraps io.EOF, as errors
// of layered readers may: only io.EOF itself is the end of a file.
var errDevice = fmt.Errorf("device failed: %w", io.EOF)

// readErrors checks that the error of the underlying reader comes through,
// after the rows before it, wherever it happens.
func (s *suite) readErrors() error {
	w, err := s.write(s.small)
	if err != nil {
		return err
	}
	for n := range len(w.text) + 1 {
		for _, way := range ways {
			failing := func() io.Reader {
				return way.wrap(io.MultiReader(strings.NewReader(w.text[:n]), iotest.ErrReader(errDevice)))
			}
			if err := s.failsAfter(failing, w.complete(n)); err != nil {
				return fmt.Errorf("reading fails after %d bytes (%s): %w\nof the text\n%s", n, way.name, err, w.text)
			}
		}
	}
	return nil
}

// complete returns the number of rows that the first n bytes hold to the end.
func (w written) complete(n int) int {
	k := 0
	for k+1 < len(w.ends) && w.ends[k+1] <= n {
		k++
	}
	return k
}

// failsAfter returns nil when reading ends with errDevice after the given
// number of rows of s.small.
func (s *suite) failsAfter(failing func() io.Reader, n int) error {
	o, err := s.stream(failing())
	if err != nil {
		return err
	}
	if !errors.Is(o.err, errDevice) {
		return fmt.Errorf("%d rows and %s", len(o.rows), message(o.err))
	}
	o.err = nil
	if err := s.gives(o, rows(s.small)[:n]); err != nil {
		return err
	}
	o, err = s.parse(context.Background(), failing())
	if err == nil && !errors.Is(o.err, errDevice) {
		err = fmt.Errorf("Parse returns %d rows and %s", len(o.rows), message(o.err))
	}
	return err
}
