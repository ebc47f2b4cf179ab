package format_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// create begins a file and writes text to it.
func create(t *testing.T, path, text string) *format.Output {
	t.Helper()
	o, err := format.Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, text); err != nil {
		t.Fatal(err)
	}
	return o
}

func closeOutput(t *testing.T, o *format.Output) {
	t.Helper()
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wantFiles checks that dir holds exactly the given files, named as "name" for a
// plain file and "name -> target" for a link. A forgotten temporary file is one
// too many.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		name := e.Name()
		if e.Type() == fs.ModeSymlink {
			target, err := os.Readlink(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			name += " -> " + target
		}
		got = append(got, name)
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("the folder holds [%s], want [%s]", strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) != want {
		t.Errorf("%s holds %.60q (%d bytes), want %.60q (%d bytes)", filepath.Base(path), b, len(b), want, len(want))
	}
}

// long is more than any buffer between Write and the file.
var long = strings.Repeat("0123456789abcde\n", 1<<15)

func TestCreateTakesNameAtClose(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "short": "text\n", "long": long} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "out")
			o := create(t, path, text)
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("before Close: %v, want that there is no file", err)
			}
			closeOutput(t, o)
			wantFiles(t, dir, "out")
			wantText(t, path, text)
			o.Abort() // as a deferred one
			wantText(t, path, text)
		})
	}
}

func TestCreateReplacesAtClose(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, "old")
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	o := create(t, path, long)
	wantText(t, path, "old")
	closeOutput(t, o)
	wantText(t, path, long)
	wantFiles(t, dir, "out")
	if b, err := io.ReadAll(old); string(b) != "old" || err != nil {
		t.Errorf("who has the old file open reads %q, %v", b, err)
	}
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	fresh, existing := filepath.Join(dir, "fresh"), filepath.Join(dir, "existing")
	write(t, existing, "old")
	for _, path := range []string{fresh, existing} {
		o := create(t, path, long)
		o.Abort()
		o.Abort()
		wantFiles(t, dir, "existing")
		wantText(t, existing, "old")
		if err := o.Close(); !errors.Is(err, fs.ErrClosed) || !strings.Contains(err.Error(), path) {
			t.Errorf("Close after Abort: %v, want that %s is closed", err, path)
		}
		if _, err := io.WriteString(o, long); err == nil {
			t.Error("Write after Abort is no error")
		}
		wantFiles(t, dir, "existing")
		wantText(t, existing, "old")
	}
}

func TestCloseTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o := create(t, path, "text")
	closeOutput(t, o)
	err := o.Close()
	if want := "write " + path + ": file already closed"; err == nil || err.Error() != want {
		t.Errorf("Close: %v, want %s", err, want)
	}
	wantText(t, path, "text")
}

func TestCancel(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, "old")
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	o, err := format.Create(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, long); err != nil {
		t.Fatal(err)
	}
	cancel(cause)
	for range 1000 { // the temporary file goes without a call to o
		if entries, err := os.ReadDir(dir); err != nil {
			t.Fatal(err)
		} else if len(entries) == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	wantFiles(t, dir, "out")
	want := "write " + path + ": enough"
	if _, err := io.WriteString(o, long); err == nil || err.Error() != want {
		t.Errorf("Write: %v, want %s", err, want)
	}
	if err := o.Close(); !errors.Is(err, cause) || err.Error() != want {
		t.Errorf("Close: %v, want %s", err, want)
	}
	wantFiles(t, dir, "out")
	wantText(t, path, "old")
}

func TestCancelledBefore(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := format.Create(ctx, filepath.Join(dir, "out")); !errors.Is(err, context.Canceled) {
		t.Errorf("Create: %v, want %v", err, context.Canceled)
	}
	wantFiles(t, dir)
}

func TestCancelAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(context.Background())
	o, err := format.Create(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	closeOutput(t, o)
	cancel()
	o.Abort()
	wantText(t, path, "")
}

// When a context has ended before the next call, that call knows.
func TestCancelThen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	for range 100 { // the watch is another goroutine
		for name, then := range map[string]func(*format.Output) error{
			"Close":    (*format.Output).Close,
			"Complete": (*format.Output).Complete,
			"Write": func(o *format.Output) error {
				_, err := io.WriteString(o, "more")
				return err
			},
		} {
			for _, to := range []string{path, "-"} {
				var stdout strings.Builder
				ctx, cancel := context.WithCancelCause(context.Background())
				o, err := format.CreateOutput(ctx, to, &stdout)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(o, "text"); err != nil {
					t.Fatal(err)
				}
				enough := errors.New("enough")
				cancel(enough)
				if err := then(o); !errors.Is(err, enough) {
					t.Fatalf("%s of %s: error %v", name, to, err)
				}
				o.Close()
				wantFiles(t, dir)
				if stdout.Len() > 0 {
					t.Fatalf("%s of %s: %q was written", name, to, stdout.String())
				}
			}
		}
	}
}

// Close, Abort and the cancelling of the context may come at the same moment.
// Whichever wins, the file is there if and only if Close says so.
func TestConcurrentEnds(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	written, dropped := 0, 0
	for i := range 400 {
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			for range i % 40 {
				syscall.Getpid() // a short while
			}
			cancel()
		})
		o, err := format.Create(ctx, path)
		if err != nil {
			all.Wait()
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			wantFiles(t, dir)
			continue
		}
		if i%2 == 0 {
			all.Go(o.Abort)
		}
		io.WriteString(o, long[:i])
		err = o.Close()
		all.Wait()
		if err != nil {
			dropped++
			wantFiles(t, dir)
			continue
		}
		written++
		wantFiles(t, dir, "out")
		wantText(t, path, long[:i])
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if written == 0 || dropped == 0 {
		t.Logf("one-sided: %d written, %d dropped", written, dropped)
	}
}

func TestWriterAfterFailedFlush(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "sub", "out")
	if err := os.Mkdir(filepath.Dir(missing), 0o755); err != nil {
		t.Fatal(err)
	}
	o := create(t, missing, "text")
	if err := os.RemoveAll(filepath.Dir(missing)); err != nil {
		t.Fatal(err)
	}
	err := o.Close() // the file has lost the folder it was to be named in
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Close: %v, want that the folder does not exist", err)
	}
	if err != nil && !strings.HasPrefix(err.Error(), "rename "+missing+": ") {
		t.Errorf("Close: %v, want an error that names %s", err, missing)
	}
	wantFiles(t, dir)
}

// TestComplete: a complete file waits for its name, and takes nothing more. What
// Complete could not write Close does not give a name.
func TestComplete(t *testing.T) {
	for _, name := range []string{"file", "file.gz"} {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, "old")
		o := create(t, path, "new")
		for range 2 {
			if err := o.Complete(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.WriteString(o, "more"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: writing after Complete: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
			t.Errorf("%s: %q, %v before Close", name, got, err)
		}
		closeOutput(t, o)
		r, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != "new" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		r.Close()
		wantFiles(t, filepath.Dir(path), name)
		if err := o.Complete(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Complete after Close: %v", name, err)
		}
	}
	full := errors.New("full")
	o, err := format.CreateOutput(t.Context(), "-", writerFunc(func([]byte) (int, error) { return 0, full }))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(o, "text")
	for _, end := range []func() error{o.Complete, o.Close} {
		if err := end(); !errors.Is(err, full) {
			t.Errorf("error %v, want %v", err, full)
		}
	}
	dir := t.TempDir()
	o = create(t, filepath.Join(dir, "dropped"), "text")
	if err := o.Complete(); err != nil {
		t.Fatal(err)
	}
	o.Abort()
	wantFiles(t, dir)
}
