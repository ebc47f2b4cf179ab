package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

func predictCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict the labels of a data set",
		ArgsUsage: "DATA MODEL",
		Description: "Prints a label a line, as text where the training data had text; the score goes to\n" +
			"standard error. Columns are found by name and labels by text, in any order. The\n" +
			"label's column may be missing, or ? in any row.",
		Flags: append(dataFlags(),
			&cli.BoolFlag{Name: "probability", Usage: "print the probability of each label as well"},
			&cli.StringFlag{Name: "out", Usage: "write predictions to `FILE`"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no score"},
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and a model file")
			if err != nil {
				return err
			}
			return e.predict(c, args[0], args[1])
		},
	}
}

// loadModel reads a model and, if it has one, its encoding.
func loadModel(path string) (*predict.Predictor, *encode.Encoding, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m, err := models.Read(f)
	if err != nil {
		return nil, nil, format.WithPath(err, path)
	}
	var encoding *encode.Encoding
	if m.Inputs != nil {
		encoding = new(encode.Encoding)
		if err := encoding.UnmarshalText(m.Inputs); err != nil {
			return nil, nil, format.WithPath(fmt.Errorf("inputs: %w", err), path)
		}
		if err := fits(m, encoding); err != nil {
			return nil, nil, format.WithPath(err, path)
		}
	}
	p, err := predict.New(m)
	return p, encoding, format.WithPath(err, path)
}

// fits checks that the labels of a model are those of its encoding.
func fits(m *models.Model, e *encode.Encoding) error {
	if !m.Task.Classifies() {
		return nil
	}
	for _, label := range m.Labels {
		if label < 0 || label >= len(e.ClassColumn().Labels) {
			return fmt.Errorf("label %d has no text among the model's inputs", label)
		}
	}
	return nil
}

// rows gives the rows of a data set as the model wants them.
type rows struct {
	in     *input
	mapper *encode.Mapper // nil: as they are
	x      vec.Vector
}

// next returns the next row's features and label, which is NaN where there is
// none, or io.EOF.
func (r *rows) next() (vec.Vector, float64, error) {
	row, err := r.in.Read()
	if err != nil {
		if err != io.EOF {
			err = r.in.at(err)
		}
		return vec.Vector{}, 0, err
	}
	if r.mapper == nil {
		return row.X, row.Y, nil
	}
	y := r.mapper.Row(&r.x, row.X)
	return r.x, y, nil
}

// rowsFor returns the rows of in for a model with the given encoding.
func (e *env) rowsFor(in *input, encoding *encode.Encoding) (*rows, error) {
	r := &rows{in: in}
	switch {
	case !in.declared():
		return r, nil
	case encoding == nil:
		return nil, hinted{in.at(errors.New("the model does not say how declared columns become features")),
			"train it with slimsvm train on data that declare their columns, or encode the data"}
	}
	var err error
	if r.mapper, err = encoding.Mapper(in.header); err != nil {
		return nil, in.at(err)
	}
	w := &watcher{env: e}
	r.mapper.Unknown = func(column, label string) {
		w.warn("%s: label %q of column %q does not occur in the training data", in.path, label, column)
	}
	return r, nil
}

func (e *env) predict(c *cli.Context, data, model string) error {
	p, encoding, err := loadModel(model)
	if err != nil {
		return err
	}
	m := p.Model()
	probability := c.Bool("probability")
	if probability && (!m.Probability || m.Task.Regresses()) {
		return hinted{format.WithPath(errors.New("the model has no class probabilities"), model), "train with --probability"}
	}
	in, err := e.open(c, data)
	if err != nil {
		return err
	}
	defer in.close()
	r, err := e.rowsFor(in, encoding)
	if err != nil {
		return err
	}
	name := c.String("out")
	if name == "" {
		name = "-"
	}
	out, err := format.CreateOutput(c.Context, name, e.stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	answers := &answers{p: p, encoding: encoding, probability: probability, out: bufio.NewWriter(out)}
	if err := answers.all(c, r); err != nil {
		return err
	}
	if err := answers.out.Flush(); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	if !c.Bool("quiet") && answers.scores.Total > 0 {
		answers.printScore(e.stderr)
	}
	return nil
}

// answers writes predictions and keeps the score.
type answers struct {
	p           *predict.Predictor
	encoding    *encode.Encoding
	probability bool
	out         *bufio.Writer
	scores      predict.Scores
	confusion   map[[2]float64]int // by true and predicted label
}

func (a *answers) all(c *cli.Context, r *rows) error {
	m := a.p.Model()
	dst := make([]float64, a.p.Outcomes())
	a.confusion = make(map[[2]float64]int)
	if a.probability {
		a.header(m)
	}
	for n := 0; ; n++ {
		if n&255 == 0 && c.Context.Err() != nil {
			return c.Context.Err()
		}
		x, y, err := r.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := a.p.Check(x); err != nil {
			return r.in.at(fmt.Errorf("row %d: %w", n+1, err))
		}
		var answer float64
		if a.probability {
			answer, _ = a.p.Probabilities(dst, x)
		} else {
			answer = a.p.Predict(x)
		}
		a.out.WriteString(a.text(answer))
		if a.probability {
			for _, v := range dst {
				a.out.WriteByte(' ')
				a.out.Write(textscan.AppendG(nil, v, 6))
			}
		}
		if err := a.out.WriteByte('\n'); err != nil {
			return err
		}
		if !math.IsNaN(y) && m.Task != models.OneClass {
			if m.Task.Regresses() && a.encoding != nil {
				answer, y = a.encoding.Target(answer), a.encoding.Target(y)
			}
			a.scores.Add(answer, y)
			if m.Task.Classifies() {
				a.confusion[[2]float64{y, answer}]++
			}
		}
	}
}

// text returns an answer as it is printed.
func (a *answers) text(answer float64) string {
	if a.encoding != nil && a.p.Model().Task != models.OneClass {
		return a.encoding.LabelText(answer)
	}
	return string(textscan.AppendG(nil, answer, -1))
}

// header writes the order of the probabilities.
func (a *answers) header(m *models.Model) {
	a.out.WriteString("labels")
	if m.Task == models.OneClass {
		a.out.WriteString(" 1 -1")
	}
	for _, label := range m.Labels {
		text := a.text(float64(label))
		if strings.ContainsAny(text, " \t\"") || text == "" {
			text = fmt.Sprintf("%q", text)
		}
		a.out.WriteString(" " + text)
	}
	a.out.WriteByte('\n')
}
