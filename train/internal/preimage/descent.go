package preimage

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/train/internal/lbfgs"
)

// The end of a descent, of a function that is about -1 at the start.
const (
	gradientEnd = 1e-6
	decreaseEnd = 1e-15
)

// memory returns the number of changes kept for d variables: with those of all
// steps the method is BFGS; no more than take some 50 MB.
func memory(d int) int { return max(10, min(200, 3_000_000/max(1, d))) }

// descend moves x towards a minimum of f, which sets grad and returns the value. It
// takes at most so many steps. The error is ctx's.
func descend(ctx context.Context, f func(grad, x []float64) float64, x []float64, steps int) error {
	s := lbfgs.Settings{Memory: memory(len(x)), Evaluations: 4 * min(steps, math.MaxInt/4), Decrease: decreaseEnd, Gradient: gradientEnd}
	// a start that has no value stays: nothing is better
	_, _ = lbfgs.Minimize(ctx, func(x, grad []float64) float64 { return f(grad, x) }, x, s,
		func(at lbfgs.State) bool { return at.Iterations < steps })
	return ctx.Err()
}
