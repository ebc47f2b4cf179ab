package traintest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

// A polled context is cancelled when it has been asked for its error so many times.
type polled struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func cancelledAfter(polls int) *polled {
	p := &polled{}
	p.Context, p.cancel = context.WithCancel(context.Background())
	p.left.Store(int64(polls))
	return p
}

// Err implements context.Context.
func (p *polled) Err() error {
	if p.left.Add(-1) == 0 {
		p.cancel()
	}
	return p.Context.Err()
}

// cancelledAnywhere: wherever a training is when its context is cancelled, the context's error is
// the answer: not what the parts of a result look like that were left undone.
func cancelledAnywhere(d *format.Dataset, n New, _ Options) error {
	for polls := 1; ; polls += polls {
		ctx := cancelledAfter(polls)
		_, err := n(nil).Train(ctx, d, train.NewRand(1))
		cancelled := ctx.Context.Err() != nil
		ctx.cancel()
		switch {
		case !cancelled:
			return err
		case !errors.Is(err, context.Canceled):
			return fmt.Errorf("cancelled when asked %d times: the answer is %v", polls, err)
		}
	}
}
