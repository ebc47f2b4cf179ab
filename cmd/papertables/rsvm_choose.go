package main

import (
	"context"
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

// The grid of nu and of gamma times the number of features.
var (
	smoothCosts  = []float64{1, 10, 100, 1000, 10000}
	smoothGammas = []float64{0.03, 0.1, 0.3, 1, 3, 10}
)

// best returns the cost and gamma of the grid for which right, the number or share of
// right answers, is largest; of equals the first.
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

// chooseTenfold returns what does best on the ten folds of the first run, of a set of
// more than 1000 rows on the first three of them.
func (b *bench) chooseTenfold(ctx context.Context, s *smoothSet, d *data, method string) (figures, error) {
	folds, err := tenFolds(d, 1)
	if err != nil {
		return nil, err
	}
	n := len(folds.Start) - 1
	if !s.small {
		n = min(n, 3)
	}
	type part struct{ of, test *format.Dataset }
	var parts []part
	for k := range n {
		of, test := s.fold(d, folds, k)
		parts = append(parts, part{of, test})
	}
	return b.best(method, features(d.Dataset), func(cost, gamma float64) (float64, error) {
		r := &smoothRun{bench: b, s: s, p: paper, method: method, seed: 1}
		for _, p := range parts {
			if err := r.add(ctx, p.of, p.test, cost, gamma); err != nil {
				return 0, err
			}
		}
		return r.right / r.rows, nil
	})
}

// mostToChoose is the number of rows that parameters are chosen on.
const mostToChoose = 600

// chooseInside returns what does best in threefold cross-validation on some rows.
func (b *bench) chooseInside(ctx context.Context, s *smoothSet, of *format.Dataset, method string) (figures, error) {
	rows := rand.New(rand.NewPCG(1, 0)).Perm(of.Len())
	some := (&data{of, of.Len()}).pick(rows[:min(len(rows), mostToChoose)])
	folds, err := train.CrossValidationFolds(models.CSVC, some.Y, 3, train.NewRand(1), nil)
	if err != nil {
		return nil, err
	}
	return b.best(method, features(of), func(cost, gamma float64) (float64, error) {
		predicted, err := train.CrossValidate(ctx, b.smoothTrainer(s, honest, method, cost, gamma, 1), some, folds, train.NewRand(1), nil)
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
