package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// digits of the numbers printed: %g, and enough to read a real back.
const (
	shortDigits = 6
	fullDigits  = 17
)

// predict writes a line to out for each row of src, which so many workers answer, and the score to stdout.
func (o *options) predict(ctx context.Context, p *predict.Predictor, src source, workers int, w wording, out *format.Output, stdout io.Writer) error {
	m := p.Model()
	talk := stdout
	if o.quiet {
		talk = io.Discard
	}
	if text := announcement(m, o.probability); text != "" {
		if _, err := io.WriteString(talk, text); err != nil {
			return unprinted(err)
		}
	}
	if _, err := io.WriteString(out, heading(m, o.probability, w)); err != nil {
		return o.unwritten(err)
	}
	a := &answers{out: out, talk: talk, words: w, dst: make([]float64, p.Outcomes()), probabilities: o.probability && !m.Task.Regresses()}
	var rowFault error
	sentry := newSentry(p, o.model)
	next := func() (vec.Vector, float64, error) {
		x, y, err := src.next()
		if err == nil {
			if err = p.Check(x); err == nil {
				err = sentry.check(x)
			}
			if err != nil {
				err = src.place(err)
			}
		}
		if err != nil && err != io.EOF {
			rowFault = err
		}
		return x, y, err
	}
	stream := p.StreamAnswers
	if a.probabilities {
		stream = p.StreamProbabilities
	}
	if err := stream(ctx, workers, next, a.take); err != nil {
		switch {
		case a.err != nil:
			return o.unwritten(a.err)
		case ctx.Err() == nil && rowFault != nil:
			return wrongFormat(rowFault, o.data)
		}
		return err
	}
	if err := out.Close(); err != nil {
		return o.unwritten(err)
	}
	// a LIBSVM file has labels, if it has rows
	if a.scores.Total == 0 && w.encoding != nil {
		return nil
	}
	if _, err := io.WriteString(talk, score(m, &a.scores)); err != nil {
		return unprinted(err)
	}
	return nil
}

// answers writes the answers for batches of rows.
type answers struct {
	out           io.Writer
	talk          io.Writer
	words         wording
	probabilities bool
	scores        predict.Scores
	dst           []float64 // probabilities of a row
	line          []byte
	err           error // of writing
}

func (a *answers) take(b *predict.Batch, ys []float64) error {
	for r, y := range ys {
		var answer float64
		line := a.line[:0]
		if a.probabilities {
			var limit bool
			if answer, limit = b.Probabilities(a.dst, r); limit {
				fmt.Fprint(a.talk, "Exceeds max_iter in multiclass_prob\n")
			}
			line = a.words.appendField(line, answer)
			for _, v := range a.dst {
				line = append(line, ' ')
				line = textscan.AppendG(line, v, shortDigits)
			}
		} else {
			answer = b.Predict(r)
			line = a.words.appendAnswer(line, answer)
		}
		a.line = append(line, '\n')
		if _, a.err = a.out.Write(a.line); a.err != nil {
			return a.err
		}
		if !math.IsNaN(y) {
			a.scores.Add(a.words.target(answer), a.words.target(y))
		}
	}
	return nil
}

func (o *options) unwritten(err error) error {
	return fmt.Errorf("can't write output file %s: %w", o.output, reason(err))
}

func unprinted(err error) error {
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
func heading(m *models.Model, probability bool, w wording) string {
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
