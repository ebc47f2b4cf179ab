//go:build !(linux && amd64) || purego

package launch

import (
	"os"
	"os/signal"
	"slices"
)

// canDefer says that signals can be deferred.
const canDefer = false

// defaultDropped does nothing: the runtime has its way with such signals until it is asked to tell of them.
func defaultDropped() {}

// deferSignals makes signals wait until release.
func deferSignals([]os.Signal) (release func()) { return func() {} }

// notifiable are the signals of which the runtime is asked to tell, of those that end this process.
func notifiable() []os.Signal { return unignored(append(slices.Clone(ending), dropped...)) }

// origin returns the signal for which s came: itself.
func origin(s os.Signal) os.Signal { return s }

// restoreDefault has a signal end the process, where the runtime can do that.
func restoreDefault(s os.Signal) bool {
	signal.Reset(s)
	return slices.Contains(ending, s)
}
