package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

func cvCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "cv",
		Usage:     "cross-validate a training method",
		ArgsUsage: "DATA",
		Description: "Prints the mean over all folds and the standard deviation between them. What is\n" +
			"learned of columns (means, ranges) is learned on the training part of each fold.",
		Flags: append(trainFlags(),
			&cli.IntFlag{Name: "folds", Value: 5, Usage: "number of folds"},
			&cli.IntFlag{Name: "repeat", Value: 1, Usage: "number of cross-validations, each with folds of its own"},
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "a data file")
			if err != nil {
				return err
			}
			if c.Int("folds") < 2 || c.Int("repeat") < 1 {
				return usagef("--folds must be 2 at least, and --repeat 1")
			}
			return e.crossValidate(c, args[0])
		},
	}
}

func (e *env) crossValidate(c *cli.Context, data string) error {
	p, err := e.load(c, data)
	if err != nil {
		return err
	}
	watch := &watcher{env: e, quiet: c.Bool("quiet")}
	whole, err := p.prepare(c.Context, c, p.rows, watch.report)
	if err != nil {
		return err
	}
	rng := train.NewRand(uint32(c.Uint("seed")))
	var folds []float64 // accuracy or mean squared error of each
	var total predict.Scores
	for range c.Int("repeat") {
		parts, err := train.CrossValidationFolds(p.method.Task, whole.data.Y, c.Int("folds"), rng, watch.report)
		if err != nil {
			return p.place(err)
		}
		rows := p.labelled(whole)
		for f := range len(parts.Start) - 1 {
			held := parts.Perm[parts.Start[f]:parts.Start[f+1]]
			rest := append(append([]int(nil), parts.Perm[:parts.Start[f]]...), parts.Perm[parts.Start[f+1]:]...)
			s, err := p.fold(c, rows, rest, held, rng, watch.report, &total)
			if err != nil {
				return err
			}
			folds = append(folds, p.measure(s))
		}
	}
	mean, deviation := spread(folds)
	result := map[string]any{
		"folds": c.Int("folds"), "repeat": c.Int("repeat"), "rows": whole.data.Len(),
		"mean": mean, "deviation": deviation, "seed": c.Uint("seed"),
	}
	if c.Bool("json") {
		return json.NewEncoder(e.stdout).Encode(result)
	}
	if p.method.Task.Regresses() {
		_, err = fmt.Fprintf(e.stdout, "mean squared error %.6g, standard deviation %.6g over %d folds; squared correlation %.6g\n",
			mean, deviation, len(folds), total.SquaredCorrelation())
	} else {
		_, err = fmt.Fprintf(e.stdout, "accuracy %.6g%%, standard deviation %.6g over %d folds\n", 100*mean, 100*deviation, len(folds))
	}
	return err
}

// labelled returns the numbers of the raw rows that are in the encoded data.
func (p *problem) labelled(whole *prepared) []int {
	var rows []int
	for i := range p.rows.Len() {
		if whole.encoding == nil || !math.IsNaN(p.rows.X.Row(i).At(int32(whole.encoding.Class))) {
			rows = append(rows, i)
		}
	}
	return rows
}

// fold trains on some rows and scores others. Rows are numbered among those with
// a label.
func (p *problem) fold(c *cli.Context, rows, rest, held []int, rng *train.Rand, report train.Report, total *predict.Scores) (*predict.Scores, error) {
	part, err := p.prepare(c.Context, c, p.selectRows(rows, rest), report)
	if err != nil {
		return nil, err
	}
	m, err := part.trainer.Train(c.Context, part.data, rng)
	if err != nil {
		return nil, p.place(err)
	}
	predictor, err := predict.New(m)
	if err != nil {
		return nil, err
	}
	test := p.selectRows(rows, held)
	if part.encoding != nil {
		if test, err = part.encoding.Encode(c.Context, test); err != nil {
			return nil, err
		}
	}
	s := new(predict.Scores)
	dst := make([]float64, predictor.Outcomes())
	for i, y := range test.Y {
		var answer float64
		if m.Probability && m.Task.Classifies() {
			answer, _ = predictor.Probabilities(dst, test.X.Row(i))
		} else {
			answer = predictor.Predict(test.X.Row(i))
		}
		s.Add(answer, y)
		total.Add(answer, y)
	}
	return s, nil
}

func (p *problem) selectRows(rows, places []int) *format.Dataset {
	chosen := make([]int, len(places))
	for k, i := range places {
		chosen[k] = rows[i]
	}
	d := &format.Dataset{Header: p.rows.Header, X: p.rows.X.Select(chosen), Weight: p.rows.Weights(chosen)}
	for _, i := range chosen {
		d.Y = append(d.Y, p.rows.Y[i])
	}
	return d
}

func (p *problem) measure(s *predict.Scores) float64 {
	if p.method.Task.Regresses() {
		return s.MeanSquaredError()
	}
	return s.Accuracy()
}

// spread returns mean and standard deviation (n-1).
func spread(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		deviation += (v - mean) * (v - mean)
	}
	if len(x) > 1 {
		deviation = math.Sqrt(deviation / float64(len(x)-1))
	}
	return mean, deviation
}
