//go:build unix

package commandtest

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Waiting interrupts a program, which is to have an hour to stop by itself, while it waits for more
// of a named pipe that is one of its arguments, pipe, and has given it text. The program is to end
// by the signal before a minute is over, after it has written stderr, and to leave nothing else in
// its folder than the files named.
func Waiting(t *testing.T, text, stderr string, files map[string]string, program string, args ...string) {
	t.Helper()
	if signal.Ignored(os.Interrupt) {
		t.Skip("interrupts are ignored here: start the tests without nohup")
	}
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer guard.Stop()
	if text != "" { // else the program waits for someone who opens the pipe
		both, err := os.OpenFile(pipe, os.O_RDWR, 0) // which waits for nobody
		if err != nil {
			t.Fatal(err)
		}
		defer both.Close()
		if _, err := both.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	waitUntilAsleep(cmd.Process.Pid) // signals are handled by then, and the text is read
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGINT || said.String() != stderr {
		t.Errorf("%v: %v, stderr %q, want %q", cmd, cmd.ProcessState, &said, stderr)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, known := files[e.Name()]; !known && e.Name() != "pipe" {
			t.Errorf("%v: %s is left", cmd, e.Name())
		}
	}
}

// waitUntilAsleep returns after 0.3 s, or, where the system tells of threads, when all threads of a
// process have been asleep for as long, at most half a minute later: on a machine with other work
// the process may not have begun by then.
func waitUntilAsleep(pid int) {
	const step, steps, most = 20 * time.Millisecond, 15, 1500
	for calm, n := 0, 0; calm < steps && n < most; n++ {
		time.Sleep(step)
		if calm++; !asleep(pid) {
			calm = 0
		}
	}
}

// asleep reports whether all threads of a process are asleep, as far as is known.
func asleep(pid int) bool {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil {
		return true
	}
	for _, path := range threads {
		text, err := os.ReadFile(path)
		// the state follows the name of the program, in parentheses
		if _, state, _ := strings.Cut(string(text), ") "); err == nil && !strings.HasPrefix(state, "S") {
			return false
		}
	}
	return true
}
