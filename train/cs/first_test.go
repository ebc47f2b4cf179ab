package cs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestFirstError: if several machines cannot be found, the error is that of the first one, even if
// that of a later one comes sooner.
func TestFirstError(t *testing.T) {
	slow, fast := new(train.Problem), new(train.Problem)
	add := func(p *train.Problem, x, weight float64) {
		p.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{x}})
		p.Y = append(p.Y, float64(1-2*(len(p.Y)%2)))
		p.RowWeight = append(p.RowWeight, weight)
		p.Kernel = kernel.Poly{Gamma: 1, Degree: 3}
	}
	for i := range 700 {
		add(slow, float64(i%7), 1e308)
	}
	for range 4 {
		add(fast, 1e150, 1)
	}
	s := cs.Default()
	s.Nu, s.Sizes, s.Runs = []float64{100}, []int{}, 1
	for _, threads := range []int{1, 2, 4} {
		ctx, stop := team.With(context.Background(), threads)
		_, err := s.Run(ctx, []*train.Problem{slow, fast}, nil)
		stop()
		if !errors.Is(err, cs.ErrCosts) {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}
