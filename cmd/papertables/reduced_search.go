package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

var searchSizes = []int{10, 20, 40}

// The rows of the table beside errors.
const (
	searchEvaluations = "evaluations of a vector"
	searchSeconds     = "CPU seconds, 40 vectors"
)

// evolution is the column of differential evolution; the others are numbers of starts.
const evolution = "DE"

// searchTable is the paper's table of section 5.3.
func searchTable() table {
	columns := []string{"1", "10", "20", "40", evolution}
	t := table{
		name: "reduced/search", title: "Reduced sets: the search for a vector", source: tangMazzoni + ", section 5.3", protocol: honest,
		about: `Test error in per cent on SAT, one-vs-rest, *shared*: descent from 1 to 40 starts for each vector, against
differential evolution of 100 generations and descent from its two best members (DE). Splits, C and gamma
are those of the table of five UCI problems. The first generation has all vectors found so far, the oldest first, and then support vectors
and rows by chance, where the paper draws from all three. An evaluation is the function or its gradient at one point; CPU seconds are
of the whole reduction to 40 vectors, training of coefficients included.`,
		corner: "vectors", rows: append(texts(searchSizes), searchEvaluations, searchSeconds), columns: columns,
		digits: map[string]int{searchEvaluations: 0, searchSeconds: 2},
		paper: published(columns, map[string][]float64{
			"10": {25.5, 19.0, 22.8, 17.5, 18.3}, "20": {16.2, 14.0, 13.7, 13.0, 13.5}, "40": {14.2, 12.4, 12.7, 12.5, 12.4},
		}),
		compare: [][2]string{{evolution, "1"}, {evolution, "10"}, {evolution, "40"}},
		splits:  20, version: 3,
	}
	for _, column := range columns {
		t.jobs = append(t.jobs, job{
			name: column, rows: t.rows, sets: []*set{sat.set},
			run: func(ctx context.Context, b *bench, split int) (figures, error) { return b.searched(ctx, column, split) },
		})
	}
	return t
}

// searched fills a column.
func (b *bench) searched(ctx context.Context, column string, split int) (f figures, err error) {
	of, err := b.uci(ctx, sat, models.OneVsRest, split)
	if err != nil {
		return nil, err
	}
	sizes := b.few(searchSizes)
	r := b.reducer(reducedset.Shared, sizes[len(sizes)-1], split)
	if column != evolution {
		r.Search.Method = reducedset.Restarts
		if r.Search.Starts, err = strconv.Atoi(column); err != nil {
			return nil, fmt.Errorf("column %q is no number of starts", column)
		}
	}
	vectors, evaluations := 0, 0
	r.Found = func(_, n int) { vectors, evaluations = vectors+1, evaluations+n }
	before := cpuSeconds()
	p, err := way(ctx, r, of)
	if err != nil {
		return nil, err
	}
	seconds := cpuSeconds() - before
	for _, n := range sizes {
		e, err := b.errorRate(ctx, p.at(n), of.test)
		if err != nil {
			return nil, err
		}
		f.add(strconv.Itoa(n), column, e)
	}
	f.add(searchEvaluations, column, float64(evaluations)/float64(max(vectors, 1)))
	f.add(searchSeconds, column, seconds)
	return f, nil
}
