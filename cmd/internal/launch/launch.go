// Package launch runs a command's run function as a process: standard streams,
// signals and the exit status. Only this package ends the process.
package launch

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// A Run does a command's work and returns its exit status. When ctx is
// cancelled it stops soon.
type Run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// interrupted is the exit status shells expect of a command ended by SIGINT.
const interrupted = 130

// grace is how long an interrupted command may take to stop by itself; one that
// waits for input which does not come cannot. Unfinished output files are
// dropped by the cancelled context, without the command's help.
const grace = 2 * time.Second

// gcPercent makes the collector run more often than usual. The commands create
// little garbage, so that this costs next to nothing, and their memory stays near
// what they hold.
const gcPercent = 25

// Main runs run with the process's arguments and streams and exits with its
// status. An interrupt or a request to terminate cancels the context. Writing
// to a closed pipe is an error of the write, not a signal.
func Main(run Run) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	select {
	case status := <-done:
		stop()
		os.Exit(status)
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(grace):
	}
	os.Exit(interrupted)
}
