package formattest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// The checks of this file change valid texts.

// truncation cuts texts at every byte. The rows before the cut come, and of the
// row that was cut, if it still is a row, only what is there.
func (s *suite) truncation() error {
	w, err := s.write(s.small)
	if err != nil {
		return err
	}
	for n := range len(w.text) {
		if err := s.truncated(w, n); err != nil {
			return fmt.Errorf("cut after %d bytes: %w\nin the text\n%s", n, err, w.text[:n])
		}
	}
	for _, sample := range s.samples {
		p, err := sample.unmark()
		if err != nil {
			return err
		}
		if sample.Fault != "" || len(p.text) > 1<<12 {
			continue
		}
		for n := range len(p.text) {
			o, err := s.read(p.text[:n])
			if err == nil {
				err = s.beginning(o.rows, sample.Rows)
			}
			if err != nil {
				return fmt.Errorf("sample %s cut after %d bytes: %w", sample.Name, n, err)
			}
		}
	}
	return nil
}

// truncated checks the first n bytes of a text of s.small.
func (s *suite) truncated(w written, n int) error {
	text := w.text[:n]
	o, err := s.read(text)
	if err != nil {
		return err
	}
	whole := w.complete(n)
	rest := ""
	if n > w.ends[0] {
		rest = strings.TrimSpace(text[w.ends[whole]:])
	}
	switch extra := len(o.rows) - whole; {
	case extra < 0:
		return fmt.Errorf("%d rows, but %d are whole", len(o.rows), whole)
	case extra > 1, extra == 1 && o.err != nil:
		return fmt.Errorf("%d rows and %s, but only %d are whole", len(o.rows), message(o.err), whole)
	case extra == 1 && rest == "":
		return errors.New("a row from no text")
	case extra == 0 && rest != "" && o.err == nil:
		return fmt.Errorf("%q is passed over in silence", rest)
	}
	if err := s.beginning(o.rows, rows(s.small)); err != nil {
		return err
	}
	if rest == "" {
		return nil
	}
	ended, err := s.read(text + "\n")
	if err == nil {
		err = sameRows(o.rows, ended.rows)
	}
	if err == nil && (o.err == nil) != (ended.err == nil) {
		err = fmt.Errorf("%s, want %s", message(ended.err), message(o.err))
	}
	if err != nil {
		return fmt.Errorf("with a line end: %w", err)
	}
	return nil
}

// beginning returns nil when got are the first rows of full, the last perhaps cut.
func (s *suite) beginning(got, full []format.Instance) error {
	if len(got) > len(full) {
		return fmt.Errorf("%d rows, but the whole text has %d", len(got), len(full))
	}
	for i := range got {
		want, have := s.normal(full[i]), s.normal(got[i])
		err := sameRow(want, have)
		if err != nil && i == len(got)-1 {
			err = cutOf(want, have)
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// lineEnds checks CR LF line ends and a last line without one. CR LF after a
// label alone may be refused, as LIBSVM does.
func (s *suite) lineEnds() error {
	var errs []error
	for _, set := range s.held() {
		w, err := s.write(set.data)
		if err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
		bare := false
		for _, row := range rows(set.data) {
			bare = bare || len(row.X.Index) == 0
		}
		crlf := strings.ReplaceAll(w.text, "\n", "\r\n")
		for _, tt := range []struct {
			name, text string
			refusable  bool
		}{
			{"CR LF", crlf, bare},
			{"no end of the last line", strings.TrimSuffix(w.text, "\n"), false},
			{"CR LF and no end of the last line", strings.TrimSuffix(crlf, "\r\n"), bare},
		} {
			o, err := s.read(tt.text)
			if err == nil && !(tt.refusable && o.err != nil) {
				err = s.gives(o, rows(set.data))
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", set.name, tt.name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// emptyFile checks that a file without bytes, or of blanks, line ends or marks
// only, is no rows or an error.
func (s *suite) emptyFile() error {
	for _, text := range []string{"", "\n", "\r\n", " ", "\n\n\n", "\x00", "\xef\xbb\xbf", "\xff\xfe"} {
		o, err := s.read(text)
		if err == nil && len(o.rows) > 0 {
			err = fmt.Errorf("%d rows", len(o.rows))
		}
		if err != nil {
			return fmt.Errorf("text %q: %w", text, err)
		}
	}
	if s.codec.Sniff != nil {
		s.codec.Sniff(nil)
	}
	return nil
}

// longLine is the length of line that every format must read.
const longLine = 1 << 20

// longLines checks a row whose line is longer than a mebibyte, and words of that
// length in the place of one byte.
func (s *suite) longLines() error {
	w, err := s.write(s.small)
	if err != nil {
		return err
	}
	// the first bytes of a row: label, separators, an index and its value
	for n := w.ends[0]; n < min(w.ends[1], w.ends[0]+9); n++ {
		for _, c := range []string{"1", "x", " ", "\x00"} {
			if _, err := s.read(w.text[:n] + strings.Repeat(c, longLine) + w.text[n+1:]); err != nil {
				return fmt.Errorf("byte %d replaced by %d times %q: %w", n+1, longLine, c, err)
			}
		}
	}
	i := int(max(s.limits.MinIndex, 1))
	d := dataset(Row(1, float64(i), 2), wide(i, min(int(s.limits.MaxIndex)-i+1, 60_000)), Row(3, float64(i), 4))
	w, err = s.write(d)
	if err != nil {
		return err
	}
	if len(w.text) < longLine {
		return skipped(fmt.Sprintf("features up to %d do not fill a line of %d bytes", s.limits.MaxIndex, longLine))
	}
	for _, text := range []string{w.text, strings.TrimSuffix(w.text, "\n"), strings.ReplaceAll(w.text, "\n", "\r\n")} {
		o, err := s.read(text)
		if err == nil {
			err = s.gives(o, rows(d))
		}
		if err != nil {
			return fmt.Errorf("line of %d bytes: %w", len(text), err)
		}
	}
	return nil
}

// hostile are bytes that mean something to one format or another.
const hostile = "\x00\n\r\t\v ,:;%#@?{}'\"\\-+.09exn\x80\xff"

// damage puts every hostile byte in the place of, and before, every byte of a
// text, and leaves every byte out. What comes of it is the format's business;
// that all ways of reading agree, and that faults are proper, is checked.
func (s *suite) damage() error {
	w, err := s.write(dataset(rows(s.small)[:2]...))
	if err != nil {
		return err
	}
	for n := range len(w.text) {
		before, at, after := w.text[:n], w.text[n:], w.text[n+1:]
		damaged := []string{before + after}
		for k := range len(hostile) {
			c := hostile[k : k+1]
			damaged = append(damaged, before+c+after, before+c+at)
		}
		for _, text := range damaged {
			if _, err := s.read(text); err != nil {
				return fmt.Errorf("text %q: %w", text, err)
			}
		}
	}
	return nil
}
