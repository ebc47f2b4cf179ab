package main

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
)

func cvCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "cv",
		Usage:     "cross-validate a training method",
		ArgsUsage: "DATA",
		Description: "Cross-validates a method on DATA and prints the mean score over all folds and\n" +
			"the standard deviation between them:\n\n" +
			"  slimsvm cv --scale normalize --cost 10 iris.arff\n\n" +
			"The folds are those of svm-train -v, with the classes spread evenly over them.\n" +
			"Means and ranges of columns are learned on the training part of each fold only.\n" +
			"With --probability, predictions are the most probable labels.\n\n" +
			"With --group-column or --group-file, all rows of a group are in the same fold,\n" +
			"and folds get about their share of every class. If there are fewer groups than\n" +
			"--folds, each group is a fold. The inner folds that --probability uses to\n" +
			"estimate probabilities ignore groups.\n\n" +
			"Methods in parentheses are those that have the option. --method M --help lists\n" +
			"the options of method M only, with its defaults.",
		Flags: append(append(trainFlags(), foldGroupFlags()...),
			flags.Int{IntFlag: &cli.IntFlag{Name: "folds", Value: 5, Usage: "number of folds, 2 or more"}},
			flags.Int{IntFlag: &cli.IntFlag{Name: "repeat", Value: 1, Usage: "number of cross-validations to average, each with new folds"}},
			noiseFlag(), statsFlag(), rocFlag(), heldOutFlag(), heldFormatFlag(),
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "a data file")
			if err != nil {
				return err
			}
			if err := checkFolds(c); err != nil {
				return err
			}
			if err := checkNoise(c); err != nil {
				return err
			}
			if err := checkThreads(c); err != nil {
				return err
			}
			if err := e.checkHeldOut(c, args[0]); err != nil {
				return err
			}
			if err := e.checkROC(c, place{"--out", c.String("out")}, place{"DATA", args[0]}, place{"--extra", c.String("extra")}, weightPlace(c), groupPlace(c)); err != nil {
				return err
			}
			return e.crossValidate(c, args[0])
		},
	}
}

// fromTwo are the numbers that --folds may be.
var fromTwo = &catalog.Range{Expected: "2 or more", Has: func(v float64) bool { return v >= 2 }}

// checkFolds looks at the numbers of folds and of cross-validations.
func checkFolds(c *cli.Context) error {
	if err := inRange(c, "folds", fromTwo); err != nil {
		return err
	}
	return inRange(c, "repeat", catalog.FromOne)
}

func (e *env) crossValidate(c *cli.Context, data string) error {
	p, err := e.load(c, data)
	if err != nil {
		return err
	}
	if c.String("roc") != "" && p.method.Task.Regresses() {
		return errNoROC
	}
	if share := c.Float64("noise"); share > 0 {
		if err := takesNoise(p.method); err != nil {
			return err
		}
		column := -1
		if p.in.declared() {
			if column, err = encode.FindClass(p.in.header, p.encode.Class); err != nil {
				return p.in.at(err)
			}
		}
		p.rows = mislabelled(p.rows, column, share, c.Uint64("seed"))
	}
	w := &watcher{warner: warner{env: e, quiet: c.Bool("quiet")}}
	whole, err := p.prepare(c.Context, c, p.rows, 0, w)
	if err != nil {
		return err
	}
	w.warnUnscaled(p, whole, whole.kernel)
	w.warnExtraDuplicates(c, p, whole)
	v, err := newValidation(p, c, whole, w)
	if err != nil {
		return err
	}
	if c.Int("repeat") > 1 {
		v.cache = newFoldCache(v, whole, 1)
	}
	sums := newSums(p.method.Task, v.labels(whole.encoding), tally.Usual(p.method.Task), c.Bool("stats"))
	sums.Probabilities = c.Bool("probability") && p.method.Task.Classifies() // else answers are by values
	sums.Ranked = v.ranked
	ctx, stop := context.WithCancelCause(c.Context)
	defer stop(nil)
	sum, write, err := e.keepHeldOut(c, v, whole, func(t *part) {
		if sums.add(t); c.String("roc") != "" && sums.Unranked() {
			stop(needsRanks("--roc", p.method))
		}
	})
	if err != nil {
		return err
	}
	end := e.watch(c.Bool("quiet"), "training", progress.Trainings, v.total(), v.done.Load)
	err = v.run(ctx, threads(c), sum)
	end()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	failed := bothErrors(write(), e.writeROC(c, sums.Tally)) // the score is printed though the answers be lost
	w.pass(&sums.warner)
	result := v.result(&sums)
	result.settings = settingsOf(c, p.method, whole)
	if err := result.tell(e, c, p.method.Task.Regresses()); err != nil && failed == nil {
		return err
	}
	return failed
}

// tell prints what a cross-validation comes to as the options want it.
func (r *validated) tell(e *env, c *cli.Context, regression bool) error {
	if c.Bool("json") {
		return jsonline.Print(e.stdout, r)
	}
	if err := r.print(e, regression); err != nil || !c.Bool("stats") {
		return err
	}
	var more bytes.Buffer
	r.PrintMore(&more)
	_, err := e.stdout.Write(more.Bytes())
	return err
}

// A validated says how well a method does in cross-validation.
type validated struct {
	Method    string            `json:"method"`
	Rows      int               `json:"rows"`
	Folds     int               `json:"folds"`
	Repeat    int               `json:"repeat"`
	Groups    int               `json:"groups,omitempty"`
	Seed      uint64            `json:"seed"`
	Measure   string            `json:"measure"` // "accuracy" or "mean_squared_error"
	Values    []jsonline.Number `json:"values"`  // of each fold
	Mean      jsonline.Number   `json:"mean"`
	Deviation jsonline.Number   `json:"deviation"`
	// of all predictions together:
	tally.Score
	settings
}

// sums are what the folds come to, taken in their order.
type sums struct {
	*tally.Tally // of all answers

	task    models.Task
	stats   bool           // wanted
	measure *tally.Measure // of each fold
	values  []float64      // of each fold
	warner  warner         // keeps the warnings
}

// newSums returns sums of no folds, for a classifier of all rows that has the labels. stats says
// that more is told of all answers than the measure.
func newSums(task models.Task, labels []string, m *tally.Measure, stats bool) sums {
	return sums{Tally: tally.New(task, labels, stats || m.Counts), task: task, stats: stats || m.Counts, measure: m, warner: warner{kept: true}}
}

// add takes one fold, which has rows.
func (s *sums) add(t *part) {
	one := s.Empty(s.measure.Counts)
	places := make([]int, len(t.labels))
	for i, label := range t.labels {
		places[i] = s.Find(label)
	}
	ranked := make([]float64, s.Known())
	for k, y := range t.truth {
		if s.task.Regresses() {
			one.AddTarget(t.answers[k], y, t.weights[k], &t.mean)
			s.AddTarget(t.answers[k], y, t.weights[k], &t.mean)
			continue
		}
		var scores []float64
		if len(t.scores) > 0 {
			scores = spreadScores(ranked, places, t.scores[k*len(places):])
		}
		one.AddClass(t.answers[k], y, t.answerTexts[k], t.truthTexts[k], t.weights[k], scores)
		s.AddClass(t.answers[k], y, t.answerTexts[k], t.truthTexts[k], t.weights[k], scores)
	}
	s.values = append(s.values, s.measure.Value(one))
	s.warner.pass(&t.warner)
}

// spreadScores puts the scores of the labels that a fold's model knows at their places among
// all labels. Those that it does not know are its last choice.
func spreadScores(all []float64, places []int, scores []float64) []float64 {
	for i := range all {
		all[i] = math.Inf(-1)
	}
	for i, at := range places {
		all[at] = scores[i]
	}
	return all
}

// result says what all folds come to.
func (v *validation) result(s *sums) *validated {
	r := &validated{
		Method: v.method.Name, Rows: len(v.rows), Folds: v.folds, Repeat: v.c.Int("repeat"),
		Seed: v.c.Uint64("seed"), Measure: s.measure.Key, Score: s.Score(), Values: jsonline.Numbers(s.values),
	}
	r.Groups = partition.CountGroups(v.groups)
	if !s.stats {
		r.Confusion = nil
	}
	mean, deviation := spread(s.values)
	r.Mean, r.Deviation = jsonline.Number(mean), jsonline.Number(deviation)
	return r
}

func (r *validated) print(e *env, regression bool) error {
	folds := foldsText(r.Folds, r.Repeat)
	if r.Groups > 0 {
		folds += fmt.Sprintf(" of %d groups", r.Groups)
	}
	var err error
	if regression {
		_, err = fmt.Fprintf(e.stdout, "mean squared error %.6g, standard deviation %.6g over %s; squared correlation %.6g; seed %d\n",
			float64(r.Mean), float64(r.Deviation), folds, float64(*r.SquaredCorrelation), r.Seed)
	} else {
		_, err = fmt.Fprintf(e.stdout, "accuracy %.6g%%, standard deviation %.6g over %s; seed %d\n",
			100*float64(r.Mean), 100*float64(r.Deviation), folds, r.Seed)
	}
	return err
}

// foldsText says over how many folds there was a mean.
func foldsText(folds, repeat int) string {
	if repeat > 1 {
		return fmt.Sprintf("%d x %d folds", repeat, folds)
	}
	return fmt.Sprintf("%d folds", folds)
}

// spread returns mean and standard deviation (n-1).
func spread(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		deviation += float64((v - mean) * (v - mean))
	}
	if len(x) > 1 {
		deviation = math.Sqrt(deviation / float64(len(x)-1))
	}
	return mean, deviation
}
