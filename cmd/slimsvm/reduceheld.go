package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// Problem: find how many vectors are enough.
//
// Method: some rows are held out. A model like the one to be reduced is trained on the other rows
// and reduced with them: neither the vectors from which the search starts nor the values that it
// aims at come from held-out rows. The errors on the held-out rows are then those to expect of that
// many vectors. Where no such model can be trained (see parent.trainable), the given one is reduced
// with the other rows, and the errors may be too low. The written model is made from the given model
// itself, with all rows.

// A trial is a reduction without the rows held out.
type trial struct {
	held   *format.Dataset // in which errors count as they cost
	parent float64         // the error of the model that was reduced
	sizes  []sized
	most   int  // vectors at any size
	ended  bool // by --max-error
}

// last returns the last size that was tried.
func (t *trial) last() sized { return t.sizes[len(t.sizes)-1] }

var errFewRows = errors.New("too few rows to hold some out")

// try makes a trial of a reduction, and returns where the rows that it was made on are, which
// errors are about.
func (e *env) try(c *cli.Context, r reducedset.Reducer, of *parent, rows *format.Dataset, at *rowPlaces) (*trial, *rowPlaces, error) {
	rest, held, numbers := holdOut(rows, r.Seed, of.Task.Classifies())
	if held.Len() == 0 {
		return nil, at, errFewRows
	}
	at = at.selected(numbers)
	t := &trial{held: of.weighted(held)}
	same, err := of.without(c.Context, rest)
	if err != nil {
		return nil, at, err
	}
	if t.parent, err = errorOf(c.Context, same, t.held); err != nil {
		return nil, at, err
	}
	small, err := e.reduced(c, &r, &parent{same, of.costs, of.given}, rest, true, func(small *models.Model) error { return t.judge(c, small) })
	if err == nil && len(t.sizes) == 0 { // it has no more vectors than it may have
		err = judged(t.judge(c, small))
	}
	return t, at, err
}

// judge notes the error of a model, and ends the search if --max-error allows it.
func (t *trial) judge(c *cli.Context, small *models.Model) error {
	wrong, err := errorOf(c.Context, small, t.held)
	if err != nil {
		return err
	}
	size := sized{small.Vectors.Len(), jsonline.Number(wrong)}
	for n := len(t.sizes); n > 0 && t.sizes[n-1].Vectors >= size.Vectors; n-- {
		t.sizes = t.sizes[:n-1] // a vector more, and some that are not needed any more
	}
	t.sizes, t.most = append(t.sizes, size), max(t.most, size.Vectors)
	if isSet(c, "max-error") && wrong <= allowed(small, t.parent, t.held, c.Float64("max-error")) {
		t.ended = true
		return reducedset.ErrEnough
	}
	return nil
}

// move reports whether the vectors of a reduction are moved at its end.
func move(c *cli.Context) bool { return c.String("method") == jointMethod }

// reduced returns a reduction of a model on rows. Of each size on the way, or of several if vectors are moved, judge
// is asked.
func (e *env) reduced(c *cli.Context, r *reducedset.Reducer, of *parent, rows *format.Dataset, several bool, judge func(*models.Model) error) (*models.Model, error) {
	var size atomic.Int64
	var way []*models.Model // to the last
	steps := *r
	steps.Each = func(small *models.Model) error {
		size.Store(int64(small.Vectors.Len()))
		if move(c) {
			way = append(way, small)
			return nil
		}
		return judge(small)
	}
	end := e.watch(c.Bool("quiet"), "reducing", progress.Vectors, int64(r.Vectors), size.Load)
	small, err := steps.Reduce(c.Context, of.Model, rows)
	end()
	if err != nil || !move(c) {
		return small, err
	}
	return e.moved(c, r, of, rows, append(way, small), nil, several, judge)
}

// allowed is the error that --max-error allows: the parent's and so much more, which is a
// share of the rows, of a regression a share of the variance of the targets held out.
func allowed(m *models.Model, parent float64, held *format.Dataset, more float64) float64 {
	if !m.Task.Regresses() {
		return parent + more
	}
	return parent + float64(more*variance(held))
}

// holdOut divides rows by chance, and tells the numbers of the rest. Of classes, each keeps a
// row in the rest.
func holdOut(d *format.Dataset, seed uint64, classes bool) (rest, held *format.Dataset, numbers []int) {
	rest, held = new(format.Dataset), new(format.Dataset)
	order := rand.New(rand.NewPCG(seed, heldShare)).Perm(d.Len())
	out := make([]bool, d.Len())
	for _, i := range order[:d.Len()/heldShare] {
		out[i] = true
	}
	if classes {
		kept := map[int]bool{}
		for i, y := range d.Y {
			if label, ok := train.TruncateLabel(y); ok && !out[i] {
				kept[label] = true
			}
		}
		for _, i := range order[:d.Len()/heldShare] {
			if label, ok := train.TruncateLabel(d.Y[i]); ok && !kept[label] {
				out[i], kept[label] = false, true
			}
		}
	}
	for i := range out {
		row := format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}
		if d.Weight != nil {
			row.Weight = d.Weight[i]
		}
		if out[i] {
			held.Append(row)
		} else {
			rest.Append(row)
			numbers = append(numbers, i)
		}
	}
	return rest, held, numbers
}

// errorOf returns the share of rows, by weight, that a classifier gets wrong, a
// regression's mean squared error, and what share of rows a one-class model takes for
// outside.
func errorOf(ctx context.Context, m *models.Model, d *format.Dataset) (float64, error) {
	sum, total, i := 0.0, 0.0, 0
	err := eachAnswer(ctx, m, d, upTo(d.Len()), func(answer float64) bool {
		y, w := d.Y[i], weightOf(d, i)
		i++
		total += w
		switch {
		case m.Task.Regresses():
			sum += float64(w * (answer - y) * (answer - y))
		case m.Task == models.OneClass && answer < 0, m.Task.Classifies() && answer != y:
			sum += w
		}
		return true
	})
	return sum / total, err
}
