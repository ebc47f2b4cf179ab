package formattest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// A place is a sample's text without its mark, and where the mark was.
type place struct {
	text         string
	line, column int // as in format.Error
}

// unmark takes the mark out of a sample's text.
func (p Sample) unmark() (place, error) {
	before, after, byteMark := strings.Cut(p.Text, "§")
	if !byteMark {
		var lineMark bool
		before, after, lineMark = strings.Cut(p.Text, "¶")
		if !lineMark {
			return place{text: p.Text}, nil
		}
	}
	at := place{text: before + after, line: strings.Count(before, "\n") + 1}
	if byteMark {
		at.column = len(before) - strings.LastIndexByte(before, '\n')
	}
	if strings.ContainsAny(at.text, "§¶") {
		return at, fmt.Errorf("sample %s has two marks", p.Name)
	}
	if p.Fault == "" {
		return at, fmt.Errorf("sample %s marks a fault and names none", p.Name)
	}
	return at, nil
}

// sampleOutcomes checks that each sample comes to its rows and its fault.
func (s *suite) sampleOutcomes() error {
	var errs []error
	for _, sample := range s.samples {
		at, err := sample.unmark()
		if err != nil {
			return err
		}
		o, err := s.read(at.text)
		if err == nil {
			err = s.comesTo(sample, at, o)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("sample %s: %w", sample.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *suite) comesTo(sample Sample, at place, o outcome) error {
	fault := o.err
	if sample.Fault != "" {
		if fault == nil {
			return fmt.Errorf("no error and %d rows, want the error %q", len(o.rows), sample.Fault)
		}
		if err := faultAt(fault, at, sample.Fault); err != nil {
			return err
		}
		o.err = nil
	}
	return s.gives(o, sample.Rows)
}

// faultAt returns nil when err is a fault at the given place whose message has
// the given part, and takes a path as it should.
func faultAt(err error, at place, part string) error {
	var e *format.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("error %q is not a *format.Error", err)
	}
	if e.Line != at.line || e.Column != at.column {
		return fmt.Errorf("error %q is at line %d, column %d, want %d, %d", err, e.Line, e.Column, at.line, at.column)
	}
	if !strings.Contains(e.Err.Error(), part) {
		return fmt.Errorf("error %q, want %q in it", err, part)
	}
	without := err.Error()
	want := "data/file:" + without
	if at.line == 0 {
		want = "data/file: " + without
	}
	if got := format.WithPath(err, "data/file").Error(); got != want {
		return fmt.Errorf("with a path the error is %q, want %q", got, want)
	}
	return nil
}

// lateSamples is the number of faulty samples that are put behind a large text.
const lateSamples = 3

// lateFaults puts faulty samples behind many rows: positions count from the
// beginning of the file, the rows before the fault come, and of two faults the
// first is reported.
func (s *suite) lateFaults() error {
	if !s.limits.Concatenates {
		return skipped("the format has a header: a faulty sample cannot follow other text")
	}
	d, w, err := s.large()
	if err != nil {
		return err
	}
	lines := strings.Count(w.text, "\n")
	tail := "" // another fault, far behind
	tried := 0
	for _, sample := range s.samples {
		at, err := sample.unmark()
		if err != nil {
			return err
		}
		if sample.Fault == "" || at.line == 0 || !strings.HasSuffix(at.text, "\n") {
			continue
		}
		o, err := s.read(w.text + at.text + tail)
		if err == nil {
			tail = w.text[:w.ends[d.Len()/2]] + at.text
			at.line += lines
			sample.Rows = append(rows(d), sample.Rows...)
			err = s.comesTo(sample, at, o)
		}
		if err != nil {
			return fmt.Errorf("sample %s after %d lines: %w", sample.Name, lines, err)
		}
		if tried++; tried == lateSamples {
			return nil
		}
	}
	if tried == 0 {
		return skipped("no samples with a fault and a line end were given")
	}
	return nil
}
