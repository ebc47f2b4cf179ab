//go:build !wasm && !plan9

package launch

import (
	"os"
	"os/signal"
	"syscall"
)

// ending are the signals that end a command: from the keyboard, from a batch
// system, from a terminal that goes away. All are handled, since the default is
// to end at once and leave temporary files behind.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// keepPipes makes writing to a closed pipe an error of the write, not a signal.
func keepPipes() { signal.Ignore(syscall.SIGPIPE) }
