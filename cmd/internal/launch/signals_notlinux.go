//go:build unix && !linux

package launch

import "os"

// unheardHere are those of unheard that only this system has: none.
var unheardHere []os.Signal
