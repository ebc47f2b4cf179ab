package traintest

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

// A Countdown is a context that is cancelled after Err has been called a given number of times.
type Countdown struct {
	context.Context
	cancel context.CancelCauseFunc
	left   atomic.Int64
}

// NewCountdown returns a context whose Err returns nil for the given number of calls and an error
// afterwards.
func NewCountdown(answers int) *Countdown {
	c := new(Countdown)
	c.Context, c.cancel = context.WithCancelCause(context.Background())
	c.left.Store(int64(answers))
	return c
}

// Err implements context.Context.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel(errCause)
	}
	return c.Context.Err()
}

// Left returns how many calls of Err are left before the context is cancelled; it is negative by
// the number of calls after that.
func (c *Countdown) Left() int { return int(c.left.Load()) }

// cancelledAnywhere: wherever a training is when its context is cancelled, it returns the context's
// error with its cause, and not an error about parts of a result that are missing.
func cancelledAnywhere(d *format.Dataset, n New, _ Options) error {
	for polls := 1; ; polls += polls {
		ctx := NewCountdown(polls - 1)
		_, err := n(nil).Train(ctx, d, train.NewRand(1))
		cancelled := ctx.Left() < 0
		ctx.cancel(nil)
		switch {
		case !cancelled:
			return err
		case !saysWhy(err):
			return fmt.Errorf("cancelled when asked %d times: the answer is %v", polls, err)
		}
	}
}
