package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// The columns of the table of exported models.
const (
	exportedFrom    = "vectors"
	exportedTo      = "vectors, exported"
	exportedRows    = "test rows"
	exportedSlow    = "prediction before, µs a row"
	exportedFast    = "reduced, µs a row"
	exportedApart   = "greatest difference of decision values, 1e-12"
	decisionsWithin = 1e-9 // and not more, relative to values above 1
)

// exportTable has the largest models of the other tables in LIBSVM's format.
func exportTable() table {
	t := table{
		name: "reduced/export", title: "Reduced sets: models of the tables exported for LIBSVM", protocol: honest,
		about: `The largest *shared* models of the first split of the tables above (USPS: the first seed, 50 vectors from 40 starts),
as ` + "`slimsvm export --plain`" + ` writes them: a copy of the vectors for each class but the last. A run fails unless LIBSVM's
` + "`svm-predict`" + ` gives with the exported file the label that slimsvm gives with its own, for every test row, and unless the
decision values of both files agree to 1e-9 (of one-vs-rest models their differences), relative to values above 1. Prediction is slimsvm's, compute only, CPU time of
one thread, before and after reduction.`,
		corner: "data, machines", columns: []string{exportedFrom, exportedTo, exportedRows, exportedApart, exportedSlow, exportedFast},
		digits: map[string]int{exportedFrom: 0, exportedTo: 0, exportedRows: 0, exportedApart: 3},
		splits: 1, version: 2,
	}
	add := func(row string, s *set, vectors int, search func(*reducedset.Reducer), model func(context.Context, *bench, int) (*base, error)) {
		t.rows = append(t.rows, row)
		t.jobs = append(t.jobs, job{
			name: row, rows: []string{row}, sets: []*set{s}, programs: []string{"svm-predict"},
			run: func(ctx context.Context, b *bench, split int) (figures, error) {
				of, err := model(ctx, b, split)
				if err != nil {
					return nil, err
				}
				r := b.reducer(reducedset.Shared, b.few([]int{vectors})[0], split)
				search(r)
				small, err := r.Reduce(ctx, of.model, of.train)
				if err != nil {
					return nil, err
				}
				f, err := b.exported(ctx, row, small, of.test)
				if err != nil {
					return nil, err
				}
				for _, c := range []struct {
					column string
					m      *models.Model
				}{{exportedSlow, of.model}, {exportedFast, small}} {
					_, seconds, err := b.timed(ctx, c.m, of.test)
					if err != nil {
						return nil, err
					}
					f.add(row, c.column, 1e6*seconds/float64(of.test.Len()))
				}
				return f, nil
			},
		})
	}
	for _, v := range []models.Vote{models.OneVsRest, models.OneVsOne} {
		for i := range uciSets {
			s := &uciSets[i]
			add(s.name+", "+voteName(v), s.set, s.most(v), func(*reducedset.Reducer) {},
				func(ctx context.Context, b *bench, split int) (*base, error) { return b.uci(ctx, s, v, split) })
		}
	}
	add(usps.name+", "+voteName(models.OneVsRest), usps, 50, fromForty,
		func(ctx context.Context, b *bench, seed int) (*base, error) { return b.usps(ctx, seed) })
	return t
}

// most returns the most vectors of the set's models in the paper's table.
func (s *uci) most(v models.Vote) int {
	of := s.rest
	if v == models.OneVsOne {
		of = s.pairs
	}
	most := 0
	for size := range of {
		n, _ := strconv.Atoi(size)
		most = max(most, n)
	}
	return most
}

// exported writes a model in both formats and compares what they say.
func (b *bench) exported(ctx context.Context, row string, small *models.Model, test *format.Dataset) (f figures, err error) {
	p := program{ctx, filepath.Join(b.dir, row)}
	if err := writeRows(ctx, filepath.Join(p.dir, "test"), test); err != nil {
		return nil, err
	}
	plain, err := models.Lower(small)
	if err != nil {
		return nil, err
	}
	for name, m := range map[string]*models.Model{"small": small, "plain": plain} {
		if err := p.write(name, m); err != nil {
			return nil, err
		}
	}
	if small, err = p.model("small"); err != nil {
		return nil, err
	}
	if plain, err = p.model("plain"); err != nil {
		return nil, err
	}
	if _, err := p.run("svm-predict test plain out"); err != nil {
		return nil, err
	}
	if err := p.same("out", small, test); err != nil {
		return nil, err
	}
	apart, err := farthest(small, plain, test)
	if err != nil {
		return nil, err
	}
	if !(apart <= decisionsWithin) {
		return nil, fmt.Errorf("%s: decision values differ by %v", row, apart)
	}
	f.add(row, exportedFrom, float64(small.Vectors.Len()))
	f.add(row, exportedTo, float64(plain.Vectors.Len()))
	f.add(row, exportedRows, float64(test.Len()))
	f.add(row, exportedApart, 1e12*apart)
	return f, nil
}

// farthest returns the greatest difference of a model's values for pairs of classes
// and those of what it was lowered to, relative to values above 1.
func farthest(small, plain *models.Model, d *format.Dataset) (float64, error) {
	of, err := predict.New(small)
	if err != nil {
		return 0, err
	}
	to, err := predict.New(plain)
	if err != nil {
		return 0, err
	}
	apart := 0.0
	was, is := make([]float64, len(small.Machines)), make([]float64, len(plain.Machines))
	for i := range d.Len() {
		of.Decisions(was, d.X.Row(i))
		to.Decisions(is, d.X.Row(i))
		want := was
		if small.Vote == models.OneVsRest {
			slices.Reverse(was) // as the classes are
			want = differences(was)
		}
		if len(want) != len(is) {
			return 0, fmt.Errorf("%d values in place of %d", len(is), len(want))
		}
		size := max(1, slices.Max(was), -slices.Min(was))
		for k := range is {
			apart = max(apart, math.Abs(is[k]-want[k])/size)
		}
	}
	return apart, nil
}

// differences returns the differences of values, pair by pair.
func differences(values []float64) (d []float64) {
	for i, v := range values {
		for _, w := range values[i+1:] {
			d = append(d, v-w)
		}
	}
	return d
}
