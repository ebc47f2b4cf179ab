//go:build unix

package compat_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptGuard ends a command that does not heed the signal.
const interruptGuard = time.Minute

// TestInterrupt: the commands end by a signal, as those that do not handle it, and leave neither
// their output nor a temporary file, also while they wait for input.
func TestInterrupt(t *testing.T) {
	bin := commands(t)
	// rows that contradict each other make svm-train take a long time
	var data bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&data, "%d 1:%d 2:%d 3:%d\n", i*7919%2, i%97, i*31%89, i*17%83)
	}
	for _, c := range []struct {
		name, line string
		signal     syscall.Signal
		waits      bool // for a pipe at "data" that never ends
	}{
		{"train", "svm-train -c 1e6 -g 0.01 -e 1e-9 data model", syscall.SIGINT, false},
		{"train, terminated", "svm-train -c 1e6 -g 0.01 -e 1e-9 data model", syscall.SIGTERM, false},
		{"train, processor time is over", "svm-train -c 1e6 -g 0.01 -e 1e-9 data model", syscall.SIGXCPU, false},
		{"slimsvm, before a job's end", "slimsvm train --quiet --cost 1e6 --gamma 0.01 --tolerance 1e-9 data model", syscall.SIGUSR1, false},
		{"predict, quit", "svm-predict data good.model out", syscall.SIGQUIT, true},
		{"predict", "svm-predict data good.model out", syscall.SIGINT, true},
		{"scale", "svm-scale -s range data", syscall.SIGINT, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			model := "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n"
			if err := os.WriteFile(filepath.Join(dir, "good.model"), []byte(model), 0o666); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "data")
			if c.waits {
				if err := syscall.Mkfifo(path, 0o666); err != nil {
					t.Skipf("no named pipes here: %v", err)
				}
			} else if err := os.WriteFile(path, data.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			words := bytes.Fields([]byte(c.line))
			var args []string
			for _, w := range words[1:] {
				args = append(args, string(w))
			}
			cmd := exec.Command(filepath.Join(bin, string(words[0])), args...)
			cmd.Dir = dir
			var stderr strings.Builder
			cmd.Stderr = &stderr
			var ended <-chan struct{}
			if c.waits {
				var pipe *os.File
				pipe, ended = startReader(t, cmd, path)
				pipe.Write([]byte("1 1:1\n1 1:2\n"))
			} else {
				ended = start(t, cmd)
			}
			time.Sleep(300 * time.Millisecond) // long enough to be at work
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			<-ended
			if got := cmd.ProcessState.Sys().(syscall.WaitStatus); !got.Signaled() || got.Signal() != c.signal {
				t.Errorf("%v, want %v", cmd.ProcessState, c.signal)
			}
			if strings.Contains(stderr.String(), "goroutine") {
				t.Errorf("stderr %q", &stderr)
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if e.Name() != "data" && e.Name() != "good.model" {
					t.Errorf("%s is left", e.Name())
				}
			}
		})
	}
}
