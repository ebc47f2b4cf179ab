package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A score says how good predictions are: of classes the share that is right, of
// targets their errors.
type score struct {
	Scored             int     `json:"scored"` // rows that have a label
	Correct            *int    `json:"correct,omitempty"`
	Accuracy           *number `json:"accuracy,omitempty"`
	MeanSquaredError   *number `json:"mean_squared_error,omitempty"`
	SquaredCorrelation *number `json:"squared_correlation,omitempty"`
}

func scoreOf(s *predict.Scores, task models.Task) score {
	real := func(v float64) *number { return (*number)(&v) }
	if s.Total == 0 {
		return score{}
	}
	if task.Regresses() {
		return score{Scored: s.Total, MeanSquaredError: real(s.MeanSquaredError()), SquaredCorrelation: real(s.SquaredCorrelation())}
	}
	return score{Scored: s.Total, Correct: &s.Correct, Accuracy: real(s.Accuracy())}
}

// A confusion counts rows by their true and their predicted label. Labels are in
// the model's order; those that only the data have stand behind them.
type confusion struct {
	Labels []string `json:"labels"`
	Counts [][]int  `json:"counts"` // a row for each true label
	known  int      // how many labels are the model's
	place  map[string]int
}

func newConfusion(labels []string) *confusion {
	c := &confusion{place: map[string]int{}}
	for _, label := range labels {
		c.find(label)
	}
	c.known = len(c.Labels)
	return c
}

// confusionLimit is the number of labels up to which confusions are kept.
const confusionLimit = 1000

// find returns the place of a label, a new one's if needed; -1: there are too many.
func (c *confusion) find(label string) int {
	i, ok := c.place[label]
	if ok {
		return i
	}
	if len(c.Labels) == confusionLimit {
		return -1
	}
	c.place[label] = len(c.Labels)
	c.Labels = append(c.Labels, label)
	for k := range c.Counts {
		c.Counts[k] = append(c.Counts[k], 0)
	}
	c.Counts = append(c.Counts, make([]int, len(c.Labels)))
	return len(c.Labels) - 1
}

func (c *confusion) add(truth, answer string) {
	if t, a := c.find(truth), c.find(answer); t >= 0 && a >= 0 {
		c.Counts[t][a]++
	}
}

// shownLabels is the number of labels up to which the confusions are shown.
const shownLabels = 30

// print writes the score of predictions, and the confusions if there are some.
func (s *score) print(w io.Writer, c *confusion) {
	if s.MeanSquaredError != nil {
		fmt.Fprintf(w, "mean squared error %.6g, squared correlation %.6g (%d rows)\n",
			float64(*s.MeanSquaredError), float64(*s.SquaredCorrelation), s.Scored)
		return
	}
	fmt.Fprintf(w, "accuracy %.6g%% (%d/%d)\n", 100*float64(*s.Accuracy), *s.Correct, s.Scored)
	if c == nil || len(c.Labels) > shownLabels {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "true \\ predicted\t")
	for _, label := range c.Labels[:c.known] {
		fmt.Fprintf(t, "%s\t", oneWord(label))
	}
	fmt.Fprintln(t)
	for i, label := range c.Labels {
		fmt.Fprintf(t, "%s\t", oneWord(label))
		for _, n := range c.Counts[i][:c.known] {
			fmt.Fprintf(t, "%d\t", n)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// oneWord returns a label, in quotes if it would not be taken for one word.
func oneWord(label string) string {
	if label == "" || strings.ContainsFunc(label, func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f }) {
		return strconv.Quote(label)
	}
	return label
}
