package train

import (
	"context"
	"time"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// WithClock returns a context for trainings that may ask how much time has passed since
// some moment, as
//
//	begun := time.Now()
//	ctx = train.WithClock(ctx, func() time.Duration { return time.Since(begun) })
//
// gives it. Threads that share short pieces of work then notice when that takes longer than to
// do without, as it does at times on virtual machines. Models do not depend on it. Memory of the
// whole program has a clock of its own: pages.SetClock.
func WithClock(ctx context.Context, clock func() time.Duration) context.Context {
	return team.WithClock(ctx, clock)
}
