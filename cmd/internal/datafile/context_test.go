package datafile

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// endless is a table whose rows do not end, and which ends a context after some of them.
type endless struct {
	begun bool
	reads int
	end   func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 100 {
		e.end()
	}
	if e.reads > 1000 {
		return 0, errors.New("read on and on")
	}
	if !e.begun {
		e.begun = true
		return copy(p, "a,b\n"), nil
	}
	n := 0
	for n+4 <= len(p) {
		n += copy(p[n:], "1,2\n")
	}
	return n, nil
}

// TestContext: the study of a table ends with the context of whoever has opened it, in each way.
func TestContext(t *testing.T) {
	for name, open := range map[string]func(ctx context.Context, r io.Reader) (*File, error){
		"Open":       func(ctx context.Context, r io.Reader) (*File, error) { return Open(ctx, "-", r, Options{}) },
		"OpenStream": func(ctx context.Context, r io.Reader) (*File, error) { return OpenStream(ctx, "a.csv", r, Options{}) },
		"DetectForeign": func(ctx context.Context, r io.Reader) (*File, error) {
			f, _ := DetectForeign(ctx, "a.csv", r, libsvmfmt.Codec.Sniff)
			return f, nil
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		f, err := open(ctx, &endless{end: cancel})
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := f.Header(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
	f, err := Open(t.Context(), "-", strings.NewReader("a,b\n1,2\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Header(); err != nil {
		t.Error(err)
	}
}
