//go:build unix

package launch

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ending are the signals that end a command: from the keyboard, from a batch
// system, from a terminal that goes away. All are handled, since the default is
// to end at once and leave temporary files behind.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// dropped are signals that end a process by default too, as clocks, limits of processor time and
// batch systems before the end of a job send them. Go's runtime drops them, but for the first two,
// of which it shows all its stacks. The one of a file that grew beyond a limit is none of them:
// that is an error of the write.
var dropped = append([]os.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGXCPU, syscall.SIGALRM,
	syscall.SIGVTALRM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGIO}, droppedHere...)

// ignoreQuit ignores SIGQUIT where SIGINT is ignored, since a shell ignores both for its jobs in the
// background, and Go's runtime forgets that of SIGQUIT.
func ignoreQuit() {
	if signal.Ignored(os.Interrupt) {
		signal.Ignore(syscall.SIGQUIT)
		dropped = dropped[1:]
	}
}

// keepPipes makes writing to a closed pipe an error of the write, not a signal.
func keepPipes() { signal.Ignore(syscall.SIGPIPE) }

// isBroken reports whether an error is that of writing to a closed pipe.
func isBroken(err error) bool { return errors.Is(err, syscall.EPIPE) }

// endClosed ends the process as writing to a closed pipe does by default.
func endClosed() { endBy(syscall.SIGPIPE) }

// endBy ends the process by a signal that was handled, so that whoever waits for it sees what became of it:
// a shell ends its script, or its loop, only where a command ended by SIGINT.
func endBy(s os.Signal) {
	if restoreDefault(s) {
		syscall.Kill(syscall.Getpid(), s.(syscall.Signal))
		time.Sleep(time.Second) // until it has come
	}
	os.Exit(signalled + int(s.(syscall.Signal)))
}

// signalled is the exit status of a command that signal 0 would have ended, as shells tell it.
const signalled = 128

// processorTime returns how much processor time this process has taken.
func processorTime() (taken time.Duration, told bool) {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0, false
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()), true
}
