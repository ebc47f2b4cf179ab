package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/picture"
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
		return e.writeOutput(c, path, rocPicture(kind, curves))
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

// rocPicture draws the curves.
func rocPicture(kind picture.Kind, curves []tally.Curve) []byte {
	const left, top, side, unit = picture.RoomLeft, 16, 420, picture.Unit
	f := picture.Frame{
		Canvas: picture.New(kind, left+side+legendLeft+legendWide, top+side+picture.RoomBelow),
		Left:   left * unit, Right: (left + side) * unit, Top: top * unit, Bottom: (top + side) * unit,
	}
	x := func(v float64) int { return picture.Along(f.Left, f.Right, v, 0, 1) }
	y := func(v float64) int { return picture.Along(f.Bottom, f.Top, v, 0, 1) }
	f.Stroke(grey, unit, [][]picture.Point{{picture.Pt(f.Left, f.Bottom), picture.Pt(f.Right, f.Top)}})
	for _, c := range curves {
		var line []picture.Point
		for _, p := range c.Points {
			line = withoutBends(line, picture.Pt(x(p.FalsePositiveRate), y(p.TruePositiveRate)))
		}
		f.Stroke(ofClass(dotColours, c.Place), 2*unit, [][]picture.Point{line})
	}
	f.Border()
	ticks := picture.Ticks(0, 1, 5)
	f.Axis(false, "false positive rate", ticks, x)
	f.Axis(true, "true positive rate", ticks, y)
	l := &legend{frame: &f}
	most := side/legendLine - 1
	l.title("label, ROC area")
	for k, c := range curves {
		if rest := len(curves) - k; l.line == most-1 && rest > 1 {
			l.next(fmt.Sprintf("and %d more", rest))
			break
		}
		const half, longest = 7 * unit, 13
		p := l.next(shortened(c.Label, longest) + " " + strconv.FormatFloat(c.Area, 'f', 4, 64))
		f.Stroke(ofClass(dotColours, c.Place), 2*unit, [][]picture.Point{{picture.Pt(p.X-half, p.Y), picture.Pt(p.X+half, p.Y)}})
	}
	return f.Bytes()
}

// withoutBends appends a point to a line that goes to the right or upward, without those in between that are on the way.
func withoutBends(line []picture.Point, p picture.Point) []picture.Point {
	n := len(line)
	if n > 0 && line[n-1] == p {
		return line
	}
	if n > 1 {
		if a, b := line[n-2], line[n-1]; a.X == b.X && b.X == p.X || a.Y == b.Y && b.Y == p.Y {
			line = line[:n-1]
		}
	}
	return append(line, p)
}
