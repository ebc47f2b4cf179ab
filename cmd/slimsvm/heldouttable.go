package main

import (
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
)

// heldTable are the answers of a cross-validation as a table: for each row of the file its number and its
// fold, from 1, its label and the predicted one, and the probabilities that heldOut has.
type heldTable struct {
	codec   *format.Codec
	label   format.Attribute // of the predicted label, but for its name
	place   map[string]int   // of each label; empty for a regression
	others  []string         // labels of rows that no model answers with; their places are behind
	fold    []int            // of each row; 0: none
	truth   []float64        // a label's place, or a target
	answers []float64
}

// newHeldTable returns a table of n rows for a task, of which the labels are known unless it is a regression.
func newHeldTable(codec *format.Codec, task models.Task, encoding *encode.Encoding, labels []string, n int) *heldTable {
	h := &heldTable{codec: codec, place: map[string]int{}, fold: make([]int, n), truth: make([]float64, n), answers: make([]float64, n)}
	switch {
	case !task.Regresses():
		h.label.Type, h.label.Labels = format.Nominal, labels
		for i, label := range labels {
			h.place[label] = i
		}
	case encoding != nil && encoding.ClassColumn().Type == format.Date:
		h.label.Type, h.label.Pattern = format.Date, toTheMillisecond
	}
	return h
}

// add takes a fold, whose rows have the given numbers in the file.
func (h *heldTable) add(t *part, rows []int) {
	value := func(texts []string, values []float64, k int) float64 {
		switch h.label.Type {
		case format.Nominal:
			place, known := h.place[texts[k]]
			if !known {
				place = len(h.place)
				h.place[texts[k]], h.others = place, append(h.others, texts[k])
			}
			return float64(place)
		case format.Date:
			return dateOf(values[k])
		}
		return values[k]
	}
	for k, row := range rows {
		h.fold[row] = t.fold.Fold + 1
		h.truth[row], h.answers[row] = value(t.truthTexts, t.truth, k), value(t.answerTexts, t.answers, k)
	}
}

// write writes the table, with the probabilities of the labels that are named. Of a row in no fold all but the number is
// missing.
func (h *heldTable) write(out io.Writer, labels []string, chances []float64) error {
	header := format.Header{Relation: "held out", Class: 2}
	names := columnNames{}
	column := func(name string, like format.Attribute) {
		like.Name = names.free(name)
		header.Attributes = append(header.Attributes, like)
	}
	column("row", format.Attribute{})
	column("fold", format.Attribute{})
	label := h.label
	label.Labels = slices.Concat(label.Labels, h.others)
	column("label", label)
	column("predicted", h.label)
	for _, label := range labels {
		column(string(probabilities)+" "+label, format.Attribute{})
	}
	w := h.codec.NewWriter(out)
	if err := w.WriteHeader(&header); err != nil {
		return err
	}
	row := format.Instance{Weight: 1}
	for i := range header.Attributes {
		row.X.Index, row.X.Value = append(row.X.Index, int32(i)), append(row.X.Value, math.NaN())
	}
	v := row.X.Value
	for i, fold := range h.fold {
		v[0] = float64(i + 1)
		for k := range v[1:] {
			v[k+1] = math.NaN()
		}
		if fold > 0 {
			v[1], v[2], v[3] = float64(fold), h.truth[i], h.answers[i]
			copy(v[4:], chances[i*len(labels):])
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Flush()
}
