package format_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// fifo returns the path of a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no FIFO here: %v", err)
	}
	return path
}

// A named pipe that nobody reads does not keep Create waiting when its context ends, and works as
// before then.
func TestCreateUnread(t *testing.T) {
	path := fifo(t)
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error)
	go func() {
		o, err := format.Create(ctx, path)
		if err == nil {
			o.Abort()
		}
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond) // Create waits by now, most likely
	cancel(enough)
	if err := <-ended; !errors.Is(err, enough) {
		t.Errorf("Create: %v, want %v", err, enough)
	}
	read := make(chan string)
	go func() {
		b, err := os.ReadFile(path)
		if err != nil {
			b = []byte(err.Error())
		}
		read <- string(b)
	}()
	closeOutput(t, create(t, path, long))
	if got := <-read; got != long {
		t.Errorf("%d bytes %.40q were read, want %d", len(got), got, len(long))
	}
	dir := filepath.Dir(path)
	if err := errors.Join(os.Chmod(path, 0o222), os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() { // who may not read it either
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(enough) })
		if _, err := format.Create(ctx, path); !errors.Is(err, enough) {
			t.Errorf("Create: %v, want %v", err, enough)
		}
	})
}

// What waits for the reader of a pipe ends when the context does, and with Abort.
func TestEndOfBlockedOutput(t *testing.T) {
	enough := errors.New("enough")
	for name, finish := range map[string]func(*format.Output) error{
		"Complete": (*format.Output).Complete,
		"Close":    (*format.Output).Close,
		"Write": func(o *format.Output) error {
			_, err := io.WriteString(o, long)
			return err
		},
	} {
		for _, abort := range []bool{false, true} {
			path := fifo(t)
			reader, err := os.OpenFile(path, os.O_RDWR, 0) // and never reads
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			o, err := format.Create(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{64 << 10, 60000} { // what a pipe holds; the rest is in o
				if _, err := io.WriteString(o, long[:n]); err != nil {
					t.Fatal(err)
				}
			}
			ended := make(chan error)
			go func() { ended <- finish(o) }()
			time.Sleep(20 * time.Millisecond) // it waits by now, most likely
			want := "write " + path + ": enough"
			if abort {
				want = "write " + path + ": file already closed"
				o.Abort()
			} else {
				cancel(enough)
			}
			if err := <-ended; err == nil || err.Error() != want {
				t.Errorf("%s, abort %t: %v, want %s", name, abort, err, want)
			}
			o.Abort()
			if err := o.Close(); err == nil || err.Error() != want {
				t.Errorf("%s, abort %t, then Close: %v, want %s", name, abort, err, want)
			}
			cancel(nil)
			reader.Close()
		}
	}
}
