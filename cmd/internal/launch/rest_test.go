//go:build unix

package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// outputFolder names the environment variable with the folder for the output of outlive.
const outputFolder = "SLIMSVM_LAUNCH_TEST_FOLDER"

func init() {
	// busy goes on for a while after a signal, with work, and says so.
	commands["busy"] = func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		done := ctx.Done()
		fmt.Fprintln(stdout, "ready")
		<-done
		for used, _ := processorTime(); ; {
			if now, _ := processorTime(); now-used > 4*restLook {
				break
			}
		}
		fmt.Fprintln(stdout, "worked on")
		return 1
	}
	// stuck waits for input that does not come, and at last for something else.
	commands["stuck"] = func(ctx context.Context, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		BeforeForcedExit(ctx, func() { select {} })
		ctx.Done()
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		return 0
	}
	// outlive waits for input that does not come, with an output that is dropped some time after a
	// signal, while nothing is at work.
	commands["outlive"] = func(ctx context.Context, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		o, err := format.Create(context.Background(), filepath.Join(os.Getenv(outputFolder), "output"))
		if err != nil {
			fmt.Fprintln(stdout, err)
			return 1
		}
		context.AfterFunc(ctx, func() {
			time.Sleep(4 * restLook)
			o.Abort()
		})
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		return 0
	}
}

// TestRest: a command that waits for input ends soon after a signal, however long it may take to
// stop by itself, but not before it has said its last, and its outputs are dropped. One that is at
// work is given the time.
func TestRest(t *testing.T) {
	heeded(t, syscall.SIGINT)
	t.Setenv(asPatient, "1h")
	for command, last := range map[string]string{"hang": "", "told": "at last", "stuck": "", "busy": "worked on", "outlive": ""} {
		dir := t.TempDir()
		t.Setenv(outputFolder, dir)
		p := start(t, command, "") // which ends it after a minute
		if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if status, said := p.end(); !by(status, syscall.SIGINT) || said != last || p.stderr.Len() > 0 {
			t.Errorf("%s: %s, said %q, stderr %q; want SIGINT and %q", command, show(status), said, &p.stderr, last)
		}
		p.stdin.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", command, left, err)
		}
	}
}

// TestAtWork: a goroutine that could run is at work, whether it has a processor or not, and one that
// waits is not.
func TestAtWork(t *testing.T) {
	wait := make(chan struct{})
	go func() { <-wait }()
	defer close(wait)
	await := func(want bool) {
		t.Helper()
		for i := 0; atWork() != want; i++ {
			if i == 10_000 {
				t.Fatalf("at work: %t, want %t", !want, want)
			}
			time.Sleep(time.Millisecond)
		}
	}
	await(false)
	var stop atomic.Bool
	for range 2 * runtime.GOMAXPROCS(0) { // more than run at a time
		go func() {
			for !stop.Load() {
			}
		}()
	}
	await(true)
	for range 100 {
		if !atWork() {
			t.Fatal("what is at work rests")
		}
	}
	stop.Store(true)
	await(false)
}
