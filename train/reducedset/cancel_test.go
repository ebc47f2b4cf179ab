package reducedset

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestCancelled: a reduction whose context is cancelled, even with the last vector, returns no
// model.
func TestCancelled(t *testing.T) {
	d := waveform(t, 1)
	m := classifier(t, kernel.RBF{Gamma: 1.0 / 32}, d)
	why := errors.New("not needed any more")
	for _, method := range Methods {
		for at := range 4 {
			ctx, stop := context.WithCancelCause(t.Context())
			cancel := func() { stop(why) }
			r := quick()
			r.Method, r.Vectors, r.Search.Population = method, 3, 10
			if at == 0 {
				cancel()
			}
			found := 0
			r.Found = func(int, int) {
				if found++; found == at {
					cancel()
				}
			}
			small, err := r.Reduce(ctx, m, d)
			if ctx.Err() != nil && !(errors.Is(err, context.Canceled) && errors.Is(err, why) && small == nil) {
				t.Errorf("%s, cancelled with vector %d: a model: %v, %v", method, at, small != nil, err)
			}
			cancel()
		}
	}
}
