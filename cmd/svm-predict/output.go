package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/slimsvm/slimsvm/format"
)

// An output receives the predictions. After Close they are complete; Abort
// without it drops what can be dropped.
type output interface {
	io.Writer
	Close() error
	Abort()
}

// A stream is an output to one of the command's own streams.
type stream struct{ *bufio.Writer }

func (s stream) Close() error { return s.Flush() }
func (s stream) Abort()       {}

var (
	_ output = (*format.Output)(nil)
	_ output = stream{}
)

// create opens the output, unless it would replace a file that is to be read.
// Opened by a name such as /dev/stdout, a stream that goes to a file would begin
// anew and lose what it holds, so then the stream itself is the output.
func (o *options) create(ctx context.Context, stdout, stderr io.Writer) (output, error) {
	if info, err := os.Stat(o.output); err == nil {
		if info.Mode().IsRegular() {
			switch {
			case isFile(o.data, info):
				return nil, errors.New("it is the input file")
			case isFile(o.model, info):
				return nil, errors.New("it is the model file")
			}
		}
		for _, w := range []io.Writer{stdout, stderr} {
			if f, ok := w.(*os.File); ok {
				if s, err := f.Stat(); err == nil && os.SameFile(s, info) {
					return stream{bufio.NewWriter(w)}, nil
				}
			}
		}
	}
	return format.Create(ctx, o.output)
}

// isFile reports whether path leads to the file of info.
func isFile(path string, info fs.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}
