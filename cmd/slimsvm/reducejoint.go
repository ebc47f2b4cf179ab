package main

import (
	"errors"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/joint"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// jointMethod optimises the vectors of a reduced set, and all else, together.
const jointMethod = "joint"

var errJoint = errors.New("a one-class model has no errors that vectors could be optimised for")

// moved returns a model whose vectors began at those of one on the way of a
// reduction, the last; if there are errors to look at, at several sizes in turn, until
// judge ends the search.
func (e *env) moved(c *cli.Context, r *reducedset.Reducer, m *models.Model, rows *format.Dataset, way []*models.Model, several bool, judge func(*models.Model) error) (*models.Model, error) {
	t := joint.Default()
	t.Kernel, t.Cost, t.Threads = m.Kernel, r.Cost, r.Threads
	switch {
	case m.Task.Regresses():
		t.Task = models.EpsilonSVR
	case !m.Task.Classifies():
		return nil, errJoint
	}
	if t.Cost == 0 {
		t.Cost = largestCoef(m)
	}
	sizes := []int{r.Vectors}
	for several && sizes[0] >= 2*smallestSize {
		sizes = append([]int{sizes[0] / 2}, sizes...)
	}
	var small *models.Model
	for _, n := range sizes {
		start := way[0]
		for _, w := range way {
			if w.Vectors.Len() <= n {
				start = w
			}
		}
		if t.Vectors = min(n, start.Vectors.Len()); small != nil && small.Vectors.Len() == t.Vectors {
			continue
		}
		t.Starts = startsOf(m, r.Method, start)
		w := &watcher{warner: warner{env: e, quiet: c.Bool("quiet")}}
		t.Report = w.report
		end := e.watch(c.Bool("quiet"), "optimising", iterations, 0, w.iterations)
		next, err := t.Train(c.Context, rows, train.NewRand(uint32(r.Seed)))
		end()
		if err != nil {
			return nil, err
		}
		small = next
		small.Inputs = m.Inputs
		small.Provenance.Parent, small.Provenance.Seed = m.Vectors.Len(), r.Seed
		if err := judge(small); errors.Is(err, reducedset.ErrEnough) {
			return small, nil
		} else if err != nil {
			return nil, err
		}
	}
	return small, nil
}

// startsOf returns where vectors may begin for a model m: at those of a reduction by a
// method, unless that is a baseline, which has one size only; and at centres of the rows.
func startsOf(m *models.Model, method reducedset.Method, start *models.Model) (starts []joint.Basis) {
	if method != reducedset.KMeans {
		starts = append(starts, joint.Given{From: string(method), Zs: start.Vectors})
	}
	if _, rbf := m.Kernel.(kernel.RBF); rbf || method == reducedset.KMeans {
		starts = append(starts, joint.KMeans{})
	}
	return starts
}

// smallestSize is that of the smallest model that is tried.
const smallestSize = 2

// largestCoef returns the size of a model's largest coefficient, which is C if any
// vector is at the bound.
func largestCoef(m *models.Model) float64 {
	largest := 0.0
	for i := range m.Machines {
		for _, v := range m.Machines[i].Coef {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}
