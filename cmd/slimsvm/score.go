package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// confusionLimit is the number of classes up to which all confusions are shown.
const confusionLimit = 30

// printScore writes accuracy and confusions, or the errors of a regression.
func (a *answers) printScore(w io.Writer) {
	m := a.p.Model()
	if m.Task.Regresses() {
		fmt.Fprintf(w, "mean squared error %.6g, squared correlation %.6g (%d rows)\n",
			a.scores.MeanSquaredError(), a.scores.SquaredCorrelation(), a.scores.Total)
		return
	}
	fmt.Fprintf(w, "accuracy %.6g%% (%d/%d)\n", 100*a.scores.Accuracy(), a.scores.Correct, a.scores.Total)
	if len(m.Labels) > confusionLimit {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "true \\ predicted\t")
	for _, label := range m.Labels {
		fmt.Fprintf(t, "%s\t", a.text(float64(label)))
	}
	fmt.Fprintln(t)
	for _, truth := range m.Labels {
		fmt.Fprintf(t, "%s\t", a.text(float64(truth)))
		for _, answer := range m.Labels {
			fmt.Fprintf(t, "%d\t", a.confusion[[2]float64{float64(truth), float64(answer)}])
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}
