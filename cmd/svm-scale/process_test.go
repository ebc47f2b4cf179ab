package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
)

// needUnix skips tests of devices and pipes of Unix.
func needUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: needs the device files of Unix")
	}
}

func TestProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "data", "1 1:1\n2 1:2\n")
	writeFile(t, "bad", "text\n")
	for _, tt := range []struct {
		args string
		want result
	}{
		{"data", result{0, "1 1:-1 \n2 1:1 \n", "", "-"}},
		{"-l 2 data", result{1, "", "inconsistent lower/upper specification\n", "-"}},
		{"bad", result{255, "", "ERROR: failed to read labels: bad:1:1: the label is not a number: \"text\"\n", "-"}},
	} {
		if got := outcome(t, command(t, strings.Fields(tt.args)...)); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.args, got, tt.want)
		}
	}
}

func TestStandardInput(t *testing.T) {
	needUnix(t)
	t.Chdir(t.TempDir())
	writeFile(t, "data", "1 1:1\n2 1:2\n")
	want := result{0, "1 1:-1 \n2 1:1 \n", "", "-"}
	cmd := command(t, "/dev/stdin")
	cmd.Stdin = strings.NewReader("1 1:1\n2 1:2\n") // through a pipe
	if got := outcome(t, cmd); got != want {
		t.Errorf("pipe: got %v", got)
	}
	f, err := os.Open("data")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd = command(t, "/dev/stdin")
	cmd.Stdin = f
	if got := outcome(t, cmd); got != want {
		t.Errorf("file: got %v", got)
	}
}

// With -s /dev/stdout the ranges stand before the rows, wherever they go.
func TestRangesToStandardOutput(t *testing.T) {
	needUnix(t)
	t.Chdir(t.TempDir())
	writeFile(t, "data", "1 1:1\n2 1:2\n")
	const want = "x\n-1 1\n1 1 2\n1 1:-1 \n2 1:1 \n"
	cmd := command(t, "-s", "/dev/stdout", "data")
	if got := outcome(t, cmd); got.status != 0 || got.stdout != want {
		t.Errorf("pipe: got %v", got)
	}
	out, err := os.Create("out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd = command(t, "-s", "/dev/stdout", "data")
	cmd.Stdout = out
	if got := outcome(t, cmd); got.status != 0 {
		t.Errorf("file: got %v", got)
	}
	if b, err := os.ReadFile("out"); err != nil || string(b) != want {
		t.Errorf("file: %q, %v", b, err)
	}
	cmd = command(t, "-s", "/dev/stderr", "data")
	if got := outcome(t, cmd); got.status != 0 || got.stdout != "1 1:-1 \n2 1:1 \n" || got.stderr != "x\n-1 1\n1 1 2\n" {
		t.Errorf("standard error: got %v", got)
	}
}

// Output onto the input would grow without end, or empty it.
func TestOutputIsInput(t *testing.T) {
	t.Chdir(t.TempDir())
	const data = "1 1:1\n2 1:2\n"
	writeFile(t, "data", data)
	f, err := os.OpenFile("data", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := command(t, "data")
	cmd.Stdout = f
	if got := outcome(t, cmd); got.status != 1 || got.stderr != "can't open file data: it is the standard output too\n" {
		t.Errorf("got %v", got)
	}
	if b, _ := os.ReadFile("data"); string(b) != data {
		t.Errorf("the data are now %q", b)
	}
}

func TestFullDisk(t *testing.T) {
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Skip("skipped: no device /dev/full, which has never room")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	t.Chdir(t.TempDir())
	for name, data := range map[string]string{"short": "1 1:1\n2 1:2\n", "long": manyRows()} {
		writeFile(t, "data", data)
		var stderr bytes.Buffer
		status := run(t.Context(), []string{"data"}, nil, full, &stderr)
		if status != 1 || stderr.String() != "can't write to standard output: no space left on device\n" {
			t.Errorf("%s: status %d, stderr %q", name, status, &stderr)
		}
	}
	got := ours(t, "-s", "/dev/full", "data")
	if want := (result{1, "", "can't write file /dev/full: no space left on device\n", "-"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"-s", "/dev/full", "data"}, nil, full, &stderr); status != 1 ||
		stderr.String() != "can't write file /dev/full: no space left on device\n" {
		t.Errorf("status %d, stderr %q", status, &stderr)
	}
}

// The reader of the output goes away.
func TestClosedPipe(t *testing.T) {
	needUnix(t)
	t.Chdir(t.TempDir())
	writeFile(t, "data", manyRows())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "-s", "range", "data")
	cmd.Stdout = w
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	err = cmd.Wait()
	if exit, ok := err.(*exec.ExitError); !ok || exit.String() != "signal: broken pipe" && exit.ExitCode() != launch.StatusClosed || stderr.Len() > 0 {
		t.Errorf("%v, stderr %q", err, &stderr)
	}
	if got := saved(t); !strings.HasPrefix(got, "x\n-1 1\n1 0 19999\n") {
		t.Errorf("range file %q", got)
	}
}

// A range file that was there is replaced whole, or stays when the data are bad.
func TestReplacesRanges(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "range", "old")
	writeFile(t, "data", "1 1:1\n2 1:\n")
	if got := ours(t, "-s", "range", "data"); got.status != 1 || got.saved != "old" {
		t.Errorf("bad data: %v", got)
	}
	writeFile(t, "data", "1 1:1\n2 1:2\n")
	if got := ours(t, "-s", "range", "data"); got.status != 0 || got.saved != "x\n-1 1\n1 1 2\n" {
		t.Errorf("good data: %v", got)
	}
	if list, _ := os.ReadDir("."); len(list) != 2 {
		t.Errorf("files %v", list)
	}
}
