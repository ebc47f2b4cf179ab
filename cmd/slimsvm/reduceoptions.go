package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// heeds reports whether a method of reduction heeds one of its options, given the
// search that it would use.
func heeds(method, option, search string) bool {
	shares := method == string(reducedset.Shared) || method == jointMethod
	searches, own := true, false // it looks for vectors; in its own way
	switch reducedset.Method(method) {
	case reducedset.Random, reducedset.KMeans:
		searches = false
	case reducedset.Burges, reducedset.FixedPoints:
		own = true
	}
	switch option {
	case "cost": // others keep the coefficients that vectors were found with
		return shares || !searches || method == string(reducedset.Retrain)
	case "search":
		return searches && !own
	case "starts":
		return searches && (own || search != searchEvolution)
	case "growth":
		return shares
	case "next":
		return shares || method == string(reducedset.Retrain) || method == string(reducedset.Greedy)
	}
	return true
}

// warnUnheeded tells of options that a reduction does not heed. They are no errors:
// methods are compared by calling all of them alike. exact says that the model is reduced
// without loss.
func (w *warner) warnUnheeded(c *cli.Context, m *models.Model, path string, exact bool) {
	method, search := c.String("method"), c.String("search")
	if _, linear := m.Kernel.(kernel.Linear); linear {
		w.warnLinear(c, path, exact)
		return
	}
	for _, option := range []string{"cost", "search", "starts", "growth", "next"} {
		switch {
		case !isSet(c, option) || heeds(method, option, search):
		case option == "starts" && heeds(method, "search", search):
			w.warn("--search %s has no --starts: they have no effect", search)
		default:
			w.warn("--method %s has no --%s: it has no effect", method, option)
		}
	}
}

// warnLinear tells of options that the reduction of a linear model does not heed, which has one
// way to find vectors; joint begins with these. Costs are those of coefficients that are
// trained again, if something is lost, and of joint; weights are also those of errors, if
// errors are looked at, and of the models that tell probabilities.
func (w *warner) warnLinear(c *cli.Context, path string, exact bool) {
	names := []string{"search", "starts", "growth", "next"}
	if c.String("method") != jointMethod {
		names = append(names, "method")
		if exact {
			names = append(names, "cost")
			if !isSet(c, "max-error") && c.String("curve") == "" && !c.Bool("probability") {
				names = append(names, "weight")
			}
		}
	}
	where := "the kernel is linear, for which all methods but joint find the same vectors, so that"
	if exact {
		where = "the kernel is linear, and the model is reduced without loss, so that"
	}
	w.warnGiven(c, path+": "+where, names...)
}

// warnBare tells how many machines a method that gives each vectors of its own leaves without
// any, where fewer are asked for than there are machines.
func (w *warner) warnBare(c *cli.Context, m, small *models.Model, out string) {
	switch reducedset.Method(c.String("method")) {
	case reducedset.Retrain, reducedset.Greedy, reducedset.Orig, reducedset.Burges, reducedset.FixedPoints:
	default:
		return
	}
	need := len(m.Machines) - bare(m)
	if n := bare(small) - bare(m); n > 0 && c.Int("vectors") < need {
		w.warn("%s: %d of %d machines %s no vector, and %s one answer for all rows: --vectors %d is enough for one each", out, n, need,
			phrase.Agree(n, "has", "have"), phrase.Agree(n, "gives", "give"), need)
	}
}

// bare returns how many machines of a model have no coefficient.
func bare(m *models.Model) (n int) {
	for i := range m.Machines {
		if !slices.ContainsFunc(m.Machines[i].Coef, func(v float64) bool { return v != 0 }) {
			n++
		}
	}
	return n
}

// enough is a number of vectors that say the same as a linear model: one for each machine or each feature.
func enough(m *models.Model) int { return min(len(m.Machines), m.Vectors.MaxIndex()) }

// lossToTell is how many more of the rows that it was made on a smaller model gets wrong where that is told, or
// what share of the targets' variance its errors have more.
const lossToTell = 0.2

// warnLost tells of a smaller model that does far worse on the rows that it was made on.
func (w *warner) warnLost(c *cli.Context, m, small *models.Model, rows *format.Dataset, out string) error {
	if w.quiet || small == m {
		return nil
	}
	before, err := errorOf(c.Context, m, rows)
	if err != nil {
		return err
	}
	after, err := errorOf(c.Context, small, rows)
	if err != nil {
		return err
	}
	const seen = "may help, and --curve shows the error on rows that it has not seen"
	more, dearer := "more --vectors or another --method", "more --vectors, another --method or a larger --cost"
	if small.Vectors.Len() < c.Int("vectors") { // no more were found
		more, dearer = "another --method", "another --method or a larger --cost"
	}
	if k, is := m.Kernel.(kernel.Poly); is && k.Coef0 < 0 {
		more = "the kernel is no inner product, as coef0 is below 0, and vectors are hard to find for it: a MODEL trained with a --coef0 from 0 on"
		if c.String("method") != jointMethod && m.Task != models.OneClass {
			more += " or --method joint"
		}
		dearer = more
	}
	switch {
	case m.Task.Regresses():
		if spread := variance(rows); after > before+float64(lossToTell*spread) {
			w.warn("%s: its mean squared error on the rows that it was made from is %.3g, MODEL's is %.3g, and the targets' variance is %.3g: %s %s", out, after, before, spread, more, seen)
		}
	case !(math.Abs(after-before) > lossToTell):
	case !m.Task.Classifies():
		w.warn("%s: it predicts %.3g%% of the rows that it was made from to be outside, MODEL %.3g%%: %s may help", out, 100*after, 100*before, more)
	case after > before:
		ways := more
		_, linear := m.Kernel.(kernel.Linear)
		switch joint := c.String("method") == jointMethod; {
		case linear && joint:
			ways = fmt.Sprintf("more --vectors (%d lose nothing) or a larger --cost", enough(m))
		case linear:
			ways = fmt.Sprintf("more --vectors (%d lose nothing), --method joint or a larger --cost", enough(m))
		case heeds(c.String("method"), "cost", c.String("search")):
			ways = dearer
		}
		w.warn("%s: it is wrong for %.3g%% of the rows that it was made from, MODEL for %.3g%%: %s %s", out, 100*after, 100*before, ways, seen)
	}
	return nil
}
