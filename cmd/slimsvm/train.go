package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

func trainCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "train",
		Usage:     "train a model",
		ArgsUsage: "DATA [MODEL]",
		Description: "Trains a model on DATA and writes it to MODEL:\n\n" +
			"  slimsvm train --scale normalize iris.arff iris.model\n\n" +
			"DATA is an ARFF, CSV, LIBSVM or SVMlight file, plain or compressed; - is\n" +
			"standard input. Without MODEL, the model is DATA's name with .model added, in\n" +
			"the current directory.\n\n" +
			"The columns of ARFF and CSV become features as in Weka: missing values are\n" +
			"replaced, and a nominal column becomes one feature per label. The model keeps\n" +
			"these rules, so that predict can read data with the same columns.\n\n" +
			"Methods in parentheses are those that have the option. --method M --help lists\n" +
			"the options of method M only, with its defaults.",
		Flags: append(trainFlags(), streamFlag()),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 2, "a data file and, optionally, a model file")
			if err != nil {
				return err
			}
			model := filepath.Base(args[0]) + ".model"
			if len(args) == 2 {
				model = args[1]
			} else if isStream(args[0]) {
				return usagef("data from %s need the name of a MODEL", inputName(args[0]))
			}
			if err := e.notBothToStdout(c, model, "MODEL"); err != nil {
				return err
			}
			if err := e.apart(place{"MODEL", model}, place{"DATA", args[0]}, place{"--" + catalog.Extra, c.String(catalog.Extra)}, weightPlace(c)); err != nil {
				return err
			}
			if err := sparesData(c.Context, place{"MODEL", model}); err != nil {
				return err
			}
			if err := checkThreads(c); err != nil {
				return err
			}
			if c.Bool("stream") {
				return e.trainStream(c, args[0], model)
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
	s, err := e.trainOn(c, p, model, start, nil)
	if err != nil {
		return err
	}
	return s.print(e, c)
}

// trainOn trains on a problem, work on which began at start, and saves the model. What was said of
// the problem before is not said again.
func (e *env) trainOn(c *cli.Context, p *problem, model string, start time.Time, said []string) (*summary, error) {
	p.threads = threads(c)
	w := &watcher{warner: warner{env: e, quiet: c.Bool("quiet"), said: slices.Clip(said)}, staging: staging{since: start}}
	r, err := p.prepare(c.Context, c, p.rows, 0, w)
	if err != nil {
		return nil, err
	}
	w.warnUnscaled(p, r, r.kernel)
	end := e.watchTraining(c, w, p.method, machinesOf(p.method.Task, r.data.Y, c.String("multiclass") == "ovr", c.Bool("probability")))
	m, err := r.trainer.Train(c.Context, r.data, train.NewRand(uint32(c.Uint64("seed"))))
	end()
	if err != nil {
		return nil, p.placeEncoded(err, r)
	}
	if p.method.Has("epsilon") && p.method.Has("initial") { // vectors are added from rows outside of the tube
		if spread := slices.Max(r.data.Y) - slices.Min(r.data.Y); spread > 0 && spread <= float64(2*epsilonOf(c, p.method)) {
			w.warn("all targets are within the tube (--epsilon), so that no vectors are added to the first: use a smaller --epsilon")
		}
	}
	if !w.warnSameAnswer(c, p, r, m) {
		w.warnHalfway(c, p, r, m)
		w.warnChance(c, p, r, m)
	}
	if !w.warnConstant(c, p, r, m) && !w.warnNearlyConstant(c, p, r, m) {
		w.warnConstantHalfway(c, p, r, m)
	}
	w.warnUnansweredClasses(c, r, m)
	w.warnInvertedProbabilities(m)
	w.warnManyVectors(c, p, r, m)
	if err := e.saveTrained(c, model, m, r.encoding); err != nil {
		return nil, err
	}
	return &summary{
		Method: p.method.Name, Kernel: kernelOf(m.Kernel), Rows: r.data.Len(),
		Features: max(0, int(r.data.X.MaxIndex())), Classes: len(m.Labels), Vectors: m.Vectors.Len(),
		Machines: machineCount(m), Iterations: w.iterations(), Objective: jsonline.Number(w.objective),
		Seconds: jsonline.Number(time.Since(start).Seconds()), Seed: c.Uint64("seed"), Model: model,
		Drawn:    w.drawn,
		Rounds:   w.rounds,
		Minimal:  w.minimal,
		Stages:   w.stages,
		Shifts:   w.shifts,
		Chosen:   chosenIteration(m),
		Form:     parameterOf(m, "form"),
		byChoice: p.byChoice(),
	}, nil
}

// saveTrained writes a model with the encoding of its inputs, which may be nil.
func (e *env) saveTrained(c *cli.Context, path string, m *models.Model, encoding *encode.Encoding) (err error) {
	if encoding != nil {
		if m.Inputs, err = encoding.MarshalText(); err != nil {
			return err
		}
	}
	return e.writeModel(c, path, m)
}

// watchTraining shows how many machines are trained or, of a single one and of those
// that are found together, how many iterations it took so far or how many vectors
// there are.
func (e *env) watchTraining(c *cli.Context, w *watcher, m catalog.Method, n int) (end func()) {
	if m.Has("initial") {
		return e.watch(c.Bool("quiet"), "growing", progress.Vectors, 0, w.vectors.Load)
	}
	if m.Has("stages") {
		return e.watchStages(c.Bool("quiet"), w.where, progress.Iterations, 0, w.iterations)
	}
	if n > 1 && !m.Together {
		return e.watch(c.Bool("quiet"), "training", progress.Machines, int64(n), w.solved.Load)
	}
	return e.watch(c.Bool("quiet"), "training", progress.Iterations, 0, w.iterationsOf(m))
}

// A summary says what was trained.
type summary struct {
	Method     string          `json:"method"`
	Kernel     kernelFacts     `json:"kernel"`
	Rows       int             `json:"rows"`
	Features   int             `json:"features"`
	Classes    int             `json:"classes,omitempty"`
	Vectors    int             `json:"vectors"`
	Machines   int             `json:"machines"`
	Iterations int64           `json:"iterations"`
	Objective  jsonline.Number `json:"objective"`
	Seconds    jsonline.Number `json:"seconds"`
	Seed       uint64          `json:"seed"`
	Model      string          `json:"model"`
	Drawn      int             `json:"drawn,omitempty"`  // rows of these that alone were trained on
	Rounds     []round         `json:"rounds,omitempty"` // of methods that grow a model
	Minimal    *minimal        `json:"minimal,omitempty"`
	Stages     []stage         `json:"stages,omitempty"`
	Shifts     []iteration     `json:"shifts,omitempty"` // of ensembles, judged on rows held out
	Chosen     *int            `json:"chosen,omitempty"` // of these, in the last sample
	Form       string          `json:"form,omitempty"`   // of these

	byChoice string // which method was taken, where that is not clear
}

func (s *summary) print(e *env, c *cli.Context) error {
	if c.Bool("json") {
		return jsonline.Print(e.stdout, s)
	}
	if c.Bool("quiet") {
		return nil
	}
	classes := ""
	if s.Classes > 0 {
		classes = " in " + phrase.Count(s.Classes, "class")
	}
	if s.Chosen != nil {
		form := ""
		if s.Form != "" {
			form = ", form " + s.Form
		}
		drawn := ""
		if s.Drawn > 0 {
			drawn = fmt.Sprintf("%d of ", s.Drawn)
		}
		e.say("%s: %s%s%s, %s; %s of iteration %d%s, %.2f s",
			s.Model, drawn, phrase.Count(s.Rows, "row"), classes, phrase.Count(s.Features, "feature"), phrase.Count(s.Machines, "machine"), *s.Chosen, form, float64(s.Seconds))
		return nil
	}
	e.say("%s: %s%s%s, %s; %s, objective %.6g, %.2f s",
		s.Model, s.byChoice, phrase.Count(s.Rows, "row"), classes, phrase.Count(s.Features, "feature"), phrase.Count(s.Vectors, "vector"), float64(s.Objective), float64(s.Seconds))
	s.Minimal.print(e)
	e.printStages(s.Stages)
	return nil
}
