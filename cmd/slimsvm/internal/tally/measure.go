package tally

import (
	"math"

	"github.com/slimsvm/slimsvm/models"
)

// A Measure is what a cross-validation tells of each fold, and what a grid chooses by. Its
// value is one of those that --stats tells.
type Measure struct {
	Name          string // of --score
	Key           string // in JSON
	Text          string // in words
	Targets       bool   // of a regression
	Lower         bool   // the lower the better
	Percent       bool   // given in percent
	Counts        bool   // rows are counted by their labels
	Ranks         bool   // labels have scores
	Probabilities bool   // which are probabilities
	Undefined     string // where it is not defined
	of            func(*Tally) float64
}

// Measures are those of classes and of regressions, the usual one of either first.
var Measures = []Measure{
	{Name: "accuracy", Key: "accuracy", Text: "accuracy", Percent: true,
		of: func(t *Tally) float64 { return t.scores.Accuracy() }},
	{Name: "balanced-accuracy", Key: "balanced_accuracy", Text: "balanced accuracy", Percent: true, Counts: true,
		of: func(t *Tally) float64 { return t.confusion.BalancedAccuracy() }},
	{Name: "f1", Key: "f1", Text: "macro F1", Counts: true,
		of: func(t *Tally) float64 { return t.confusion.Macro().F1 }},
	{Name: "mcc", Key: "mcc", Text: "MCC", Counts: true,
		Undefined: "where all rows have one label or get the same answer",
		of:        func(t *Tally) float64 { return t.confusion.MCC() }},
	{Name: "kappa", Key: "kappa", Text: "kappa", Counts: true,
		Undefined: "where all rows have one label and get it as answer",
		of:        func(t *Tally) float64 { return t.confusion.Kappa() }},
	{Name: "auc", Key: "roc_area", Text: "ROC area", Counts: true, Ranks: true,
		Undefined: "where all rows have one label", of: macroArea},
	{Name: "log-loss", Key: "log_loss", Text: "log loss", Lower: true, Counts: true, Ranks: true, Probabilities: true,
		of: func(t *Tally) float64 { return t.ranking.LogLoss() }},
	{Name: "brier", Key: "brier", Text: "Brier score", Lower: true, Counts: true, Ranks: true, Probabilities: true,
		of: func(t *Tally) float64 { return t.ranking.Brier() }},
	{Name: "mse", Key: "mean_squared_error", Text: "mean squared error", Targets: true, Lower: true,
		Undefined: "where answers are no numbers",
		of:        func(t *Tally) float64 { return t.scores.MeanSquaredError() }},
	{Name: "rmse", Key: "root_mean_squared_error", Text: "root mean squared error", Targets: true, Lower: true,
		Undefined: "where answers are no numbers",
		of:        func(t *Tally) float64 { return t.scores.RootMeanSquaredError() }},
	{Name: "mae", Key: "mean_absolute_error", Text: "mean absolute error", Targets: true, Lower: true,
		Undefined: "where answers are no numbers",
		of:        func(t *Tally) float64 { return t.scores.MeanAbsoluteError() }},
	{Name: "r2", Key: "r2", Text: "R2", Targets: true,
		Undefined: "where all targets are the same",
		of:        func(t *Tally) float64 { return t.scores.R2() }},
	{Name: "squared-correlation", Key: "squared_correlation", Text: "squared correlation", Targets: true,
		Undefined: "where all targets are the same, or all answers",
		of:        func(t *Tally) float64 { return t.scores.SquaredCorrelation() }},
}

// macroArea returns the mean ROC area of the labels that have one.
func macroArea(t *Tally) float64 {
	if area := t.classStats().Macro.Area; area != nil {
		return float64(*area)
	}
	return math.NaN()
}

// Usual returns the measure of a task when none is asked for.
func Usual(task models.Task) *Measure {
	for i := range Measures {
		if Measures[i].Targets == task.Regresses() {
			return &Measures[i]
		}
	}
	panic("slimsvm: a task without a measure")
}

// Better reports whether one value is better than another. What is no number is the worst.
func (k *Measure) Better(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(b) && !math.IsNaN(a)
	case k.Lower:
		return a < b
	}
	return a > b
}

// Direction says which values are better.
func (k *Measure) Direction() string {
	if k.Lower {
		return "lower"
	}
	return "higher"
}

// Value returns what the measure says of the answers that were counted.
func (k *Measure) Value(t *Tally) float64 { return k.of(t) }
