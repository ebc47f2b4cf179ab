package format_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// asNobody runs f as a user without rights, as far as files are concerned. It
// may be called by root, whom permissions do not bind.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	runtime.LockOSThread() // the identity for files is the thread's
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Skipf("cannot become another user: %v", err)
	}
	defer syscall.Setfsuid(0)
	f()
}

func TestCreateWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	folder := func(name string, perm fs.FileMode, files ...string) {
		sub := filepath.Join(dir, name)
		if err := os.Mkdir(sub, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			path := filepath.Join(sub, f)
			write(t, path, "old")
			perm := fs.FileMode(0o666)
			if f == "readonly" {
				perm = 0o444
			}
			if err := os.Chmod(path, perm); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(sub, perm); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(sub, 0o777) })
	}
	folder("open", 0o777, "readonly", "writable")
	folder("closed", 0o555, "readonly", "writable")
	folder("hidden", 0o000)
	for _, p := range []string{dir, filepath.Dir(dir)} { // the test's own
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, message string // "": it is written
	}{
		{"open/new", ""},
		{"open/writable", ""},
		{"open/readonly", "open %: permission denied"},
		{"closed/new", "open %: permission denied"},
		{"closed/writable", ""},
		{"closed/readonly", "open %: permission denied"},
		{"hidden/new", "stat %: permission denied"},
	} {
		path := filepath.Join(dir, c.name)
		asNobody(t, func() {
			o, err := format.Create(t.Context(), path)
			if c.message != "" {
				wantPathError(t, err, path, c.message)
				if err == nil {
					o.Abort()
				}
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := o.Write([]byte("new")); err != nil {
				t.Error(err)
			}
			if err := o.Complete(); err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(path); err == nil && string(b) != "old" {
				t.Errorf("%s before Close: %q, %v", c.name, b, err)
			}
			if err := o.Close(); err != nil {
				t.Error(err)
			}
			wantText(t, path, "new")
		})
	}
	wantFiles(t, filepath.Join(dir, "open"), "new", "readonly", "writable")
	wantFiles(t, filepath.Join(dir, "closed"), "readonly", "writable")
	wantText(t, filepath.Join(dir, "closed", "readonly"), "old")
	asNobody(t, func() {
		if _, err := format.Open(filepath.Join(dir, "hidden", "new")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Open in a hidden folder: %v", err)
		}
	})
}

// device returns the path of a memory device with the given number. Root gets one of its own: code
// that replaces the device by a file, which is what the tests are to find, shall not harm the
// machine. Others cannot harm it.
func device(t *testing.T, name string, minor int) string {
	t.Helper()
	path := "/dev/" + name
	if os.Geteuid() == 0 {
		path = filepath.Join(t.TempDir(), name)
		if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|minor); err != nil {
			t.Skipf("cannot make a device: %v", err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("cannot open a device: %v", err)
	}
	f.Close()
	return path
}

func TestCreateNullDevice(t *testing.T) {
	null := device(t, "null", 3)
	closeOutput(t, create(t, null, long))
	create(t, null, long).Abort()
	info, err := os.Stat(null)
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		t.Fatalf("%s is no device any more: %v, %v", null, info.Mode(), err)
	}
}

func TestCreateFullDevice(t *testing.T) {
	full := device(t, "full", 7)
	o := create(t, full, "short")
	wantPathError(t, o.Close(), full, "write %: no space left on device")
	o, err := format.Create(t.Context(), full)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(o, long)
	wantPathError(t, err, full, "write %: no space left on device")
	wantPathError(t, o.Close(), full, "write %: no space left on device")
}
