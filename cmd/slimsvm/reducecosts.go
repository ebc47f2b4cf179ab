package main

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
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

// as returns a model that has the parent's costs.
func (p *parent) as(m *models.Model) *parent { return &parent{m, p.costs, p.given} }

// findCosts finds the costs that the options tell, or else the coefficients.
func (p *parent) findCosts(c *cli.Context, rows *format.Dataset, encoding *encode.Encoding) error {
	if _, err := predict.New(p.Model); err == nil && rows.Len() > 0 && rows.Check() == nil {
		if p.costs, err = reducedset.CostsOf(c.Context, p.Model, rows); err != nil {
			return err
		}
	}
	words := c.StringSlice("weight")
	if len(words) == 0 {
		return nil
	}
	if !p.Task.Classifies() {
		return usagef("--weight is for classifiers")
	}
	var names []string
	if encoding != nil && encoding.Nominal() {
		names = encoding.ClassColumn().Labels
	}
	p.given, p.costs.Weights = true, nil
	for _, text := range words {
		w, err := classWeight(text, names)
		if err != nil {
			return err
		}
		if !slices.Contains(p.Labels, w.Label) {
			return usagef("--weight %q: the model has no such class", text)
		}
		p.costs.Weights = append(p.costs.Weights, w)
	}
	return nil
}

// costOfJoint returns the cost that a model of joint says it was trained with, which its
// coefficients do not show; of any other model 0.
func costOfJoint(m *models.Model) float64 {
	if m.Provenance == nil || !slices.Contains([]string{"joint", "joint-svr", "reduce-" + jointMethod}, m.Provenance.Method) {
		return 0
	}
	for _, p := range m.Provenance.Parameters {
		if p.Name == "cost" {
			if c, err := strconv.ParseFloat(p.Value, 64); err == nil && c > 0 && !math.IsInf(c, 0) {
				return c
			}
		}
	}
	return 0
}

// trainable reports whether a model like the parent can be trained on other rows: it is a
// C-SVC, or a nu-SVC, which is a C-SVC with another cost.
func (p *parent) trainable() bool {
	return p.Task.Classifies() && p.Provenance == nil && p.costs.FromDual && p.costs.Cost > 0
}

// without returns a model like the parent to be reduced where rows are held out of rest. Those
// were part of a classifier's training, so it is one trained on the rest, with the same kernel and
// costs. Classes that the parent has in order of their labels, as those of --as weka-smo, are in
// that order, so that the same class wins ties. For others it is the parent itself.
func (p *parent) without(ctx context.Context, rest *format.Dataset, report train.Report) (*models.Model, error) {
	if !p.trainable() {
		return p.Model, nil
	}
	solver := smo.DefaultOptions()
	solver.Report = report
	trainer, err := catalog.Methods[0].New(catalog.Parameters{
		Kernel: p.Kernel, Cost: p.costs.Cost, Weights: p.costs.Weights, OneVsRest: p.Vote == models.OneVsRest, Solver: solver,
		SortClasses: slices.IsSorted(p.Labels),
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
