package train

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

var errUseless = errors.New("useless")

// useless is a solver that Validate refuses.
type useless struct{ signs }

func (useless) Validate() error { return errUseless }

// solving is a solver with the same coefficients for all problems, or no solution.
type solving struct{ coef []float64 }

func (s solving) Solve(context.Context, *Problem) (*Solution, error) {
	if s.coef == nil {
		return nil, nil
	}
	return &Solution{Coef: s.coef}, nil
}

// modelless is a trainer that returns no model.
type modelless struct{}

func (modelless) Train(context.Context, *format.Dataset, *Rand) (*models.Model, error) {
	return nil, nil
}

// TestMistakes: mistakes of a caller yield an error, or at least a panic that says what is wrong,
// on the caller's own goroutine.
func TestMistakes(t *testing.T) {
	d, k := rowsOf(12, false), kernel.Linear{}
	for i := range d.Y {
		d.Y[i] = float64(i % 3)
	}
	by := func(train Trainer, d *format.Dataset, rng *Rand) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := train.Train(ctx, d, rng)
			return err
		}
	}
	folds := PlainFolds(12, 3, NewRand(1))
	validate := func(train Trainer) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := CrossValidate(ctx, train, d, folds, nil, nil)
			return err
		}
	}
	const noRand = "no random stream to draw from: NewRand makes one"
	regression := memory{models.EpsilonSVR, new([]*format.Dataset), nil}
	for name, c := range map[string]struct {
		run  func(ctx context.Context) error
		want string
	}{
		"one-vs-one without solver":                 {by(OneVsOne{Kernel: k, Threads: 3}, d, nil), "no solver"},
		"one-vs-rest without solver":                {by(OneVsRest{Kernel: k, Threads: 3}, d, nil), "no solver"},
		"one-vs-one, useless solver":                {by(OneVsOne{Solver: useless{}, Kernel: k}, d, nil), "useless"},
		"one-vs-rest, useless solver":               {by(OneVsRest{Solver: useless{}, Kernel: k}, d, nil), "useless"},
		"one-vs-one, solver without solutions":      {by(OneVsOne{Solver: solving{nil}, Kernel: k, Threads: 1}, d, nil), "train: train.solving.Solve returned no error and not a coefficient for each of 8 rows"},
		"one-vs-one, solver with few coefficients":  {by(OneVsOne{Solver: solving{make([]float64, 3)}, Kernel: k, Threads: 1}, d, nil), "train: train.solving.Solve returned no error and not a coefficient for each of 8 rows"},
		"one-vs-rest, solver with few coefficients": {by(OneVsRest{Solver: solving{make([]float64, 3)}, Kernel: k, Threads: 1}, d, nil), "train: train.solving.Solve returned no error and not a coefficient for each of 12 rows"},
		"calibration of no model":                   {by(Calibrated{Trainer: modelless{}}, d, NewRand(1)), "invalid model: no model"},
		"one-vs-one without stream":                 {by(OneVsOne{Solver: signs{}, Kernel: k, Probability: true, Threads: 3}, d, nil), noRand},
		"one-vs-rest without stream":                {by(OneVsRest{Solver: signs{}, Kernel: k, Probability: true, Threads: 3}, d, nil), noRand},
		"one-vs-one without data":                   {by(OneVsOne{Solver: signs{}, Kernel: k}, nil, nil), "no data set"},
		"one-vs-rest without data":                  {by(OneVsRest{Solver: signs{}, Kernel: k}, nil, nil), "no data set"},
		"calibration of nothing":                    {by(Calibrated{}, d, NewRand(1)), "no trainer"},
		"calibration without stream":                {by(Calibrated{Trainer: regression, Task: models.EpsilonSVR}, d, nil), noRand},
		"calibration without data":                  {by(Calibrated{Trainer: regression, Task: models.EpsilonSVR}, nil, NewRand(1)), "no data set"},
		"calibration of a regression as of classes": {by(Calibrated{Trainer: regression}, d, NewRand(1)),
			"probabilities of task c_svc were asked for, but the trainer's models are of task epsilon_svr"},
		"calibration of classes as of a regression": {by(Calibrated{Trainer: OneVsOne{Solver: signs{}, Kernel: k}, Task: models.NuSVR}, d, NewRand(1)),
			"probabilities of task nu_svr were asked for, but the trainer's models are of task c_svc"},
		"calibration of what is inside": {by(Calibrated{Trainer: regression, Task: models.OneClass}, d, NewRand(1)), "probabilities are for classifiers and regressions"},
		"calibration that cannot train": {by(Calibrated{Trainer: memory{models.EpsilonSVR, new([]*format.Dataset), errUseless}, Task: models.EpsilonSVR}, d, NewRand(1)), "useless"},
		"one-vs-one of labels like numbers": {by(OneVsOne{Solver: signs{}, Kernel: k}, rowsOf(3001, false), nil),
			"3001 classes in 3001 rows would need 4501500 machines; the labels look like numbers, which a regression predicts, or like names of the rows"},
		"one-vs-one of very many classes": {by(OneVsOne{Solver: signs{}, Kernel: k}, twice(10001), nil),
			"10001 classes in 20002 rows would need 50005000 machines; the labels look like numbers, which a regression predicts, or like names of the rows"},
		"one-vs-rest of very many classes": {by(OneVsRest{Solver: signs{}, Kernel: k}, twice(10001), nil),
			"10001 classes in 20002 rows would need 10001 machines; the labels look like numbers, which a regression predicts, or like names of the rows"},
		"calibration of no task":    {by(Calibrated{Trainer: regression, Task: 9}, d, NewRand(1)), "probabilities of task Task(9) were asked for, but the trainer's models are of task epsilon_svr"},
		"one-vs-one of numbers":     {by(OneVsOne{Solver: signs{}, Kernel: k, Task: models.EpsilonSVR}, d, nil), "task epsilon_svr, expected c_svc or nu_svc: models are of classifiers"},
		"one-vs-rest of numbers":    {by(OneVsRest{Solver: signs{}, Kernel: k, Task: models.OneClass}, d, nil), "task one_class, expected c_svc or nu_svc: models are of classifiers"},
		"validation of nothing":     {validate(nil), "no trainer"},
		"validation without stream": {validate(OneVsOne{Solver: signs{}, Kernel: k, Probability: true, Threads: 3}), "fold 1 of 3: " + noRand},
		"validation without any":    {validate(OneVsOne{Solver: signs{}, Kernel: k, Threads: 3}), ""},
		"noise of nothing":          {noiseOf(nil, d), "no trainer"},
		"noise without stream": {func(ctx context.Context) error {
			_, err := EstimateNoise(ctx, regression, d, nil, nil)
			return err
		}, noRand},
		"noise of data of which a part is missing": {noiseOf(regression, &format.Dataset{X: d.X, Y: d.Y[:3]}), "12 rows but 3 labels"},
		"one-vs-one of a label that is no class":   {by(OneVsOne{Solver: signs{}, Kernel: k}, &format.Dataset{X: d.X.Slice(0, 2), Y: []float64{1, 1e10}}, nil), "row 2: label 1e+10 is no 32-bit integer"},
		"noise of no rows":                         {noiseOf(regression, new(format.Dataset)), "the data set has no rows"},
		"labels for decision values":               {func(context.Context) error { FitSigmoid([]float64{1, 2}, []float64{1}, nil); return nil }, "train: 2 decision values but 1 labels"},
		"weights for decision values": {func(context.Context) error {
			FitWeightedSigmoid([]float64{1, 2}, []float64{1, -1}, []float64{3}, nil)
			return nil
		}, "train: 2 decision values but 1 weights"},
		"no folds":                     {func(context.Context) error { PlainFolds(60, 0, NewRand(1)); return nil }, "train: 0 folds"},
		"less than no folds":           {func(context.Context) error { StratifiedFolds(new(Classes), -1, NewRand(1)); return nil }, "train: -1 folds"},
		"folds without random numbers": {func(context.Context) error { PlainFolds(60, 2, nil); return nil }, "train: folds without a random stream"},
	} {
		got := ""
		if err := caught(func() error { return c.run(t.Context()) }); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func noiseOf(train Trainer, d *format.Dataset) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		_, err := EstimateNoise(ctx, train, d, NewRand(1), nil)
		return err
	}
}

// caught returns the error of f, or the value that it panics with.
func caught(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	return f()
}

// TestZeroRand: a Rand without a seed is the one of seed 1.
func TestZeroRand(t *testing.T) {
	var zero, skipped Rand
	want := NewRand(1)
	skipped.Skip(2)
	for i := range 40 {
		w := want.Int()
		if got := zero.Int(); got != w {
			t.Fatalf("draw %d: %d, want %d", i, got, w)
		}
		if i >= 2 {
			if got := skipped.Int(); got != w {
				t.Fatalf("draw %d after two are skipped: %d, want %d", i, got, w)
			}
		}
	}
}
