package format_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// touch sets the time of a file.
func touch(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, at); err != nil {
		t.Fatal(err)
	}
}

// TestWatch: a file that becomes another while it is open has changed, one of which the file system
// tells less has not.
func TestWatch(t *testing.T) {
	began := time.Unix(1e9, 999_000_000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "some text")
	z.Close()
	for _, c := range []struct {
		name    string
		change  func(path string) error
		changed bool
	}{
		{"none", func(string) error { return nil }, false},
		{"shorter", func(path string) error { return os.Truncate(path, 4) }, true},
		{"empty", func(path string) error { return os.Truncate(path, 0) }, true},
		{"longer", func(path string) error { return os.Truncate(path, 200) }, true},
		{"later", func(path string) error { return os.Chtimes(path, time.Time{}, began.Add(time.Millisecond)) }, true},
		{"of old", func(path string) error { return os.Chtimes(path, time.Time{}, began.Add(-time.Hour)) }, true},
		{"cut to seconds", func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)) }, false},
		{"permissions", func(path string) error { return os.Chmod(path, 0o400) }, false},
		{"removed", os.Remove, false},
	} {
		for _, text := range []string{"some text", packed.String()} {
			path := filepath.Join(t.TempDir(), "file")
			write(t, path, text)
			touch(t, path, began)
			r, err := format.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			w := format.NewWatch(r)
			if err := c.change(path); err != nil {
				t.Logf("%s: %v", c.name, err) // some systems do not remove what is open
				continue
			}
			want := io.EOF
			if c.changed {
				want = format.ErrChanged
			}
			if got := w.Check(io.EOF); got != want {
				t.Errorf("%s, %d bytes: %v", c.name, len(text), got)
			}
		}
	}
}

// TestWatchAgain: what is opened by the same path later is the same file, or it has changed.
func TestWatchAgain(t *testing.T) {
	began := time.Date(2026, 3, 4, 5, 6, 7, 890e6, time.UTC)
	for _, c := range []struct {
		name   string
		change func(path string) error
		want   error
	}{
		{"nothing", func(path string) error { return nil }, nil},
		{"permissions", func(path string) error { return os.Chmod(path, 0o400) }, nil},
		{"written to", func(path string) error { return os.WriteFile(path, []byte("some more text"), 0o666) }, format.ErrChanged},
		{"another", func(path string) error {
			if err := os.WriteFile(path+".new", []byte("some text"), 0o666); err != nil {
				return err
			}
			if err := os.Chtimes(path+".new", began, began); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}, format.ErrChanged},
	} {
		path := filepath.Join(t.TempDir(), "file")
		write(t, path, "some text")
		touch(t, path, began)
		var w [2]format.Watch
		for i := range w {
			r, err := format.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			w[i] = format.NewWatch(r)
			if i > 0 {
				break
			}
			if err := c.change(path); err != nil {
				t.Skip(err) // some systems do not replace what is open
			}
		}
		if err := w[0].CheckReopened(w[1]); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err := w[0].CheckReopened(format.Watch{}); err != nil {
			t.Errorf("%s: %v of a stream", c.name, err)
		}
	}
}

// TestWatchStream: standard input may be a file, and be one that is written to. What is no regular
// file does not change.
func TestWatchStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := format.OpenInput("-", f)
	if err != nil {
		t.Fatal(err)
	}
	w := format.NewWatch(in)
	touch(t, path, time.Now().Add(time.Hour)) // as the system does of what it makes up
	if err := w.Check(nil); err != nil {
		t.Error(err)
	}
	io.WriteString(f, "text")
	if err := w.Check(nil); err != format.ErrChanged {
		t.Error(err)
	}
	fault := errors.New("fault")
	for _, r := range []io.Reader{strings.NewReader("text"), format.OpenStream(strings.NewReader("text"), "text"), nil} {
		if err := format.NewWatch(r).Check(fault); err != fault {
			t.Errorf("%T: %v", r, err)
		}
	}
	if err := new(format.Watch).Check(nil); err != nil {
		t.Error(err)
	}
	f.Close()
	if err := w.Check(fault); err != fault {
		t.Errorf("closed: %v", err)
	}
}

// TestReplayChangesMeanwhile: the end of each reading tells of a change.
func TestReplayChangesMeanwhile(t *testing.T) {
	for readings := range 2 {
		path := filepath.Join(t.TempDir(), "file")
		write(t, path, "some text")
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p := format.NewReplay(context.Background(), f)
		r := p.First()
		if readings > 0 {
			if _, err := io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			if r, err = p.Again(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.ReadFull(r, make([]byte, 4)); err != nil {
			t.Fatal(err)
		}
		write(t, path, "Some Text")
		touch(t, path, time.Now().Add(time.Hour)) // a clock may be coarse
		if text, err := io.ReadAll(r); err != format.ErrChanged {
			t.Errorf("%d readings before: %q, %v", readings, text, err)
		}
	}
}
