//go:build unix && !linux

package launch

import "os"

// droppedHere are those of dropped that only this system has: none.
var droppedHere []os.Signal
