package traintest

import (
	"context"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

// reportTrains: a Report may train with the threads of the training that calls it. No goroutine
// waits for the Report while the Report's own training waits for that goroutine. The model is the
// same as with another Report.
func reportTrains(d *format.Dataset, n New, _ Options) error {
	want, err := fitBytes(n, d)
	if err != nil {
		return err
	}
	ctx, end := train.WithThreads(context.Background(), 4)
	defer end()
	for range 2 {
		var nested error
		left := 3
		m, err := n(func(train.Event) {
			if left--; left >= 0 && nested == nil {
				_, nested = n(nil).Train(ctx, d, train.NewRand(1))
			}
		}).Train(ctx, d, train.NewRand(1))
		if err != nil {
			return err
		}
		if nested != nil {
			return fmt.Errorf("in the Report: %w", nested)
		}
		got, err := written(m)
		if err != nil {
			return err
		}
		if err := same(got, want); err != nil {
			return err
		}
	}
	return nil
}
