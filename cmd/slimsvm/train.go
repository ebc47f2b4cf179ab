package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

func trainCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "train",
		Usage:     "train a model",
		ArgsUsage: "DATA [MODEL]",
		Description: "DATA is an ARFF, CSV, LIBSVM or SVMlight file, plain or compressed; - is standard\n" +
			"input. MODEL is by default DATA's name with .model, in the current directory.\n" +
			"Declared columns become features as in Weka: missing values are replaced, nominal\n" +
			"columns become one feature a label. The model keeps how.",
		Flags: trainFlags(),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 2, "a data file and perhaps a model file")
			if err != nil {
				return err
			}
			model := filepath.Base(args[0]) + ".model"
			if len(args) == 2 {
				model = args[1]
			} else if args[0] == "-" {
				return usagef("data from standard input need the name of a MODEL")
			}
			return e.train(c, args[0], model)
		},
	}
}

func (e *env) train(c *cli.Context, data, model string) error {
	start := time.Now()
	p, err := e.load(c, data)
	if err != nil {
		return err
	}
	watch := &watcher{env: e, quiet: c.Bool("quiet")}
	r, err := p.prepare(c.Context, c, p.rows, watch.report)
	if err != nil {
		return err
	}
	m, err := r.trainer.Train(c.Context, r.data, train.NewRand(uint32(c.Uint("seed"))))
	if err != nil {
		return p.place(err)
	}
	if r.encoding != nil {
		if m.Inputs, err = r.encoding.MarshalText(); err != nil {
			return err
		}
	}
	out, err := format.CreateOutput(c.Context, model, e.stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := models.Write(out, m); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	s := summary{
		Method: p.method.Name, Kernel: fmt.Sprintf("%+v", m.Kernel), Rows: r.data.Len(),
		Features: r.data.X.MaxIndex(), Classes: len(m.Labels), Vectors: m.Vectors.Len(),
		Machines: len(m.Machines), Iterations: watch.iterations, Objective: watch.objective,
		Seconds: time.Since(start).Seconds(), Seed: c.Uint("seed"), Model: model,
	}
	return s.print(e, c)
}

// A summary says what was trained.
type summary struct {
	Method     string  `json:"method"`
	Kernel     string  `json:"kernel"`
	Rows       int     `json:"rows"`
	Features   int     `json:"features"`
	Classes    int     `json:"classes,omitempty"`
	Vectors    int     `json:"vectors"`
	Machines   int     `json:"machines"`
	Iterations int     `json:"iterations"`
	Objective  float64 `json:"objective"` // the sum over all machines
	Seconds    float64 `json:"seconds"`
	Seed       uint    `json:"seed"`
	Model      string  `json:"model"`
}

func (s *summary) print(e *env, c *cli.Context) error {
	if c.Bool("json") {
		return json.NewEncoder(e.stdout).Encode(s)
	}
	if c.Bool("quiet") {
		return nil
	}
	classes := ""
	if s.Classes > 0 {
		classes = fmt.Sprintf(" in %d classes", s.Classes)
	}
	fmt.Fprintf(e.stderr, "%s: %d rows%s, %d features; %d vectors, objective %.6g, %.2f s\n",
		s.Model, s.Rows, classes, s.Features, s.Vectors, s.Objective, s.Seconds)
	return nil
}

// A watcher sums up the events of a training and passes warnings on.
type watcher struct {
	*env
	quiet      bool
	iterations int
	objective  float64
	said       map[string]bool
}

func (w *watcher) report(ev train.Event) {
	switch ev := ev.(type) {
	case train.Solved:
		w.iterations += ev.Iterations
		w.objective += ev.Objective
	case train.IterationLimit:
		w.warn("training stopped after %d iterations, before it converged: scale the features, or lower the cost", ev.Iterations)
	case train.SingleClass:
		w.warn("all rows are of one class")
	case train.WeightUnused:
		w.warn("no row is of class %d, for which there is a weight", ev.Label)
	case train.LabelsMerged:
		w.warn("class labels are integers: %g and %g are taken as one class", ev.First, ev.Second)
	case train.ManyClasses:
		w.warn("%d classes in %d rows: if the labels are numbers to be predicted, train with --method epsilon-svr", ev.Classes, ev.Rows)
	case train.FoldsReduced:
		w.warn("%d folds of %d rows are leave-one-out", ev.Folds, ev.Rows)
	case train.TooFewDecisions:
		w.warn("too few rows on one side of the boundary to estimate probabilities")
	}
}

// warn prints a warning once.
func (w *watcher) warn(format string, args ...any) {
	text := "warning: " + fmt.Sprintf(format, args...)
	if w.said[text] {
		return
	}
	if w.said == nil {
		w.said = make(map[string]bool)
	}
	w.said[text] = true
	fmt.Fprintln(w.stderr, text)
}
