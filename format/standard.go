package format

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// standardName is the path that stands for a standard stream.
const standardName = "-"

// OpenInput is [Open], except that the path "-" means stdin, which is uncompressed in the same way.
// Close leaves stdin open. Errors name it "standard input".
func OpenInput(path string, stdin io.Reader) (io.ReadCloser, error) {
	if path != standardName {
		return Open(path)
	}
	return OpenStream(stdin, "standard input"), nil
}

// OpenStream returns the content of a stream, uncompressed as by [Open]. Errors call the stream
// name. Close leaves the stream open.
func OpenStream(stream io.Reader, name string) io.ReadCloser {
	return newStream(leftOpen{stream, name}, name)
}

// leftOpen is a stream that Close leaves open.
type leftOpen struct {
	io.Reader
	name string // in errors of the system
}

func (l leftOpen) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = &fs.PathError{Op: e.Op, Path: l.name, Err: e.Err}
	}
	return n, err
}

func (leftOpen) Close() error { return nil }

// CreateOutput is [Create], except that the path "-" means stdout. Content goes to stdout as it is
// produced. Close writes what is still buffered and leaves stdout open; after Abort, or when ctx is
// cancelled, nothing more is written.
func CreateOutput(ctx context.Context, path string, stdout io.Writer) (*Output, error) {
	if path != standardName {
		return Create(ctx, path)
	}
	if ctx.Err() != nil {
		return nil, ended.Err(ctx)
	}
	o := &Output{path: "standard output", file: &standardOutput{w: stdout}}
	unfinished.Add(1)
	o.begin(ctx)
	return o, nil
}

// standardOutput is a stream that goes on existing when it is closed.
type standardOutput struct {
	w      io.Writer
	closed atomic.Bool
}

func (s *standardOutput) Write(p []byte) (int, error) {
	if s.closed.Load() {
		return 0, fs.ErrClosed
	}
	return s.w.Write(p)
}

func (s *standardOutput) Close() error {
	s.closed.Store(true)
	return nil
}
