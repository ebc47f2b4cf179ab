package format

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Open opens the file at path for reading. A directory is an error.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// An Output is a file being written. It takes its name only when Close
// succeeds: until then, and after Abort, whatever the name held before is
// untouched. Devices, pipes and other special files are written directly.
type Output struct {
	w    *bufio.Writer
	file *os.File
	stop func() bool // ends the watch on the context

	mu      sync.Mutex // guards what follows against the watch
	pending *pending
	done    bool
}

// Create begins to write a file at path. When ctx is cancelled before Close,
// the file is dropped at once, as by Abort.
func Create(ctx context.Context, path string) (*Output, error) {
	o := new(Output)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link keeps pointing where it did
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		if o.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, err
		}
	default:
		if err == nil { // a file that may not be written may not be replaced either
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			f.Close()
		}
		o.pending, o.file, err = newPending(path)
		if err != nil {
			if info == nil || !errors.Is(err, fs.ErrPermission) {
				return nil, err
			}
			// a writable file in a folder that takes no new ones
			if o.file, err = os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0); err != nil {
				return nil, err
			}
		}
	}
	o.w = bufio.NewWriterSize(o.file, 64<<10)
	o.stop = context.AfterFunc(ctx, o.drop)
	return o, nil
}

// Write writes to the file.
func (o *Output) Write(p []byte) (int, error) { return o.w.Write(p) }

// Close completes the file and gives it its name. After a failure there is no
// such file, or the one that was there before.
func (o *Output) Close() error {
	o.stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return fmt.Errorf("write %s: %w", o.file.Name(), fs.ErrClosed)
	}
	o.done = true
	err := o.w.Flush()
	if o.pending == nil {
		return errors.Join(err, o.file.Close())
	}
	if err == nil {
		err = o.pending.CloseAtomicallyReplace()
	}
	return errors.Join(err, o.pending.Cleanup())
}

// Abort drops the file. After Close it does nothing, so it may be deferred.
func (o *Output) Abort() {
	o.stop()
	o.drop()
}

func (o *Output) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return
	}
	o.done = true
	if o.pending == nil {
		o.file.Close()
		return
	}
	o.pending.Cleanup()
}
