package main

import (
	"context"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// TestProgressOfParts: while models without held-out rows are trained and reduced, the bar tells the iterations of their
// training and how many vectors have been found, each part once.
func TestProgressOfParts(t *testing.T) {
	rows := &format.Dataset{Y: make([]float64, 4)}
	for range rows.Y {
		rows.X.Append(vec.Vector{})
	}
	var parts *partWays
	check := func(when, stage string, iterations int64) {
		t.Helper()
		_, n := parts.far()
		if got := parts.stage(); got != stage || n != iterations {
			t.Errorf("%s: %q, %d iterations, want %q, %d", when, got, n, stage, iterations)
		}
	}
	check("no parts", "optimising", 0)
	parts = &partWays{rows: rows, watcher: func() *watcher { return new(watcher) }}
	check("at first", "optimising", 0)
	made := int64(0)
	parts.reduce = func(_ context.Context, part *format.Dataset, w *partWay) ([]*models.Model, error) {
		check("at the start of a part", "optimising, without held-out rows 0 vectors;", 7*made)
		w.watcher.report(train.Progress{Iterations: 5})
		check("in its training", "optimising, without held-out rows 0 vectors;", 7*made+5)
		w.watcher.report(train.Solved{Iterations: 7})
		w.vectors.Store(3)
		made++
		check("in its reduction", "optimising, without held-out rows 3 vectors;", 7*made)
		return nil, nil
	}
	for _, numbers := range [][]int{{0, 1}, {0, 1}, {2}} {
		if _, err := parts.without(t.Context(), numbers); err != nil {
			t.Fatal(err)
		}
		check("after a part", "optimising", 7*made)
	}
	if made != 2 {
		t.Errorf("%d parts were made", made)
	}
}
