package main

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
	"github.com/slimsvm/slimsvm/train/smo"
)

// A parent is a model to be reduced, with the costs of errors that it was trained with.
type parent struct {
	*models.Model
	costs reducedset.Costs
	given bool // the factors of classes are those of --weight
}

// parentOf returns m with the costs that the options tell, or else the coefficients.
func parentOf(c *cli.Context, m *models.Model, rows *format.Dataset, encoding *encode.Encoding) (*parent, error) {
	p := &parent{Model: m}
	if _, err := predict.New(m); err == nil && rows.Len() > 0 && rows.Check() == nil {
		if p.costs, err = reducedset.CostsOf(c.Context, m, rows); err != nil {
			return nil, err
		}
	}
	words := c.StringSlice("weight")
	if len(words) == 0 {
		return p, nil
	}
	if !m.Task.Classifies() {
		return nil, usagef("--weight is for classifiers")
	}
	var names []string
	if encoding != nil && encoding.Nominal() {
		names = encoding.ClassColumn().Labels
	}
	p.given, p.costs.Weights = true, nil
	for _, text := range words {
		w, err := classWeight(text, names)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(m.Labels, w.Label) {
			return nil, usagef("--weight %q: the model has no such class", text)
		}
		p.costs.Weights = append(p.costs.Weights, w)
	}
	return p, nil
}

// untold reports whether costs matter that neither coefficients nor options tell, as they do
// unless a model is reduced without loss.
func (p *parent) untold(c *cli.Context, exact bool) bool {
	return p.Task.Classifies() && !exact && !p.costs.FromDual && !p.given && !isSet(c, "cost")
}

// trainable reports whether a model like the parent can be trained on other rows: it is a
// C-SVC, or a nu-SVC, which is a C-SVC with another cost.
func (p *parent) trainable() bool {
	return p.Task.Classifies() && p.Provenance == nil && p.costs.FromDual && p.costs.Cost > 0
}

// without returns a model like the parent to be reduced where rows are held out of rest. Those
// were part of a classifier's training, so it is one trained on the rest, with the same kernel
// and costs. For others it is the parent itself.
func (p *parent) without(ctx context.Context, rest *format.Dataset) (*models.Model, error) {
	if !p.trainable() {
		return p.Model, nil
	}
	trainer, err := catalog.Methods[0].New(catalog.Parameters{
		Kernel: p.Kernel, Cost: p.costs.Cost, Weights: p.costs.Weights, OneVsRest: p.Vote == models.OneVsRest, Solver: smo.DefaultOptions(),
	})
	if err != nil {
		return nil, err
	}
	return trainer.Train(ctx, rest, nil)
}

// weighted returns rows with the factors of their classes on their weights, as errors on
// them count.
func (p *parent) weighted(d *format.Dataset) *format.Dataset {
	if len(p.costs.Weights) == 0 {
		return d
	}
	factors := map[float64]float64{}
	for _, w := range p.costs.Weights {
		if _, ok := factors[float64(w.Label)]; !ok {
			factors[float64(w.Label)] = 1
		}
		factors[float64(w.Label)] *= w.Weight
	}
	all := &format.Dataset{Header: d.Header, X: d.X, Y: d.Y, Weight: make([]float64, d.Len())}
	for i, y := range d.Y {
		all.Weight[i] = weightOf(d, i)
		if f, ok := factors[y]; ok {
			all.Weight[i] *= f
		}
	}
	return all
}

// warnFactors tells which costs a given --cost means where coefficients tell factors of classes: whoever trained with factors
// below 1 does not know these, of which the least is 1, and may name the cost of the training.
func (w *warner) warnFactors(c *cli.Context, p *parent, encoding *encode.Encoding, model string, exact bool) {
	cost, own := c.Float64("cost"), p.costs.Cost
	_, linear := p.Kernel.(kernel.Linear)
	if cost == 0 || p.given || len(p.costs.Weights) == 0 || math.Abs(cost-own) <= 1e-6*own ||
		linear && exact || !linear && !heeds(c.String("method"), "cost", c.String("search")) {
		return
	}
	least, most := p.costs.Weights[0], p.costs.Weights[0]
	for _, of := range p.costs.Weights {
		if of.Weight < least.Weight {
			least = of
		}
		if of.Weight > most.Weight {
			most = of
		}
	}
	name := func(of train.ClassWeight) string { return phrase.Word(labelText(encoding, of.Label)) }
	w.warn("%s: its coefficients show that errors on label %s cost %.4g and on label %s %.4g; --cost %v makes these %.4g and %.4g: with --weight it is the cost of labels not named", model,
		name(least), own*least.Weight, name(most), own*most.Weight, cost, cost*least.Weight, cost*most.Weight)
}

// weightOf returns the weight of row i.
func weightOf(d *format.Dataset, i int) float64 {
	if d.Weight == nil {
		return 1
	}
	return d.Weight[i]
}

// labelText returns a label as the data have it.
func labelText(encoding *encode.Encoding, label int) string {
	if encoding == nil {
		return strconv.Itoa(label)
	}
	return encoding.LabelText(float64(label))
}
