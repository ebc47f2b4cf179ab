package launch

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A heedful context is cancelled by a signal that ends commands, with the signal's name
// as its cause. To heed signals takes a thread, a tenth of what a small job takes in all,
// so they are heeded only from the first time that someone asks for Done, or from soon
// after the start. Before, a signal ends the process as it does by default: nothing that
// has to be undone was begun, or it would have been asked for Done.
type heedful struct {
	once  sync.Once
	soon  *time.Timer                     // after which they are heeded in any case
	inner atomic.Pointer[context.Context] // nil: signals are not heeded yet
}

// soon is after how long signals are heeded in any case.
const soon = 50 * time.Millisecond

// heed makes signals be heeded and returns the context that they cancel. After that
// the process may take grace to end.
func (h *heedful) heed() context.Context {
	h.once.Do(func() {
		if h.soon != nil {
			h.soon.Stop()
		}
		ctx := context.Background()
		if heeded := slices.DeleteFunc(slices.Clone(ending), signal.Ignored); len(heeded) > 0 {
			ctx, _ = signal.NotifyContext(ctx, heeded...) // until the process ends
		}
		h.inner.Store(&ctx)
		context.AfterFunc(ctx, func() {
			time.Sleep(grace)
			os.Exit(interrupted)
		})
	})
	return *h.inner.Load()
}

func (h *heedful) Deadline() (deadline time.Time, ok bool) { return }

func (h *heedful) Done() <-chan struct{} { return h.heed().Done() }

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
