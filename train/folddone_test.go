package train_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// plainTrainer hides that a trainer is a Forker.
type plainTrainer struct{ train.Trainer }

// TestFoldDone: a cross-validation reports each fold once, in order and after the fold's other
// events, whatever the trainer and the number of threads. Inner cross-validations for probabilities
// report no folds, and a fold that failed is not reported.
func TestFoldDone(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(120, 1)
	e := smo.DefaultEpsilonSVR()
	e.Kernel, e.Probability = kernel.RBF{Gamma: 0.5}, true
	c := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}, Probability: true}
	one := c
	one.Threads = 1
	for name, trainer := range map[string]train.Trainer{
		"regression": e, "classifier": c, "one thread": one, "plain": plainTrainer{c},
		"calibrated": train.Calibrated{Trainer: train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}},
	} {
		var done []train.FoldDone
		solved := 0 // folds with an event of a solver since the last that was done
		report := func(e train.Event) {
			switch e := e.(type) {
			case train.FoldDone:
				done = append(done, e)
				if _, plain := trainer.(plainTrainer); !plain && solved == 0 {
					t.Errorf("%s: fold %d is done before it is solved", name, e.Fold)
				}
				solved = 0
			case train.Solved:
				solved++
			}
		}
		rng := train.NewRand(1)
		folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 4, rng, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := train.CrossValidate(t.Context(), trainer, d, folds, rng, report); err != nil {
			t.Fatal(err)
		}
		if want := []train.FoldDone{{Fold: 0, Folds: 4}, {Fold: 1, Folds: 4}, {Fold: 2, Folds: 4}, {Fold: 3, Folds: 4}}; !slices.Equal(done, want) {
			t.Errorf("%s: %v", name, done)
		}
		done = nil
		if _, err := trainer.Train(t.Context(), d, train.NewRand(1)); err != nil || done != nil {
			t.Errorf("%s: a training tells of folds %v, %v", name, done, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		rng = train.NewRand(1)
		_, err = train.CrossValidate(ctx, trainer, d, folds, rng, report)
		if !errors.Is(err, context.Canceled) || done != nil {
			t.Errorf("%s: %v, folds %v", name, err, done)
		}
	}
}
