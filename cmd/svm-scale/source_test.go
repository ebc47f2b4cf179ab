package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// pipe returns the path of a pipe from which content is read, as long as the
// test runs.
func pipe(t *testing.T, feed func(w io.Writer)) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: pipes have no path here")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		feed(w)
		w.Close()
		close(done)
	}()
	t.Cleanup(func() { r.Close(); <-done })
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: pipes have no path here: ", err)
	}
	return path
}

// emptyTemp makes the temporary files of the test go to an own folder, where
// the returned function finds what is left.
func emptyTemp(t *testing.T) (left func() int) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
}

// setSpool sets how much a spool keeps in memory.
func setSpool(t *testing.T, n int) {
	old := spoolInMemory
	spoolInMemory = n
	t.Cleanup(func() { spoolInMemory = old })
}

// manyRows is some hundred kilobytes of rows.
func manyRows() string {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "%d 1:%d 3:%d\n", i%2, i, i%7)
	}
	return b.String()
}

func TestPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	data := manyRows()
	writeFile(t, "data", data)
	want := ours(t, "-s", "range", "data")
	if want.status != 0 {
		t.Fatal(want)
	}
	reset(t)
	left := emptyTemp(t)
	for _, room := range []int{0, 1000, 16 << 20} {
		setSpool(t, room)
		got := ours(t, "-s", "range", pipe(t, func(w io.Writer) { io.WriteString(w, data) }))
		if got != want {
			t.Errorf("with room for %d bytes: status %d, stderr %q, %d bytes instead of %d", room, got.status, got.stderr, len(got.stdout), len(want.stdout))
		}
		reset(t)
		// a row that does not scale is found before any output, by one more reading
		writeFile(t, "given", "x\n-1 1\n1 0 1e-305\n3 0 6\n")
		path := pipe(t, func(w io.Writer) { io.WriteString(w, data) })
		bad := result{1, "", path + ":900: cannot scale the value 899 of feature 1 from 0..1e-305 to -1..1: the result is out of range\n", "-"}
		if got = ours(t, "-r", "given", path); got != bad {
			t.Errorf("with room for %d bytes: %v", room, got)
		}
		if n := left(); n > 0 {
			t.Errorf("with room for %d bytes: %d temporary files are left", room, n)
		}
	}
}

func TestPipedRanges(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "data", "1 1:1\n2 1:2\n")
	path := pipe(t, func(w io.Writer) { io.WriteString(w, "x\n0 1\n1 0 4\n") })
	if got, want := ours(t, "-r", path, "data"), (result{0, "1 1:0.25 \n2 1:0.5 \n", "", "-"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Cancelled while it waits for input, the command leaves nothing behind.
func TestCancel(t *testing.T) {
	for _, room := range []int{0, 16 << 20} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			t.Chdir(t.TempDir())
			left := emptyTemp(t)
			setSpool(t, room)
			ctx, cancel := context.WithCancel(context.Background())
			path := pipe(t, func(w io.Writer) {
				io.WriteString(w, manyRows())
				cancel()
			})
			var stdout, stderr bytes.Buffer
			status := run(ctx, []string{"-s", "range", path}, nil, &stdout, &stderr)
			if status != 1 || stdout.Len() > 0 || stderr.Len() > 0 || saved(t) != "-" {
				t.Errorf("status %d, %d bytes of output, stderr %q, range %q", status, stdout.Len(), &stderr, saved(t))
			}
			if n := left(); n > 0 {
				t.Errorf("%d temporary files are left", n)
			}
		})
	}
	t.Run("before", func(t *testing.T) {
		t.Chdir(t.TempDir())
		writeFile(t, "data", manyRows())
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var stdout, stderr bytes.Buffer
		if status := run(ctx, []string{"-s", "range", "data"}, nil, &stdout, &stderr); status != 1 || stdout.Len()+stderr.Len() > 0 || saved(t) != "-" {
			t.Errorf("status %d, stdout %q, stderr %q", status, &stdout, &stderr)
		}
	})
	t.Run("while writing", func(t *testing.T) {
		t.Chdir(t.TempDir())
		writeFile(t, "data", manyRows())
		ctx, cancel := context.WithCancel(context.Background())
		var stderr bytes.Buffer
		w := writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
		if status := run(ctx, []string{"data"}, nil, w, &stderr); status != 1 || stderr.Len() > 0 {
			t.Errorf("status %d, stderr %q", status, &stderr)
		}
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A spool's file that the system does not let go of goes when the context is
// cancelled, or at the latest with drop.
func TestSpoolFile(t *testing.T) {
	left := emptyTemp(t)
	for _, cancelled := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		s := &spool{ctx: ctx}
		var err error
		if s.file, err = os.CreateTemp("", "svm-scale-*"); err != nil {
			t.Fatal(err)
		}
		s.stop = context.AfterFunc(ctx, s.drop)
		if left() != 1 {
			t.Fatal("no file")
		}
		if cancelled {
			cancel()
			for range 1000 {
				if left() == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
		} else {
			s.drop()
		}
		if left() != 0 {
			t.Errorf("cancelled %v: the file is left", cancelled)
		}
		s.drop()
		cancel()
	}
}

// Where the system allows it the file has no name while it is in use, and it is
// closed with the source.
func TestSpoolHasNoName(t *testing.T) {
	needUnix(t)
	left := emptyTemp(t)
	setSpool(t, 4)
	in := sourceOf(strings.NewReader("some text"))
	if b, err := io.ReadAll(in.first()); err != nil || string(b) != "some text" {
		t.Fatalf("%q, %v", b, err)
	}
	if left() > 0 {
		t.Error("the file can be seen")
	}
	for range 2 {
		r, err := in.again()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); err != nil || string(b) != "some text" {
			t.Errorf("again: %q, %v", b, err)
		}
	}
	file := in.spool.file
	in.close()
	if _, err := file.Stat(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// sourceOf returns a source of content that cannot be read again by itself.
func sourceOf(r io.Reader) *source {
	return &source{file: io.NopCloser(r), spool: &spool{ctx: context.Background()}}
}

func TestReadErrors(t *testing.T) {
	fault := errors.New("disk on fire")
	for _, data := range []string{"", "1 1:1\n", "1 1:1\n2 1:"} {
		s := &scaling{options: &options{data: "data"}, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
		s.in = sourceOf(io.MultiReader(strings.NewReader(data), iotest.ErrReader(fault)))
		err := s.scale(context.Background(), nil, nil)
		if err == nil || err.Error() != "data: disk on fire" {
			t.Errorf("after %q: %v", data, err)
		}
	}
}

// changing is a file that holds other rows when it is read again.
type changing struct {
	io.Reader
	next string
}

func (c *changing) Close() error { return nil }

func (c *changing) Seek(int64, int) (int64, error) {
	c.Reader = strings.NewReader(c.next)
	return 0, nil
}

func TestChangedFile(t *testing.T) {
	for _, next := range []string{"", "1 1:1\n2 1:2\n3 1:3\n", "1 1:1\n2\n", "1 1:1 2:1\n2 1:2\n", "1 1:1\n"} {
		o, err := parseOptions([]string{"data"})
		if err != nil {
			t.Fatal(err)
		}
		c := &changing{strings.NewReader("1 1:1\n2 1:2\n"), next}
		s := &scaling{options: o, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer), in: &source{file: c, seek: c}}
		err = s.scale(context.Background(), nil, nil)
		if err == nil || err.Error() != "data: the file changed while it was read" {
			t.Errorf("%q: %v", next, err)
		}
	}
}
