package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/slimsvm/slimsvm/format"
)

// A result is a finished run of a job, a line of the store.
type result struct {
	Table   string  `json:"table,omitempty"` // "": what chosen keeps
	Job     string  `json:"job"`
	Split   int     `json:"split,omitempty"`
	Version int     `json:"version"`
	Figures figures `json:"figures"`
	CPU     float64 `json:"cpu_seconds"`
	Wall    float64 `json:"seconds"`
}

// A store has the finished runs, and writes each to its file at once. The zero
// store has no file.
type store struct {
	results []result
	file    *os.File

	again             bool // runs of earlier processes are not done, but compared with
	fresh             int  // results that this process has added, at the end
	repeated, changed int  // of those it compared
}

// openStore reads the file at path, or creates it. Lines that are cut off, as after a power
// failure, count for nothing. Several processes may add to one file, which may be writing
// its last line: nothing is taken away.
func openStore(path string) (*store, error) {
	s := new(store)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var r result
		err := json.Unmarshal(line, &r)
		if cut(line, err) {
			continue
		}
		if err != nil {
			return nil, &format.Error{Path: path, Line: n, Err: err}
		}
		s.results = append(s.results, r)
	}
	if s.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666); err != nil {
		return nil, err
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		if _, err := s.file.Write([]byte("\n")); err != nil {
			return nil, errors.Join(err, s.file.Close())
		}
	}
	return s, nil
}

// cut reports whether the error is that a line ends too soon.
func cut(line []byte, err error) bool {
	var at *json.SyntaxError
	return errors.As(err, &at) && at.Offset >= int64(len(line))
}

// lookup finds the run of a job; the last that was added.
func (s *store) lookup(table, job string, split, version int) (r result, ok bool) {
	for _, of := range s.results {
		if of.Table == table && of.Job == job && of.Split == split && of.Version == version {
			r, ok = of, true
		}
	}
	return r, ok
}

// done finds the run of a job that need not be done.
func (s *store) done(table, job string, split, version int) (r result, ok bool) {
	if !s.again {
		return s.lookup(table, job, split, version)
	}
	these := store{results: s.results[len(s.results)-s.fresh:]}
	return these.lookup(table, job, split, version)
}

// compare counts a run that was done before, and returns those of its figures that now are others.
func (s *store) compare(r result) (then figures) {
	was, ok := s.lookup(r.Table, r.Job, r.Split, r.Version)
	if !ok {
		return nil
	}
	s.repeated++
	for _, f := range was.Figures {
		if !slices.Contains(r.Figures, f) {
			then = append(then, f)
		}
	}
	if len(then) > 0 || len(was.Figures) != len(r.Figures) {
		s.changed++
	}
	return then
}

// add adds a run, to the file unless the same figures are there.
func (s *store) add(r result) error {
	was, ok := s.lookup(r.Table, r.Job, r.Split, r.Version)
	s.results = append(s.results, r)
	s.fresh++
	if s.file == nil || ok && slices.Equal(was.Figures, r.Figures) {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (s *store) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func writeFile(ctx context.Context, path, text string) error {
	out, err := format.Create(ctx, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write([]byte(text)); err != nil {
		return err
	}
	return out.Close()
}
