package format

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

// TestNeverSyncs: a file system that cannot wait for a disk is no reason to keep the old content,
// but one without room, or with a fault, is.
func TestNeverSyncs(t *testing.T) {
	for err, want := range map[error]bool{
		nil:                   false,
		syscall.EINVAL:        true,
		errors.ErrUnsupported: true,
		syscall.EIO:           false,
		fs.ErrPermission:      false,
	} {
		if neverSyncs(err) != want {
			t.Errorf("%v: %t", err, !want)
		}
		if wrapped := error(&fs.PathError{Op: "sync", Path: "f", Err: err}); err != nil && neverSyncs(wrapped) != want {
			t.Errorf("%v: %t", wrapped, !want)
		}
	}
}

// readerAt reads from a reader that is read in order.
type readerAt struct{ io.Reader }

func (r readerAt) ReadAt(p []byte, _ int64) (int, error) { return io.ReadFull(r.Reader, p) }

// TestWriteOver: a longer content that cannot be read to its end leaves the file as it was; one that
// is not longer may have changed it, which is told. A file that is gone is left alone.
func TestWriteOver(t *testing.T) {
	const old = "some old content"
	fault := errors.New("a fault")
	for _, c := range []struct {
		size  int64
		text  string // what can be read
		begun bool
		want  string // then in the file
	}{
		{20, "012", false, old},
		{16, "0123456789", true, ""}, // any
		{10, "01234", true, ""},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
			t.Fatal(err)
		}
		from := readerAt{io.MultiReader(strings.NewReader(c.text), iotest.ErrReader(fault))}
		begun, err := writeOver(path, from, c.size)
		if begun != c.begun || !errors.Is(err, fault) {
			t.Errorf("%d bytes: begun is %t, and the error %v", c.size, begun, err)
		}
		if b, err := os.ReadFile(path); err != nil || c.want != "" && string(b) != c.want {
			t.Errorf("%d bytes: the file has %q, %v", c.size, b, err)
		}
	}
	if begun, err := writeOver(filepath.Join(t.TempDir(), "f"), strings.NewReader("x"), 1); begun || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: begun is %t, and the error %v", begun, err)
	}
}

// TestDamaged: the error of a damaged file says where its content is, if it is anywhere.
func TestDamaged(t *testing.T) {
	fault := errors.New("a fault")
	for kept, want := range map[string]string{
		"":  "a fault; the file is damaged",
		"g": "a fault; the file is damaged, but all that it was to hold is in g",
	} {
		if err := damaged(fault, kept); err.Error() != want || !errors.Is(err, fault) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
