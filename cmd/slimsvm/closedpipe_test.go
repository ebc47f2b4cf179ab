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
	if status := run(context.Background(), []string{"--version"}, nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("a full disk: status %d, %q", status, stderr.String())
	}
}
