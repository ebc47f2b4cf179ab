package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/overflow"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// digits of the numbers printed: %g, and enough to read a real back.
const (
	shortDigits = 6
	fullDigits  = 17
)

// predict writes a line to out for each row of src, which so many workers answer, and the score to stdout.
func (o *options) predict(ctx context.Context, p *predict.Predictor, src source, workers int, w answerFormat, out *format.Output, stdout io.Writer) error {
	m := p.Model()
	talk := stdout
	if o.quiet {
		talk = io.Discard
	}
	if text := announcement(m, o.probability); text != "" {
		if _, err := io.WriteString(talk, text); err != nil {
			return stdoutError(err)
		}
	}
	if _, err := io.WriteString(out, heading(m, o.probability, w)); err != nil {
		return o.outputError(err)
	}
	a := &answers{p: p, overflow: overflow.New(p, o.model), out: out, talk: talk, format: w, probabilities: o.probability && !m.Task.Regresses()}
	if err := src.answer(ctx, a, workers); err != nil {
		switch {
		case a.err != nil:
			return o.outputError(a.err)
		case ctx.Err() == nil && a.fault != nil:
			return wrongFormat(a.fault, o.data)
		}
		return err
	}
	if err := out.Close(); err != nil {
		return o.outputError(err)
	}
	// a LIBSVM file has labels, if it has rows
	if a.scores.Total == 0 && w.encoding != nil {
		return nil
	}
	if _, err := io.WriteString(talk, score(m, &a.scores)); err != nil {
		return stdoutError(err)
	}
	return nil
}

// answers are the model's for the rows of the data.
type answers struct {
	p             *predict.Predictor
	overflow      overflow.Check
	out           io.Writer
	talk          io.Writer
	format        answerFormat
	probabilities bool
	scores        predict.Scores
	fault         error // of a row
	err           error // of writing
}

// write writes lines of answers. limits is the number of those whose coupling of probabilities ended at its limit.
func (a *answers) write(lines []byte, limits int) error {
	for range limits {
		fmt.Fprint(a.talk, "Exceeds max_iter in multiclass_prob\n")
	}
	_, a.err = a.out.Write(lines)
	return a.err
}

// score counts an answer to a row whose label is known.
func (a *answers) score(answer, y float64) {
	if !math.IsNaN(y) {
		a.scores.Add(a.format.target(answer), a.format.target(y))
	}
}

// A lineWriter writes answers as lines.
type lineWriter struct {
	*answers
	dst    []float64 // probabilities of a row
	lines  []byte
	limits int // rows whose coupling has ended at its limit
}

func (a *answers) newLineWriter() lineWriter {
	return lineWriter{answers: a, dst: make([]float64, a.p.Outcomes())}
}

// appendAnswer appends the line for row r of a batch, and returns the answer.
func (t *lineWriter) appendAnswer(b *predict.Batch, r int) (answer float64) {
	if !t.probabilities {
		answer = b.Predict(r)
		t.lines = append(t.format.appendAnswer(t.lines, answer), '\n')
		return answer
	}
	answer, limit := b.Probabilities(t.dst, r)
	if limit {
		t.limits++
	}
	line := t.format.appendField(t.lines, answer)
	for _, v := range t.dst {
		line = append(line, ' ')
		line = textscan.AppendG(line, v, shortDigits)
	}
	t.lines = append(line, '\n')
	return answer
}

func (o *options) outputError(err error) error {
	return fmt.Errorf("can't write output file %s: %w", o.output, reason(err))
}

func stdoutError(err error) error {
	return fmt.Errorf("can't write to standard output: %w", reason(err))
}

// announcement says on stdout what the model's probabilities are used for.
func announcement(m *models.Model, probability bool) string {
	switch {
	case !probability && m.Probability:
		return "Model supports probability estimates, but disabled in prediction.\n"
	case probability && m.Task.Regresses():
		return "Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=" + g(m.Noise) + "\n"
	}
	return ""
}

// heading is the first line of an output with probabilities: whose they are.
func heading(m *models.Model, probability bool, w answerFormat) string {
	switch {
	case !probability || m.Task.Regresses():
		return ""
	case m.Task == models.OneClass:
		return "label normal outlier\n"
	}
	line := []byte("labels")
	for _, label := range m.Labels {
		line = append(line, ' ')
		line = w.appendField(line, float64(label))
	}
	return string(append(line, '\n'))
}

// score sums up in LIBSVM's words.
func score(m *models.Model, s *predict.Scores) string {
	if m.Task.Regresses() {
		return fmt.Sprintf("Mean squared error = %s (regression)\nSquared correlation coefficient = %s (regression)\n",
			g(s.LIBSVMMeanSquaredError()), g(s.LIBSVMSquaredCorrelation()))
	}
	return fmt.Sprintf("Accuracy = %s%% (%d/%d) (classification)\n", g(s.Accuracy()*100), s.Correct, s.Total)
}

// g writes a real as C's %g.
func g(x float64) string { return string(textscan.AppendG(nil, x, shortDigits)) }

// wrongFormat is LIBSVM's message for a fault in a line, then the reason.
func wrongFormat(err error, path string) error {
	var e *format.Error
	if errors.As(err, &e) && e.Line > 0 {
		return fmt.Errorf("Wrong input format at line %d: %w", e.Line, format.WithPath(err, path))
	}
	if e != nil && e.Path == path {
		err = e.Err
	}
	return fmt.Errorf("can't read input file %s: %w", path, reason(err))
}
