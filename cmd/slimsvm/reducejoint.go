package main

import (
	"context"
	"errors"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/joint"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// jointMethod optimises the vectors of a reduced set, and all else, together.
const jointMethod = "joint"

var errJoint = errors.New("--method joint reduces errors, which a one-class model does not have")

// moved returns a model whose vectors began at those of one on the way of a
// reduction, the last; if there is a judge, at several sizes in turn, until
// it ends the search. Unless it is nil, what is chosen is as for the model like.
func (r *reduction) moved(of *parent, rows *format.Dataset, way []*models.Model, like *models.Model, j judge) (*models.Model, error) {
	m, ctx := of.Model, r.c.Context
	if last := way[len(way)-1]; last.Vectors.Len() == 0 {
		return last, judged(j.look(last)) // there is nothing to move
	}
	t := joint.Default()
	t.ChooseWidth = true // that of the model suits its own vectors, which are many
	t.Kernel, t.Cost, t.Weights, t.Threads = m.Kernel, r.reducer.Cost, of.costs.Weights, r.reducer.Threads
	if t.Cost == 0 {
		t.Cost = costOfJoint(m)
	}
	switch {
	case m.Task.Regresses():
		t.Task, t.Loss = models.EpsilonSVR, joint.Squared
		if t.Cost == 0 {
			var err error
			if t.Cost, err = squaredCost(ctx, of, rows); err != nil {
				return nil, err
			}
		}
	case !m.Task.Classifies():
		return nil, errJoint
	case t.Cost == 0:
		t.Cost = of.costs.Cost
	}
	sizes := []int{r.reducer.Vectors}
	for j != nil && sizes[0] >= 2*smallestSize {
		sizes = append([]int{sizes[0] / 2}, sizes...)
	}
	var parts *partWays
	if of.trainable() {
		parts = r.partWays(of, rows)
	}
	var small *models.Model
	for _, n := range sizes {
		start := upToSize(way, n)
		if t.Vectors = min(n, start.Vectors.Len()); small != nil && small.Vectors.Len() == t.Vectors {
			continue
		}
		t.Starts = startsOf(m, r.reducer.Method, start, parts)
		w := &watcher{warner: warner{env: r.env, quiet: r.quiet}}
		t.Report = w.report
		end := r.watchStages(r.quiet, parts.stage, progress.Iterations, 0, func() int64 {
			_, iterations := parts.far()
			return w.iterations() + iterations
		})
		var trainer train.Trainer = t
		if like != nil {
			trainer = t.WithSettingsOf(like)
		}
		next, err := trainer.Train(ctx, rows, train.NewRand(uint32(r.reducer.Seed)))
		end()
		if err != nil {
			return nil, err
		}
		small = next
		small.Inputs = m.Inputs
		small.Provenance.Method = "reduce-" + jointMethod
		small.Provenance.Parent, small.Provenance.Seed = m.Vectors.Len(), r.reducer.Seed
		if err := j.look(small); err != nil {
			return small, judged(err)
		}
	}
	return small, nil
}

// squaredCost returns the C of squared errors that is for errors of usual size what that
// of a regression, which is of their absolute values, is: with 2 C e = C1, the slopes
// are the same. So the unit of the targets makes no difference. Where a model has next to
// no errors, their size is taken to be a millionth of the targets' deviation.
func squaredCost(ctx context.Context, m *parent, rows *format.Dataset) (float64, error) {
	square, err := errorOf(ctx, m.Model, rows)
	if err != nil {
		return 0, err
	}
	usual := max(math.Sqrt(square), 1e-6*math.Sqrt(variance(rows)))
	if cost := m.costs.Cost / (2 * usual); cost > 0 && !math.IsInf(cost, 0) {
		return cost, nil
	}
	return 1, nil // a constant
}

// variance returns the variance of targets, in which rows have their weights, as they have in
// errors.
func variance(d *format.Dataset) float64 {
	mean, total, sum := 0.0, 0.0, 0.0
	for i, y := range d.Y {
		w := weightOf(d, i)
		total += w
		mean += float64(w*(y-mean)) / total
	}
	for i, y := range d.Y {
		sum += float64(weightOf(d, i) * (y - mean) * (y - mean))
	}
	return sum / total
}

// startsOf returns where vectors may begin for a model m: at those of a reduction by a
// method, unless that is a baseline, which has one size only; and at centres of the rows.
func startsOf(m *models.Model, method reducedset.Method, start *models.Model, parts *partWays) (starts []joint.Basis) {
	if method != reducedset.KMeans {
		given := joint.Given{From: string(method), Zs: start.Vectors}
		if parts == nil {
			starts = append(starts, given)
		} else {
			starts = append(starts, partStart{given, parts})
		}
	}
	if _, rbf := m.Kernel.(kernel.RBF); rbf || method == reducedset.KMeans {
		starts = append(starts, joint.KMeans{})
	}
	return starts
}

// upToSize returns the last model on the way of a reduction that has at most n vectors, or else the first.
func upToSize(way []*models.Model, n int) *models.Model {
	at := way[0]
	for _, w := range way {
		if w.Vectors.Len() <= n {
			at = w
		}
	}
	return at
}

// smallestSize is that of the smallest model that is tried.
const smallestSize = 2
