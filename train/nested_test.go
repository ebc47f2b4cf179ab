package train_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestReportTrains: the Report of a cross-validation may train with its threads: no goroutine waits
// for the Report while the Report's own training waits for it. The events are those of a
// cross-validation that is alone.
func TestReportTrains(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(300, 1)
	trainer := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.2}}
	events := func(threads int, each func(ctx context.Context, n int)) (list []train.Event) {
		ctx, end := train.WithThreads(t.Context(), threads)
		defer end()
		of := trainer
		of.Report = func(e train.Event) {
			list = append(list, e)
			each(ctx, len(list))
		}
		rng := train.NewRand(1)
		folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 3, rng, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := train.CrossValidate(ctx, of, d, folds, rng, of.Report); err != nil {
			t.Fatal(err)
		}
		return list
	}
	want := events(1, func(context.Context, int) {})
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		got := events(4, func(ctx context.Context, n int) {
			if n <= 6 {
				if _, err := trainer.Train(ctx, d, nil); err != nil {
					t.Error(err)
				}
			}
		})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d events, want %d, or others", len(got), len(want))
		}
	}
}
