package train

import (
	"context"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// WithThreads returns a context for trainings, cross-validations and answers that follow each other, and a function to call
// when the last has returned. They use the same threads, so many at most, or one a processor (GOMAXPROCS) for 0, whatever
// their own Threads say, and memory that one has used serves the next, up to that time. Results do not depend on it.
func WithThreads(ctx context.Context, threads int) (context.Context, func()) {
	return team.With(ctx, threads)
}
