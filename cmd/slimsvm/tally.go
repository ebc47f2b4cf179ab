package main

import (
	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// statsFlag asks for more than the score.
func statsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "stats", Usage: "print more scores: kappa, MCC, balanced accuracy, and precision, recall, F1 and ROC area of each label; with --probability log loss and Brier score; for regression absolute, root mean squared and relative errors and R2"}
}

// A tally keeps the score of the answers to rows that have a label, in their order.
type tally struct {
	task   models.Task
	stats  bool // wanted
	ranked bool // scores of labels are kept, for stats or for ROC curves
	scores predict.Scores

	// of classes
	labels    []string // that the model knows, and behind them those that it does not
	known     int
	place     map[string]int
	confusion predict.Confusion
	ranking   predict.Ranking
	unranked  bool // there are rows without scores of their labels
	chances   bool // the scores are probabilities, by which rows are answered

	// of targets
	baseline predict.Baseline
	targets  []weighted // those whose constant is not known
}

// A weighted value is a true one and the weight of its row.
type weighted struct{ value, weight float64 }

// newTally returns a tally for answers that are among the labels.
func newTally(task models.Task, labels []string, stats bool) *tally {
	t := &tally{task: task, stats: stats, ranked: stats, place: map[string]int{}}
	for _, label := range labels {
		t.find(label)
	}
	t.known = len(t.labels)
	return t
}

// find returns the place of a label, a new one's if needed.
func (t *tally) find(label string) int {
	i, ok := t.place[label]
	if !ok {
		i = len(t.labels)
		t.place[label] = i
		t.labels = append(t.labels, label)
	}
	return i
}

// addClass takes a row's label and the answer, as values that are equal if the answer is
// right and as texts, and the scores of the labels that the model knows; nil: there are none.
// It reports whether the model knows the label.
func (t *tally) addClass(value, y float64, answer, truth string, weight float64, scores []float64) (known bool) {
	t.scores.AddWeighted(value, y, weight) // NaN equals nothing
	if !t.counts() {
		i, ok := t.place[truth]
		return ok && i < t.known
	}
	i := t.find(truth)
	t.confusion.Add(i, t.find(answer), weight)
	if t.ranked {
		if scores == nil {
			t.unranked = true
		} else {
			t.ranking.Add(i, weight, scores)
		}
	}
	return i < t.known
}

// counts reports whether rows are counted by their labels. If nobody is told, labels are
// not kept, of which there may be as many as rows.
func (t *tally) counts() bool { return t.ranked || len(t.labels) <= confusionLimit }

// addTarget takes a row's target and the answer. mean is the mean of the targets in
// training; nil: it is not known.
func (t *tally) addTarget(answer, truth, weight float64, mean *float64) {
	t.scores.AddWeighted(answer, truth, weight)
	switch {
	case !t.stats:
	case mean == nil:
		t.targets = append(t.targets, weighted{truth, weight})
	default:
		t.baseline.Add(*mean, truth, weight)
	}
}

// score sums up.
func (t *tally) score() score {
	s := score{rate: rateOf(&t.scores, t.task)}
	switch {
	case s.Scored == 0:
	case t.task.Regresses():
		if t.stats {
			s.targetStats = t.targetStats()
		}
	default:
		if t.stats {
			s.classStats = t.classStats()
		}
		s.Confusion = t.confusions()
	}
	return s
}

// confusions returns the table of confusions; nil: it has too many labels.
func (t *tally) confusions() *confusion {
	n := len(t.labels)
	if n > confusionLimit { // and then not all rows may be counted
		return nil
	}
	c := &confusion{Labels: t.labels, known: t.known, Counts: make([][]jsonline.Number, n)}
	for i := range c.Counts {
		c.Counts[i] = make([]jsonline.Number, n)
		for k := range c.Counts[i] {
			c.Counts[i][k] = jsonline.Number(t.confusion.Count(i, k))
		}
	}
	return c
}
