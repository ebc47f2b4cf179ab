package main

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// Rows that are drawn since there are many are told of; not where --rows says how many.
func TestRowsDrawn(t *testing.T) {
	w := &watcher{warner: warner{kept: true}}
	w.report(train.RowsDrawn{Rows: 200, Of: 1000})
	if len(w.said) != 0 {
		t.Errorf("said %q", w.said)
	}
	w.report(train.RowsDrawn{Rows: 20000, Of: 20400, Unasked: true})
	if want := []string{"warning: 20000 of 20400 rows are trained on, drawn by chance: --rows says how many, for time and memory that grow by their square"}; !slices.Equal(w.said, want) {
		t.Errorf("said %q, want %q", w.said, want)
	}
}
