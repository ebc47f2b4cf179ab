package tally

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A Score says how good predictions are: of classes the share that is right, of
// targets their errors. Rows count as their weights say.
type Score struct {
	Rate
	Confusion    *confusion `json:"confusion,omitempty"`
	*classStats             // with --stats
	*targetStats            // with --stats
}

// A Rate is the figures by which one score is better than another.
type Rate struct {
	Scored             int              `json:"scored"` // rows that have a label
	Correct            *int             `json:"correct,omitempty"`
	Weight             *jsonline.Number `json:"weight,omitempty"` // of the rows, if that is not their number
	CorrectWeight      *jsonline.Number `json:"correct_weight,omitempty"`
	Accuracy           *jsonline.Number `json:"accuracy,omitempty"`
	MeanSquaredError   *jsonline.Number `json:"mean_squared_error,omitempty"`
	SquaredCorrelation *jsonline.Number `json:"squared_correlation,omitempty"`
}

func rateOf(s *predict.Scores, task models.Task) Rate {
	if s.Total == 0 {
		return Rate{}
	}
	r := Rate{Scored: s.Total}
	if s.Weight != float64(s.Total) || s.CorrectWeight != float64(s.Correct) {
		r.Weight = jsonline.New(s.Weight)
	}
	if task.Regresses() {
		r.MeanSquaredError, r.SquaredCorrelation = jsonline.New(s.MeanSquaredError()), jsonline.New(s.SquaredCorrelation())
		return r
	}
	r.Correct, r.Accuracy = &s.Correct, jsonline.New(s.Accuracy())
	if r.Weight != nil {
		r.CorrectWeight = jsonline.New(s.CorrectWeight)
	}
	return r
}

// A confusion counts rows by their true and their predicted label. Labels are in
// the model's order; those that only the data have stand behind them.
type confusion struct {
	Labels []string            `json:"labels"`
	Counts [][]jsonline.Number `json:"counts"` // a row for each true label
	known  int                 // how many labels are the model's
}

// confusionLimit is the number of labels up to which confusions are printed: a table of
// more is no use, and grows with the square of their number.
const confusionLimit = 1000

// MostShown is the number of labels up to which the confusions are shown.
const MostShown = 30

// Print writes the score of predictions, the confusions if there are not too many, and
// what else there is.
func (s *Score) Print(w io.Writer) {
	if s.Weight != nil && *s.Weight == 0 {
		fmt.Fprintf(w, "no score: %s of weight 0\n", phrase.Count(s.Scored, "row"))
		return
	}
	if s.MeanSquaredError != nil {
		fmt.Fprintf(w, "mean squared error %.6g, squared correlation %.6g (%s)\n",
			float64(*s.MeanSquaredError), float64(*s.SquaredCorrelation), phrase.Count(s.Scored, "row"))
	} else if s.Weight != nil {
		fmt.Fprintf(w, "accuracy %.6g%% (%s/%s by weight, %s)\n",
			100*float64(*s.Accuracy), countText(*s.CorrectWeight), countText(*s.Weight), phrase.Count(s.Scored, "row"))
	} else {
		fmt.Fprintf(w, "accuracy %.6g%% (%d/%d)\n", 100*float64(*s.Accuracy), *s.Correct, s.Scored)
	}
	s.PrintMore(w)
}

// PrintMore writes what Print writes behind the first line.
func (s *Score) PrintMore(w io.Writer) {
	if s.Confusion != nil && len(s.Confusion.Labels) <= MostShown {
		s.Confusion.print(w)
	}
	if s.classStats != nil {
		s.classStats.print(w)
	}
	if s.targetStats != nil {
		s.targetStats.print(w)
	}
}

// print writes a table with a row for each true label.
func (c *confusion) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "true \\ predicted\t")
	for _, label := range c.Labels[:c.known] {
		fmt.Fprintf(t, "%s\t", phrase.Word(label))
	}
	fmt.Fprintln(t)
	for i, label := range c.Labels {
		fmt.Fprintf(t, "%s\t", phrase.Word(label))
		for _, n := range c.Counts[i][:c.known] {
			fmt.Fprintf(t, "%s\t", countText(n))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// countText returns a number of rows as text, which weights may have made a fraction.
func countText(n jsonline.Number) string {
	if v := float64(n); v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(float64(n), 'g', 6, 64)
}
