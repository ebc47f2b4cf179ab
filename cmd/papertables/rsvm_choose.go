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

// A smoothGrid is what parameters are chosen from.
type smoothGrid struct {
	parts  []int     // k of algorithm 3.1, for SSRSVM
	costs  []float64 // nu
	smo    []float64 // C of C-SVC
	gammas []float64 // times the number of features
}

var (
	coarseGrid = smoothGrid{[]int{5}, []float64{1, 10, 100, 1000, 10000}, gridC, []float64{0.03, 0.1, 0.3, 1, 3}}
	// fineGrid is that of the paper's protocol, for the small sets that the paper has.
	fineGrid = smoothGrid{
		[]int{5, 2, 1}, []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10000}, []float64{1, 3, 10, 30, 100},
		[]float64{0.03, 0.06, 0.1, 0.2, 0.3, 0.6, 1, 2, 3},
	}
)

// of returns the part of the grid that a method has.
func (g smoothGrid) of(method string, quick bool) smoothGrid {
	if method == bySMO {
		g.costs = g.smo
	}
	if method != bySystematic {
		g.parts = g.parts[:1]
	}
	if quick {
		g.parts, g.costs, g.gammas = g.parts[:1], g.costs[2:3], g.gammas[2:3]
	}
	return g
}

// smoothParameters are what is chosen.
type smoothParameters struct {
	parts       int
	cost, gamma float64
}

// parametersOf returns parameters that were chosen.
func parametersOf(f figures) smoothParameters {
	return smoothParameters{int(f.at("k", "")), f.at("nu", ""), f.at("gamma", "")}
}

// smoothChoose returns the parameters for fold k of a run, whose training part is given.
func (b *bench) smoothChoose(ctx context.Context, s *smoothSet, d *data, of *format.Dataset, p protocol, method string, run, k int) (figures, error) {
	switch key := s.name + ", " + method; {
	case p == honest:
		return keep(b, fmt.Sprintf("%s, run %d, fold %d", key, run, k), func() (figures, error) { return b.chooseInside(ctx, s, of, method) })
	case s.small:
		return b.chosen(fmt.Sprintf("parameters: rsvm, %s, run %d", key, run), smoothVersion, func() (figures, error) {
			grid := coarseGrid
			if s.paper != nil {
				grid = fineGrid
			}
			return b.chooseTenfold(ctx, s, d, grid, method, run, 10)
		})
	default:
		return b.chosen("parameters: rsvm, "+key, smoothVersion, func() (figures, error) {
			return b.chooseTenfold(ctx, s, d, coarseGrid, method, 1, 1)
		})
	}
}

// best returns what of a grid has the largest share of right answers; of equals the
// first. right also returns the largest gradient that it met.
func (g smoothGrid) best(features int, right func(p smoothParameters) (share, gradient float64, err error)) (f figures, err error) {
	most, steepest := -1.0, 0.0
	for _, k := range g.parts {
		for _, c := range g.costs {
			for _, gamma := range g.gammas {
				gamma /= float64(features)
				n, gradient, err := right(smoothParameters{k, c, gamma})
				if err != nil {
					return nil, err
				}
				steepest = max(steepest, gradient)
				if n > most {
					most, f = n, nil
					f.add("k", "", float64(k))
					f.add("nu", "", c)
					f.add("gamma", "", gamma)
					f.add("right, %", "", 100*n)
				}
			}
		}
	}
	f.add("gradient", "", steepest)
	return f, nil
}

// chooseTenfold returns what does best on the first n of the ten folds of a run, and how
// much is right if each fold has what is best for it.
func (b *bench) chooseTenfold(ctx context.Context, s *smoothSet, d *data, g smoothGrid, method string, run, n int) (figures, error) {
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
	f, err := g.of(method, b.quick).best(features(d.Dataset), func(p smoothParameters) (float64, float64, error) {
		r := &smoothRun{bench: b, s: s, method: method, seed: run}
		for k, part := range all {
			before := r.right
			if err := r.add(ctx, part.of, part.test, p); err != nil {
				return 0, 0, err
			}
			most[k] = max(most[k], r.right-before)
		}
		rows = r.rows
		return r.right / rows, r.solved.gradient, nil
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
	return coarseGrid.of(method, b.quick).best(features(of), func(p smoothParameters) (float64, float64, error) {
		var met solved
		predicted, err := train.CrossValidate(ctx, b.smoothTrainer(s, method, p, 1, met.note), some, folds, train.NewRand(1), met.note)
		if err == nil {
			err = met.check()
		}
		right := 0.0
		for i, y := range predicted {
			if y == some.Y[i] {
				right++
			}
		}
		return right / float64(some.Len()), met.gradient, err
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
