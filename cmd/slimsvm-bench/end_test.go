//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// endless writes a shell's program that tells its process in a file and never ends.
func endless(t *testing.T) (program, told string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		testenv.SkipMissing(t, "needs sh", err)
	}
	program, told = filepath.Join(t.TempDir(), "endless"), filepath.Join(t.TempDir(), "process")
	text := fmt.Sprintf("#!/bin/sh\necho $$ >'%s.new'\nmv '%[1]s.new' '%[1]s'\nexec sleep 1000\n", told)
	if err := os.WriteFile(program, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return program, told
}

// process waits for the file in which a process is told. It gives up when done is closed.
func process(t *testing.T, told string, done <-chan struct{}) int {
	t.Helper()
	for {
		if text, err := os.ReadFile(told); err == nil {
			n, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		select {
		case <-done:
			t.Fatal("it ended before it began")
		case <-time.After(time.Millisecond):
		}
	}
}

// gone fails if a process is there.
func gone(t *testing.T, n int) {
	t.Helper()
	if err := syscall.Kill(n, 0); err != syscall.ESRCH {
		t.Errorf("the command runs on: %v", err)
		syscall.Kill(n, syscall.SIGKILL)
	}
}

// TestInterrupted: a run that is cancelled leaves neither its folder nor the command that it was measuring.
func TestInterrupted(t *testing.T) {
	program, told := endless(t)
	bin := t.TempDir()
	for _, name := range programs {
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	status, done := 0, make(chan struct{})
	go func() {
		defer close(done)
		status = run(ctx, []string{"-theirs", bin, "-ours", bin, "-run", "^gaussians 20000x50/train$"}, nil, &stdout, &stderr)
	}()
	n := process(t, told, done)
	cancel()
	<-done
	gone(t, n)
	if status != 1 || !strings.Contains(stderr.String(), context.Canceled.Error()) {
		t.Errorf("status %d, %s%s", status, &stdout, &stderr)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestMeasurerEnds: with the process that measures ends the command, be it by a signal or because
// the program that started it is gone.
func TestMeasurerEnds(t *testing.T) {
	for _, signalled := range []bool{true, false} {
		program, told := endless(t)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		measurer := exec.Command(self, cost.Argument, program)
		held, err := measurer.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := measurer.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			measurer.Process.Wait()
		}()
		n := process(t, told, done)
		if signalled {
			err = measurer.Process.Signal(syscall.SIGTERM)
		} else {
			err = held.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		<-done
		gone(t, n)
		held.Close()
	}
}

// TestEveryRound: an output that is another in the first of two rounds only is one that differs.
func TestEveryRound(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		testenv.SkipMissing(t, "needs sh", err)
	}
	ours, theirs, ran := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "ran")
	const same = "for out; do :; done\necho same >\"$out\"\n"
	changing := fmt.Sprintf("#!/bin/sh\n%s[ -e '%s' ] || echo other >\"$out\"\n: >'%[2]s'\n", same, ran)
	for dir, text := range map[string]string{theirs: "#!/bin/sh\n" + same, ours: changing} {
		for _, name := range programs {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	for round, want := range []string{"| **different** |", "| equal |"} {
		stdout.Reset()
		stderr.Reset()
		status := run(t.Context(), []string{"-theirs", theirs, "-ours", ours, "-rounds", "2", "-run", "^gaussians 200 classes/train$"}, nil, &stdout, &stderr)
		if status != 1-round || !strings.Contains(stdout.String(), want) {
			t.Errorf("status %d, no %q in\n%s%s", status, want, &stdout, &stderr)
		}
	}
}
