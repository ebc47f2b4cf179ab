package format

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// temporary makes the temporary files of the test go to an own folder, where
// the returned function counts what is left.
func temporary(t *testing.T) (left func() int) {
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

func TestReplay(t *testing.T) {
	left := temporary(t)
	text := strings.Repeat("some text, and more of it\n", 4000)
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("before"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		kept bool
		open func() io.Reader
	}{
		{"file", false, func() io.Reader {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			f.Seek(6, io.SeekStart)
			return f
		}},
		{"string", false, func() io.Reader { return strings.NewReader(text) }},
		{"reader", true, func() io.Reader { return iotest.HalfReader(strings.NewReader(text)) }},
		{"pipe", true, func() io.Reader {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				io.WriteString(w, text)
				w.Close()
			}()
			t.Cleanup(func() { r.Close() })
			return r
		}},
		{"reader that cannot seek after all", true, func() io.Reader { return stuck{strings.NewReader(text)} }},
	} {
		for _, memory := range []int{0, 100, 1 << 20} {
			for _, part := range []int64{0, 10, 5000, 1 << 30} { // of the text that is read first
				p := NewReplay(context.Background(), c.open())
				p.Memory = memory
				n, err := io.Copy(io.Discard, io.LimitReader(p.First(), part))
				if err != nil || n != min(part, int64(len(text))) {
					t.Fatalf("%s: first %d bytes, %v", c.name, n, err)
				}
				for range 2 {
					r, err := p.Again()
					if err != nil {
						t.Fatal(err)
					}
					b, err := io.ReadAll(r)
					if !strings.HasPrefix(text, string(b)) || int64(len(b)) != n || err != nil {
						t.Errorf("%s, %d bytes: %d again, %v", c.name, n, len(b), err)
					}
				}
				if c.kept != (p.seek == nil) || c.kept && part > 100 && (p.spool.file == nil) != (memory > 200) {
					t.Errorf("%s: kept %t, in a file %t", c.name, p.seek == nil, p.spool.file != nil)
				}
				for range 2 {
					if err := p.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
	if n := left(); n > 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

// stuck cannot seek.
type stuck struct{ io.Reader }

func (stuck) Seek(int64, int) (int64, error) { return 0, errors.New("cannot seek") }

// The error that ended the first reading ends the others, even if the device is
// well again.
func TestReplayErrors(t *testing.T) {
	fault := errors.New("disk on fire")
	for _, seek := range []bool{true, false} {
		failing := true
		src := strings.NewReader("some text")
		r := readerFunc(func(p []byte) (int, error) {
			n, err := src.Read(p)
			if failing && err == io.EOF {
				err = fault
			}
			return n, err
		})
		var in io.Reader = r
		if seek {
			in = struct {
				io.Reader
				io.Seeker
			}{r, src}
		}
		p := NewReplay(context.Background(), in)
		first := p.First()
		if b, err := io.ReadAll(first); string(b) != "some text" || err != fault {
			t.Errorf("%q, %v", b, err)
		}
		failing = false
		if n, err := first.Read(make([]byte, 1)); n != 0 || err != fault {
			t.Errorf("later: %d, %v", n, err)
		}
		again, err := p.Again()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(again); string(b) != "some text" || err != fault {
			t.Errorf("again %q, %v", b, err)
		}
	}
	// a folder for temporary files that is not there
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	p := NewReplay(context.Background(), iotest.HalfReader(strings.NewReader("some text")))
	p.Memory = 2
	_, err := io.ReadAll(p.First())
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Error(err)
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		t.Errorf("%v: would be taken for the input's", e)
	}
}

func TestReplayChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for name, change := range map[string]func(f *os.File) error{
		"shorter": func(f *os.File) error { return f.Truncate(4) },
		"empty":   func(f *os.File) error { return f.Truncate(0) },
		"longer":  func(f *os.File) error { return f.Truncate(20) },
		"other": func(f *os.File) error {
			_, err := f.WriteAt([]byte("Some"), 0)
			return errors.Join(err, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0))) // a clock may be coarse
		},
	} {
		if err := os.WriteFile(path, []byte("some text"), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p := NewReplay(context.Background(), f)
		if _, err := io.ReadAll(p.First()); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Again(); err != nil {
			t.Error(err)
		}
		if err := change(f); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Again(); err != ErrChanged {
			t.Errorf("%s: %v", name, err)
		}
	}
	// what shrinks without a trace
	src := strings.NewReader("some text")
	p := NewReplay(context.Background(), src)
	if _, err := io.ReadAll(p.First()); err != nil {
		t.Fatal(err)
	}
	again, err := p.Again()
	if err != nil {
		t.Fatal(err)
	}
	src.Reset("some")
	if b, err := io.ReadAll(again); string(b) != "some" || err != ErrChanged {
		t.Errorf("%q, %v", b, err)
	}
}

// A temporary file that the system does not let go of goes when the context is
// cancelled, or at the latest with Close.
func TestReplayFile(t *testing.T) {
	left := temporary(t)
	for _, cancelled := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		s := new(spool)
		var err error
		if s.file, err = os.CreateTemp("", "slimsvm-*"); err != nil {
			t.Fatal(err)
		}
		s.removeOnEnd(ctx)
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

// TestReplayContext: readings of every kind end with the error of the context.
func TestReplayContext(t *testing.T) {
	text := strings.Repeat("some text", 1000)
	for name, src := range map[string]func() io.Reader{
		"seeks": func() io.Reader { return strings.NewReader(text) },
		"kept":  func() io.Reader { return iotest.HalfReader(strings.NewReader(text)) },
	} {
		for _, first := range []bool{true, false} {
			ctx, cancel := context.WithCancel(context.Background())
			p := NewReplay(ctx, src())
			r := p.First()
			if !first {
				if _, err := io.ReadAll(r); err != nil {
					t.Fatal(err)
				}
				var err error
				if r, err = p.Again(); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := r.Read(make([]byte, 4)); n == 0 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			cancel()
			if n, err := r.Read(make([]byte, 4)); n != 0 || err != context.Canceled {
				t.Errorf("%s, first %t: %d, %v", name, first, n, err)
			}
			p.Close()
		}
	}
}

// hesitant gives a byte after a number of reads that get nothing, and does so again.
type hesitant struct{ reads, every int }

func (h *hesitant) Read(b []byte) (int, error) {
	if h.reads++; h.reads%h.every != 0 || len(b) == 0 {
		return 0, nil
	}
	b[0] = 'x'
	return 1, nil
}

// TestReplayOfNothing: an input that gives nothing again and again is an error, as for the other readers;
// one that only hesitates is not.
func TestReplayOfNothing(t *testing.T) {
	p := NewReplay(t.Context(), &hesitant{every: mostIdle + 1})
	for range 3 {
		if n, err := io.ReadFull(p.First(), make([]byte, 4)); n != 0 || err != io.ErrNoProgress {
			t.Fatalf("%d bytes, %v, expected none and %v", n, err, io.ErrNoProgress)
		}
	}
	r, err := p.Again()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); len(b) != 0 || err != io.ErrNoProgress {
		t.Errorf("again: %q, %v, expected nothing and %v", b, err, io.ErrNoProgress)
	}
	p = NewReplay(t.Context(), &hesitant{every: mostIdle})
	if n, err := io.ReadFull(p.First(), make([]byte, 20)); n != 20 || err != nil {
		t.Errorf("%d bytes, %v, expected 20", n, err)
	}
}
