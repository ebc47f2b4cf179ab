package main

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
)

// TestClosedPipe: nothing is said when whoever reads standard output closes it, but the status tells; another output that
// is closed is an error like others.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes are closed in another way on Windows")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rows", []byte("1 1:1\n1 1:2\n-1 1:3\n-1 1:4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status := run(context.Background(), []string{"train", "--quiet", "rows", "model"}, nil, new(bytes.Buffer), new(bytes.Buffer)); status != 0 {
		t.Fatal(status)
	}
	for _, line := range []string{
		"generate moons --rows 20000", "train --help", "train --method joint --help", "--help", "--version",
		"scale --quiet rows -", "convert --quiet --to csv rows -", "predict --quiet rows model", "split --quiet rows -", "export --quiet --plain model -",
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var stderr bytes.Buffer
		if status := run(context.Background(), strings.Fields(line), nil, w, &stderr); status != launch.StatusClosed || stderr.Len() > 0 {
			t.Errorf("%s: status %d, %q", line, status, stderr.String())
		}
		w.Close()
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	if status := run(context.Background(), []string{"--version"}, nil, full, &stderr); status != statusFailed || stderr.String() != "slimsvm: write standard output: no space left on device\n" {
		t.Errorf("a full disk: status %d, %q", status, stderr.String())
	}
}

// TestGridUntold: what a search was for is written though what it found cannot be told, in a pipe that is closed or on a
// full disk.
func TestGridUntold(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes are closed in another way on Windows")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rows", []byte("1 1:1\n1 1:2\n-1 1:3\n-1 1:4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	grid := func(stdout *os.File, files ...string) (status int, stderr string) {
		var b bytes.Buffer
		args := append(strings.Fields("grid --quiet --folds 2 --log2c 0,1,1 --log2g 0,1,1"), files...)
		status = run(context.Background(), args, nil, stdout, &b)
		return status, b.String()
	}
	r, closed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	r.Close()
	if status, said := grid(closed, "--out", "points.csv", "rows", "model"); status != launch.StatusClosed || said != "" {
		t.Errorf("closed: status %d, %q", status, said)
	}
	for _, name := range []string{"points.csv", "model"} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("closed: %s: %v", name, err)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	if status, said := grid(full, "rows", "second"); status != statusFailed || !strings.Contains(said, "no space left") {
		t.Errorf("full: status %d, %q", status, said)
	}
	if _, err := os.Stat("second"); err != nil {
		t.Error(err)
	}
}
