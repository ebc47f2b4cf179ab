package launch

import (
	"os"
	"syscall"
)

// droppedHere are those of dropped that only this system has.
var droppedHere = []os.Signal{syscall.SIGPWR}
