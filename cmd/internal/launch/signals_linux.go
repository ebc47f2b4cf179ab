package launch

import (
	"os"
	"syscall"
)

// unheardHere are those of unheard that only this system has.
var unheardHere = []os.Signal{syscall.SIGPWR}
