package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// The grid of nu, and of gamma times the number of features.
var (
	smoothCosts  = []float64{1, 10, 100, 1000, 10000}
	smoothGammas = []float64{0.03, 0.1, 0.3, 1, 3}
)

// smoothChoose returns the parameters for fold k of a run, whose training part is given.
func (b *bench) smoothChoose(ctx context.Context, s *smoothSet, d *data, of *format.Dataset, p protocol, method string, run, k int) (figures, error) {
	switch key := s.name + ", " + method; {
	case p == honest:
		return keep(b, fmt.Sprintf("%s, run %d, fold %d", key, run, k), func() (figures, error) { return b.chooseInside(ctx, s, of, method) })
	case s.small:
		return b.chosen(fmt.Sprintf("nu and gamma: rsvm, %s, run %d", key, run), 3, func() (figures, error) {
			return b.chooseTenfold(ctx, s, d, method, run, 10)
		})
	default:
		return b.chosen("nu and gamma: rsvm, "+key, 3, func() (figures, error) {
			return b.chooseTenfold(ctx, s, d, method, 1, 3)
		})
	}
}

// best returns what of the grid has the largest number or share of right answers; of
// equals the first.
func (b *bench) best(method string, features int, right func(cost, gamma float64) (float64, error)) (f figures, err error) {
	costs, gammas := smoothCosts, smoothGammas
	if method == bySMO {
		costs = gridC
	}
	if b.quick {
		costs, gammas = costs[2:3], gammas[2:3]
	}
	most := -1.0
	for _, c := range costs {
		for _, g := range gammas {
			g /= float64(features)
			n, err := right(c, g)
			if err != nil {
				return nil, err
			}
			if n > most {
				most, f = n, nil
				f.add("nu", "", c)
				f.add("gamma", "", g)
				f.add("right, %", "", 100*n)
			}
		}
	}
	return f, nil
}

// chooseTenfold returns what does best on the first n of the ten folds of a run, and how
// much is right if each fold has what is best for it.
func (b *bench) chooseTenfold(ctx context.Context, s *smoothSet, d *data, method string, run, n int) (figures, error) {
	folds, err := tenFolds(d, run)
	if err != nil {
		return nil, err
	}
	type part struct{ of, test *format.Dataset }
	var all []part
	for k := range min(n, len(folds.Start)-1) {
		of, test := s.fold(d, folds, k)
		all = append(all, part{of, test})
	}
	most, rows := make([]float64, len(all)), 0.0
	f, err := b.best(method, features(d.Dataset), func(cost, gamma float64) (float64, error) {
		r := &smoothRun{bench: b, s: s, method: method, seed: run}
		for k, p := range all {
			before := r.right
			if err := r.add(ctx, p.of, p.test, cost, gamma); err != nil {
				return 0, err
			}
			most[k] = max(most[k], r.right-before)
		}
		rows = r.rows
		return r.right / rows, nil
	})
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, right := range most {
		sum += right
	}
	f.add("by fold, %", "", 100*sum/rows)
	return f, nil
}

// mostToChoose is the number of rows that parameters are chosen on.
const mostToChoose = 400

// chooseInside returns what does best in threefold cross-validation on some rows.
func (b *bench) chooseInside(ctx context.Context, s *smoothSet, of *format.Dataset, method string) (figures, error) {
	rows := rand.New(rand.NewPCG(1, 0)).Perm(of.Len())
	some := (&data{of, of.Len()}).pick(rows[:min(len(rows), mostToChoose)])
	folds, err := train.CrossValidationFolds(models.CSVC, some.Y, 3, train.NewRand(1), nil)
	if err != nil {
		return nil, err
	}
	return b.best(method, features(of), func(cost, gamma float64) (float64, error) {
		predicted, err := train.CrossValidate(ctx, b.smoothTrainer(s, method, cost, gamma, 1), some, folds, train.NewRand(1), nil)
		right := 0.0
		for i, y := range predicted {
			if y == some.Y[i] {
				right++
			}
		}
		return right / float64(some.Len()), err
	})
}

// original trains with LIBSVM's svm-train and returns the model and the CPU time.
func (b *bench) original(ctx context.Context, d *format.Dataset, cost, gamma float64) (*models.Model, float64, error) {
	in, out := filepath.Join(b.dir, "fold"), filepath.Join(b.dir, "fold.model")
	file, err := os.Create(in)
	if err != nil {
		return nil, 0, err
	}
	w := libsvmfmt.Codec.NewWriter(file)
	err = w.WriteHeader(new(format.Header))
	for i := 0; i < d.Len() && err == nil; i++ {
		err = w.Write(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1})
	}
	if err == nil {
		err = w.Flush()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, 0, err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	c := exec.CommandContext(ctx, "svm-train", "-q", "-c", number(cost), "-g", number(gamma), in, out)
	c.Stderr = b.stderr
	if err := c.Run(); err != nil {
		return nil, 0, err
	}
	model, err := os.Open(out)
	if err != nil {
		return nil, 0, err
	}
	defer model.Close()
	m, err := models.Read(model)
	return m, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), err
}
