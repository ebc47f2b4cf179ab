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

// Problem: train on rows that do not fit in memory.
//
// Method: one pass over the rows counts classes, one collects the reduced set, and one for each
// Newton step (and for each step that was too long) computes the sums. If there are very many
// machines, they are fitted in groups, one after the other, limited by passBytes. Memory holds the
// reduced set, sums, and two chunks of rows. The model is the one that Train finds, to the byte.

// ErrStream reports a Set that needs the rows in memory.
var ErrStream = errors.New("systematic sampling needs all rows in memory")

// TrainStream trains as Train does, on rows that are read again for every pass. If the number of
// rows of a class changes between passes, the error is format.ErrChanged. [Systematic] is
// [ErrStream]. More than a hundred thousand labels, which can only be numbers, are an error.
func (c Classifier) TrainStream(ctx context.Context, rows Rows) (*models.Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if _, ok := c.Set.(Systematic); ok {
		return nil, ErrStream
	}
	if rows == nil {
		return nil, errNoRows
	}
	n, err := survey(ctx, rows, classLabel)
	if err != nil {
		return nil, err
	}
	// the labels in the order of first appearance stand for the column of labels
	classes, err := train.GroupClasses(n.labels, c.Report)
	if err != nil {
		return nil, err
	}
	ctx, stop := team.With(ctx, c.Threads)
	defer stop()
	if len(classes.Labels) == 1 {
		return c.single(ctx, classes.Labels)
	}
	counts, all := make([]int, len(classes.Labels)), 0
	for i, label := range classes.Labels {
		counts[i] = n.count[label]
		all += counts[i]
	}
	c.Report.SendMany(len(counts), all)
	return fitStream(ctx, c.job(classes.Labels), rows, counts)
}

// TrainStream trains as Train does, on rows that are read again for every pass. If the number of
// rows changes between passes, the error is format.ErrChanged. [Systematic] is [ErrStream].
func (g Regression) TrainStream(ctx context.Context, rows Rows) (*models.Model, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if _, ok := g.Set.(Systematic); ok {
		return nil, ErrStream
	}
	if rows == nil {
		return nil, errNoRows
	}
	var of targets
	n, err := survey(ctx, of.watched(rows), func(row int, y float64) (int, error) { return 0, checkTarget(row, y) })
	if err != nil {
		return nil, err
	}
	of.report(&g.Options)
	ctx, stop := team.With(ctx, g.Threads)
	defer stop()
	return fitStream(ctx, g.job(), rows, []int{n.count[0]})
}

// A count is the result of the first pass.
type count struct {
	labels []float64 // the different labels, before they are truncated to integers, in order of appearance
	count  map[int]int
}

// mostLabels is the largest number of labels of a classification, which are held in memory. Tests
// change it.
var mostLabels = 1 << 17

// classLabel truncates a label to an integer.
func classLabel(row int, y float64) (int, error) {
	c, err := train.GroupClasses([]float64{y}, nil)
	if err != nil {
		return 0, &train.RowError{Row: row, Err: fmt.Errorf("label %v is no 32-bit integer", y)}
	}
	return c.Labels[0], nil
}

// survey counts rows by what label returns for them.
func survey(ctx context.Context, rows Rows, label func(row int, y float64) (int, error)) (*count, error) {
	n := &count{count: map[int]int{}}
	known := map[float64]int{}
	row := 0
	for in, err := range rows {
		if err == nil && row%1024 == 0 {
			err = ended.Err(ctx)
		}
		if err == nil {
			err = checkWeight(row, in.Weight)
		}
		if err != nil {
			return nil, err
		}
		at, ok := known[in.Y]
		if !ok {
			if at, err = label(row, in.Y); err != nil {
				return nil, err
			}
			if len(known) < mostLabels {
				known[in.Y] = at
				n.labels = append(n.labels, in.Y)
			} else if _, ok := n.count[at]; !ok {
				return nil, fmt.Errorf("more than %d labels: they look like numbers, which a regression predicts", mostLabels)
			}
		}
		n.count[at]++
		row++
	}
	if row == 0 {
		return nil, train.ErrNoData
	}
	return n, ended.Err(ctx)
}

func checkWeight(row int, w float64) error {
	if w > 0 && w <= math.MaxFloat64 {
		return nil
	}
	d := &format.Dataset{Weight: []float64{w}}
	var at *train.RowError
	if err := train.CheckWeights(d, true); errors.As(err, &at) {
		return &train.RowError{Row: row, Err: at.Err}
	}
	return nil
}

// fitStream trains a job on rows. counts has the number of rows of each class.
func fitStream(ctx context.Context, j *Job, rows Rows, counts []int) (*models.Model, error) {
	rows = j.label.counted(rows, counts)
	set := j.draw(counts)
	if err := j.roomFor(set); err != nil {
		return nil, err
	}
	if err := j.collect(ctx, rows, set); err != nil {
		return nil, err
	}
	if err := j.run(ctx, &stream{rows, &j.label, j.o.Kernel}, false, counts); err != nil {
		return nil, err
	}
	j.solved()
	return j.Model(), nil
}

// counted returns the rows, with format.ErrChanged when a class has more rows than counts says, or
// at the end if one has fewer.
func (l *labeller) counted(rows Rows, counts []int) Rows {
	return func(yield func(format.Instance, error) bool) {
		left := slices.Clone(counts)
		known := true
		for in, err := range rows {
			c := int32(0)
			if err == nil && l.place != nil {
				c, known = l.class(in.Y)
			}
			if err == nil && known {
				if left[c]--; left[c] < 0 {
					yield(format.Instance{}, format.ErrChanged)
					return
				}
			}
			if !yield(in, err) {
				return
			}
			if !known { // the caller reports the row
				return
			}
		}
		if slices.Max(left) > 0 {
			yield(format.Instance{}, format.ErrChanged)
		}
	}
}

// collect reads the drawn rows and makes them the reduced set.
func (j *Job) collect(ctx context.Context, rows Rows, set drawn) error {
	chosen := set.rows
	parts := make([]format.Dataset, len(chosen))
	origin := make([][]int, len(chosen))
	seen := make([]int, len(chosen))
	row := 0
	for in, err := range rows {
		if err == nil && row%1024 == 0 {
			err = ended.Err(ctx)
		}
		if err == nil {
			err = uneven(row, in.X)
		}
		if err != nil {
			return err
		}
		c := int32(0)
		if j.label.place != nil {
			var ok bool
			if c, ok = j.label.class(in.Y); !ok {
				return errUnknown(row, in.Y)
			}
		}
		if _, take := slices.BinarySearch(chosen[c], seen[c]); take {
			parts[c].Append(in)
			origin[c] = append(origin[c], row)
		}
		seen[c]++
		row++
	}
	var reduced format.Dataset
	var of []int32
	places := slices.Concat(origin...)
	for c := range parts {
		for i := range parts[c].Len() {
			reduced.X.Append(parts[c].X.Row(i))
			of = append(of, int32(c))
		}
	}
	if err := train.CheckRows(j.o.Kernel, &reduced.X); err != nil {
		var at *train.RowError
		if errors.As(err, &at) {
			return &train.RowError{Row: places[at.Row], Err: at.Err}
		}
		return err
	}
	return j.reduce(ctx, set, reduced.X, places, of)
}
