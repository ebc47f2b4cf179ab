package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// withProbabilities gives small, a reduction of the parent, its probabilities: those of values
// that are decided without the row in question. For these a part of the rows has to be
// left out of everything, so that five times a model like the parent is trained on the
// others and reduced to as many vectors. A parent that cannot be trained again (see
// parent.trainable) is at least reduced again without these rows.
func (e *env) withProbabilities(c *cli.Context, r *reducedset.Reducer, of *parent, small *models.Model, rows *format.Dataset) (*models.Model, error) {
	again := *r
	again.Vectors, again.Each = max(1, small.Vectors.Len()), nil
	t := train.Calibrated{Task: of.Task, Trainer: &reductions{made: small, again: func(ctx context.Context, part *format.Dataset) (*models.Model, error) {
		m, err := of.without(ctx, part)
		if err != nil || len(m.Machines) == 0 {
			return m, err
		}
		next, err := again.Reduce(ctx, m, part)
		if err != nil || c.String("method") != jointMethod {
			return next, err
		}
		return e.moved(c, &again, &parent{m, of.costs, of.given}, part, []*models.Model{next}, small, false, func(*models.Model) error { return nil })
	}}}
	return t.Train(c.Context, rows, train.NewRand(uint32(r.Seed)))
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
