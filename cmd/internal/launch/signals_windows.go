package launch

import (
	"os"
	"syscall"
)

// ending are the signals that end a command, as which Go tells of the keyboard and of a
// window that goes away.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// keepPipes does nothing: there is no signal of a closed pipe.
func keepPipes() {}
