package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// asCommand makes the test binary run as the command itself.
const asCommand = "SVM_SCALE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"svm-scale": main, "patient": patient})
}

// patient is the command with an hour to stop by itself after a signal.
func patient() {
	launch.Grace = time.Hour
	main()
}

// command returns the command as a process.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// oracle returns the path of LIBSVM's svm-scale, "" when there is none.
func oracle(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("svm-scale")
	if err != nil {
		if testenv.Required() {
			t.Fatal("LIBSVM's svm-scale is required and not installed (package libsvm-tools)")
		}
		return ""
	}
	return path
}

// needOracle skips the test when LIBSVM's svm-scale is not installed.
func needOracle(t testing.TB) string {
	t.Helper()
	path := oracle(t)
	if path == "" {
		t.Skip("skipped: LIBSVM's svm-scale is not installed (package libsvm-tools)")
	}
	return path
}

// A result is what a command leaves behind.
type result struct {
	status         int
	stdout, stderr string
	saved          string // the file "range" in the current folder, "-" when there is none
}

func (r result) String() string {
	const most = 1000 // of each, so that a message stays readable
	return fmt.Sprintf("status %d, stdout %.*q, stderr %.*q, range %.*q", r.status, most, r.stdout, most, r.stderr, most, r.saved)
}

func saved(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile("range")
	if os.IsNotExist(err) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ours runs the command in the process, with one goroutine and with several, which must not differ.
func ours(t testing.TB, args ...string) result {
	t.Helper()
	var results [2]result
	for k, goroutines := range []int{1, 3} {
		results[k] = oursBy(t, goroutines, args...)
	}
	if results[0] != results[1] {
		t.Errorf("one goroutine: %v\nthree: %v", results[0], results[1])
	}
	return results[0]
}

// oursBy is ours with so many goroutines.
func oursBy(t testing.TB, goroutines int, args ...string) result {
	t.Helper()
	defer useGoroutines(goroutines)()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String(), saved(t)}
}

// useGoroutines has texts of any length scaled by so many goroutines, until the function is called that
// it returns.
func useGoroutines(n int) (restore func()) {
	most, few := goroutines, fewBytes
	goroutines, fewBytes = n, -1
	return func() { goroutines, fewBytes = most, few }
}

// outcome runs cmd to its end.
func outcome(t testing.TB, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), saved(t)}
}

func writeFile(t testing.TB, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// reset removes the file "range".
func reset(t testing.TB) {
	t.Helper()
	if err := os.Remove("range"); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
