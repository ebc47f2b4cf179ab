package main

import (
	"context"
	"io"
	"io/fs"
	"os"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
)

// A source is an input that is read twice.
type source struct {
	file    io.Closer
	watch   format.Watch   // over file
	info    fs.FileInfo    // nil: not a file as it is
	replay  *format.Replay // of a LIBSVM file
	foreign *datafile.File // nil: LIBSVM's
}

// replayMemory is how many bytes are kept in memory of an input that cannot be
// read again, before a temporary file is used; 0: as many as is usual.
var replayMemory = 0

func openSource(ctx context.Context, path string) (*source, error) {
	file, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	watch := format.NewWatch(file)
	foreign, text := datafile.DetectForeign(ctx, path, file, beginsRow)
	s := &source{file: file, foreign: foreign}
	if foreign == nil {
		s = newSource(ctx, file, text)
	}
	s.watch = watch
	if f, ok := file.(*os.File); ok {
		if s.info, err = f.Stat(); err != nil {
			f.Close()
			return nil, err
		}
	}
	return s, nil
}

// newSource returns the source of a text, which comes from a file.
func newSource(ctx context.Context, file io.Closer, text io.Reader) *source {
	s := &source{file: file, replay: format.NewReplay(ctx, text)}
	if replayMemory > 0 {
		s.replay.Memory = replayMemory
	}
	return s
}

// first returns the input. It is read to its end before again is called.
func (s *source) first() io.Reader { return s.replay.First() }

// reopen returns the input from its start; it may be called several times.
func (s *source) reopen() (io.Reader, error) { return s.replay.Again() }

// close ends the reading and drops what was kept.
func (s *source) close() {
	s.file.Close()
	if s.foreign != nil {
		s.foreign.Close()
		return
	}
	s.replay.Close()
}

// size returns how many bytes the input has, 0 if that is not known of it as a text.
func (s *source) size() int64 {
	if s == nil || s.info == nil || !s.info.Mode().IsRegular() {
		return 0
	}
	return s.info.Size()
}
