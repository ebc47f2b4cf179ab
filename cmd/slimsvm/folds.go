package main

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A validation trains and tests on the folds of a problem. Each fold has a random
// stream that is known beforehand, so that the results do not depend on the order in
// which they are done.
type validation struct {
	*problem
	c        *cli.Context
	rows     []int // numbers of the rows that folds are made of
	features int
	parts    []part
	done     atomic.Int64
}

// A part is one fold: the rows to train on, and those held back, by their place
// in validation.rows.
type part struct {
	fold       train.FoldError // without an error: which it is
	rest, held []int
	rng        *train.Rand
	answers    []float64 // to the rows held back
	truth      []float64
	warner     warner // keeps the warnings
	err        error
}

// draw draws the folds of all repetitions. The random numbers are those of svm-train
// -v: folds, and then what the training of each fold draws.
func (v *validation) draw(whole *prepared, report train.Report) error {
	seed := uint32(v.c.Uint("seed"))
	rng := train.NewRand(seed)
	forker, knows := whole.trainer.(train.Forker)
	for range v.c.Int("repeat") {
		folds, err := train.CrossValidationFolds(v.method.Task, whole.data.Y, v.c.Int("folds"), rng, report)
		if err != nil {
			return v.place(err, whole.encoding)
		}
		for f := range len(folds.Start) - 1 {
			begin, end := folds.Start[f], folds.Start[f+1]
			t := part{
				fold: train.FoldError{Fold: f, Folds: len(folds.Start) - 1},
				rest: slices.Concat(folds.Perm[:begin], folds.Perm[end:]), held: folds.Perm[begin:end],
				warner: warner{kept: true},
			}
			if knows {
				stream := *rng
				t.rng = &stream
				d := &format.Dataset{Y: make([]float64, len(t.rest))}
				for k, i := range t.rest {
					d.Y[k] = whole.data.Y[i]
				}
				rng.Skip(forker.Draws(d))
			} else {
				t.rng = train.NewRand(mix(seed, uint32(len(v.parts))))
			}
			v.parts = append(v.parts, t)
		}
	}
	return nil
}

// mix returns the seed of a numbered part: the last step of MurmurHash3, which
// maps different numbers to different seeds.
func mix(seed, n uint32) uint32 {
	h := seed + n*0x9e3779b9
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// run does all parts on the given number of threads, and returns the error of the
// first that failed: parts behind it are given up, those before it are not.
func (v *validation) run(ctx context.Context, threads int) error {
	type running struct {
		ctx    context.Context
		cancel context.CancelFunc
	}
	runs := make([]running, len(v.parts))
	for i := range runs {
		runs[i].ctx, runs[i].cancel = context.WithCancel(ctx)
		defer runs[i].cancel()
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, share := range shares(threads, len(v.parts)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(v.parts) || runs[i].ctx.Err() != nil {
					return
				}
				if v.parts[i].err = v.train(runs[i].ctx, &v.parts[i], share); v.parts[i].err != nil {
					for k := i + 1; k < len(runs); k++ {
						runs[k].cancel()
					}
					return
				}
				v.done.Add(1)
			}
		})
	}
	wait.Wait()
	for i := range v.parts {
		if v.parts[i].err != nil {
			return v.parts[i].err
		}
	}
	return ctx.Err()
}

// shares divides threads among as many parts as can be done at once.
func shares(threads, parts int) []int {
	list := make([]int, min(threads, parts))
	for i := range list {
		list[i] = threads / len(list)
		if i < threads%len(list) {
			list[i]++
		}
	}
	return list
}

// train trains on a part's rows, on a number of threads, and predicts those held
// back.
func (v *validation) train(ctx context.Context, t *part, threads int) error {
	w := &watcher{warner: warner{kept: true}}
	problem := *v.problem
	problem.threads = threads
	fold, err := problem.prepare(ctx, v.c, v.selectRows(t.rest), v.features, w.report)
	if err != nil {
		return err
	}
	m, err := fold.trainer.Train(ctx, fold.data, t.rng)
	if err != nil {
		in := t.fold
		in.Err = err
		return v.placeIn(&in, t.rest, fold.encoding)
	}
	t.warner.said = w.said
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	test := v.selectRows(t.held)
	if fold.encoding != nil {
		if test, err = fold.encoding.Encode(ctx, test); err != nil {
			return err
		}
	}
	dst := make([]float64, p.Outcomes())
	for i, y := range test.Y {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := test.X.Row(i)
		if err := p.Check(x); err != nil {
			return v.placeIn(&train.RowError{Row: i, Err: err}, t.held, fold.encoding)
		}
		var answer float64
		if m.Probability && m.Task.Classifies() {
			answer, _ = p.Probabilities(dst, x)
		} else {
			answer = p.Predict(x)
		}
		if fold.encoding != nil && m.Task.Regresses() {
			answer, y = fold.encoding.Target(answer), fold.encoding.Target(y)
		}
		if fold.encoding != nil && m.Task == models.OneClass {
			if y = insideOf(fold.encoding, y, ""); math.IsNaN(y) {
				return hinted{v.in.at(errors.New("the labels do not say what is inside and what outside")), "a one-class method is scored by labels 1 and -1"}
			}
		}
		t.answers, t.truth = append(t.answers, answer), append(t.truth, y)
	}
	return nil
}

// placeIn is place for an error of some of the rows.
func (v *validation) placeIn(err error, places []int, encoding *encode.Encoding) error {
	if row := (*train.RowError)(nil); errors.As(err, &row) {
		err = &train.RowError{Row: v.rows[places[row.Row]], Err: row.Err}
	}
	return v.place(err, encoding)
}

// labelled returns the numbers of the raw rows that are in the encoded data.
func (p *problem) labelled(whole *prepared) []int {
	var rows []int
	for i := range p.rows.Len() {
		if whole.encoding == nil || !math.IsNaN(p.rows.X.Row(i).At(int32(whole.encoding.Class))) {
			rows = append(rows, i)
		}
	}
	return rows
}

// selectRows returns the rows at some places of v.rows.
func (v *validation) selectRows(places []int) *format.Dataset {
	chosen := make([]int, len(places))
	for k, i := range places {
		chosen[k] = v.rows[i]
	}
	from := v.problem.rows
	d := &format.Dataset{Header: from.Header, X: from.X.Select(chosen), Weight: from.Weights(chosen)}
	for _, i := range chosen {
		d.Y = append(d.Y, from.Y[i])
	}
	return d
}
