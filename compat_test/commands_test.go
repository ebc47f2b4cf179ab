package compat_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// root is the module's root as seen from this folder, where tests run.
const root = ".."

// built is the folder of the commands that commands builds.
var built string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case cost.Argument:
			os.Exit(cost.RunChild(os.Args[2:]))
		case readWord:
			os.Exit(runRead(os.Args[2:]))
		}
	}
	os.Unsetenv("GOGC") // what is set for this program is not for the commands that it runs, which have settings of their own
	os.Exit(func() int {
		var err error
		if built, err = os.MkdirTemp("", "slimsvm"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(built)
		return m.Run()
	}())
}

var build = sync.OnceValues(func() (string, error) {
	return built, testenv.Build(built, "./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale", "./cmd/slimsvm")
})

// commands returns the folder of the commands under test.
func commands(t testing.TB) string {
	t.Helper()
	if dir := named(t, "SLIMSVM_BIN_DIR"); dir != "" {
		return dir
	}
	dir, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// named returns the folder that an environment variable names, which is meant from the module's
// root, or "".
func named(t testing.TB, variable string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(testenv.Root(t), dir)
}

// A result is what a command did.
type result struct {
	exit           int // -1: ended by a signal
	stdout, stderr []byte
	late           bool // stopped at the time limit
	memory         int64
}

// run runs a command line in dir with the programs of folder bin. The line's
// words are separated by blanks; "> name" keeps stdout in a file.
func run(t *testing.T, bin, dir, line string, limit time.Duration) result {
	t.Helper()
	words, redirect, _ := strings.Cut(line, " > ")
	args := strings.Fields(words)
	if len(args) == 0 || strings.ContainsAny(line, `"'$;|&<\`) || strings.Contains(redirect, " ") {
		t.Fatalf("command line not understood: %q", line)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		t.Fatal(err)
	}
	r := result{
		exit:   cmd.ProcessState.ExitCode(),
		stdout: stdout.Bytes(),
		stderr: stderr.Bytes(),
		late:   ctx.Err() != nil,
		memory: cost.MaxResident(cmd.ProcessState),
	}
	if redirect != "" {
		if err := os.WriteFile(filepath.Join(dir, redirect), r.stdout, 0o666); err != nil {
			t.Fatal(err)
		}
		r.stdout = nil
	}
	return r
}
