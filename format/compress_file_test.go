package format_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// packed returns the content of a file of testdata/packed.
func packed(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "packed", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// openAll opens a file and reads it. plain tells whether it is an *os.File.
func openAll(t *testing.T, path string) (text string, plain bool) {
	t.Helper()
	r, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	_, plain = r.(*os.File)
	return string(b), plain
}

func TestOpenPacked(t *testing.T) {
	rows := packed(t, "rows.txt")
	dir := t.TempDir()
	for _, name := range []string{"rows.txt", "rows.gz", "rows.zst", "rows.bz2", "rows.xz", "skip.zst"} {
		for _, as := range []string{"rows", "rows.csv", "rows.gz", "rows.xz"} {
			path := filepath.Join(dir, as)
			write(t, path, packed(t, name))
			text, plain := openAll(t, path)
			if text != rows || plain != (name == "rows.txt") {
				t.Errorf("%s named %s: %d bytes, *os.File: %t", name, as, len(text), plain)
			}
		}
	}
	path := filepath.Join(dir, "cut")
	write(t, path, rows[:20]+packed(t, "rows.gz"))
	if text, plain := openAll(t, path); !plain || text[:20] != rows[:20] {
		t.Errorf("a text is not read as it is")
	}
	write(t, path, packed(t, "rows.gz")[:4000])
	r, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = io.ReadAll(r)
	if want := path + ": the gzip data are cut off: unexpected EOF"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if again := format.WithPath(err, "other"); again.Error() != err.Error() {
		t.Errorf("the path is replaced: %v", again)
	}
}

// A file of no bytes is text without lines, unless its name says that it is packed:
// there is no packed file of none.
func TestOpenEmpty(t *testing.T) {
	for name, what := range map[string]string{"e.gz": "gzip", "e.libsvm.GZ": "gzip", "e.zst": "zstd", "e.bz2": "bzip2", "e.csv.xz": "xz", "e.csv": "", "gz": "", "e": ""} {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, "")
		r, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		stream := format.OpenStream(strings.NewReader(""), path)
		for _, r := range []io.Reader{r, stream} {
			want := path + ": the " + what + " data are cut off: unexpected EOF"
			if b, err := io.ReadAll(r); len(b) > 0 || what == "" && err != nil || what != "" && (err == nil || err.Error() != want || !errors.Is(err, io.ErrUnexpectedEOF)) {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
	}
	path, w := pipe(t)
	w.Close()
	if text, _ := openAll(t, path); text != "" {
		t.Errorf("an empty pipe holds %q", text)
	}
}

func TestOpenPipe(t *testing.T) {
	for name, want := range map[string]string{
		"rows.txt": packed(t, "rows.txt"), "rows.gz": packed(t, "rows.txt"), "rows.zst": packed(t, "rows.txt"),
		"rows.bz2": packed(t, "rows.txt"), "rows.xz": packed(t, "rows.txt"), "empty.gz": "", "": "",
	} {
		path, w := pipe(t)
		content := ""
		if name != "" {
			content = packed(t, name)
		}
		go func() {
			for piece := range slices.Chunk([]byte(content), 777) {
				w.Write(piece)
			}
			w.Close()
		}()
		if text, plain := openAll(t, path); text != want || plain {
			t.Errorf("%s through a pipe: %d bytes, *os.File: %t", name, len(text), plain)
		}
	}
}

// Who reads rows as they come is not kept waiting for more.
func TestOpenPipeAtOnce(t *testing.T) {
	path, w := pipe(t)
	r, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, line := range []string{"1\n", "BZh\n", "-1 1:2\n"} {
		if _, err := io.WriteString(w, line); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, len(line))
		if _, err := io.ReadFull(r, b); string(b) != line || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	}
	w.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

// pipe returns the path of a pipe and what writes to it.
func pipe(t *testing.T) (path string, w *os.File) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: pipes have no path here")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	path = fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: pipes have no path here: ", err)
	}
	return path, w
}

func TestCreatePacked(t *testing.T) {
	text := strings.Repeat(packed(t, "rows.txt"), 50)
	for _, c := range []struct{ name, magic string }{
		{"out.gz", "\x1f\x8b"}, {"out.zst", "\x28\xb5\x2f\xfd"}, {"OUT.GZ", "\x1f\x8b"}, {"model.txt.zst", "\x28\xb5\x2f\xfd"}, {".gz", "\x1f\x8b"},
		{"out", text[:9]}, {"out.gz.txt", text[:9]}, {"gz", text[:9]}, {"out.zst.d", text[:9]},
	} {
		for _, content := range []string{text, ""} {
			dir := t.TempDir()
			path := filepath.Join(dir, c.name)
			var files [2]string
			for k := range files {
				o := create(t, path, content[:len(content)/3])
				if k == 0 {
					if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%s is there before it is complete: %v", c.name, err)
					}
				}
				if _, err := io.WriteString(o, content[len(content)/3:]); err != nil {
					t.Fatal(err)
				}
				closeOutput(t, o)
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[k] = string(b)
			}
			wantFiles(t, dir, c.name)
			if files[0] != files[1] {
				t.Errorf("%s: other bytes the second time", c.name)
			}
			if plain := c.magic == text[:9]; plain != (files[0] == content) || !plain && !strings.HasPrefix(files[0], c.magic) || !plain && len(files[0]) > len(content)/2+50 {
				t.Errorf("%s: %d bytes that begin with %.9q", c.name, len(files[0]), files[0])
			}
			if got, _ := openAll(t, path); got != content {
				t.Errorf("%s reads as %d bytes instead of %d", c.name, len(got), len(content))
			}
		}
	}
	readElsewhere(t, text)
}

// readElsewhere reads an output by another program's code.
func readElsewhere(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.gz")
	closeOutput(t, create(t, path, text))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if string(b) != text || err != nil || z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("%d bytes, %v, %+v", len(b), err, z.Header)
	}
}

func TestCreatePackedEnds(t *testing.T) {
	for _, name := range []string{"out.gz", "out.zst"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		create(t, path, "dropped").Abort()
		wantFiles(t, dir)
		closeOutput(t, create(t, path, "kept"))
		o := create(t, path, "dropped")
		o.Abort()
		if err := o.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Close after Abort: %v", name, err)
		}
		o = create(t, path, "kept")
		closeOutput(t, o)
		if _, err := io.WriteString(o, strings.Repeat("more", 1e6)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Write after Close: %v", name, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		o, err := format.Create(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		reason := errors.New("enough")
		cancel(reason)
		for range 100_000 { // until the watch has seen it
			if _, err = o.Write(make([]byte, 1<<20)); err != nil {
				break
			}
			time.Sleep(10 * time.Microsecond)
		}
		if err == nil {
			err = o.Close()
		}
		if !errors.Is(err, reason) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
		wantFiles(t, dir, name)
		if got, _ := openAll(t, path); got != "kept" {
			t.Errorf("%s reads as %q", name, got)
		}
	}
}

// The device's error comes at the latest with Close.
func TestCreatePackedFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("skipped: there is no device that is full: ", err)
	}
	for _, name := range []string{"out.gz", "out.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.Symlink("/dev/full", path); err != nil {
			t.Fatal(err)
		}
		err := create(t, path, "some text").Close()
		if want := "write " + path + ": no space left on device"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A name that asks for what is not written is refused, and what has it stays.
func TestCreateUnknownPacking(t *testing.T) {
	for _, name := range []string{"out.bz2", "out.xz", "model.txt.XZ", "Out.Bz2"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		want := fmt.Sprintf("create %s: %s cannot be written: outputs are packed by gzip or zstd: expected a name that ends in .gz or .zst, or in neither", path, strings.ToLower(filepath.Ext(name)))
		for _, content := range []string{"", "old"} {
			if content != "" {
				write(t, path, content)
			}
			o, err := format.Create(t.Context(), path)
			if o != nil || !errors.Is(err, format.ErrPacking) || err.Error() != want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
			if _, err := format.CreateOutput(t.Context(), path, io.Discard); !errors.Is(err, format.ErrPacking) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if b, err := os.ReadFile(path); string(b) != "old" || err != nil {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
		wantFiles(t, dir, name)
	}
}
