package main

import (
	"context"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// withProbabilities gives small, a reduction of the parent, its probabilities: those of values
// that are decided without the row in question. For these a part of the rows has to be
// left out of everything, so that five times a model like the parent is trained on the
// others and reduced to as many vectors. A parent that cannot be trained again (see
// parent.trainable) is at least reduced again without these rows.
func (r *reduction) withProbabilities(small *models.Model) (*models.Model, error) {
	again := *r
	again.reducer.Vectors, again.reducer.Each = max(1, small.Vectors.Len()), nil
	t := train.Calibrated{Task: r.parent.Task, Trainer: &reductions{made: small, again: func(ctx context.Context, part *format.Dataset) (*models.Model, error) {
		m, err := r.without(ctx, part)
		if err != nil || len(m.Machines) == 0 {
			return m, err
		}
		steps := again.reducer
		var size atomic.Int64
		steps.Each = func(small *models.Model) error {
			size.Store(int64(small.Vectors.Len()))
			return nil
		}
		end := r.watch(r.quiet, "reducing without held-out rows", progress.Vectors, int64(steps.Vectors), size.Load)
		next, err := steps.Reduce(ctx, m, part)
		end()
		if err != nil || !r.isJoint() {
			return next, err
		}
		return again.moved(r.parent.as(m), part, []*models.Model{next}, small, nil)
	}}}
	return t.Train(r.c.Context, r.rows, train.NewRand(uint32(r.reducer.Seed)))
}

// reductions is a trainer whose first model is made already.
type reductions struct {
	made  *models.Model
	again func(ctx context.Context, part *format.Dataset) (*models.Model, error)
}

// Train implements train.Trainer.
func (r *reductions) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if m := r.made; m != nil {
		r.made = nil
		return m, nil
	}
	return r.again(ctx, d)
}
