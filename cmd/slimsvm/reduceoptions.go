package main

import (
	"github.com/urfave/cli/v2"

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
	}
	return true
}

// warnUnheeded tells of options that a reduction does not heed. They are no errors:
// methods are compared by calling all of them alike.
func (w *warner) warnUnheeded(c *cli.Context, m *models.Model, path string) {
	method, search := c.String("method"), c.String("search")
	if _, linear := m.Kernel.(kernel.Linear); linear && method != jointMethod {
		w.warnExact(c, path)
		return
	}
	for _, option := range []string{"cost", "search", "starts", "growth"} {
		switch {
		case !c.IsSet(option) || heeds(method, option, search):
		case option == "starts" && heeds(method, "search", search):
			w.warn("--search %s has no --starts: they have no effect", search)
		default:
			w.warn("--method %s has no --%s: it has no effect", method, option)
		}
	}
}

// warnExact tells of options that the reduction of a linear model does not heed, which has one way:
// each machine becomes a vector. Weights are those of errors, if errors are looked at, and of the
// models that tell probabilities.
func (w *warner) warnExact(c *cli.Context, path string) {
	names := []string{"method", "cost", "search", "starts", "growth"}
	if !c.IsSet("max-error") && c.String("curve") == "" && !c.Bool("probability") {
		names = append(names, "weight")
	}
	w.warnGiven(c, path+": the kernel is linear, and each machine becomes one vector, where", names...)
}
