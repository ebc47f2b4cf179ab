package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// warnUnheeded tells of options that a reduction does not heed. They are no errors:
// methods are compared by calling all of them alike.
func (r *reduction) warnUnheeded() {
	method, search := r.c.String("method"), r.c.String("search")
	if _, linear := r.parent.Kernel.(kernel.Linear); linear {
		r.warnLinear()
		return
	}
	for _, option := range []string{"cost", "search", "starts", "growth", "next"} {
		switch {
		case !isSet(r.c, option) || r.heeds(option):
		case option == "starts" && r.heeds("search"):
			r.warn("--search %s has no --starts: they have no effect", search)
		default:
			r.warn("--method %s has no --%s: it has no effect", method, option)
		}
	}
}

// warnLinear tells of options that the reduction of a linear model does not heed, which has one
// way to find vectors; joint begins with these. Costs are those of coefficients that are
// trained again, if something is lost, and of joint; weights are also those of errors, if
// errors are looked at, and of the models that tell probabilities.
func (r *reduction) warnLinear() {
	names := []string{"search", "starts", "growth", "next"}
	if !r.isJoint() {
		names = append(names, "method")
		if r.exact {
			names = append(names, "cost")
			if !isSet(r.c, "max-error") && r.c.String("curve") == "" && !r.c.Bool("probability") {
				names = append(names, "weight")
			}
		}
	}
	where := "the kernel is linear, for which all methods but joint find the same vectors, so that"
	if r.exact {
		where = "the kernel is linear, and the model is reduced without loss, so that"
	}
	r.warnGiven(r.c, r.model+": "+where, names...)
}

// warnOfResult tells what is to be known of the smaller model.
func (r *reduction) warnOfResult() error {
	m, small, t := r.parent.Model, r.small, r.trial
	switch {
	case small == m:
		r.warn("%s: it has %s already", r.model, phrase.Count(m.Vectors.Len(), "vector"))
	case r.costsUnknown() && r.isJoint() && costOfJoint(m) > 0:
		r.warn("%s: its coefficients do not show the factors of classes in costs of errors, which are taken to be 1: set them with --weight", r.model)
	case r.costsUnknown():
		r.warn("%s: its coefficients do not show the costs of errors, which are taken to be the same for all classes: set them with --cost and --weight", r.model)
	}
	if small != m {
		r.warnFactors()
	}
	r.warnEmptyMachines()
	if t == nil {
		if err := r.warnLost(); err != nil {
			return err
		}
	}
	if t != nil && !r.parent.trainable() {
		r.warn("%s: no model like it can be trained without the held-out rows: the errors are those of this model and of smaller ones made from it, which has seen these rows, and may look better than they are", r.model)
	}
	if m.Probability && !small.Probability {
		r.warn("%s: it has no probabilities, which %s has%s", r.out, r.model, hintOfProbability(m))
	}
	if t != nil && isSet(r.c, "max-error") && !t.ended {
		r.warn("%s: the error is above what --max-error allows at %s too", r.out, phrase.Count(t.last().Vectors, "vector"))
	}
	return nil
}

// hintOfProbability says how a reduction of m has probabilities as well.
func hintOfProbability(m *models.Model) string {
	if m.Task == models.OneClass {
		return ""
	}
	return ": --probability gives it some"
}

// costsUnknown reports whether costs matter that neither coefficients nor options tell, as they do
// unless a model is reduced without loss.
func (r *reduction) costsUnknown() bool {
	p := r.parent
	return p.Task.Classifies() && !r.exact && !p.costs.FromDual && !p.given && !isSet(r.c, "cost")
}

// warnFactors tells which costs a given --cost means where coefficients tell factors of classes: whoever trained with factors
// below 1 does not know these, of which the least is 1, and may name the cost of the training.
func (r *reduction) warnFactors() {
	p := r.parent
	cost, own := r.c.Float64("cost"), p.costs.Cost
	_, linear := p.Kernel.(kernel.Linear)
	if cost == 0 || p.given || len(p.costs.Weights) == 0 || math.Abs(cost-own) <= 1e-6*own ||
		linear && r.exact || !linear && !r.heeds("cost") {
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
	name := func(of train.ClassWeight) string { return phrase.Word(labelText(r.encoding, of.Label)) }
	r.warn("%s: its coefficients show that errors on label %s cost %.4g and on label %s %.4g; --cost %v makes these %.4g and %.4g: with --weight it is the cost of labels not named", r.model,
		name(least), own*least.Weight, name(most), own*most.Weight, cost, cost*least.Weight, cost*most.Weight)
}

// warnEmptyMachines tells how many machines a method that gives each vectors of its own leaves without
// any, where fewer are asked for than there are machines.
func (r *reduction) warnEmptyMachines() {
	switch reducedset.Method(r.c.String("method")) {
	case reducedset.Retrain, reducedset.Greedy, reducedset.Orig, reducedset.Burges, reducedset.FixedPoints:
	default:
		return
	}
	m := r.parent.Model
	need := len(m.Machines) - emptyMachines(m)
	if n := emptyMachines(r.small) - emptyMachines(m); n > 0 && r.c.Int("vectors") < need {
		r.warn("%s: %d of %d machines %s no vector, and %s one answer for all rows: --vectors %d is enough for one each", r.out, n, need,
			phrase.Agree(n, "has", "have"), phrase.Agree(n, "gives", "give"), need)
	}
}

// emptyMachines returns how many machines of a model have no coefficient.
func emptyMachines(m *models.Model) (n int) {
	for i := range m.Machines {
		if !slices.ContainsFunc(m.Machines[i].Coef, func(v float64) bool { return v != 0 }) {
			n++
		}
	}
	return n
}

// losslessVectors is a number of vectors that say the same as a linear model: one for each machine or each feature.
func losslessVectors(m *models.Model) int { return min(len(m.Machines), m.Vectors.MaxIndex()) }

// lossToTell is how many more of the rows that it was made on a smaller model gets wrong where that is told, or
// what share of the targets' variance its errors have more.
const lossToTell = 0.2

// warnLost tells of a smaller model that does far worse on the rows that it was made on.
func (r *reduction) warnLost() error {
	m, small, out := r.parent.Model, r.small, r.out
	if r.quiet || small == m {
		return nil
	}
	before, err := errorOf(r.c.Context, m, r.rows)
	if err != nil {
		return err
	}
	after, err := errorOf(r.c.Context, small, r.rows)
	if err != nil {
		return err
	}
	const seen = "may help, and --curve shows the error on rows that it has not seen"
	more, orCost := "more --vectors or another --method", "more --vectors, another --method or a larger --cost"
	if small.Vectors.Len() < r.c.Int("vectors") { // no more were found
		more, orCost = "another --method", "another --method or a larger --cost"
	}
	if k, is := m.Kernel.(kernel.Poly); is && k.Coef0 < 0 {
		more = "the kernel is no inner product, as coef0 is below 0, and vectors are hard to find for it: a MODEL trained with a --coef0 from 0 on"
		if !r.isJoint() && m.Task != models.OneClass {
			more += " or --method joint"
		}
		orCost = more
	}
	switch {
	case m.Task.Regresses():
		if spread := variance(r.rows); after > before+float64(lossToTell*spread) {
			r.warn("%s: its mean squared error on the rows that it was made from is %.3g, MODEL's is %.3g, and the targets' variance is %.3g: %s %s", out, after, before, spread, more, seen)
		}
	case !(math.Abs(after-before) > lossToTell):
	case !m.Task.Classifies():
		r.warn("%s: it predicts %.3g%% of the rows that it was made from to be outside, MODEL %.3g%%: %s may help", out, 100*after, 100*before, more)
	case after > before:
		ways := more
		_, linear := m.Kernel.(kernel.Linear)
		switch joint := r.isJoint(); {
		case linear && joint:
			ways = fmt.Sprintf("more --vectors (%d lose nothing) or a larger --cost", losslessVectors(m))
		case linear:
			ways = fmt.Sprintf("more --vectors (%d lose nothing), --method joint or a larger --cost", losslessVectors(m))
		case r.heeds("cost"):
			ways = orCost
		}
		r.warn("%s: it is wrong for %.3g%% of the rows that it was made from, MODEL for %.3g%%: %s %s", out, 100*after, 100*before, ways, seen)
	}
	return nil
}
