package launch

import (
	"context"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Settle makes a command that has begun ready for work that takes long. What only the begin
// needed of the program leaves the process's memory: it would take room beside the work until
// the end. Signals, which have to be heeded then in any case, are heeded before, as that needs
// parts of the program that nothing else does.
//
// Several processors have most work done before that pays: there it is put off until signals
// are heeded for another reason, and from now on they are held.
func Settle(ctx context.Context) {
	if h, ok := ctx.(*heedful); ok {
		if runtime.GOMAXPROCS(0) > 1 && h.settleSoon() {
			return
		}
		h.heed()
	}
	runtime.Gosched() // who has begun with something small ends it
	pages.DropProgram()
}

// SettleLater is Settle for work that may end soon: when it has not, or has taken long by now, where signals
// can be held.
func SettleLater(ctx context.Context) {
	if h, ok := ctx.(*heedful); ok && !h.settleSoon() && holds {
		pages.DropProgram()
	}
}
