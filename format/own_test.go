//go:build unix

package format_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TestCreateOwnStream: a stream that goes to a file keeps what it holds, and goes on
// behind what is written, by whatever name.
func TestCreateOwnStream(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd := fmt.Sprint(f.Fd())
	symlink(t, "/dev/fd/"+fd, filepath.Join(dir, "link"))
	symlink(t, "link", filepath.Join(dir, "twice"))
	want := ""
	for _, name := range []string{"/dev/fd/" + fd, "/dev//fd/./" + fd, filepath.Join(dir, "link"), filepath.Join(dir, "twice"),
		"/proc/self/fd/" + fd, fmt.Sprintf("/proc/%d/fd/%s", os.Getpid(), fd)} {
		if _, err := os.Stat(name); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		if !format.IsStream(name) {
			t.Errorf("%s is no stream", name)
		}
		io.WriteString(f, "head ")
		closeOutput(t, create(t, name, name))
		create(t, name, "dropped").Abort()
		io.WriteString(f, " foot\n")
		want += "head " + name + " foot\n"
		wantText(t, f.Name(), want)
	}
	if want == "" {
		t.Error("no name of a stream was tried")
	}
	for _, name := range []string{f.Name(), "stdout", "/dev/null", "/dev/fd/x", "/dev/fd/-1", ""} {
		if format.IsStream(name) {
			t.Errorf("%q is a stream", name)
		}
	}
}

// TestCreateStandardFile: the file that standard output or standard error goes to is
// written through that, by its own name too. A process of its own does it.
func TestCreateStandardFile(t *testing.T) {
	const itself = "SLIMSVM_TEST_STANDARD_FILE"
	if path := os.Getenv(itself); path != "" {
		o := create(t, path, "text")
		closeOutput(t, o)
		closeOutput(t, create(t, path+".other", "text")) // which is in the same folder
		os.Exit(0)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(t, f.Name()+".other", "old")
	for k := range 2 {
		io.WriteString(f, "head ")
		cmd := exec.Command(os.Args[0], "-test.run=^TestCreateStandardFile$")
		cmd.Env = append(os.Environ(), itself+"="+f.Name())
		if k == 0 {
			cmd.Stdout = f
		} else {
			cmd.Stderr = f
		}
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, " foot\n")
	}
	wantText(t, f.Name(), "head text foot\nhead text foot\n")
	wantText(t, f.Name()+".other", "text")
}

// TestCreateStandardNames: /dev/stdout and /dev/stderr are the streams of the process.
func TestCreateStandardNames(t *testing.T) {
	const itself = "SLIMSVM_TEST_STANDARD_NAMES"
	if os.Getenv(itself) != "" {
		closeOutput(t, create(t, "/dev/stdout", "out"))
		closeOutput(t, create(t, "/dev/stderr", "err"))
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCreateStandardNames$")
	cmd.Env = append(os.Environ(), itself+"=1")
	var out, err strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &err
	if e := cmd.Run(); e != nil || out.String() != "out" || err.String() != "err" {
		t.Errorf("%v, output %q, errors %q", e, out.String(), err.String())
	}
}

// TestCreateOwnStreamErrors: a stream that is not to be written.
func TestCreateOwnStreamErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "old")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name := fmt.Sprintf("/dev/fd/%d", f.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	o := create(t, name, "text")
	wantPathError(t, o.Close(), name, "write %: bad file descriptor")
	wantText(t, path, "old")
}
