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

var mkcTables = []table{mkcUCITable(), mkcUSPSTable(), mkcBoardTable()}

// A setting is the parameters of a minimal kernel classifier.
type setting struct {
	gamma, nu, mu, alpha float64
	columns              int
}

// settings returns all of a grid.
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
// 1, and a high one that is also felt by large ones.
var pounds = [][2]float64{{10, 5}, {1000, 0.5}}

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

// try returns the mean results of settings in folds of a sample of the rows. There nu is
// larger, so that nu times the number of rows is what it will be for all rows.
func (b *bench) try(ctx context.Context, d *format.Dataset, all []setting, folds, seed int) ([]trial, error) {
	if b.quick {
		all = all[:min(2, len(all))]
	}
	rows := rand.New(rand.NewPCG(uint64(seed), 1)).Perm(d.Len())
	part := (&data{Dataset: d}).pick(rows[:min(len(rows), tuningRows)])
	trials := make([]trial, len(all))
	for fold := range folds {
		rest, held := foldOf(part, folds, fold)
		for k, s := range all {
			trained := s
			trained.nu *= float64(d.Len()) / float64(rest.Len())
			r, err := b.minimise(ctx, rest, trained, seed)
			if err != nil {
				return nil, err
			}
			e, err := b.errorRate(ctx, r.model, held)
			if err != nil {
				return nil, err
			}
			t := &trials[k]
			t.setting = s
			t.err += e * float64(held.Len()) / float64(part.Len())
			t.m1 += r.m1 / float64(folds)
			t.m2 += r.m2 / float64(folds)
		}
	}
	return trials, nil
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
