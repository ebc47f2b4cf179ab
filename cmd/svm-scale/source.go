package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/slimsvm/slimsvm/format"
)

// A source is an input that is read twice. A regular file is read again from its
// start; anything else goes into a spool on the first reading.
type source struct {
	file  io.ReadCloser
	seek  io.Seeker   // nil: spooled
	info  fs.FileInfo // nil: not a file
	spool *spool
}

func openSource(ctx context.Context, path string) (*source, error) {
	file, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{file: file}
	if f, ok := file.(*os.File); ok {
		if s.info, err = f.Stat(); err != nil {
			f.Close()
			return nil, err
		}
		if s.info.Mode().IsRegular() {
			s.seek = f
		}
	}
	if s.seek == nil {
		s.spool = &spool{ctx: ctx}
	}
	return s, nil
}

// first returns the input. It is read to its end before again is called.
func (s *source) first() io.Reader {
	if s.seek != nil {
		return s.file
	}
	return io.TeeReader(s.file, s.spool)
}

// again returns the input from its start; it may be called several times.
func (s *source) again() (io.Reader, error) {
	if s.seek == nil {
		return s.spool.reader()
	}
	_, err := s.seek.Seek(0, io.SeekStart)
	return s.file, err
}

// close ends the reading and drops the spool.
func (s *source) close() {
	s.file.Close()
	if s.spool != nil {
		s.spool.drop()
	}
}

// sameRegular reports whether w writes to the regular file that is read.
func (s *source) sameRegular(info fs.FileInfo) bool {
	return s.info != nil && info != nil && s.info.Mode().IsRegular() && os.SameFile(s.info, info)
}

// spoolInMemory is how many bytes a spool holds in memory before it goes to a
// temporary file.
var spoolInMemory = 16 << 20

// A spool keeps what was written to it. A temporary file is without a name from
// the start where the system can do that, so that it vanishes with the process;
// elsewhere it is removed by drop or when ctx is cancelled.
type spool struct {
	ctx    context.Context
	memory []byte
	file   *os.File
	drop1  sync.Once
	stop   func() bool
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil {
		if len(s.memory)+len(p) <= spoolInMemory {
			s.memory = append(s.memory, p...)
			return len(p), nil
		}
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	return s.file.Write(p)
}

// toFile moves what is in memory to a temporary file.
func (s *spool) toFile() (err error) {
	if s.file, err = os.CreateTemp("", "svm-scale-*"); err != nil {
		return err
	}
	if os.Remove(s.file.Name()) != nil {
		s.stop = context.AfterFunc(s.ctx, s.drop)
	}
	_, err = s.file.Write(s.memory)
	s.memory = nil
	return err
}

func (s *spool) reader() (io.Reader, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

func (s *spool) drop() {
	s.drop1.Do(func() {
		s.memory = nil
		if s.file == nil {
			return
		}
		s.file.Close()
		if s.stop != nil {
			s.stop()
			os.Remove(s.file.Name())
		}
	})
}
