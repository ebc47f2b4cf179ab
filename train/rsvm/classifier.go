package rsvm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Classifier trains machines that separate classes. It draws nothing from the random stream of
// Train, which may be nil: all random choices follow from Seed.
type Classifier struct {
	Options
	// OneVsRest asks for one machine for each class against the rest, instead of one for each pair
	// of classes.
	OneVsRest bool
	// Weights multiply the cost of errors on classes. Several weights of one label are multiplied.
	Weights []train.ClassWeight
}

var _ train.Forker = Classifier{}

// Fork implements train.Forker.
func (c Classifier) Fork(report train.Report) train.Trainer {
	c.Report = report
	return c
}

// Draws implements train.Forker.
func (c Classifier) Draws(*format.Dataset) int { return 0 }

// Workers implements train.Forker.
func (c Classifier) Workers() int { return c.Threads }

// Validate returns an error that says which setting is not valid.
func (c Classifier) Validate() error {
	for _, w := range c.Weights {
		if !(w.Weight > 0) || math.IsInf(w.Weight, 0) {
			return fmt.Errorf("weight %v of class %d is not a positive number", w.Weight, w.Label)
		}
	}
	return c.Options.Validate()
}

// Train implements train.Trainer.
func (c Classifier) Train(ctx context.Context, d *format.Dataset, _ *train.Rand) (*models.Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := train.CheckData(ctx, c.Kernel, d, true); err != nil {
		return nil, err
	}
	classes, err := train.GroupClasses(d.Y, c.Report)
	if err != nil {
		return nil, err
	}
	c.Report.SendMany(len(classes.Labels), d.Len())
	ctx, stop := team.With(ctx, c.Threads)
	defer stop()
	if len(classes.Labels) == 1 {
		return c.single(ctx, classes.Labels)
	}
	return fit(ctx, c.job(classes.Labels), d, classes.Rows)
}

// single returns the model of one class.
func (c Classifier) single(ctx context.Context, labels []int) (*models.Model, error) {
	c.Report.Send(train.SingleClass{Label: labels[0]})
	return &models.Model{Task: models.CSVC, Kernel: c.Kernel, Labels: labels, Group: []int{0}}, ended.Err(ctx)
}

// job returns a job for classes with these labels.
func (c Classifier) job(labels []int) *Job {
	l := labeller{place: make(map[int]int32, len(labels)), factor: make([]float64, len(labels))}
	for i, label := range labels {
		l.place[label], l.factor[i] = int32(i), 1
	}
	for _, w := range c.Weights {
		if i, ok := l.place[w.Label]; ok {
			l.factor[i] *= w.Weight
		} else {
			c.Report.Send(train.WeightUnused{Label: w.Label})
		}
	}
	return newJob(c.Options, loss{alpha: c.Alpha}, l, labels, c.OneVsRest)
}

// Begin returns a job that fits machines over a given reduced set. labels are those of the classes,
// at least two, each listed once, in LIBSVM's order.
func (c Classifier) Begin(labels []int, reduced *format.Dataset) (*Job, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(labels) < 2 {
		return nil, fmt.Errorf("labels of %d classes, expected 2 or more", len(labels))
	}
	for i, label := range labels {
		if slices.Contains(labels[:i], label) {
			return nil, fmt.Errorf("label %d is listed twice", label)
		}
	}
	return begin(c.job(labels), reduced)
}

// begin gives a job the rows of a data set as its reduced set.
func begin(j *Job, reduced *format.Dataset) (*Job, error) {
	if err := reduced.Check(); err != nil {
		return nil, err
	}
	if reduced.Len() == 0 {
		return nil, errors.New("the reduced set has no rows")
	}
	if err := train.CheckRows(j.o.Kernel, &reduced.X); err != nil {
		return nil, err
	}
	of, err := j.label.reducedSet(reduced)
	if err != nil {
		return nil, err
	}
	j.atOnce = true
	_, own := j.o.Set.(Full)
	if err := j.setBasis(reduced.X, of, own, nil); err != nil {
		return nil, err
	}
	return j, nil
}
