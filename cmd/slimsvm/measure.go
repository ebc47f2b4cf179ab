package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/models"
)

// measureNames returns the names of the measures that fit.
func measureNames(fits func(*tally.Measure) bool) (names []string) {
	for i := range tally.Measures {
		if fits(&tally.Measures[i]) {
			names = append(names, tally.Measures[i].Name)
		}
	}
	return names
}

func anyMeasure(*tally.Measure) bool { return true }

// fits reports whether models of a method can be measured so.
func fits(k *tally.Measure, m catalog.Method) bool {
	return k.Targets == m.Task.Regresses() && (!k.Probabilities || m.Task.Classifies() && m.Has("probability"))
}

// scoreFlag is the measure that a grid chooses by.
func scoreFlag() cli.Flag {
	of := func(targets bool) string {
		return strings.Join(measureNames(func(k *tally.Measure) bool { return k.Targets == targets }), ", ")
	}
	return &cli.StringFlag{
		Name:        "score",
		Usage:       "score that decides which point is best: " + of(false) + "; for regression " + of(true),
		DefaultText: tally.Usual(models.CSVC).Name + "; for regression " + tally.Usual(models.EpsilonSVR).Name,
	}
}

// chosenBy is the measure by which a grid's best point is chosen.
type chosenBy struct {
	tally.Measure
	asked bool // by --score
}

// chosenByOf returns what --score says for a method, or for one of others that may be taken in
// its place.
func chosenByOf(c *cli.Context, m catalog.Method, others ...catalog.Method) (*chosenBy, error) {
	if !isSet(c, "score") {
		return &chosenBy{Measure: *tally.Usual(m.Task)}, nil
	}
	name := c.String("score")
	for i := range tally.Measures {
		k := &tally.Measures[i]
		if k.Name != name {
			continue
		}
		fit := fits(k, m)
		for _, other := range others {
			fit = fit || fits(k, other)
		}
		switch {
		case !fit:
			return nil, usagef("method %s has no score %s; it has %s", m.Name, name,
				strings.Join(measureNames(func(k *tally.Measure) bool { return fits(k, m) }), ", "))
		case k.Probabilities && isSet(c, "probability") && !c.Bool("probability"):
			return nil, usagef("--score %s is of probabilities, which --probability=false leaves out", name)
		case k.Probabilities && isLean(c):
			return nil, usagef("--score %s is of probabilities, which --lean leaves out except with --vote %v", name, models.ByProbability)
		}
		return &chosenBy{*k, true}, nil
	}
	return nil, checkWord(c, "score", measureNames(anyMeasure))
}

// calibrate has all models tell probabilities, if the measure is of these.
func (b *chosenBy) calibrate(e *env, c *cli.Context) error {
	if !b.Probabilities || c.Bool("probability") {
		return nil
	}
	if !c.Bool("quiet") {
		e.say("--score %s is of probabilities: all models are trained with --probability", b.Name)
	}
	return c.Set("probability", "true")
}

// unranked is the error of models whose labels have no scores, where they have to be ranked.
func (b *chosenBy) unranked(m catalog.Method) error { return needsRanks("--score "+b.Name, m) }

// needsRanks returns the error of an option that ranks labels, for models of a method that do not.
func needsRanks(option string, m catalog.Method) error {
	err := usagef("%s needs a score for each label, which models of %s do not have with these options", option, m.Name)
	var say []string
	for _, option := range [][2]string{{"probability", "--probability"}, {"multiclass", "--multiclass ovr"}} {
		if m.Has(option[0]) {
			say = append(say, option[1])
		}
	}
	if len(say) == 0 {
		return err
	}
	return hinted{err, "say " + strings.Join(say, " or ")}
}

// superlative says which of the points the best one is.
func (b *chosenBy) superlative() string {
	switch {
	case !b.asked:
		return "best"
	case b.Lower:
		return "lowest"
	}
	return "highest"
}

// best says how good the best point is.
func (b *chosenBy) best(r *searched) string {
	value := r.Best.Score
	switch {
	case b.asked:
	case b.Targets:
		value = r.Best.MeanSquaredError
	default:
		value = r.Best.Accuracy
	}
	factor, unit := 1.0, ""
	if b.Percent {
		factor, unit = 100, "%"
	}
	deviation := fmt.Sprintf("%.6g", factor*float64(*r.Best.Deviation))
	if b.asked && math.IsNaN(float64(*r.Best.Deviation)) {
		deviation = "-"
	}
	folds := foldsText(r.Folds, r.Repeat)
	if n := r.Best.Undefined; n > 0 {
		folds = fmt.Sprintf("%d of %s", r.Folds*r.Repeat-n, folds)
	}
	return fmt.Sprintf("%s %.6g%s, standard deviation %s over %s", b.Text, factor*float64(*value), unit, deviation, folds)
}
