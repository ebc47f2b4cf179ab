package format_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

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
		first, second := create(t, path, "newer"), create(t, filepath.Join(common, "mine"), "beside it")
		if err := format.CloseAll(first, second); err != nil {
			t.Error(err)
		}
		wantText(t, path, "newer")
	})
	wantFiles(t, common, "mine", "theirs")
}

// mounted calls f where folders can be mounted that nobody else sees.
func mounted(t *testing.T, f func()) {
	t.Helper()
	skipped := ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // which ends with the goroutine, and its mounts
		if err := errors.Join(syscall.Unshare(syscall.CLONE_NEWNS|syscall.CLONE_FS), syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")); err != nil {
			skipped = err.Error()
			return
		}
		f()
	}()
	if <-done; skipped != "" {
		t.Skip("nothing can be mounted: " + skipped)
	}
}

// mount mounts what is at from at to.
func mount(t *testing.T, from, to, kind string, flags uintptr, data string) {
	t.Helper()
	if err := syscall.Mount(from, to, kind, flags, data); err != nil {
		t.Errorf("mounting %s: %v", to, err)
		runtime.Goexit()
	}
}

// A file that is mounted by itself is written over, and one in a folder that is read only.
func TestCreateMounted(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		dir := t.TempDir()
		outside, folder := filepath.Join(dir, "outside"), filepath.Join(dir, "folder")
		path := filepath.Join(folder, "mounted")
		write(t, outside, "old")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, "hidden")
		mounted(t, func() {
			if readOnly {
				mount(t, folder, folder, "", syscall.MS_BIND, "")
				mount(t, "", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
			}
			mount(t, outside, path, "", syscall.MS_BIND, "")
			o := create(t, path, long)
			wantText(t, path, "old")
			closeOutput(t, o)
			wantText(t, path, long)
		})
		wantText(t, outside, long)
		wantText(t, path, "hidden")
		wantFiles(t, folder, "mounted")
	}
}

// A file that can't be replaced, and has too little room for what is to be written over it, keeps
// what it holds. If the room gives out when some of that is lost, the rest of the result is still
// there.
func TestCreateNoRoom(t *testing.T) {
	const room = 64 << 10
	dir := t.TempDir()
	tiny, folder := filepath.Join(dir, "tiny"), filepath.Join(dir, "folder")
	inTiny, path := filepath.Join(tiny, "file"), filepath.Join(folder, "file")
	if err := errors.Join(os.Mkdir(tiny, 0o755), os.Mkdir(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	write(t, path, "hidden")
	mounted(t, func() {
		mount(t, "none", tiny, "tmpfs", 0, "size=64k")
		write(t, inTiny, "old")
		mount(t, inTiny, path, "", syscall.MS_BIND, "")
		for _, text := range []string{long, long[:room-100], long, "short", ""} {
			old, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			err = create(t, path, text).Close()
			if len(text) > room {
				wantPathError(t, err, path, "write %: no space left on device")
				text = string(old)
			} else if err != nil {
				t.Error(err)
			}
			wantText(t, path, text)
			wantFiles(t, folder, "file")
		}
		if err := os.Truncate(path, int64(len(long))); err != nil { // a hole
			t.Error(err)
		}
		err := create(t, path, long).Close()
		if err == nil || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("writing into a hole: %v", err)
			return
		}
		entries, _ := os.ReadDir(folder)
		if len(entries) != 2 {
			t.Fatalf("%v in the folder, want the file and what it was to hold", entries)
		}
		kept := filepath.Join(folder, entries[0].Name())
		wantText(t, kept, long)
		want := "write " + path + ": no space left on device; the file is damaged, but all that it was to hold is in " + kept
		if err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	})
}

// Where files are neither given a name nor removed, the error names what stays. The system's reason, which is
// all that some commands print, says so too.
func TestCreateAppendOnly(t *testing.T) {
	const flags, appendOnly = 0x40086602, 0x20 // FS_IOC_SETFLAGS, FS_APPEND_FL
	folder := t.TempDir()
	set := func(to int32) (err error) {
		f, err := os.Open(folder)
		if err == nil {
			defer f.Close()
			if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), flags, uintptr(unsafe.Pointer(&to))); no != 0 {
				err = no
			}
		}
		return err
	}
	if err := set(appendOnly); err != nil {
		t.Skip("only root makes folders append-only, on some file systems: ", err)
	}
	t.Cleanup(func() { set(0) })
	path := filepath.Join(folder, "file")
	err := create(t, path, "text").Close()
	if e := set(0); e != nil {
		t.Fatal(e)
	}
	entries, _ := os.ReadDir(folder)
	if len(entries) != 1 {
		t.Fatalf("%v in the folder, want a temporary file", entries)
	}
	says := "operation not permitted; " + filepath.Join(folder, entries[0].Name()) + " cannot be removed, and stays"
	wantPathError(t, err, path, "rename %: "+says)
	if of := (*fs.PathError)(nil); !errors.As(err, &of) || of.Err.Error() != says {
		t.Errorf("the reason is %v, want %s", of, says)
	}
}

// Where no temporary file can be made, neither beside the file nor elsewhere, the file keeps what
// it holds until Close all the same.
func TestCreateInMemory(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{dir, filepath.Dir(dir)} { // the test's own
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	closed := filepath.Join(dir, "closed")
	path := filepath.Join(closed, "file")
	if err := os.Mkdir(closed, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, path, "old")
	if err := errors.Join(os.Chmod(path, 0o666), os.Chmod(closed, 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	asNobody(t, func() {
		o := create(t, path, long)
		wantText(t, path, "old")
		o.Abort()
		wantText(t, path, "old")
		for _, text := range []string{long, "shorter"} {
			closeOutput(t, create(t, path, text))
			wantText(t, path, text)
		}
	})
	wantFiles(t, closed, "file")
}

// A file that has lost its name, and is known by that of a stream of another process, keeps what it
// holds until Close.
func TestCreateNameless(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "old")
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := exec.Command("cat")
	other.Stdout = f
	stdin, err := other.StdinPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		t.Skip(err)
	}
	defer other.Wait()
	defer stdin.Close()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/proc/%d/fd/1", other.Process.Pid)
	create(t, path, "dropped").Abort()
	o := create(t, path, long)
	wantText(t, path, "old")
	closeOutput(t, o)
	wantText(t, path, long)
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
	for _, uid := range []int{12345, 0} { // or their group's
		path := filepath.Join(t.TempDir(), "theirs")
		write(t, path, "old")
		if err := errors.Join(os.Chmod(path, 0o640), os.Chown(path, uid, 23456)); err != nil {
			t.Fatal(err)
		}
		closeOutput(t, create(t, path, long))
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if s := info.Sys().(*syscall.Stat_t); int(s.Uid) != uid || s.Gid != 23456 || info.Mode() != 0o640 {
			t.Errorf("owner %d, group %d, %v", s.Uid, s.Gid, info.Mode())
		}
	}
}

// What another member of a group writes over a user's file stays the group's.
func TestCreateKeepsGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root becomes a member of a group")
	}
	const group, nobody = 23456, 65534
	dir := t.TempDir()
	err := errors.Join(os.Chmod(filepath.Dir(dir), 0o777), os.Chmod(dir, 0o777|fs.ModeSetgid)) // whose group a new file there has
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "theirs")
	write(t, path, "old")
	if err := errors.Join(os.Chown(path, 12345, group), os.Chmod(path, 0o660)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // whose identity for files this is; it ends with the goroutine
		err := errors.Join(syscall.Setfsgid(group), syscall.Setfsuid(nobody))
		if err == nil {
			var o *format.Output
			if o, err = format.Create(context.Background(), path); err == nil {
				o.Write([]byte("new"))
				err = o.Close()
			}
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantText(t, path, "new")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Gid != group || info.Mode() != 0o660 {
		t.Errorf("group %d, %v, expected group %d", s.Gid, info.Mode(), group)
	}
}
