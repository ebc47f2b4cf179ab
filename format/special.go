package format

import (
	"context"
	"io/fs"
	"os"
)

// openSpecial opens a device, a pipe or another special file for writing.
func openSpecial(ctx context.Context, path string, info fs.FileInfo) (*os.File, error) {
	if info.Mode()&fs.ModeNamedPipe != 0 && ctx.Done() != nil {
		return openPipe(ctx, path)
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
}

// openPipe opens a named pipe for writing, which takes until someone has it open for reading, or ctx ends.
func openPipe(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	got := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		got <- opened{f, err}
	}()
	select {
	case o := <-got:
		return o.file, o.err
	case <-ctx.Done():
	}
	reader := endWait(path)
	go func() {
		if o := <-got; o.err == nil {
			o.file.Close()
		}
		if reader != nil {
			reader.Close()
		}
	}()
	return nil, context.Cause(ctx)
}
