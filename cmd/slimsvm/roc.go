package main

import (
	"bytes"
	"errors"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/chart"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/models"
)

// rocFlag is the option for ROC curves.
func rocFlag() cli.Flag {
	return &cli.StringFlag{Name: "roc", Usage: "write the ROC curve of each label, or with two labels that of the first, to `FILE`: as a picture (.svg, .png), or as a table of label, score, false and true positive rate (.csv, .tsv, .arff; other names: tabs); models of more than two labels need --probability or --multiclass ovr in training"}
}

// checkROC returns an error if the curves cannot go where --roc says; written is what else is written, read what is read.
func (e *env) checkROC(c *cli.Context, written place, read ...place) error {
	path := c.String("roc")
	if path == "" {
		return nil
	}
	if _, err := pictureOf("--roc", path); err != nil {
		return err
	}
	if e.isStdout(path) {
		return usagef("--roc needs a file: other output goes to standard output")
	}
	to := place{"--roc", path}
	if err := e.distinct(written, to); err != nil {
		return err
	}
	return e.apart(to, read...)
}

var errNoROC = usagef("--roc: a regression has no ROC curves")

// takesROC returns an error if a model has no scores by which its labels can be ranked. likely says that answers are by
// probabilities.
func takesROC(m *models.Model, likely bool) error {
	switch {
	case m.Task.Regresses():
		return errNoROC
	case ranksOf(m, likely) == "":
		return hinted{usagef("--roc needs a score for each label, which the model does not have"), "train with --probability or --multiclass ovr"}
	}
	return nil
}

// writeROC writes the ROC curves of what was counted, if --roc wants them.
func (e *env) writeROC(c *cli.Context, t *tally.Tally) error {
	path := c.String("roc")
	if path == "" {
		return nil
	}
	if t.Unranked() {
		return errors.New("--roc: some rows have no scores of their labels")
	}
	curves := t.Curves()
	if len(curves) == 0 {
		return errors.New("--roc: no label has an ROC curve: that takes rows of the label and rows of others")
	}
	if kind, _ := pictureOf("--roc", path); kind != picture.None {
		return e.writeOutput(c, path, chart.ROC(kind, curves))
	}
	codec, err := datafile.Find("", path, nil)
	if err != nil || !datafile.Declares(codec) {
		codec = csvfmt.TSV
	}
	var b bytes.Buffer
	if err := rocTable(codec.NewWriter(&b), curves); err != nil {
		return err
	}
	return e.writeOutput(c, path, b.Bytes())
}

// rocTable writes a row for each point.
func rocTable(w format.Writer, curves []tally.Curve) error {
	h := format.Header{Relation: "roc", Class: -1, Attributes: []format.Attribute{
		{Name: "label", Type: format.Nominal}, {Name: "score"}, {Name: "false_positive_rate"}, {Name: "true_positive_rate"},
	}}
	for _, c := range curves {
		h.Attributes[0].Labels = append(h.Attributes[0].Labels, c.Label)
	}
	if err := w.WriteHeader(&h); err != nil {
		return err
	}
	row := format.Instance{Weight: 1}
	for i := range h.Attributes {
		row.X.Index, row.X.Value = append(row.X.Index, int32(i)), append(row.X.Value, 0)
	}
	for k, c := range curves {
		for _, p := range c.Points {
			score := p.Score
			if math.IsInf(score, 0) { // no format has a word for it
				score = math.NaN()
			}
			copy(row.X.Value, []float64{float64(k), score, p.FalsePositiveRate, p.TruePositiveRate})
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}
