package train_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/cs"
	"github.com/slimsvm/slimsvm/train/joint"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestReportTrains: a Report may train with the threads of the training that calls it: no goroutine waits for the Report
// while the Report's own training waits for it. The events are those of a training that is alone.
func TestReportTrains(t *testing.T) {
	set, _ := generate.Lookup("gauss5")
	d := set.Generate(300, 1)
	k := kernel.RBF{Gamma: 0.2}
	inner := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: k}
	for name, f := range map[string]func(ctx context.Context, report train.Report) error{
		"cross-validation": func(ctx context.Context, report train.Report) error {
			of := inner
			of.Report = report
			rng := train.NewRand(1)
			folds, err := train.CrossValidationFolds(models.CSVC, d.Y, 3, rng, nil)
			if err != nil {
				return err
			}
			_, err = train.CrossValidate(ctx, of, d, folds, rng, report)
			return err
		},
		"joint": func(ctx context.Context, report train.Report) error {
			j := joint.Default()
			j.Kernel, j.Vectors, j.Report, j.Evaluations = k, 5, report, 20
			_, err := j.Train(ctx, d, train.NewRand(1))
			return err
		},
		"cs": func(ctx context.Context, report train.Report) error {
			settings := cs.Default()
			settings.Runs = 3
			_, err := cs.Trainer{Settings: settings, Kernel: k, Report: report}.Train(ctx, d, train.NewRand(1))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			events := func(threads int, each func(ctx context.Context, n int)) (list []train.Event) {
				ctx, end := train.WithThreads(t.Context(), threads)
				defer end()
				if err := f(ctx, func(e train.Event) {
					list = append(list, e)
					each(ctx, len(list))
				}); err != nil {
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
						if _, err := inner.Train(ctx, d, nil); err != nil {
							t.Error(err)
						}
					}
				})
				if name != "joint" && !reflect.DeepEqual(got, want) || len(got) != len(want) {
					t.Fatalf("%d events, want %d, or others", len(got), len(want))
				}
			}
		})
	}
}
