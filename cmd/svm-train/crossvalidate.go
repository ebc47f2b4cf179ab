package main

import (
	"context"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// crossValidate prints the score of a cross-validation. It ends early when
// stdout cannot be written to, since there is no other result.
func (o *options) crossValidate(ctx context.Context, t train.Trainer, d *format.Dataset, rng *train.Rand, out *messages) error {
	folds, err := train.CrossValidationFolds(o.task(), d.Y, o.folds, rng, out.report)
	if err != nil {
		return fmt.Errorf("ERROR: %w", o.place(err))
	}
	if err := folds.Check(o.leastRows()); err != nil {
		return fmt.Errorf("ERROR: %w", o.place(err))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out.talk.onFailure(stop)
	predictions, err := train.CrossValidate(ctx, t, d, folds, rng, out.report)
	if out.talk.end() != nil {
		return nil // run reports it
	}
	if err != nil {
		return fmt.Errorf("ERROR: %w", o.place(err))
	}
	var s predict.Scores
	for i, p := range predictions {
		s.Add(p, d.Y[i])
	}
	if o.task().Regresses() {
		out.printf("Cross Validation Mean squared error = %s\n", g(s.LIBSVMMeanSquaredError()))
		out.printf("Cross Validation Squared correlation coefficient = %s\n", g(s.LIBSVMSquaredCorrelation()))
	} else {
		out.printf("Cross Validation Accuracy = %s%%\n", g(100*float64(s.Correct)/float64(s.Total)))
	}
	return nil
}
