package rsvm

import (
	"context"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Regression trains a function whose errors up to Epsilon cost nothing: eps-SSVR. It draws
// nothing from the random stream of Train, which may be nil.
type Regression struct {
	Options
	Epsilon float64 // 0 or more
}

var _ train.Forker = Regression{}

// Fork implements train.Forker.
func (g Regression) Fork(report train.Report) train.Trainer {
	g.Report = report
	return g
}

// Draws implements train.Forker.
func (g Regression) Draws(*format.Dataset) int { return 0 }

// Workers implements train.Forker.
func (g Regression) Workers() int { return g.Threads }

// Validate returns an error that says which setting is not valid.
func (g Regression) Validate() error {
	if !(g.Epsilon >= 0) || math.IsInf(g.Epsilon, 0) {
		return fmt.Errorf("epsilon %v is not a number from 0", g.Epsilon)
	}
	return g.Options.Validate()
}

// Train implements train.Trainer.
func (g Regression) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, g.Kernel, d, true); err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, g.Threads)
	defer stop()
	all := make([]int, d.Len())
	var of targets
	for i := range all {
		all[i] = i
		if err := checkTarget(i, d.Y[i]); err != nil {
			return nil, err
		}
		if d.Weight != nil {
			of.add(d.Y[i], d.Weight[i])
		} else {
			of.add(d.Y[i], 1)
		}
	}
	of.report(&g.Options)
	return fit(ctx, g.job(), d, [][]int{all})
}

func checkTarget(row int, y float64) error {
	if math.IsNaN(y) || math.IsInf(y, 0) {
		return &train.RowError{Row: row, Err: fmt.Errorf("target %v is not finite", y)}
	}
	return nil
}

func (g Regression) job() *Job {
	return newJob(g.Options, loss{alpha: g.Alpha, regression: true, epsilon: g.Epsilon}, labeller{}, nil, false)
}

// Begin returns a job that fits a function over a given reduced set.
func (g Regression) Begin(reduced *format.Dataset) (*Job, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return begin(g.job(), reduced)
}
