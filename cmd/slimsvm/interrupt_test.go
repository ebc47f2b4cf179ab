package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// planeRows writes a file with rows of a plane, for more than two buffers of what is written, and a model of it.
func planeRows(t *testing.T) (data, model string) {
	t.Helper()
	dir := t.TempDir()
	data, model = filepath.Join(dir, "data.csv"), filepath.Join(dir, "model")
	text := "x,y,class\n" + strings.Repeat("1.5,2.25,\"a\"\n-1.5,-2.25,\"b\"\n", 10_000)
	if err := os.WriteFile(data, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"train", "--quiet", "--kernel", "linear", data, model}, nil, io.Discard, &stderr); status != 0 {
		t.Fatal(&stderr)
	}
	return data, model
}

// whatWrites are commands that write as they read.
func whatWrites(data, model string) [][]string {
	return [][]string{
		{"convert", "--quiet", "--to", "arff", data, "-"},
		{"scale", "--quiet", data, "-"},
		{"encode", "--quiet", data, "-"},
		{"split", "--quiet", data, "-"},
		{"predict", "--quiet", "--format", "csv", data, model},
	}
}

// writer is a function that writes.
type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestInterruptedOutput: a command that a signal ends while it writes says that, not what became of its output.
func TestInterruptedOutput(t *testing.T) {
	data, model := planeRows(t)
	for _, args := range whatWrites(data, model) {
		ctx, cancel := context.WithCancelCause(context.Background())
		stdout := writer(func(p []byte) (int, error) {
			cancel(errors.New("hangup signal received"))
			time.Sleep(20 * time.Millisecond) // until the output is dropped
			return len(p), nil
		})
		var stderr bytes.Buffer
		status := run(ctx, args, nil, stdout, &stderr)
		if status != statusFailed || stderr.String() != "slimsvm: interrupted\n" {
			t.Errorf("%s: status %d, %q", args[0], status, &stderr)
		}
	}
}

// TestWriteFault: a fault of writing is not one of the data that are written.
func TestWriteFault(t *testing.T) {
	data, model := planeRows(t)
	for _, args := range whatWrites(data, model) {
		stdout := writer(func([]byte) (int, error) {
			return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no room")}
		})
		var stderr bytes.Buffer
		status := run(t.Context(), args, nil, stdout, &stderr)
		if want := "slimsvm: write standard output: no room\n"; status != statusFailed || stderr.String() != want {
			t.Errorf("%s: status %d, %q, want %q", args[0], status, &stderr, want)
		}
	}
}
