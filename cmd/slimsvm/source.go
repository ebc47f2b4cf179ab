package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

// isStream reports whether what stands at a path is no file that keeps its content
// and can have others beside it: standard input and output, a pipe, a device, one of
// the process's open files. What is not there is no stream.
func isStream(path string) bool {
	if dir := filepath.ToSlash(filepath.Dir(filepath.Clean(path))); format.IsStream(path) || dir == "/dev" || strings.HasPrefix(dir, "/proc/") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// A source is data that can be read again and again. A file is opened each time. A
// stream gives its content once, and so is kept while it is read first.
type source struct {
	path   string
	stream io.Reader // nil: a file
	replay *format.Replay
	opened io.Closer // the stream, if it was opened here
	once   bool      // the first reading is the only one: nothing need be kept
	begun  bool
	first  *input // what was opened first
}

// source returns the data at a path, or with - those of standard input.
func (e *env) source(ctx context.Context, path string) (*source, error) {
	if err := e.notOutput(path); err != nil {
		return nil, err
	}
	s := &source{path: path}
	switch {
	case path == "-":
		s.stream = e.stdin
	case isStream(path):
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		s.stream, s.opened = f, f
	default:
		return s, nil
	}
	s.replay = format.NewReplay(ctx, s.stream)
	return s, nil
}

// Read reads a stream for the first time.
func (s *source) Read(p []byte) (int, error) {
	if s.once {
		return s.stream.Read(p)
	}
	return s.replay.First().Read(p)
}

// text returns what a stream holds, packed or not, from its start, and nil for a
// file, which is to be opened by its path. All but the first have what the first got.
func (s *source) text() (io.Reader, error) {
	switch {
	case s.stream == nil:
		return nil, nil
	case !s.begun:
		s.begun = true
		return s, nil
	}
	return s.replay.Again()
}

// checkSame returns the fault of data that were opened and are not those that were opened first.
func (s *source) checkSame(in *input) error {
	if s.first == nil {
		s.first = in
	}
	return in.at(s.first.CheckReopened(in.File))
}

// reopened returns what opens a data file as often as wanted, several times at once
// too, as openLike does. A stream is read into memory for that.
func (e *env) reopened(c *cli.Context, path string) (func() (*input, error), error) {
	if err := e.notOutput(path); err != nil {
		return nil, err
	}
	if !isStream(path) {
		s := &source{path: path}
		var mu sync.Mutex // guards s
		return func() (*input, error) {
			in, err := e.openLike(c, path, nil)
			if err != nil {
				return nil, err
			}
			mu.Lock()
			defer mu.Unlock()
			if err := s.checkSame(in); err != nil {
				in.close()
				return nil, err
			}
			return in, nil
		}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return func() (*input, error) { return e.openLike(c, path, bytes.NewReader(text)) }, format.WithPath(err, path)
}

// close gives back what was kept.
func (s *source) close() {
	if s.replay != nil {
		s.replay.Close()
	}
	if s.opened != nil {
		s.opened.Close()
	}
}
