package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/probe"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/joint"
)

// mostAlike is how many training rows a model is asked about to see whether it tells classes apart.
const mostAlike = 1000

// warnSameAnswer warns of a classifier that has the same answer for training rows of every class, as
// where gamma and cost are far too small for the features; most models are known not to be such
// by a single batch of rows. It reports whether it did.
func (w *watcher) warnSameAnswer(c *cli.Context, p *problem, r *prepared, m *models.Model) bool {
	if _, given := r.kernel.(kernel.Precomputed); given || w.quiet || !p.method.Task.Classifies() || len(m.Labels) < 2 {
		return false
	}
	rows := probe.OfEveryClass(r.data, mostAlike)
	asked, err := w.predictor(m)
	if err != nil {
		return false
	}
	label, alike, err := probe.SameAnswer(c.Context, asked, r.data, rows)
	if err != nil || !alike {
		return false
	}
	hint := w.separationHint(c, p, r, rows)
	if lacksExemplars(m) && !areEqual(r.data, rows) {
		hint = ": the method saw no two rows of different classes whose features differ enough: more rows, or --scale normalize, may help"
	}
	w.warn("the model predicts label %s for each of %d training rows of %d classes%s", w.class(label), len(rows), len(m.Labels), hint)
	return true
}

// lacksExemplars reports whether a model is an ensemble that had no machine even at first, whatever the cost: each row drawn
// for training was of one class or, as far as numbers tell, in the place of all rows of others.
func lacksExemplars(m *models.Model) bool {
	return m.Vote == models.Ensemble && m.Provenance != nil && slices.Contains(m.Provenance.Parameters, models.Parameter{Name: "exemplars", Value: "0"})
}

// warnConstant warns of a regression that has the same answer for all training rows, though their targets differ, and
// reports whether it did.
func (w *watcher) warnConstant(c *cli.Context, p *problem, r *prepared, m *models.Model) bool {
	if w.quiet || !p.method.Task.Regresses() || r.data.Len() == 0 {
		return false
	}
	low, high := r.targets()
	if low == high {
		return false
	}
	tube := p.method.Has("epsilon") && !(p.method.Has("loss") && c.String("loss") == string(joint.Squared))
	switch {
	case probe.Constant(m) && tube && halfDistance(low, high) <= float64(epsilonOf(c, p.method)*(1+1e-9)):
		w.warn("all targets are within the tube (--epsilon), so that all rows get the same prediction: use a smaller --epsilon")
		return true
	case probe.Constant(m) && p.method.Has("tolerance"):
		w.warn("all rows get the same prediction: use a smaller --tolerance, or scale the targets up")
		return true
	}
	if _, given := r.kernel.(kernel.Precomputed); given {
		return false
	}
	rows := probe.OfEveryClass(r.data, mostAlike)
	least, most := math.Inf(1), math.Inf(-1)
	err := eachAnswer(c.Context, m, r.data, rows, func(answer float64) bool {
		least, most = min(least, answer), max(most, answer)
		return halfDistance(least, most) <= float64(sameShare*halfDistance(low, high))
	})
	is := err == nil && halfDistance(least, most) <= float64(sameShare*halfDistance(low, high))
	if is {
		w.warn("the model predicts %.6g for each of %d training rows with targets from %v to %v%s", least, len(rows), low, high, w.separationHint(c, p, r, rows))
	}
	return is
}

// halfDistance returns half the distance of two numbers, which itself might overflow.
func halfDistance(low, high float64) float64 { return float64(high/2) - float64(low/2) }

// sameShare is the share of the range of targets within which answers are the same.
const sameShare = 1e-6

// separationHint returns what may have a model tell rows apart. All of these may have the same features.
func (w *watcher) separationHint(c *cli.Context, p *problem, r *prepared, rows []int) string {
	if areEqual(r.data, rows) {
		return ": their features are all the same"
	}
	var ways []string
	if hasGamma(r.kernel) && !p.method.Linear {
		way := "another --gamma"
		if k, err := kernelOfScale(c.Context, r); err == nil {
			if of, is := *kernelOf(k).Gamma, *kernelOf(r.kernel).Gamma; gammaDiffers(float64(of), float64(is)) {
				way = fmt.Sprintf("--gamma scale (%.3g, not %.3g)", of, is)
			}
		}
		ways = append(ways, way)
	}
	if p.method.Has("cost") {
		ways = append(ways, "a higher --cost")
	}
	if p.method.Has("weight") && !isSet(c, "weight") {
		ways = append(ways, "--weight balanced")
	}
	if len(ways) == 0 {
		return ""
	}
	return ": " + phrase.Choice(ways) + " may tell them apart"
}

// areEqual reports whether there are rows and all have the same features.
func areEqual(d *format.Dataset, rows []int) bool {
	var distinct vec.Distinct
	for _, i := range rows {
		if distinct.Number(d.X.Row(i)) > 0 {
			return false
		}
	}
	return len(rows) > 0
}

// gammaDiffers reports whether two values of gamma are so far apart that one may do where the other does not. Of
// standardised features --gamma scale is nearly the default.
func gammaDiffers(a, b float64) bool { return max(a, b) >= float64(1.5*min(a, b)) }

// kernelOfScale returns the kernel that a problem has with --gamma scale.
func kernelOfScale(ctx context.Context, r *prepared) (kernel.Kernel, error) {
	rows, features := instancesOf(ctx, r.data), int(r.data.X.MaxIndex())
	if s := r.stream; s != nil {
		rows, features = s.rows, s.features
	}
	v, err := tallyOf(rows, columnsOf(r.encoding, features))
	if err != nil {
		return nil, err
	}
	gamma, err := v.gamma(rows)
	if err != nil {
		return nil, err
	}
	return withGamma(r.kernel, gamma), nil
}

// eachAnswer is probe.EachAnswer of a model without a predictor.
func eachAnswer(ctx context.Context, m *models.Model, d *format.Dataset, rows []int, f func(answer float64) bool) error {
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	return probe.EachAnswer(ctx, p, d, rows, f)
}

// predictor returns a model's predictor, the same one for each question about it.
func (w *watcher) predictor(m *models.Model) (*predict.Predictor, error) {
	if w.asked == nil || w.asked.Model() != m {
		p, err := predict.New(m)
		if err != nil {
			return nil, err
		}
		w.asked = p
	}
	return w.asked, nil
}

// warnUnansweredClasses warns of classes that an ensemble answers none of the training rows with: the machines of a
// class with few rows may be outvoted everywhere.
func (w *watcher) warnUnansweredClasses(c *cli.Context, r *prepared, m *models.Model) {
	if m.Vote != models.Ensemble || w.quiet {
		return
	}
	never := slices.Clone(m.Labels)
	err := eachAnswer(c.Context, m, r.data, probe.OfEveryClass(r.data, r.data.Len()), func(label float64) bool {
		never = slices.DeleteFunc(never, func(l int) bool { return l == int(label) })
		return len(never) > 0
	})
	if n := len(never); err == nil && n > 0 && n < len(m.Labels)-1 { // else warnSameAnswer tells
		w.warn("the model predicts no training row to be %s%s", w.class(never[0]), andOthers(n-1, len(m.Labels)))
	}
}

// warnManyVectors warns of a model of made points that are more than the rows which it was made from, as where each of the
// machines for pairs of many classes has some of its own.
func (w *watcher) warnManyVectors(c *cli.Context, p *problem, r *prepared, m *models.Model) {
	n, rows := m.Vectors.Len(), r.data.Len()
	if !p.method.Has("points") || n <= rows {
		return
	}
	ways := []string{"fewer --points"}
	if len(m.Labels) > 2 && c.String("multiclass") != "ovr" {
		ways = append([]string{"--multiclass ovr"}, ways...)
	}
	w.warn("the model has %d vectors, of %d training rows: %s may do with fewer", n, rows, phrase.Choice(ways))
}

// andOthers says of a class that so many others of all are like it.
func andOthers(n, all int) string {
	if n == 0 {
		return fmt.Sprintf(", one of %d classes", all)
	}
	return fmt.Sprintf(" and %d other of %d classes", n, all)
}
