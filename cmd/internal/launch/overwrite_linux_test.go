package launch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// overwritten names the environment variable with the path of the file that overwrite writes over.
const overwritten = "SLIMSVM_LAUNCH_TEST_OVERWRITTEN"

// overwrittenSize is enough for a signal to come while it is written.
const overwrittenSize = 128 << 20

func init() {
	// overwrite writes over a file that cannot be replaced, and says so when it does.
	commands["overwrite"] = func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		time.Sleep(4 * handleAfter)
		o, err := format.Create(ctx, os.Getenv(overwritten))
		if err != nil {
			fmt.Fprintln(stdout, err)
			return 1
		}
		defer o.Abort()
		part := bytes.Repeat([]byte("n"), 1<<20)
		for range overwrittenSize / len(part) {
			if _, err := o.Write(part); err != nil {
				fmt.Fprintln(stdout, err)
				return 1
			}
		}
		go func() {
			for !format.Overwriting() {
				time.Sleep(time.Millisecond)
			}
			fmt.Fprintln(stdout, "ready")
		}()
		if err := o.Close(); err != nil {
			fmt.Fprintln(stdout, err)
			return 1
		}
		return 0
	}
}

// TestOverwrite: a file that cannot be replaced, here because it has lost its name, is written over
// to its end though a signal comes meanwhile, and no temporary file is left.
func TestOverwrite(t *testing.T) {
	heeded(t, syscall.SIGINT)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv(asPatient, "1ns")
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	t.Setenv(overwritten, fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()))
	p := start(t, "overwrite", "")
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status, said := p.end(); said != "" {
		t.Errorf("%s, said %q", show(status), said)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 3)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	if info.Size() != overwrittenSize || string(head) != "nnn" {
		t.Errorf("the file has %d bytes and begins with %q, want %d and nnn", info.Size(), head, overwrittenSize)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
