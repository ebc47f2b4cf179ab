package train

import (
	"context"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// WithThreads returns a context for trainings, cross-validations and batches of answers that follow
// each other, and a function that ends it, to be called after the last of them has returned.
//
// With this context they all use the same threads, at most the given number, or one for each
// processor (GOMAXPROCS) if it is 0; their own Threads fields are ignored. Memory that one of them
// has used serves the next. Results do not depend on it.
func WithThreads(ctx context.Context, threads int) (context.Context, func()) {
	return team.With(ctx, threads)
}
