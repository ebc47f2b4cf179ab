package format

import (
	"context"
	"io/fs"
	"os"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// openSpecial opens a device, a pipe or another special file for writing.
func openSpecial(ctx context.Context, path string, info fs.FileInfo) (*os.File, error) {
	if info.Mode()&fs.ModeNamedPipe != 0 && ctx.Done() != nil {
		return openPipe(ctx, path, info)
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
}

// openPipe opens a named pipe for writing, which takes until someone has it open for reading, or ctx
// ends. Then nothing of it stays open, which the next to open the pipe might take for its other end,
// unless the wait cannot be ended.
func openPipe(ctx context.Context, path string, info fs.FileInfo) (*os.File, error) {
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
	closeAll := func() {
		if o := <-got; o.err == nil {
			o.file.Close()
		}
		if reader != nil {
			reader.Close()
		}
	}
	if isOf(reader, info) { // so that the wait is over
		closeAll()
	} else {
		go closeAll()
	}
	return nil, ended.Err(ctx)
}

// isOf reports whether a file, nil for none, is the one of which info is.
func isOf(f *os.File, info fs.FileInfo) bool {
	if f == nil {
		return false
	}
	own, err := f.Stat()
	return err == nil && os.SameFile(own, info)
}
