package main

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/cmd/internal/overflow"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// extra is what is said of a row beside the predicted label.
type extra string

// The extras.
const (
	probabilities extra = "probability" // one a label
	decisions     extra = "decision"    // one a machine
)

// An answer is what a model says of a row.
type answer struct {
	value  float64   // label, target, or 1 and -1 of a one-class model
	extras []float64 // as the columns that extraNames names
	scores []float64 // of the labels, for --stats and --roc; nil: there are none
	texts  []string  // of the row's cells, as answers.texts gave them
}

// A sink takes the answers.
type sink interface {
	begin(a *answers) error
	put(row *format.Instance, x *answer) error // row is nil unless wantsRows
	wantsRows() bool
	flush() error
}

// answers asks a model, hands the answers to a sink, and keeps the score.
type answers struct {
	p        *predict.Predictor
	overflow overflow.Check
	encoding *encode.Encoding // nil: data declare no columns
	extras   []extra
	noise    *jsonline.Number // of a regression; nil: not asked for
	sink     sink
	texts    func() []string // of cells of the last row, for the sink; nil: it wants none

	rows         int
	stats        bool  // asked for
	roc          bool  // curves are asked for
	ranks        extra // that labels are ranked by; "": none
	values       []float64
	tally        *tally.Tally
	unknownRows  int    // rows with a label that the model does not know
	unknownLabel string // the first such label
	undated      int    // rows for which a table should have a date, and has none
}

// A pending row has been read, and waits for its answer.
type pending struct {
	row          *format.Instance // nil: the sink does not want it
	place        int              // of the row, if the sink wants it: others are read before it is written
	texts        []string
	unknownLabel string
	weight       float64
}

// all answers every row, on a number of threads.
func (a *answers) all(ctx context.Context, r *rows, threads int) error {
	a.tally = tally.New(a.p.Model().Task, a.labels(), a.stats)
	a.tally.Ranked = a.stats || a.roc
	if err := a.sink.begin(a); err != nil {
		return err
	}
	var mu sync.Mutex
	var queue []pending
	next := func() (vec.Vector, float64, error) {
		x, y, unknown, err := r.next()
		if err != nil {
			return x, y, err
		}
		if err := a.overflow.Row(x); err != nil {
			return x, y, r.in.here(err)
		}
		if err := train.CheckWeight(r.raw.Weight); err != nil {
			return x, y, r.in.here(err)
		}
		row := pending{unknownLabel: unknown, weight: r.raw.Weight}
		if a.sink.wantsRows() {
			raw := r.raw.Clone()
			row.row, row.place = &raw, r.in.place()
		}
		if a.texts != nil {
			row.texts = a.texts()
		}
		mu.Lock()
		queue = append(queue, row)
		mu.Unlock()
		return x, y, nil
	}
	var x answer
	wanted := a.extras
	if a.tally.Ranked {
		a.tally.Probabilities = slices.Contains(a.extras, probabilities)
		a.ranks = ranksOf(a.p.Model(), slices.Contains(a.extras, probabilities))
		wanted = append(slices.Clone(wanted), a.ranks)
	}
	stream := a.p.StreamAnswers
	switch {
	case slices.Contains(wanted, probabilities):
		stream = a.p.StreamProbabilities
	case slices.Contains(wanted, decisions):
		stream = a.p.Stream
	}
	err := stream(ctx, threads, next, func(b *predict.Batch, ys []float64) error {
		mu.Lock()
		rows := slices.Clone(queue[:len(ys)])
		queue = slices.Delete(queue, 0, len(ys))
		mu.Unlock()
		for i, y := range ys {
			a.rows++
			a.ask(b, i, &x)
			x.texts = rows[i].texts
			if err := a.sink.put(rows[i].row, &x); err != nil {
				return r.notWritten(&rows[i], err)
			}
			a.score(&x, y, &rows[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.sink.flush()
}

// notWritten puts the place of a row into the error of a format that cannot hold it.
func (r *rows) notWritten(row *pending, err error) error {
	if file := (*fs.PathError)(nil); row.row == nil || errors.As(err, &file) {
		return err
	}
	return r.in.hereAt(row.place, err)
}

// ask sets x to the answer for row i of a batch.
func (a *answers) ask(b *predict.Batch, i int, x *answer) {
	x.extras = x.extras[:0]
	if !slices.Contains(a.extras, probabilities) { // which come with the label
		x.value = b.Predict(i)
	}
	for _, e := range a.extras {
		n := len(x.extras)
		if e == decisions {
			x.extras = append(x.extras, make([]float64, len(a.p.Model().Machines))...)
			b.Decisions(x.extras[n:], i)
			continue
		}
		x.extras = append(x.extras, make([]float64, a.p.Outcomes())...)
		x.value, _ = b.Probabilities(x.extras[n:], i)
	}
	switch a.ranks {
	case probabilities:
		a.values = resized(a.values, a.p.Outcomes())
		b.Probabilities(a.values, i)
		x.scores = a.values
	case decisions:
		a.values = resized(a.values, len(a.p.Model().Machines))
		b.Decisions(a.values, i)
		x.scores = labelScores(x.scores, a.p.Model(), a.values)
	}
}

// resized returns a slice of length n, in the memory of s if that has room.
func resized(s []float64, n int) []float64 { return slices.Grow(s[:0], n)[:n] }

// score counts a row whose label is known.
func (a *answers) score(x *answer, y float64, row *pending) {
	task, value, truth := a.p.Model().Task, x.value, row.unknownLabel
	switch {
	case task == models.OneClass && a.encoding != nil:
		if y, truth = insideOf(a.encoding, y, truth), ""; math.IsNaN(y) {
			return
		}
	case math.IsNaN(y) && truth == "":
		return
	case task.Regresses():
		if a.encoding == nil {
			a.tally.AddTarget(value, y, row.weight, nil)
		} else {
			a.tally.AddTarget(a.encoding.Target(value), a.encoding.Target(y), row.weight, &a.encoding.ClassColumn().Fill)
		}
		return
	}
	if truth == "" {
		truth = a.text(y)
	}
	if known := a.tally.AddClass(value, y, a.text(value), truth, row.weight, x.scores); !known {
		if a.unknownRows++; a.unknownRows == 1 {
			a.unknownLabel = truth
		}
	}
}

// insideOf returns what a label says of a row to a one-class model, 1 for inside and
// -1 for outside, or NaN: the number that its text is.
func insideOf(e *encode.Encoding, y float64, unknown string) float64 {
	text := unknown
	if text == "" && !math.IsNaN(y) {
		text = e.LabelText(y)
	}
	if v, err := textscan.Number(text); err == nil && (v == 1 || v == -1) {
		return v
	}
	return math.NaN()
}

// warnUnknownLabels says so when labels of the data are none of the model's.
func (a *answers) warnUnknownLabels(w *warner, path string) {
	switch {
	case a.unknownRows == 0:
	case a.unknownRows == a.tally.Total():
		w.warn("%s: the model knows none of the labels, %s: the score means nothing; is this the right model for the data?", path, unknownLabelExample(a.unknownLabel, a.encoding))
	default:
		w.warn("%s: %d of %d rows %s a label that the model does not know, %s, and %s as wrong; train with rows of every label",
			path, a.unknownRows, a.tally.Total(), phrase.Agree(a.unknownRows, "has", "have"), unknownLabelExample(a.unknownLabel, a.encoding), phrase.Agree(a.unknownRows, "counts", "count"))
	}
}

// warnUndated says so when predictions are no dates.
func (a *answers) warnUndated(w *warner, path string) {
	if a.undated > 0 {
		w.warn("%s: the prediction for %s is not a date of the years 1 to 9999, and is written as missing; --format text prints its milliseconds", path, phrase.Count(a.undated, "row"))
	}
}

// labels returns the texts of the labels that the model knows, in its order.
func (a *answers) labels() []string {
	return labelsOf(a.p.Model(), a.encoding)
}

// labelsOf returns the texts of the labels that a model may answer.
func labelsOf(m *models.Model, encoding *encode.Encoding) []string {
	if m.Task == models.OneClass {
		return []string{"1", "-1"}
	}
	var labels []string
	for _, label := range m.Labels {
		labels = append(labels, answerText(m.Task, encoding, float64(label)))
	}
	return labels
}

// text returns an answer as it is printed.
func (a *answers) text(value float64) string {
	return answerText(a.p.Model().Task, a.encoding, value)
}

// answerText returns an answer to a task as it is printed.
func answerText(task models.Task, encoding *encode.Encoding, value float64) string {
	if encoding != nil && task.Classifies() && encoding.Nominal() {
		text, labels := encoding.LabelText(value), encoding.ClassColumn().Labels
		if !isPlace(value, len(labels)) && slices.Contains(labels, text) { // of data that have places for labels
			return "number " + text
		}
		return text
	}
	if encoding != nil && task.Regresses() {
		return encoding.LabelText(value)
	}
	if task.Regresses() {
		return string(textscan.AppendG(nil, value, -1))
	}
	return phrase.Label(value + 0) // not -0, which is the class 0
}

// extraNames returns the names of an extra's values.
func (a *answers) extraNames(e extra) []string {
	if e == probabilities {
		return a.labels()
	}
	m := a.p.Model()
	if !m.Task.Classifies() {
		return []string{"value"}
	}
	labels := a.labels()
	var names []string
	for i := range m.Machines {
		against := "rest"
		if neg := m.Machines[i].Neg; neg != models.Rest {
			against = labels[neg]
		}
		names = append(names, labels[m.Machines[i].Pos]+"/"+against)
	}
	return names
}

// lines writes an answer a line: the label, and the extras if there are some,
// which a first line names. A label alone is in quotes only if it is more than a line;
// before extras as in the first line, so that blanks separate.
type lines struct {
	*bufio.Writer
	a *answers
}

func (l *lines) begin(a *answers) error {
	l.a = a
	if len(a.extras) == 0 {
		return nil
	}
	var names []string
	for _, e := range a.extras {
		names = append(names, a.extraNames(e)...)
	}
	return writeNames(l.Writer, names)
}

// writeNames writes the first line of answers with extras, which have these names.
func writeNames(w *bufio.Writer, names []string) error {
	w.WriteString("labels")
	for _, name := range names {
		w.WriteString(" " + phrase.Word(name))
	}
	return w.WriteByte('\n')
}

// writeLine writes an answer with its extras.
func writeLine(w *bufio.Writer, text string, extras []float64) error {
	if len(extras) == 0 {
		w.WriteString(phrase.Line(text))
	} else {
		w.WriteString(phrase.Word(text))
	}
	for _, v := range extras {
		w.WriteByte(' ')
		w.Write(textscan.AppendG(w.AvailableBuffer(), v, 6))
	}
	return w.WriteByte('\n')
}

func (l *lines) put(_ *format.Instance, x *answer) error {
	return writeLine(l.Writer, l.a.text(x.value), x.extras)
}

func (l *lines) wantsRows() bool { return false }

func (l *lines) flush() error { return l.Flush() }
