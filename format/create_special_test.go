//go:build unix

package format_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text\n")
	symlink(t, ".", filepath.Join(dir, "dir"))
	symlink(t, "loop", filepath.Join(dir, "loop"))
	for _, c := range []struct{ path, message string }{
		{dir, "create %: is a directory"},
		{filepath.Join(dir, "dir"), "create %: is a directory"},
		{filepath.Join(dir, "missing", "out"), "open %: no such file or directory"},
		{filepath.Join(dir, "missing") + "/", "open %: no such file or directory"},
		{filepath.Join(dir, "file", "out"), "stat %: not a directory"},
		{filepath.Join(dir, "loop"), "stat %: too many levels of symbolic links"},
		{"", "stat %: no such file or directory"},
	} {
		o, err := format.Create(t.Context(), c.path)
		if err == nil {
			o.Abort()
		}
		wantPathError(t, err, c.path, c.message)
	}
	wantFiles(t, dir, "dir -> .", "file", "loop -> loop")
	wantText(t, filepath.Join(dir, "file"), "text\n")
}

func TestCreateThroughLinks(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(sub, "file"), "old")
	symlink(t, "sub/file", filepath.Join(dir, "relative"))
	symlink(t, filepath.Join(sub, "file"), filepath.Join(dir, "absolute"))
	symlink(t, "relative", filepath.Join(dir, "twice"))
	symlink(t, "sub", filepath.Join(dir, "to_sub"))
	links := []string{"absolute -> " + filepath.Join(sub, "file"), "relative -> sub/file", "sub", "to_sub -> sub", "twice -> relative"}
	for _, name := range []string{"relative", "absolute", "twice", "to_sub/file"} {
		o := create(t, filepath.Join(dir, name), name)
		if b, err := os.ReadFile(filepath.Join(sub, "file")); string(b) == name || err != nil {
			t.Errorf("before Close the target of %s holds %q, %v", name, b, err)
		}
		closeOutput(t, o)
		wantText(t, filepath.Join(sub, "file"), name)
		wantFiles(t, dir, links...)
		wantFiles(t, sub, "file")
	}
	create(t, filepath.Join(dir, "twice"), long).Abort()
	wantText(t, filepath.Join(sub, "file"), "to_sub/file")
	wantFiles(t, dir, links...)
	wantFiles(t, sub, "file")
}

// A link to a file that is not there yet is how a result is put elsewhere.
func TestCreateThroughDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	symlink(t, "sub/a", filepath.Join(dir, "first"))
	symlink(t, "first", filepath.Join(dir, "second"))
	symlink(t, "../b", filepath.Join(sub, "up"))
	symlink(t, "sub/up", filepath.Join(dir, "third"))
	symlink(t, "missing/x", filepath.Join(dir, "nowhere"))
	o := create(t, filepath.Join(dir, "second"), "text")
	closeOutput(t, o)
	wantText(t, filepath.Join(sub, "a"), "text")
	closeOutput(t, create(t, filepath.Join(dir, "third"), "more"))
	wantText(t, filepath.Join(dir, "b"), "more")
	if _, err := format.Create(t.Context(), filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("link into a missing folder: %v", err)
	}
	wantFiles(t, dir, "b", "first -> sub/a", "nowhere -> missing/x", "second -> first", "sub", "third -> sub/up")
	wantFiles(t, sub, "a", "up -> ../b")
}

// Not parallel: the umask is the process's.
func TestCreatePermissions(t *testing.T) {
	for _, c := range []struct {
		umask, before, after fs.FileMode // before 0: no file
	}{
		{0o022, 0, 0o644},
		{0o077, 0, 0o600},
		{0o000, 0, 0o666},
		{0o022, 0o600, 0o600},
		{0o022, 0o666, 0o666},
		{0o077, 0o755, 0o755},
	} {
		path := filepath.Join(t.TempDir(), "out")
		if c.before != 0 {
			write(t, path, "old")
			if err := os.Chmod(path, c.before); err != nil {
				t.Fatal(err)
			}
		}
		old := syscall.Umask(int(c.umask))
		o, err := format.Create(t.Context(), path)
		if err == nil {
			err = o.Close()
		}
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != c.after {
			t.Errorf("umask %03o, permissions %03o before: %03o, want %03o", c.umask, c.before, got, c.after)
		}
	}
}

func TestCreateFIFO(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no FIFO here: %v", err)
	}
	symlink(t, "fifo", filepath.Join(dir, "link"))
	if err := format.TryOutput(path); err != nil { // which does not wait for a reader
		t.Error(err)
	}
	for _, name := range []string{"fifo", "link"} {
		read := make(chan string)
		go func() {
			b, err := os.ReadFile(path)
			if err != nil {
				b = []byte(err.Error())
			}
			read <- string(b)
		}()
		o := create(t, filepath.Join(dir, name), long)
		closeOutput(t, o)
		if got := <-read; got != long {
			t.Errorf("%s: the other end read %d bytes %.40q, want %d", name, len(got), got, len(long))
		}
	}
	wantFiles(t, dir, "fifo", "link -> fifo")
}

// A pipe's name in /dev/fd leads to no file name.
func TestCreateOpenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no names for open files here: %v", err)
	}
	o := create(t, path, "text")
	closeOutput(t, o)
	w.Close()
	if b, err := io.ReadAll(r); string(b) != "text" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
}
