package train

import (
	"context"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// WithClock returns a context whose trainings may measure time with clock, which returns the time
// since any fixed moment:
//
//	begun := time.Now()
//	ctx = train.WithClock(ctx, func() time.Duration { return time.Since(begun) })
//
// Threads that share short pieces of work then notice when sharing is slower than working alone, as
// it sometimes is on virtual machines. Models do not depend on the clock. The memory of the whole
// program has its own clock: pages.SetClock.
func WithClock(ctx context.Context, clock func() time.Duration) context.Context {
	return team.WithClock(ctx, clock)
}
