//go:build !unix

package launch

import (
	"os"
	"time"
)

// dropped are further signals that end a process: none.
var dropped []os.Signal

// ignoreQuit does nothing: there is no such signal.
func ignoreQuit() {}

// endBy ends the process because a signal came.
func endBy(os.Signal) { os.Exit(interrupted) }

// isBroken reports nothing: a closed pipe is an error like others.
func isBroken(error) bool { return false }

// endClosed leaves the status as it is: there is no signal of a closed pipe.
func endClosed() {}

// interrupted is the exit status that shells of other systems show for a command ended by SIGINT.
const interrupted = 130

// processorTime tells nothing.
func processorTime() (taken time.Duration, told bool) { return 0, false }
