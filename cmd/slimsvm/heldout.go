package main

import (
	"bufio"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
)

// heldOutFlag is the option for the answers of a cross-validation.
func heldOutFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Usage: "write the prediction for each row of DATA, by the model trained without it, to `FILE`: one line per row, ? where there is none; or a table, see --format"}
}

// heldFormatFlag is the option of how these are written.
func heldFormatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: textFormat, Usage: "format of --out: text (one prediction per line), or csv, tsv or arff (a table of row number, fold, label and prediction, and with --probability the probabilities)"}
}

// checkHeldOut returns an error if the answers cannot go where --out says.
func (e *env) checkHeldOut(c *cli.Context, data string) error {
	out := c.String("out")
	if _, err := answerFormat(c); err != nil {
		return err
	}
	switch {
	case out == "" && isSet(c, "format"):
		return usagef("--format goes with --out")
	case out == "":
		return nil
	case e.isStdout(out):
		return usagef("cv prints the score on standard output: --out needs a file")
	case c.Int("repeat") > 1:
		return usagef("--out has one answer for each row, and --repeat %d makes more", c.Int("repeat"))
	}
	return e.apart(place{"--out", out}, place{"DATA", data}, place{"--extra", c.String("extra")}, weightPlace(c), groupPlace(c))
}

// heldOut are the answers to the rows of a file, each by a model that was trained without it:
// labels or numbers, and with --probability the probabilities of the labels.
type heldOut struct {
	labels  []string       // where there are probabilities
	place   map[string]int // of these
	answers []string
	is      []bool     // a fold has the row
	chances []float64  // of each row one for each label
	table   *heldTable // nil: lines of text
}

// newHeldOut returns the answers to n rows, with the probabilities of labels, which may be nil.
func newHeldOut(n int, labels []string) *heldOut {
	h := &heldOut{labels: labels, place: map[string]int{}, answers: make([]string, n), is: make([]bool, n), chances: make([]float64, n*len(labels))}
	for i, label := range labels {
		h.place[label] = i
	}
	return h
}

// add takes a fold, whose rows have the given numbers in the file. A label that its model does
// not know has no chance there.
func (h *heldOut) add(t *part, rows []int) {
	if h.table != nil {
		h.table.add(t, rows)
	}
	for k, row := range rows {
		h.is[row] = true
		h.answers[row] = t.answerTexts[k]
		for i, label := range t.labels {
			if len(h.labels) > 0 {
				h.chances[row*len(h.labels)+h.place[label]] = t.chances[k*len(t.labels)+i]
			}
		}
	}
}

// write writes a line for each row, as predict does, or the table.
func (h *heldOut) write(w *bufio.Writer) error {
	if h.table != nil {
		if err := h.table.write(w, h.labels, h.chances); err != nil {
			return err
		}
		return w.Flush()
	}
	n := len(h.labels)
	if n > 0 {
		writeNames(w, h.labels)
	}
	for row, answer := range h.answers {
		if h.is[row] {
			writeLine(w, answer, h.chances[row*n:(row+1)*n])
		} else {
			w.WriteString("?" + strings.Repeat(" ?", n) + "\n")
		}
	}
	return w.Flush()
}

// numbersInFile returns the numbers in the file, from 0, of some of the rows of a problem.
func (p *problem) numbersInFile(rows []int) []int {
	if p.weighted == nil {
		return rows
	}
	numbers := make([]int, len(rows))
	for k, i := range rows {
		numbers[k] = p.weighted[i]
	}
	return numbers
}

// keepHeldOut returns what takes the folds of a validation, with sum, and what writes their
// answers in the end, if --out wants them.
func (e *env) keepHeldOut(c *cli.Context, v *validation, whole *prepared, sum func(*part)) (take func(*part), write func() error, err error) {
	path := c.String("out")
	if path == "" {
		return sum, func() error { return nil }, nil
	}
	if codec, err := datafile.Find("", path, nil); !isSet(c, "format") && err == nil && datafile.Declares(codec) {
		(&warner{env: e, quiet: c.Bool("quiet")}).warn("%s: only predictions are written, not %s as the name says: --format %s writes a table", path, codec.Name, codec.Name)
	}
	var labels []string
	if c.Bool("probability") && v.method.Task.Classifies() {
		labels = v.labels(whole.encoding)
	}
	h := newHeldOut(v.inFile, labels)
	codec, err := answerFormat(c)
	if err != nil {
		return nil, nil, err
	}
	if codec != nil {
		h.table = newHeldTable(codec, v.method.Task, whole.encoding, v.labels(whole.encoding), v.inFile)
	}
	take = func(t *part) {
		h.add(t, v.numbersInFile(v.numbers(t.held())))
		sum(t)
	}
	write = func() error {
		out, err := e.create(c.Context, path)
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := h.write(bufio.NewWriter(out)); err != nil {
			return err
		}
		return out.Close()
	}
	return take, write, nil
}
