package launch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// A signalContext is a context that is cancelled by a signal that ends commands, with the signal's
// name as its cause. To handle signals takes threads, a tenth of what a small job takes in all, so
// they are handled only from soon after the start. Before, a signal ends the process as it does by
// default, as long as nobody has asked for Done: nothing that has to be undone was begun, or
// someone would have. From then on signals are deferred until they are handled.
type signalContext struct {
	creating  sync.Once
	handling  sync.Once
	timer     *time.Timer // after which they are handled in any case
	preparing atomic.Bool // and the process is prepared for long work then
	cancel    context.CancelCauseFunc
	release   func()                          // ends the deferral
	inner     atomic.Pointer[context.Context] // nil: nobody has asked for Done yet
	last      atomic.Pointer[func()]          // what is done before the process ends after awaitRest
}

// handleAfter is after how long signals are handled in any case.
const handleAfter = 50 * time.Millisecond

// context returns the context that signals cancel, now that someone asks for it.
func (h *signalContext) context() context.Context {
	h.creating.Do(func() {
		ctx, cancel := context.WithCancelCause(context.Background())
		h.cancel, h.release = cancel, deferSignals(unignored(ending))
		h.inner.Store(&ctx)
	})
	return *h.inner.Load()
}

// unignored are those of signals that this process does not ignore.
func unignored(signals []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
}

// handleSignals makes signals be handled. After that the process may take Grace to end.
func (h *signalContext) handleSignals() {
	h.context()
	h.handling.Do(func() {
		if h.timer != nil {
			h.timer.Stop()
		}
		if signals := notifiable(); len(signals) > 0 { // of none at all the runtime would tell of all
			first := make(chan os.Signal, 1)
			signal.Notify(first, signals...) // until the process ends
			go func() { h.end(origin(<-first)) }()
		}
		h.release()
	})
}

// end ends the command because a signal came.
func (h *signalContext) end(s os.Signal) {
	h.cancel(ended{s})
	awaitRest()
	if last := h.last.Load(); last != nil {
		done := make(chan struct{})
		go func() {
			defer close(done)
			(*last)()
		}()
		select {
		case <-done:
		case <-time.After(restLook): // it waits too, for whoever reads what it says
		}
	}
	endBy(s)
}

// restLook is for how long next to no processor time is taken by a process that is at rest, and restPart
// the part of it that is next to none.
const (
	restLook = 50 * time.Millisecond
	restPart = 20
)

// awaitRest waits until all that this process still does is to wait for others, and its unfinished
// outputs are dropped, but no longer than Grace. The time in which a file is written over does not
// count: the file would be damaged.
func awaitRest() {
	for waited := time.Duration(0); waited < Grace; waited += restLook {
		before, told := processorTime()
		time.Sleep(restLook)
		after, _ := processorTime()
		switch {
		case format.Overwriting():
			waited = -restLook
		case told && after-before < restLook/restPart && format.Unfinished() == 0 && !atWork():
			return
		}
	}
}

// atWork reports whether a goroutine other than the caller's runs, or would if it were given a processor,
// which others may have for as long as restLook.
func atWork() bool {
	text := make([]byte, 256<<10)
	n := runtime.Stack(text, true)
	_, others, _ := bytes.Cut(text[:n], []byte("]:\n"))
	return n == len(text) || bytes.Contains(others, []byte(" [runn")) // running or runnable
}

// ended is the cause of a context that a signal cancelled.
type ended struct{ signal os.Signal }

func (e ended) Error() string { return e.signal.String() + " signal received" }

// signal returns the signal that ended the command, nil for none.
func (h *signalContext) signal() os.Signal {
	var e ended
	if inner := h.inner.Load(); inner == nil || !errors.As(context.Cause(*inner), &e) {
		return nil
	}
	return e.signal
}

// BeforeForcedExit has f called before the process ends because a signal came and the command has
// not stopped by itself. It does not wait for long until f returns. ctx is what Main gave the
// command; with another one, nothing is done.
func BeforeForcedExit(ctx context.Context, f func()) {
	if h, ok := ctx.(*signalContext); ok {
		h.last.Store(&f)
	}
}

// startTimer sets the time from which signals are handled in any case.
func (h *signalContext) startTimer() {
	h.timer = time.AfterFunc(time.Hour, func() {
		h.handleSignals()
		if h.preparing.Load() {
			pages.DropProgram()
		}
	})
	h.timer.Reset(handleAfter) // not before h.timer is set
}

// prepareByTimer has the process prepared for long work when it has not ended soon, and defers
// signals until then. It reports false where signals are handled by now.
func (h *signalContext) prepareByTimer() bool {
	if !canDefer || !h.timer.Stop() {
		return false
	}
	h.preparing.Store(true)
	h.context()
	h.timer.Reset(handleAfter)
	return true
}

func (h *signalContext) Deadline() (deadline time.Time, ok bool) { return }

func (h *signalContext) Done() <-chan struct{} {
	if !canDefer {
		h.handleSignals()
	}
	return h.context().Done()
}

func (h *signalContext) Err() error {
	if inner := h.inner.Load(); inner != nil {
		return (*inner).Err()
	}
	return nil
}

func (h *signalContext) Value(key any) any {
	if inner := h.inner.Load(); inner != nil {
		return (*inner).Value(key)
	}
	return nil
}
