package launch

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A heedful context is cancelled by a signal that ends commands, with the signal's name
// as its cause. To heed signals takes threads, a tenth of what a small job takes in all,
// so they are heeded only from soon after the start. Before, a signal ends the process as
// it does by default, as long as nobody has asked for Done: nothing that has to be undone was
// begun, or someone would have. From then on signals are held until they are heeded.
type heedful struct {
	watching sync.Once
	heeding  sync.Once
	soon     *time.Timer // after which they are heeded in any case
	settling atomic.Bool // and the process settles then
	cancel   context.CancelCauseFunc
	release  func()                          // ends the hold
	inner    atomic.Pointer[context.Context] // nil: nobody has asked for Done yet
	last     atomic.Pointer[func()]          // what is done before the process ends after grace
}

// soon is after how long signals are heeded in any case.
const soon = 50 * time.Millisecond

// watch returns the context that signals cancel, now that someone asks for it.
func (h *heedful) watch() context.Context {
	h.watching.Do(func() {
		ctx, cancel := context.WithCancelCause(context.Background())
		h.cancel, h.release = cancel, hold(unignored(ending))
		h.inner.Store(&ctx)
	})
	return *h.inner.Load()
}

// unignored are those of signals that this process does not ignore.
func unignored(signals []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
}

// heed makes signals be heeded. After that the process may take grace to end.
func (h *heedful) heed() {
	h.watch()
	h.heeding.Do(func() {
		if h.soon != nil {
			h.soon.Stop()
		}
		if signals := heard(); len(signals) > 0 { // of none at all the runtime would tell of all
			first := make(chan os.Signal, 1)
			signal.Notify(first, signals...) // until the process ends
			go func() { h.end(origin(<-first)) }()
		}
		h.release()
	})
}

// end ends the command because a signal came.
func (h *heedful) end(s os.Signal) {
	h.cancel(ended{s})
	time.Sleep(grace)
	if last := h.last.Load(); last != nil {
		(*last)()
	}
	endBy(s)
}

// ended is the cause of a context that a signal cancelled.
type ended struct{ signal os.Signal }

func (e ended) Error() string { return e.signal.String() + " signal received" }

// signal returns the signal that ended the command, nil for none.
func (h *heedful) signal() os.Signal {
	var e ended
	if inner := h.inner.Load(); inner == nil || !errors.As(context.Cause(*inner), &e) {
		return nil
	}
	return e.signal
}

// AtLast has f called before the process ends because a signal came and the command has
// not stopped by itself. ctx is what Main gave the command; of others nothing is done.
func AtLast(ctx context.Context, f func()) {
	if h, ok := ctx.(*heedful); ok {
		h.last.Store(&f)
	}
}

// begin sets the time from which signals are heeded in any case.
func (h *heedful) begin() {
	h.soon = time.AfterFunc(time.Hour, func() {
		h.heed()
		if h.settling.Load() {
			pages.DropProgram()
		}
	})
	h.soon.Reset(soon) // not before h.soon is set
}

// settleSoon has the process settle when it has not ended soon, and holds signals until then.
// It reports false where signals are heeded by now.
func (h *heedful) settleSoon() bool {
	if !holds || !h.soon.Stop() {
		return false
	}
	h.settling.Store(true)
	h.watch()
	h.soon.Reset(soon)
	return true
}

func (h *heedful) Deadline() (deadline time.Time, ok bool) { return }

func (h *heedful) Done() <-chan struct{} {
	if !holds {
		h.heed()
	}
	return h.watch().Done()
}

func (h *heedful) Err() error {
	if inner := h.inner.Load(); inner != nil {
		return (*inner).Err()
	}
	return nil
}

func (h *heedful) Value(key any) any {
	if inner := h.inner.Load(); inner != nil {
		return (*inner).Value(key)
	}
	return nil
}
