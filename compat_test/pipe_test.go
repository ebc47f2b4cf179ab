//go:build unix

package compat_test

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// startReader starts a command and returns the end of a named pipe to write to, once the command
// reads it. The test fails if the command ends before. ended is closed when it has, whose state is
// then known. What hangs is ended.
func startReader(t *testing.T, cmd *exec.Cmd, pipe string) (w *os.File, ended <-chan struct{}) {
	t.Helper()
	ended = start(t, cmd)
	for {
		// without O_NONBLOCK that would wait for a reader, which may never come
		w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			t.Cleanup(func() { w.Close() })
			return w, ended
		}
		if !errors.Is(err, syscall.ENXIO) {
			t.Fatal(err)
		}
		select {
		case <-ended:
			t.Fatalf("%v: %v before it read %s; %s", cmd, cmd.ProcessState, pipe, cmd.Stderr)
		case <-time.After(time.Millisecond):
		}
	}
}

// start starts a command, which is ended if it hangs. ended is closed when it has ended.
func start(t *testing.T, cmd *exec.Cmd) (ended <-chan struct{}) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(interruptGuard, func() { cmd.Process.Kill() })
	done := make(chan struct{})
	go func() {
		defer close(done)
		cmd.Wait()
	}()
	t.Cleanup(func() {
		guard.Stop()
		cmd.Process.Kill()
		<-done
	})
	return done
}
