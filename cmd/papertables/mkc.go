package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// fung is the paper of the tables mkc/...
const fung = "G. Fung, O. Mangasarian and A. Smola, Minimal kernel classifiers, JMLR 3, 2002"

var mkcTables = []table{mkcUCITable(paper), mkcUCITable(honest), mkcUSPSTable(), mkcBoardTable()}

// A setting is the parameters of a minimal kernel classifier.
type setting struct {
	gamma, nu, mu, alpha float64
	columns              int
}

// settingsOf returns all settings of a grid.
func settingsOf(gammas, nus []float64, pounds [][2]float64, columns int) (all []setting) {
	for _, gamma := range gammas {
		for _, nu := range nus {
			for _, pound := range pounds {
				all = append(all, setting{gamma, nu, pound[0], pound[1], columns})
			}
		}
	}
	return all
}

// pounds are mu and alpha of the grids: a step that is steep beside coefficients near
// 1, and high ones that are also felt by large ones.
var pounds = [][2]float64{{10, 5}, {1000, 0.5}, {1000, 0.05}}

// minimal are the figures of a classifier.
type minimal struct {
	model  *models.Model
	m1, m2 float64 // summed over the machines
}

// minimise trains a minimal kernel classifier.
func (b *bench) minimise(ctx context.Context, d *format.Dataset, s setting, seed int) (*minimal, error) {
	solver := mkc.Default()
	solver.Nu, solver.Mu, solver.Alpha, solver.Columns, solver.Seed = s.nu, s.mu, s.alpha, s.columns, uint64(seed)
	r := new(minimal)
	solver.Report = func(e train.Event) {
		if m, is := e.(train.Minimised); is {
			r.m1 += float64(m.Rows)
			r.m2 += float64(m.Vectors)
		}
	}
	var err error
	r.model, err = mkc.Trainer{Solver: solver, Kernel: kernel.RBF{Gamma: s.gamma}, Threads: b.threads}.Train(ctx, d, nil)
	return r, err
}

// A trial is a setting with its results on rows held out.
type trial struct {
	setting
	err    float64 // per cent
	m1, m2 float64
}

// best returns the setting with the least error on held-out rows among those whose
// size is at most most; of none, the smallest.
func best(trials []trial, most float64, size func(trial) float64) trial {
	found := trials[0]
	for _, t := range trials[1:] {
		in, was := size(t) <= most, size(found) <= most
		switch {
		case in != was:
			if in {
				found = t
			}
		case in && (t.err < found.err || t.err == found.err && size(t) < size(found)), !in && size(t) < size(found):
			found = t
		}
	}
	return found
}

func bySupport(t trial) float64 { return t.m2 }

// tuningRows bounds the rows that parameters are chosen on.
const tuningRows = 1000

// hopeless is the number of vectors, in budgets, from which on a setting is not tried
// in the other folds, nor with a larger nu: there are more vectors then.
const hopeless = 2

// A search says how a setting is looked for.
type search struct {
	rows, folds int // of a sample that settings are tried on
	budget      float64
	seed        int
}

// try returns the mean results of settings in folds of a sample of the rows. There nu is
// larger, so that nu times the number of rows is what it will be for all rows. Settings
// that differ only by a larger nu from one with too many vectors are left out.
func (b *bench) try(ctx context.Context, d *format.Dataset, all []setting, in search) (trials []trial, err error) {
	if b.quick {
		all = all[:min(2, len(all))]
	}
	rows := rand.New(rand.NewPCG(uint64(in.seed), 1)).Perm(d.Len())
	part := (&data{Dataset: d}).pick(rows[:min(len(rows), in.rows)])
	large := map[setting]bool{}
	for _, s := range all {
		but := s
		but.nu = 0
		if large[but] {
			continue
		}
		t, err := b.tryFolds(ctx, part, s, d.Len(), in)
		if err != nil {
			return nil, err
		}
		trials = append(trials, t)
		large[but] = t.m2 > hopeless*in.budget
	}
	return trials, nil
}

// tryFolds returns the mean results of a setting, whose nu is meant for so many rows; of
// one that is hopeless those of the first fold.
func (b *bench) tryFolds(ctx context.Context, d *format.Dataset, s setting, rows int, in search) (trial, error) {
	t := trial{setting: s}
	for fold := range in.folds {
		rest, held := foldOf(d, in.folds, fold)
		trained := s
		trained.nu *= float64(rows) / float64(rest.Len())
		r, err := b.minimise(ctx, rest, trained, in.seed)
		if err != nil {
			return t, err
		}
		e, err := b.errorRate(ctx, r.model, held)
		if err != nil {
			return t, err
		}
		if r.m2 > hopeless*in.budget {
			return trial{s, e, r.m1, r.m2}, nil
		}
		t.err += e * float64(held.Len()) / float64(d.Len())
		t.m1 += r.m1 / float64(in.folds)
		t.m2 += r.m2 / float64(in.folds)
	}
	return t, nil
}

// foldOf returns the rows outside of a fold, and those in it; classes are spread
// evenly over the folds.
func foldOf(d *format.Dataset, folds, fold int) (rest, held *format.Dataset) {
	seen := map[float64]int{}
	next := 0
	var in, out []int
	for i, y := range d.Y {
		if _, ok := seen[y]; !ok {
			seen[y] = next // classes begin at different folds
			next++
		}
		if seen[y]%folds == fold {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
		seen[y]++
	}
	of := &data{Dataset: d}
	return of.pick(out), of.pick(in)
}

// less returns by how many per cent of before after is less.
func less(before, after float64) float64 {
	if before == 0 {
		return math.NaN()
	}
	return 100 * (1 - after/before)
}

func (s setting) String() string {
	return fmt.Sprintf("gamma %.4g, nu %g, mu %g, alpha %g", s.gamma, s.nu, s.mu, s.alpha)
}
