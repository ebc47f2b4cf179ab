package cs

import (
	"context"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// asked counts how often its error is asked for, and is cancelled after a number of times.
type asked struct {
	context.Context
	times, end int
}

func (a *asked) Err() error {
	if a.times++; a.times > a.end {
		return context.Canceled
	}
	return nil
}

// TestClosedCancelled: the closed forms, which spend their time on the kernel values of all rows
// and points, check the context for every part of the rows, with room for the values and without.
func TestClosedCancelled(t *testing.T) {
	set, _ := generate.Lookup("ringnorm")
	d := set.Generate(2000, 1)
	p := &train.Problem{X: d.X, Y: d.Y, Kernel: kernel.RBF{Gamma: 0.05}}
	rows := allRows(d.Len())
	zs := p.X.Select(rows[:100])
	parts := (len(rows) + kernel.BatchRows - 1) / kernel.BatchRows
	for _, form := range []Form{Uniform, Weighted} {
		for _, mb := range []float64{500, 1e-3} {
			step := Default().Steps
			step.Form, step.MatrixMB = form, mb
			for _, end := range []int{0, 3, parts - 1} {
				c, err := newChunk(t.Context(), p, rows, &zs, &step, nil)
				if err != nil {
					t.Fatal(err)
				}
				ctx := &asked{Context: t.Context(), end: end}
				if _, err := c.solve(ctx, 1); !errors.Is(err, context.Canceled) || c.values != nil {
					t.Errorf("%s, %v MB, cancelled after %d questions: %v", form, mb, end, err)
				}
				if ctx.times > end+20 {
					t.Errorf("%s, %v MB: %d questions after it was cancelled", form, mb, ctx.times-end)
				}
			}
			c, _ := newChunk(t.Context(), p, rows, &zs, &step, nil)
			ctx := &asked{Context: t.Context(), end: 1 << 30}
			if _, err := c.solve(ctx, 1); err != nil || ctx.times < parts {
				t.Errorf("%s, %v MB: %d questions in %d parts, %v", form, mb, ctx.times, parts, err)
			}
		}
	}
}
