package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"

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
	sizes  []curvePoint
	most   int  // vectors at any size
	ended  bool // by --max-error
}

// last returns the last size that was tried.
func (t *trial) last() curvePoint { return t.sizes[len(t.sizes)-1] }

var errFewRows = errors.New("too few rows to hold some out")

// try makes the trial, which ends when --max-error allows an error, and returns where the rows that it was made on are,
// which errors are about.
func (r *reduction) try() (*rowPlaces, error) {
	rest, held, numbers := holdOut(r.rows, r.reducer.Seed, r.parent.Task.Classifies())
	if held.Len() == 0 {
		return r.places, errFewRows
	}
	places := r.places.selected(numbers)
	same, err := r.without(r.c.Context, rest)
	if err != nil {
		return places, err
	}
	t := &trial{held: r.parent.weighted(held)}
	if t.parent, err = errorOf(r.c.Context, same, t.held); err != nil {
		return places, err
	}
	r.trial = t
	// a model that has no more vectors than it may have is tried with fewer, and is itself the last size
	most, own := r.reducer.Vectors, same.Vectors.Len()
	r.reducer.Vectors = max(1, min(most, own-1))
	small, err := r.reduced(r.parent.as(same), rest, r.judge)
	r.reducer.Vectors = most
	if err == nil && len(t.sizes) == 0 { // no size was on the way, as with a linear kernel
		err = judged(r.judge(small))
	}
	if err == nil && !t.ended && own <= most {
		err = judged(r.judge(same))
	}
	return places, err
}

// without is parent.without, with a bar.
func (r *reduction) without(ctx context.Context, rest *format.Dataset) (*models.Model, error) {
	w := r.silentWatcher()
	defer r.watch(r.quiet, "training without held-out rows", progress.Iterations, 0, w.iterations)()
	return r.parent.without(ctx, rest, w.report)
}

// silentWatcher returns a watcher that prints no warnings: of a model like the parent these would be about the parent.
func (r *reduction) silentWatcher() *watcher { return &watcher{warner: warner{env: r.env, kept: true}} }

// judge notes the error of a model in the trial, and ends the search if --max-error allows it.
func (r *reduction) judge(small *models.Model) error {
	t := r.trial
	wrong, err := errorOf(r.c.Context, small, t.held)
	if err != nil {
		return err
	}
	size := curvePoint{small.Vectors.Len(), jsonline.Number(wrong)}
	for n := len(t.sizes); n > 0 && t.sizes[n-1].Vectors >= size.Vectors; n-- {
		t.sizes = t.sizes[:n-1] // a vector more, and some that are not needed any more
	}
	t.sizes, t.most = append(t.sizes, size), max(t.most, size.Vectors)
	if isSet(r.c, "max-error") && atMost(wrong, allowed(small, t.parent, t.held, r.c.Float64("max-error"))) {
		t.ended = true
		return reducedset.ErrEnough
	}
	return nil
}

// A judge looks at a model on the way of a reduction. It returns reducedset.ErrEnough if the model is good enough. nil: nobody
// looks.
type judge func(*models.Model) error

func (j judge) look(m *models.Model) error {
	if j == nil {
		return nil
	}
	return j(m)
}

// judged returns what is wrong if a judge returns err: that a model is good enough is not.
func judged(err error) error {
	if errors.Is(err, reducedset.ErrEnough) {
		return nil
	}
	return err
}

// isJoint reports whether the vectors of a reduction are moved at its end.
func (r *reduction) isJoint() bool { return r.c.String("method") == jointMethod }

// reduced returns a reduction of a model on rows. The judge looks at each size on the way, or at several if vectors are moved.
func (r *reduction) reduced(of *parent, rows *format.Dataset, j judge) (*models.Model, error) {
	var size atomic.Int64
	var way []*models.Model // to the last
	steps := r.reducer
	steps.Each = func(small *models.Model) error {
		size.Store(int64(small.Vectors.Len()))
		if r.isJoint() {
			way = append(way, small)
			return nil
		}
		return j.look(small)
	}
	end := r.watch(r.quiet, "reducing", progress.Vectors, int64(steps.Vectors), size.Load)
	small, err := steps.Reduce(r.c.Context, of.Model, rows)
	end()
	if err != nil || !r.isJoint() {
		return small, err
	}
	return r.moved(of, rows, append(way, small), nil, j)
}

// allowed is the error that --max-error allows: the parent's and so much more, which is a
// share of the rows, of a regression a share of the variance of the targets held out.
func allowed(m *models.Model, parent float64, held *format.Dataset, more float64) float64 {
	if !m.Task.Regresses() {
		return parent + more
	}
	return parent + float64(more*variance(held))
}

// atMost reports whether an error is at most what is allowed, but for rounding: 71/400 + 0.02 is a little less than 79/400.
func atMost(wrong, allowed float64) bool { return wrong <= allowed+float64(1e-12*allowed) }

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
		row := format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: weightOf(d, i)}
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
