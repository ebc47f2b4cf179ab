package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
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

// setKeep sets how much is kept in memory.
func setKeep(t *testing.T, n int) {
	old := replayMemory
	replayMemory = n
	t.Cleanup(func() { replayMemory = old })
}

// readTwice makes svm-scale read its data again.
func readTwice(t *testing.T) {
	old := cacheBytes
	cacheBytes = 0
	t.Cleanup(func() { cacheBytes = old })
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
	for k := range 6 {
		room, goroutines := []int{1, 1000, 16 << 20}[k%3], 1+k/3*2
		setKeep(t, room)
		got := oursBy(t, goroutines, "-s", "range", pipe(t, func(w io.Writer) { io.WriteString(w, data) }))
		if got != want {
			t.Errorf("with room for %d bytes: status %d, stderr %q, %d bytes instead of %d", room, got.status, got.stderr, len(got.stdout), len(want.stdout))
		}
		reset(t)
		// a row that does not scale is found before any output, by one more reading
		writeFile(t, "given", "x\n-1 1\n1 0 1e-305\n3 0 6\n")
		path := pipe(t, func(w io.Writer) { io.WriteString(w, data) })
		bad := result{1, "", path + ":900: cannot scale the value 899 of feature 1 from 0..1e-305 to -1..1: the result is out of range\n", "-"}
		if got = oursBy(t, goroutines, "-r", "given", path); got != bad {
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
	if got, want := oursBy(t, 1, "-r", path, "data"), (result{0, "1 1:0.25 \n2 1:0.5 \n", "", "-"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Cancelled while it waits for input, the command leaves nothing behind.
func TestCancel(t *testing.T) {
	for _, room := range []int{1, 16 << 20} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			t.Chdir(t.TempDir())
			left := emptyTemp(t)
			setKeep(t, room)
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

// sourceOf returns a source of content that cannot be read again by itself.
func sourceOf(r io.Reader) *source { return newSource(context.Background(), io.NopCloser(r), r) }

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

// TestLongLine: a line that is too long, which takes a gigabyte to have, is reported with its number, by one
// goroutine and by several.
func TestLongLine(t *testing.T) {
	for _, workers := range []int{1, 2} {
		o, err := parseOptions([]string{"data"})
		if err != nil {
			t.Fatal(err)
		}
		s := &scaling{options: o}
		in := io.MultiReader(strings.NewReader("1 1:1\n2 1:2\n3 1"), iotest.ErrReader(textscan.ErrLongLine))
		s.in = sourceOf(in)
		rows := batchReader(newTextRows(s.in.first()))
		if workers > 1 {
			rows = s.newTextParts(s.in.first(), workers)
		}
		_, err = s.measure(t.Context(), rows)
		if want := "3: " + textscan.ErrLongLine.Error(); err == nil || err.Error() != want {
			t.Errorf("%d goroutines: %v, want %s", workers, err, want)
		}
	}
}

// TestChangedFile: a file that changes between the readings is an error.
func TestChangedFile(t *testing.T) {
	readTwice(t)
	t.Chdir(t.TempDir())
	for _, next := range []string{"", "1 1:1\n2 1:2\n3 1:3\n", "1 1:1\n2\n", "1 1:1 2:1\n2 1:2\n", "1 1:1\n"} {
		writeFile(t, "data", "1 1:1\n2 1:2\n")
		o, err := parseOptions([]string{"data"})
		if err != nil {
			t.Fatal(err)
		}
		s := &scaling{options: o, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
		if s.in, err = openSource(t.Context(), "data"); err != nil {
			t.Fatal(err)
		}
		m, err := s.measure(t.Context(), newTextRows(s.in.first()))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, "data", next)
		r := m.Ranges(s.x, s.y)
		_, err = s.writeRows(t.Context(), m, scale.NewScaler(r), s.stdout)
		if err == nil || err.Error() != "data: the file changed while it was read" {
			t.Errorf("%q: %v", next, err)
		}
		s.in.close()
	}
}

// TestPipeWithoutRoom: that there is no place for temporary files is not reported as if it was about the data.
func TestPipeWithoutRoom(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	setKeep(t, 1000)
	readTwice(t)
	var stderr bytes.Buffer
	status := run(context.Background(), []string{pipe(t, func(w io.Writer) { io.WriteString(w, manyRows()) })}, nil, io.Discard, &stderr)
	if status != 1 || !strings.Contains(stderr.String(), missing) {
		t.Errorf("status %d, stderr %q, want one that names %s", status, &stderr, missing)
	}
}
