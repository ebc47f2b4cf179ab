// Package tally counts answers, and says how good they are: scores, confusions, what --stats tells of them, and the
// measures that a search chooses by.
package tally

import (
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A Tally keeps the score of the answers to rows that have a label, in their order.
type Tally struct {
	Ranked        bool // scores of labels are kept, for stats or for ROC curves
	Probabilities bool // the scores are probabilities, by which rows are answered

	task   models.Task
	stats  bool // wanted
	scores predict.Scores

	// of classes
	labels    []string // that the model knows, and behind them those that it does not
	known     int
	place     map[string]int
	confusion predict.Confusion
	ranking   predict.Ranking
	noScores  bool // there are rows without scores of their labels

	// of targets
	baseline predict.Baseline
	targets  []weighted // those for which the mean in training is not known
}

// A weighted value is a true one and the weight of its row.
type weighted struct{ value, weight float64 }

// New returns a tally for answers that are among the labels.
func New(task models.Task, labels []string, stats bool) *Tally {
	t := &Tally{task: task, stats: stats, Ranked: stats, place: map[string]int{}}
	for _, label := range labels {
		t.Find(label)
	}
	t.known = len(t.labels)
	return t
}

// Empty returns a tally of nothing for answers that are among the labels that this one's model
// knows.
func (t *Tally) Empty(stats bool) *Tally { return New(t.task, t.labels[:t.known], stats) }

// Known returns how many labels the model knows.
func (t *Tally) Known() int { return t.known }

// Total returns how many rows were taken.
func (t *Tally) Total() int { return t.scores.Total }

// Unranked reports whether there are rows that came without scores of their labels.
func (t *Tally) Unranked() bool { return t.noScores }

// DropScores lets go of the scores of labels, one for each row and label.
func (t *Tally) DropScores() { t.ranking = predict.Ranking{} }

// Rate returns the figures of the score that do not depend on stats.
func (t *Tally) Rate() Rate { return rateOf(&t.scores, t.task) }

// Find returns the place of a label, a new one's if needed.
func (t *Tally) Find(label string) int {
	i, ok := t.place[label]
	if !ok {
		i = len(t.labels)
		t.place[label] = i
		t.labels = append(t.labels, label)
	}
	return i
}

// AddClass takes a row's label and the answer, as values that are equal if the answer is
// right and as texts, and the scores of the labels that the model knows; nil: there are none.
// It reports whether the model knows the label.
func (t *Tally) AddClass(value, y float64, answer, truth string, weight float64, scores []float64) (known bool) {
	t.scores.AddWeighted(value, y, weight) // NaN equals nothing
	if !t.counts() {
		i, ok := t.place[truth]
		return ok && i < t.known
	}
	i := t.Find(truth)
	t.confusion.Add(i, t.Find(answer), weight)
	if t.Ranked {
		if scores == nil {
			t.noScores = true
		} else {
			t.ranking.Add(i, weight, scores)
		}
	}
	return i < t.known
}

// counts reports whether rows are counted by their labels. If nobody is told, labels are
// not kept, of which there may be as many as rows.
func (t *Tally) counts() bool { return t.Ranked || len(t.labels) <= confusionLimit }

// AddTarget takes a row's target and the answer. mean is the mean of the targets in
// training; nil: it is not known.
func (t *Tally) AddTarget(answer, truth, weight float64, mean *float64) {
	t.scores.AddWeighted(answer, truth, weight)
	switch {
	case !t.stats:
	case mean == nil:
		t.targets = append(t.targets, weighted{truth, weight})
	default:
		t.baseline.Add(*mean, truth, weight)
	}
}

// Score sums up.
func (t *Tally) Score() Score {
	s := Score{Rate: t.Rate()}
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
func (t *Tally) confusions() *confusion {
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

// A Curve is the ROC curve of a label.
type Curve struct {
	Label  string
	Place  int // of the label
	Area   float64
	Points []predict.ROCPoint
}

// Curves returns the curves of the labels that have one. Of two labels the second has that of the first, turned
// round.
func (t *Tally) Curves() (list []Curve) {
	n := t.known
	if n == 2 {
		n = 1
	}
	for k := range n {
		if points := t.ranking.ROC(k); points != nil {
			list = append(list, Curve{t.labels[k], k, t.ranking.Area(k), points})
		}
	}
	return list
}
