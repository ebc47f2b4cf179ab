package format_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "in")
	write(t, path, "text\n")
	link := filepath.Join(dir, "link")
	if err := os.Symlink("in", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, link} {
		r, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if string(b) != "text\n" || err != nil {
			t.Errorf("%s reads as %q, %v", path, b, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in"), "text\n")
	if err := os.Symlink(dir, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, message string }{
		{filepath.Join(dir, "missing"), "open %: no such file or directory"},
		{filepath.Join(dir, "in", "x"), "open %: not a directory"},
		{dir, "read %: is a directory"},
		{filepath.Join(dir, "link"), "read %: is a directory"},
		{"", "open : no such file or directory"},
	} {
		r, err := format.Open(c.path)
		if err == nil {
			r.Close()
		}
		wantPathError(t, err, c.path, c.message)
	}
}

// wantPathError checks an error's text, in which % stands for the path, and that
// its cause can be had without the path.
func wantPathError(t *testing.T, err error, path, message string) {
	t.Helper()
	want := ""
	for _, c := range message {
		if c == '%' {
			want += path
		} else {
			want += string(c)
		}
	}
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
		return
	}
	if p := (*fs.PathError)(nil); !errors.As(err, &p) || p.Path != path {
		t.Errorf("%q is a %T, want a *fs.PathError of %q", err, err, path)
	}
}
