package tally

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/predict"
)

// classStats are what --stats tells of classes.
type classStats struct {
	Kappa    jsonline.Number  `json:"kappa"`
	MCC      jsonline.Number  `json:"mcc"`
	Balanced jsonline.Number  `json:"balanced_accuracy"`
	LogLoss  *jsonline.Number `json:"log_loss,omitempty"` // nil: labels have no probabilities
	Brier    *jsonline.Number `json:"brier,omitempty"`    // the same
	PerLabel []labelStat      `json:"per_label"`          // in the order of the confusions
	Macro    labelStat        `json:"macro"`              // plain means over the labels that occur
	Weighted labelStat        `json:"weighted"`           // means weighted by support
}

// A labelStat says how well one label is told from all others.
type labelStat struct {
	Label     *string          `json:"label,omitempty"` // nil: of a mean
	Precision jsonline.Number  `json:"precision"`
	Recall    jsonline.Number  `json:"recall"`
	F1        jsonline.Number  `json:"f1"`
	Support   jsonline.Number  `json:"support"`
	Area      *jsonline.Number `json:"roc_area,omitempty"` // nil: labels have no scores
}

func labelStatOf(s predict.ClassScores) labelStat {
	return labelStat{Precision: jsonline.Number(s.Precision), Recall: jsonline.Number(s.Recall), F1: jsonline.Number(s.F1), Support: jsonline.Number(s.Support)}
}

// classStats returns what the tally says of classes.
func (t *Tally) classStats() *classStats {
	s := &classStats{
		Kappa: jsonline.Number(t.confusion.Kappa()), MCC: jsonline.Number(t.confusion.MCC()), Balanced: jsonline.Number(t.confusion.BalancedAccuracy()),
		Macro: labelStatOf(t.confusion.Macro()), Weighted: labelStatOf(t.confusion.Weighted()),
	}
	for i, label := range t.labels {
		one := labelStatOf(t.confusion.Class(i))
		one.Label = &label
		if !t.noScores && i < t.known {
			one.Area = jsonline.New(t.ranking.Area(i))
		}
		s.PerLabel = append(s.PerLabel, one)
	}
	s.meanAreas()
	if t.Probabilities && !t.noScores {
		s.LogLoss, s.Brier = jsonline.New(t.ranking.LogLoss()), jsonline.New(t.ranking.Brier())
	}
	return s
}

// meanAreas sets the areas of the means, over the labels that have one.
func (s *classStats) meanAreas() {
	n, support, sum, weighted, ranked := 0.0, 0.0, 0.0, 0.0, false
	for _, one := range s.PerLabel {
		if one.Area == nil {
			continue
		}
		ranked = true
		if area := float64(*one.Area); !math.IsNaN(area) {
			n, sum = n+1, sum+area
			support, weighted = support+float64(one.Support), weighted+float64(area*float64(one.Support))
		}
	}
	if ranked {
		s.Macro.Area, s.Weighted.Area = jsonline.New(sum/n), jsonline.New(weighted/support)
	}
}

func (s *classStats) print(w io.Writer) {
	fmt.Fprintf(w, "kappa %s, MCC %s, balanced accuracy %s\n", statText(s.Kappa), statText(s.MCC), statText(s.Balanced))
	if s.LogLoss != nil {
		fmt.Fprintf(w, "log loss %s, Brier score %s\n", statText(*s.LogLoss), statText(*s.Brier))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	ranked := s.Macro.Area != nil
	fmt.Fprint(t, "label\tprecision\trecall\tF1\tsupport\t")
	if ranked {
		fmt.Fprint(t, "ROC area\t")
	}
	fmt.Fprintln(t)
	row := func(name string, one *labelStat) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t", name, statText(one.Precision), statText(one.Recall), statText(one.F1), countText(one.Support))
		switch {
		case one.Area != nil:
			fmt.Fprintf(t, "%s\t", statText(*one.Area))
		case ranked:
			fmt.Fprint(t, "-\t")
		}
		fmt.Fprintln(t)
	}
	for i := range s.PerLabel {
		row(phrase.Word(*s.PerLabel[i].Label), &s.PerLabel[i])
	}
	row("macro mean", &s.Macro)
	row("weighted mean", &s.Weighted)
	t.Flush()
}

// statText returns a share as text, - if it is not defined.
func statText(n jsonline.Number) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	return fmt.Sprintf("%.4f", float64(n))
}

// What errors of targets may be relative to.
const (
	trainingMean = "training_mean"
	scoredMean   = "scored_mean"
)

// targetStats are what --stats tells of targets.
type targetStats struct {
	MeanAbsoluteError        jsonline.Number `json:"mean_absolute_error"`
	RootMeanSquaredError     jsonline.Number `json:"root_mean_squared_error"`
	RelativeAbsoluteError    jsonline.Number `json:"relative_absolute_error"`
	RootRelativeSquaredError jsonline.Number `json:"root_relative_squared_error"`
	RelativeTo               string          `json:"relative_to"`
	R2                       jsonline.Number `json:"r2"`
}

// targetStats returns what the tally says of targets.
func (t *Tally) targetStats() *targetStats {
	to := trainingMean
	if len(t.targets) > 0 {
		to = scoredMean
		var all predict.Scores
		for _, y := range t.targets {
			all.AddWeighted(y.value, y.value, y.weight)
		}
		for _, y := range t.targets {
			t.baseline.Add(all.MeanTruth(), y.value, y.weight)
		}
	}
	s := &t.scores
	return &targetStats{
		MeanAbsoluteError: jsonline.Number(s.MeanAbsoluteError()), RootMeanSquaredError: jsonline.Number(s.RootMeanSquaredError()),
		RelativeAbsoluteError:    jsonline.Number(s.RelativeAbsoluteError(&t.baseline)),
		RootRelativeSquaredError: jsonline.Number(s.RootRelativeSquaredError(&t.baseline)),
		RelativeTo:               to, R2: jsonline.Number(s.R2()),
	}
}

func (s *targetStats) print(w io.Writer) {
	fmt.Fprintf(w, "mean absolute error %.6g, root mean squared error %.6g, R2 %.6g\n",
		float64(s.MeanAbsoluteError), float64(s.RootMeanSquaredError), float64(s.R2))
	to := "the mean in training"
	if s.RelativeTo == scoredMean {
		to = "the mean of these rows"
	}
	fmt.Fprintf(w, "relative to %s: absolute error %.6g%%, root squared error %.6g%%\n",
		to, 100*float64(s.RelativeAbsoluteError), 100*float64(s.RootRelativeSquaredError))
}
