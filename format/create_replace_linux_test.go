package format_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// A file that may be written but not replaced is written over: one of somebody else where files
// are replaced by their owners only.
func TestCreateSticky(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has files of somebody else")
	}
	dir := t.TempDir()
	for _, p := range []string{dir, filepath.Dir(dir)} { // the test's own
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	common := filepath.Join(dir, "common")
	if err := errors.Join(os.Mkdir(common, 0o777), os.Chmod(common, 0o777|fs.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(common, "theirs")
	write(t, path, "old and "+long)
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		create(t, path, "dropped").Abort()
		wantText(t, path, "old and "+long)
		closeOutput(t, create(t, path, "new"))
		wantText(t, path, "new")
	})
	wantFiles(t, common, "theirs")
}

// A file that is mounted by itself is written over.
func TestCreateMounted(t *testing.T) {
	dir := t.TempDir()
	outside, path := filepath.Join(dir, "outside"), filepath.Join(dir, "mounted")
	write(t, outside, "old")
	write(t, path, "hidden")
	skipped := ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // which ends with the goroutine, and its mounts
		if err := errors.Join(syscall.Unshare(syscall.CLONE_NEWNS|syscall.CLONE_FS), syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""),
			syscall.Mount(outside, path, "", syscall.MS_BIND, "")); err != nil {
			skipped = err.Error()
			return
		}
		closeOutput(t, create(t, path, long))
		wantText(t, path, long)
	}()
	if <-done; skipped != "" {
		t.Skip("nothing can be mounted: " + skipped)
	}
	wantText(t, outside, long)
	wantText(t, path, "hidden")
	wantFiles(t, dir, "mounted", "outside")
}

// Names may be as long as the system has room for, whatever the temporary one is.
func TestCreateLongNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("x", 200), strings.Repeat("x", 201), strings.Repeat("x", 236), strings.Repeat("x", 255), strings.Repeat("é", 127), "x" + strings.Repeat("é", 127), strings.Repeat("x", 252) + ".gz"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		for range 2 {
			create(t, path, "dropped").Abort()
			closeOutput(t, create(t, path, long))
			f, err := format.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(f); string(b) != long || err != nil {
				t.Errorf("%d bytes: %d read, %v", len(name), len(b), err)
			}
			f.Close()
		}
		wantFiles(t, dir, name)
	}
	if _, err := format.Create(t.Context(), filepath.Join(t.TempDir(), strings.Repeat("x", 256))); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("256 bytes: %v", err)
	}
}

// What root writes over a user's file stays the user's, with its permissions.
func TestCreateKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := filepath.Join(t.TempDir(), "theirs")
	write(t, path, "old")
	if err := errors.Join(os.Chmod(path, 0o640), os.Chown(path, 12345, 23456)); err != nil {
		t.Fatal(err)
	}
	closeOutput(t, create(t, path, long))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 || info.Mode() != 0o640 {
		t.Errorf("owner %d, group %d, %v", s.Uid, s.Gid, info.Mode())
	}
}
