package preimage

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// Limits that end a descent, for a function that is about -1 at the start.
const (
	gradientEnd = 1e-6
	decreaseEnd = 1e-15
)

// memory returns the number of changes to keep for d variables. If the changes of all steps are
// kept, the method is BFGS. They take at most about 50 MB.
func memory(d int) int { return max(10, min(200, 3_000_000/max(1, d))) }

// descend moves x towards a minimum of f in at most the given number of steps. f sets grad and
// returns the value. The error is ctx's.
func descend(ctx context.Context, f func(grad, x []float64) float64, x []float64, steps int) error {
	s := lbfgs.Settings{Memory: memory(len(x)), Evaluations: 4 * min(steps, math.MaxInt/4), Decrease: decreaseEnd, Gradient: gradientEnd}
	// a start without a finite value stays as it is
	_, _ = lbfgs.Minimize(ctx, func(x, grad []float64) float64 { return f(grad, x) }, x, s,
		func(at lbfgs.State) bool { return at.Iterations < steps })
	return ended.Err(ctx)
}
