package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/models"
)

// A measure is what a cross-validation tells of each fold, and what a grid chooses by. Its
// value is one of those that --stats tells.
type measure struct {
	name      string // of --score
	key       string // in JSON
	text      string // in words
	targets   bool   // of a regression
	lower     bool   // the lower the better
	percent   bool   // told in percent
	counts    bool   // rows are counted by their labels
	ranks     bool   // labels have scores
	chances   bool   // which are probabilities
	undefined string // where it is not defined
	of        func(*tally) float64
}

// measures are those of classes and of regressions, the usual one of either first.
var measures = []measure{
	{name: "accuracy", key: "accuracy", text: "accuracy", percent: true,
		of: func(t *tally) float64 { return t.scores.Accuracy() }},
	{name: "balanced-accuracy", key: "balanced_accuracy", text: "balanced accuracy", percent: true, counts: true,
		of: func(t *tally) float64 { return t.confusion.BalancedAccuracy() }},
	{name: "f1", key: "f1", text: "macro F1", counts: true,
		of: func(t *tally) float64 { return t.confusion.Macro().F1 }},
	{name: "mcc", key: "mcc", text: "MCC", counts: true,
		undefined: "where all rows have one label or get the same answer",
		of:        func(t *tally) float64 { return t.confusion.MCC() }},
	{name: "kappa", key: "kappa", text: "kappa", counts: true,
		undefined: "where all rows have one label and get it as answer",
		of:        func(t *tally) float64 { return t.confusion.Kappa() }},
	{name: "auc", key: "roc_area", text: "ROC area", counts: true, ranks: true,
		undefined: "where all rows have one label", of: macroArea},
	{name: "log-loss", key: "log_loss", text: "log loss", lower: true, counts: true, ranks: true, chances: true,
		of: func(t *tally) float64 { return t.ranking.LogLoss() }},
	{name: "brier", key: "brier", text: "Brier score", lower: true, counts: true, ranks: true, chances: true,
		of: func(t *tally) float64 { return t.ranking.Brier() }},
	{name: "mse", key: "mean_squared_error", text: "mean squared error", targets: true, lower: true,
		undefined: "where answers are no numbers",
		of:        func(t *tally) float64 { return t.scores.MeanSquaredError() }},
	{name: "rmse", key: "root_mean_squared_error", text: "root mean squared error", targets: true, lower: true,
		undefined: "where answers are no numbers",
		of:        func(t *tally) float64 { return t.scores.RootMeanSquaredError() }},
	{name: "mae", key: "mean_absolute_error", text: "mean absolute error", targets: true, lower: true,
		undefined: "where answers are no numbers",
		of:        func(t *tally) float64 { return t.scores.MeanAbsoluteError() }},
	{name: "r2", key: "r2", text: "R2", targets: true,
		undefined: "where all targets are the same",
		of:        func(t *tally) float64 { return t.scores.R2() }},
	{name: "squared-correlation", key: "squared_correlation", text: "squared correlation", targets: true,
		undefined: "where all targets are the same, or all answers",
		of:        func(t *tally) float64 { return t.scores.SquaredCorrelation() }},
}

// macroArea returns the mean ROC area of the labels that have one.
func macroArea(t *tally) float64 {
	if area := t.classStats().Macro.Area; area != nil {
		return float64(*area)
	}
	return math.NaN()
}

// usual returns the measure of a task when none is asked for.
func usual(task models.Task) *measure {
	for i := range measures {
		if measures[i].targets == task.Regresses() {
			return &measures[i]
		}
	}
	panic("slimsvm: a task without a measure")
}

// measureNames returns the names of the measures that fit.
func measureNames(fits func(*measure) bool) (names []string) {
	for i := range measures {
		if fits(&measures[i]) {
			names = append(names, measures[i].name)
		}
	}
	return names
}

func anyMeasure(*measure) bool { return true }

// fits reports whether models of a method can be measured so.
func (k *measure) fits(m catalog.Method) bool {
	return k.targets == m.Task.Regresses() && (!k.chances || m.Task.Classifies() && m.Has("probability"))
}

// better reports whether one value is better than another. What is no number is the worst.
func (k *measure) better(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(b) && !math.IsNaN(a)
	case k.lower:
		return a < b
	}
	return a > b
}

// direction says which values are better.
func (k *measure) direction() string {
	if k.lower {
		return "lower"
	}
	return "higher"
}

// scoreFlag is the measure that a grid chooses by.
func scoreFlag() cli.Flag {
	of := func(targets bool) string {
		return strings.Join(measureNames(func(k *measure) bool { return k.targets == targets }), ", ")
	}
	return &cli.StringFlag{
		Name:        "score",
		Usage:       "score that decides which point is best: " + of(false) + "; for regression " + of(true),
		DefaultText: usual(models.CSVC).name + "; for regression " + usual(models.EpsilonSVR).name,
	}
}

// chosenBy is the measure by which a grid's best point is chosen.
type chosenBy struct {
	measure
	asked bool // by --score
}

// chosenByOf returns what --score says for a method, or for one of others that may be taken in
// its place.
func chosenByOf(c *cli.Context, m catalog.Method, others ...catalog.Method) (*chosenBy, error) {
	if !isSet(c, "score") {
		return &chosenBy{measure: *usual(m.Task)}, nil
	}
	name := c.String("score")
	for i := range measures {
		k := &measures[i]
		if k.name != name {
			continue
		}
		fits := k.fits(m)
		for _, other := range others {
			fits = fits || k.fits(other)
		}
		switch {
		case !fits:
			return nil, usagef("method %s has no score %s; it has %s", m.Name, name,
				strings.Join(measureNames(func(k *measure) bool { return k.fits(m) }), ", "))
		case k.chances && isSet(c, "probability") && !c.Bool("probability"):
			return nil, usagef("--score %s is of probabilities, which --probability=false leaves out", name)
		case k.chances && isLean(c):
			return nil, usagef("--score %s is of probabilities, which --lean leaves out except with --vote %v", name, models.ByProbability)
		}
		return &chosenBy{*k, true}, nil
	}
	return nil, checkWord(c, "score", measureNames(anyMeasure))
}

// calibrate has all models tell probabilities, if the measure is of these.
func (b *chosenBy) calibrate(e *env, c *cli.Context) error {
	if !b.chances || c.Bool("probability") {
		return nil
	}
	if !c.Bool("quiet") {
		e.say("--score %s is of probabilities: all models are trained with --probability", b.name)
	}
	return c.Set("probability", "true")
}

// unranked is the error of models whose labels have no scores, where they have to be ranked.
func (b *chosenBy) unranked(m catalog.Method) error { return needsRanks("--score "+b.name, m) }

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

// superlative says of which points the best is which.
func (b *chosenBy) superlative() string {
	switch {
	case !b.asked:
		return "best"
	case b.lower:
		return "lowest"
	}
	return "highest"
}

// best says how good the best point is.
func (b *chosenBy) best(r *searched) string {
	value := r.Best.Score
	switch {
	case b.asked:
	case b.targets:
		value = r.Best.MeanSquaredError
	default:
		value = r.Best.Accuracy
	}
	factor, unit := 1.0, ""
	if b.percent {
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
	return fmt.Sprintf("%s %.6g%s, standard deviation %s over %s", b.text, factor*float64(*value), unit, deviation, folds)
}
