package main

import (
	"bufio"
	"context"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// extra is what is told of a row beside the predicted label.
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
	encoding *encode.Encoding // nil: data declare no columns
	extras   []extra
	noise    *number // of a regression; nil: not asked for
	sink     sink

	rows      int
	scores    predict.Scores
	confusion *confusion // nil: of a regression
	strangers int        // rows with a label that the model does not know
	stranger  string     // the first such label
}

// A pending row has been read, and waits for its answer.
type pending struct {
	row      *format.Instance // nil: the sink does not want it
	stranger string
}

// all answers every row, on a number of threads.
func (a *answers) all(ctx context.Context, r *rows, threads int) error {
	if a.p.Model().Task.Classifies() {
		a.confusion = newConfusion(a.labels())
	}
	if err := a.sink.begin(a); err != nil {
		return err
	}
	var mu sync.Mutex
	var queue []pending
	next := func() (vec.Vector, float64, error) {
		x, y, stranger, err := r.next()
		if err != nil {
			return x, y, err
		}
		if err := a.p.Check(x); err != nil {
			return x, y, r.in.here(err)
		}
		row := pending{stranger: stranger}
		if a.sink.wantsRows() {
			row.row = cloneRow(r.raw)
		}
		mu.Lock()
		queue = append(queue, row)
		mu.Unlock()
		return x, y, nil
	}
	var x answer
	stream := a.p.StreamAnswers
	if len(a.extras) > 0 {
		stream = a.p.Stream
	}
	if slices.Contains(a.extras, probabilities) {
		stream = a.p.StreamProbabilities
	}
	err := stream(ctx, threads, next, func(b *predict.Batch, ys []float64) error {
		mu.Lock()
		rows := slices.Clone(queue[:len(ys)])
		queue = slices.Delete(queue, 0, len(ys))
		mu.Unlock()
		for i, y := range ys {
			a.rows++
			a.ask(b, i, &x)
			if err := a.sink.put(rows[i].row, &x); err != nil {
				return err
			}
			a.score(x.value, y, rows[i].stranger)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.sink.flush()
}

// ask sets x to the answer for row i of a batch.
func (a *answers) ask(b *predict.Batch, i int, x *answer) {
	x.value, x.extras = b.Predict(i), x.extras[:0]
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
}

func cloneRow(row *format.Instance) *format.Instance {
	c := *row
	c.X.Index, c.X.Value = slices.Clone(row.X.Index), slices.Clone(row.X.Value)
	c.Strings, c.Tables = slices.Clone(row.Strings), slices.Clone(row.Tables)
	return &c
}

// score counts a row whose label is known.
func (a *answers) score(value, y float64, stranger string) {
	task := a.p.Model().Task
	switch {
	case task == models.OneClass && a.encoding != nil:
		if y = insideOf(a.encoding, y, stranger); !math.IsNaN(y) {
			a.scores.Add(value, y)
		}
		return
	case math.IsNaN(y) && stranger == "":
		return
	case task.Regresses():
		if a.encoding != nil {
			value, y = a.encoding.Target(value), a.encoding.Target(y)
		}
		a.scores.Add(value, y)
		return
	case stranger == "":
		stranger = a.text(y)
	}
	a.scores.Add(value, y) // NaN equals nothing
	if a.confusion == nil {
		return
	}
	a.confusion.add(stranger, a.text(value))
	if _, ok := a.confusion.place[stranger]; !ok || a.confusion.place[stranger] >= a.confusion.known {
		if a.strangers++; a.strangers == 1 {
			a.stranger = stranger
		}
	}
}

// insideOf returns what a label says of a row to a one-class model, 1 for inside and
// -1 for outside, or NaN: the number that its text is.
func insideOf(e *encode.Encoding, y float64, stranger string) float64 {
	text := stranger
	if text == "" && !math.IsNaN(y) {
		text = e.LabelText(y)
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && (v == 1 || v == -1) {
		return v
	}
	return math.NaN()
}

// warnStrangers says so when labels of the data are none of the model's.
func (a *answers) warnStrangers(w *warner, path string) {
	switch {
	case a.strangers == 0:
	case a.strangers == a.scores.Total:
		w.warn("%s: no label is one of the model's, %s for one: the score says nothing; is this the model for these data?", path, oneWord(a.stranger))
	default:
		w.warn("%s: %d of %d rows have a label that the model does not know, %s for one, and count as wrong; train with rows of every label",
			path, a.strangers, a.scores.Total, oneWord(a.stranger))
	}
}

// labels returns the texts of the labels that the model knows, in its order.
func (a *answers) labels() []string {
	m := a.p.Model()
	if m.Task == models.OneClass {
		return []string{"1", "-1"}
	}
	var labels []string
	for _, label := range m.Labels {
		labels = append(labels, a.text(float64(label)))
	}
	return labels
}

// text returns an answer as it is printed.
func (a *answers) text(value float64) string {
	task := a.p.Model().Task
	if a.encoding != nil && (task.Regresses() || task.Classifies() && a.encoding.Nominal()) {
		return a.encoding.LabelText(value)
	}
	if task.Regresses() {
		return string(textscan.AppendG(nil, value, -1))
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
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
// which a first line names.
type lines struct {
	*bufio.Writer
	a *answers
}

func (l *lines) begin(a *answers) error {
	l.a = a
	if len(a.extras) == 0 {
		return nil
	}
	l.WriteString("labels")
	for _, e := range a.extras {
		for _, name := range a.extraNames(e) {
			l.WriteString(" " + oneWord(name))
		}
	}
	return l.WriteByte('\n')
}

func (l *lines) put(_ *format.Instance, x *answer) error {
	l.WriteString(l.a.text(x.value))
	for _, v := range x.extras {
		l.WriteByte(' ')
		l.Write(textscan.AppendG(l.AvailableBuffer(), v, 6))
	}
	return l.WriteByte('\n')
}

func (l *lines) wantsRows() bool { return false }

func (l *lines) flush() error { return l.Flush() }
