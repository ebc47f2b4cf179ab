package formattest

import (
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format"
)

// errFull is the error of a device that takes no more bytes.
var errFull = errors.New("device is full")

// fullWriter takes a number of bytes and then fails: with err, or, when that is
// nil, by taking fewer bytes than it was given.
type fullWriter struct {
	left int
	err  error
}

func (w *fullWriter) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return len(p), nil
	}
	n := w.left
	w.left = 0
	return n, w.err
}

// writeErrors checks that the error of the underlying writer comes through,
// wherever it happens: to who looks at every call, and to who looks only at the
// last Flush.
func (s *suite) writeErrors() error {
	w, err := s.write(s.small)
	if err != nil {
		return err
	}
	for n := range len(w.text) {
		first, last, err := s.writeTo(&fullWriter{n, errFull})
		switch {
		case err != nil:
		case !errors.Is(first, errFull):
			err = fmt.Errorf("first error is %v", first)
		case last == nil:
			err = errors.New("the last Flush reports success")
		}
		if err != nil {
			return fmt.Errorf("writer that fails after %d of %d bytes: %w", n, len(w.text), err)
		}
		if first, _, err = s.writeTo(&fullWriter{n, nil}); err == nil && first == nil {
			err = errors.New("no error")
		}
		if err != nil {
			return fmt.Errorf("writer that takes only %d of %d bytes: %w", n, len(w.text), err)
		}
	}
	first, last, err := s.writeTo(&fullWriter{len(w.text), errFull})
	if err == nil && (first != nil || last != nil) {
		err = fmt.Errorf("error %v though all bytes have room", first)
	}
	if err != nil || s.small.Len() == 0 {
		return err
	}
	return s.earlyError(len(w.text))
}

// mostKept is how many bytes of text a writer may keep before it writes them.
const mostKept = 1 << 20

// earlyError checks that an error of the underlying writer comes before the last Flush if there are many
// rows, so that not all of them are made for nothing. size is that of the text of s.small.
func (s *suite) earlyError(size int) (err error) {
	defer caught("writing", &err)
	var dst format.Writer = s.codec.NewWriter(&fullWriter{size, errFull})
	if err := dst.WriteHeader(s.header(s.small)); err != nil {
		return err
	}
	for range 2 + mostKept/size {
		for _, row := range rows(s.small) {
			if err := dst.Write(row); err != nil {
				if !errors.Is(err, errFull) {
					return err
				}
				return nil
			}
		}
	}
	return fmt.Errorf("no Write of more than %d bytes reports that the writer fails", mostKept)
}

// writeTo writes s.small to w and returns the first error and that of the last
// Flush.
func (s *suite) writeTo(w io.Writer) (first, last, broken error) {
	defer caught("writing", &broken)
	var dst format.Writer = s.codec.NewWriter(w)
	note := func(err error) {
		if first == nil {
			first = err
		}
	}
	note(dst.WriteHeader(s.header(s.small)))
	for _, row := range rows(s.small) {
		note(dst.Write(row))
	}
	last = dst.Flush()
	note(last)
	return first, last, nil
}
