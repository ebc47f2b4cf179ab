package format_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
)

func TestOpenInput(t *testing.T) {
	rows := packed(t, "rows.txt")
	for _, name := range []string{"rows.txt", "rows.gz", "rows.zst", "rows.bz2", "rows.xz"} {
		r, err := format.OpenInput("-", strings.NewReader(packed(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); string(b) != rows || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	r, err := format.OpenInput("-", strings.NewReader("\x1f\x8bjunk, and a good deal of it"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = io.ReadAll(r); err == nil || err.Error() != "standard input: the gzip data are corrupt: wrong header" {
		t.Error(err)
	}
	if r, err = format.OpenInput(filepath.Join("testdata", "packed", "rows.gz"), nil); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); string(b) != rows || err != nil {
		t.Errorf("a file: %d bytes, %v", len(b), err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := format.OpenInput(filepath.Join(t.TempDir(), "-"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// - is a name to Open and Create.
func TestMinusIsAName(t *testing.T) {
	t.Chdir(t.TempDir())
	closeOutput(t, create(t, "-", "text"))
	wantText(t, "-", "text")
	if text, _ := openAll(t, "-"); text != "text" {
		t.Errorf("%q", text)
	}
}

// stdout fails when it is closed.
type stdout struct {
	bytes.Buffer
	t *testing.T
}

func (s *stdout) Close() error {
	s.t.Error("standard output is closed")
	return nil
}

func createOutput(t *testing.T, ctx context.Context, w io.Writer) *format.Output {
	t.Helper()
	o, err := format.CreateOutput(ctx, "-", w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, "some text"); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCreateOutput(t *testing.T) {
	w := &stdout{t: t}
	o := createOutput(t, t.Context(), w)
	closeOutput(t, o)
	o.Abort()
	if w.String() != "some text" {
		t.Errorf("%q", w)
	}
	if err := o.Close(); err == nil || err.Error() != "write standard output: file already closed" {
		t.Errorf("closed twice: %v", err)
	}

	w = &stdout{t: t}
	o = createOutput(t, t.Context(), w)
	o.Abort()
	if err := o.Close(); err == nil || w.Len() > 0 {
		t.Errorf("aborted: %v, %q", err, w)
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	w = &stdout{t: t}
	o = createOutput(t, ctx, w)
	reason := errors.New("enough")
	cancel(reason)
	var err error
	for err == nil { // until the watch has seen it
		_, err = o.Write(make([]byte, 1<<16))
	}
	if o.Close(); !errors.Is(err, reason) || !errors.Is(err, context.Canceled) || strings.Contains(w.String(), "\x00some text") {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := format.CreateOutput(ctx, "-", w); !errors.Is(err, reason) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}

	// cancelled in the middle of a Write
	writes := 0
	o = createOutput(t, t.Context(), writerFunc(func(p []byte) (int, error) {
		writes++
		o.Abort()
		return len(p), nil
	}))
	if _, err := o.Write(make([]byte, 1<<20)); err == nil || writes != 1 {
		t.Errorf("aborted while it writes: %d writes, %v", writes, err)
	}

	fault := &fs.PathError{Op: "write", Path: os.DevNull, Err: errors.New("disk on fire")}
	o = createOutput(t, t.Context(), writerFunc(func([]byte) (int, error) { return 0, fault }))
	if err := o.Close(); err == nil || err.Error() != "write standard output: disk on fire" {
		t.Errorf("failing: %v", err)
	}

	path := filepath.Join(t.TempDir(), "out.gz")
	if o, err = format.CreateOutput(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	closeOutput(t, o)
	if text, plain := openAll(t, path); text != "" || plain {
		t.Errorf("%q, *os.File: %t", text, plain)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestStreamErrorNames: an error of the system calls a stream what it is called in messages, not by the
// system's name, and once.
func TestStreamErrorNames(t *testing.T) {
	cause := errors.New("cause")
	for text, stream := range map[string]io.Reader{
		"read standard input: cause":  iotest.ErrReader(&fs.PathError{Op: "read", Path: "/dev/stdin", Err: cause}),
		"standard input: cause":       iotest.ErrReader(cause),
		"standard input: no end: EOF": iotest.ErrReader(fmt.Errorf("no end: %w", io.EOF)),
	} {
		r, err := format.OpenInput("-", stream)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(r)
		if got := format.WithPath(err, "standard input"); got == nil || got.Error() != text {
			t.Errorf("%v, want %s", got, text)
		}
	}
}
