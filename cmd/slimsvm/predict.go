package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/overflow"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

func predictCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict the labels of a data set",
		ArgsUsage: "DATA MODEL",
		Description: "Prints the label that MODEL predicts for each row of DATA, one per line; the\n" +
			"score goes to standard error:\n\n" +
			"  slimsvm predict new.arff iris.model\n\n" +
			"Labels are printed as text if the training data had text. Columns are found by\n" +
			"name and labels by text, in any order. The label column may be absent, or ? in\n" +
			"any row. With --json, the score goes to standard output, and predictions are\n" +
			"written only to --out.",
		Flags: append(append(slices.Concat(dataFlags(labelOfModel), weightFlags()),
			&cli.BoolFlag{Name: "probability", Usage: "also print the probability of each label, and predict the most probable one, which can differ from the prediction without --probability; for regression, print the scale of the noise"},
			&cli.BoolFlag{Name: "decisions", Usage: "also print the decision values, for one-vs-one models one per pair of labels"},
			&cli.StringFlag{Name: "format", Value: textFormat, Usage: "output format: text (one label per line), or csv, tsv or arff (all columns of DATA, then the predicted label)"},
			statsFlag(), rocFlag(),
			threadsFlag("number of threads; results do not depend on it"),
			&cli.StringFlag{Name: "out", Usage: "write predictions to `FILE`", DefaultText: "standard output"},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and a model file")
			if err != nil && c.NArg() == 3 {
				return hinted{err, "svm-predict's OUTPUT is --out here"}
			}
			if err != nil {
				return err
			}
			if _, err := answerFormat(c); err != nil {
				return err
			}
			if c.Bool("probability") && c.Bool("decisions") && c.String("format") == textFormat {
				return usagef("--probability and --decisions go together in --format csv, tsv and arff only")
			}
			if err := e.notBothToStdout(c, c.String("out"), "the predictions"); err != nil {
				return err
			}
			if err := e.notBothFromStdin(place{"the model", args[1]}, place{"the data", args[0]}); err != nil {
				return err
			}
			if err := e.apart(place{"--out", c.String("out")}, place{"DATA", args[0]}, place{"MODEL", args[1]}, place{"the file of names", namesOfInput(args[0])}, weightPlace(c)); err != nil {
				return err
			}
			if err := e.checkROC(c, place{"--out", c.String("out")}, place{"DATA", args[0]}, place{"MODEL", args[1]}, place{"the file of names", namesOfInput(args[0])}, weightPlace(c)); err != nil {
				return err
			}
			if err := checkThreads(c); err != nil {
				return err
			}
			return e.predict(c, args[0], args[1])
		},
	}
}

// textFormat is the format of predictions that is no data format.
const textFormat = "text"

// loadModel reads a model, with - of standard input, and if it has one its encoding.
func (e *env) loadModel(path string) (*predict.Predictor, *encode.Encoding, error) {
	f, err := e.openInput(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	path = inputName(path)
	watch := format.NewWatch(f)
	m, err := models.Read(f)
	if err = watch.Check(err); err != nil {
		return nil, nil, format.WithPath(err, path)
	}
	encoding, err := inputsOf(m)
	if err != nil {
		return nil, nil, format.WithPath(err, path)
	}
	p, err := predict.New(m)
	return p, encoding, format.WithPath(err, path)
}

// openInput opens a file that is no data file or may be none, with - standard input.
func (e *env) openInput(path string) (io.ReadCloser, error) {
	if err := e.notOutput(path); err != nil {
		return nil, err
	}
	return format.OpenInput(path, e.stdin)
}

// inputName returns what an input is called in messages.
func inputName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// inputsOf returns the encoding of a model, nil if it has none.
func inputsOf(m *models.Model) (*encode.Encoding, error) {
	encoding, err := datafile.Inputs(m)
	if errors.Is(err, datafile.ErrNoInputs) {
		return nil, nil
	}
	return encoding, err
}

func (e *env) predict(c *cli.Context, data, model string) error {
	p, encoding, err := e.loadModel(model)
	if err != nil {
		return err
	}
	model = inputName(model)
	a := &answers{p: p, overflow: overflow.New(p, model), encoding: encoding, stats: c.Bool("stats"), roc: c.String("roc") != ""}
	if a.roc {
		if err := takesROC(p.Model(), c.Bool("probability")); err != nil {
			return format.WithPath(err, model)
		}
	}
	if c.Bool("probability") {
		m := p.Model()
		switch {
		case m.Task.Regresses() && !m.Probability:
			return hinted{format.WithPath(errors.New("the model does not know how far targets are from its predictions"), model), "train with --probability"}
		case m.Task == models.OneClass && !m.Probability:
			return hinted{format.WithPath(errors.New("the model has no probabilities"), model), fmt.Sprintf("train with --probability, on rows of which at least %d are on either side of the boundary", models.Marks/2)}
		case !m.Probability:
			return hinted{format.WithPath(errors.New("the model has no class probabilities"), model), "train with --probability"}
		case m.Task.Regresses():
			a.noise = noiseOf(m, encoding)
		default:
			a.extras = append(a.extras, probabilities)
		}
	}
	if c.Bool("decisions") {
		a.extras = append(a.extras, decisions)
	}
	e.wants(encoding)
	t, in, err := e.openRereadable(c, data)
	if err != nil {
		return err
	}
	defer t.close()
	out, err := e.createAnswers(c)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := &warner{env: e, quiet: c.Bool("quiet")}
	if in, err = a.sinkTo(c, out, t, in, w); err != nil {
		return err
	}
	if c.Bool("json") && c.String("out") == "" {
		w.warnGiven(c, "with --json and without --out, predictions are not written:", "format", "decisions")
	}
	w.warnMisnamedOutput(c)
	r, err := e.rowsFor(in, c.String("class"), encoding, w)
	if err != nil {
		return err
	}
	if r.named != nil {
		if err := r.named.TakeKernel(p.Model(), encoding); err != nil {
			return format.WithPath(err, inputName(model))
		}
	}
	if t, ok := a.sink.(*table); ok && r.columnsFromNames {
		t.declared = nil
	}
	if err := a.all(c.Context, r, threads(c)); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	a.warnUnknownLabels(w, in.path)
	a.warnUndated(w, in.path)
	failed := e.writeROC(c, a.tally) // the score is printed though the curves be lost
	if err := a.tell(e, c); err != nil && failed == nil {
		return err
	}
	return failed
}

// tell prints the score as the options want it.
func (a *answers) tell(e *env, c *cli.Context) error {
	s := a.tally.Score()
	if c.Bool("json") {
		return jsonline.Print(e.stdout, scored{Rows: a.rows, Score: s, Noise: a.noise})
	}
	if c.Bool("quiet") {
		return nil
	}
	if a.noise != nil {
		fmt.Fprintf(e.stderr, "targets are about the predictions as Laplace's distribution of scale %.6g is about 0\n", float64(*a.noise))
	}
	if s.Scored > 0 {
		s.Print(e.stderr)
	}
	return nil
}

// scored is what --json says of predictions. Without labels there is no score.
type scored struct {
	Rows int `json:"rows"`
	tally.Score
	Noise *jsonline.Number `json:"noise,omitempty"` // with --probability, of a regression
}

// noiseOf returns the scale of the Laplace distribution of targets about the
// predictions, in the units of the data.
func noiseOf(m *models.Model, encoding *encode.Encoding) *jsonline.Number {
	noise := m.Noise
	if encoding != nil {
		noise = encoding.Difference(noise)
	}
	return (*jsonline.Number)(&noise)
}

// createAnswers creates the file for the predictions.
func (e *env) createAnswers(c *cli.Context) (*format.Output, error) {
	switch out := c.String("out"); {
	case out != "":
		return e.create(c.Context, out)
	case c.Bool("json"):
		return format.CreateOutput(c.Context, "-", io.Discard)
	}
	return e.create(c.Context, "-")
}

// answerFormats are the words of --format for predictions.
var answerFormats = append([]string{textFormat}, pointFormats...)

// answerFormat returns the format of predictions, nil for text.
func answerFormat(c *cli.Context) (*format.Codec, error) {
	name := c.String("format")
	if name == textFormat {
		return nil, nil
	}
	codec, err := datafile.Find(name, "", nil)
	if err != nil || !datafile.Declares(codec) {
		return nil, checkWord(c, "format", answerFormats)
	}
	return &codec, nil
}

// warnMisnamedOutput tells of predictions that are written as text to a file whose name says
// otherwise, unless that was asked for.
func (w *warner) warnMisnamedOutput(c *cli.Context) {
	out := c.String("out")
	if isSet(c, "format") || out == "" {
		return
	}
	if codec, err := datafile.Find("", out, nil); err == nil && datafile.Declares(codec) {
		w.warn("%s: only labels are written, not %s as the name says: --format %s writes all columns with them", out, codec.Name, codec.Name)
	}
}

// sinkTo sets what writes predictions, in the chosen format, and returns the input
// to be read.
func (a *answers) sinkTo(c *cli.Context, out io.Writer, t *rereader, in *input, warn *warner) (*input, error) {
	codec, err := answerFormat(c)
	switch {
	case err != nil:
		return nil, err
	case codec == nil:
		t.once = true
		a.sink = &lines{Writer: bufio.NewWriter(out)}
		if texts := in.Texts(); texts != nil {
			texts.AllowInvalidNumbers(a.unused(in.header))
		}
		return in, nil
	}
	w := &table{Writer: codec.NewWriter(out), class: -1, weights: in.WeightColumn() >= 0}
	if _, csv := w.Writer.(*csvfmt.Writer); csv && !w.weights {
		if w.weighted, in, err = t.weighted(in); err != nil {
			return nil, err
		}
	}
	w.from, a.sink = in.header, w
	if !in.declared() {
		if w.declared, err = t.declareColumns(in); err != nil {
			return nil, err
		}
		w.from, w.class = w.declared.to, w.declared.to.Class
		return w.declared.input, nil
	}
	t.once = true
	w.keepDigits(in, a, warn)
	if a.encoding != nil {
		w.class, err = labelColumn(in.header, c.String("class"), a.encoding)
		err = in.at(err)
	}
	return in, err
}

// statsFlag asks for more than the score.
func statsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "stats", Usage: "print more scores: kappa, MCC, balanced accuracy, and precision, recall, F1 and ROC area of each label; with --probability log loss and Brier score; for regression absolute, root mean squared and relative errors and R2"}
}
