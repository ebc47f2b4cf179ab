package launch

import (
	"context"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// PrepareLongWork makes a command that has begun ready for work that takes long. What only the
// beginning needed of the program leaves the process's memory: it would take room beside the work
// until the end. Signals, which have to be handled then in any case, are handled before, as that
// needs parts of the program that nothing else does.
//
// Several processors have most work done before that pays: where signals can be deferred, they are
// deferred from now on, and all this is put off until they are handled in any case, handleAfter later.
func PrepareLongWork(ctx context.Context) {
	if h, ok := ctx.(*signalContext); ok {
		if runtime.GOMAXPROCS(0) > 1 && h.prepareByTimer() {
			return
		}
		h.handleSignals()
	}
	runtime.Gosched() // a goroutine that has begun something small ends it
	pages.DropProgram()
}

// PrepareLongWorkLater is PrepareLongWork for work that may end soon: this is done when the work
// has not ended after a while, or at once if signals are handled by now. Where signals cannot be
// deferred, it does nothing.
func PrepareLongWorkLater(ctx context.Context) {
	if h, ok := ctx.(*signalContext); ok && !h.prepareByTimer() && canDefer {
		pages.DropProgram()
	}
}
