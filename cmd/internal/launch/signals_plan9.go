package launch

import (
	"os"
	"syscall"
)

// ending are the notes that end a command: from the keyboard, and from a window that goes
// away. There is no other for batch systems.
var ending = []os.Signal{os.Interrupt, syscall.SIGHUP}

// keepPipes does nothing: writing to a closed pipe is an error of the write.
func keepPipes() {}
