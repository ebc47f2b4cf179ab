package smo

import (
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// fills is a computation of columns from to to-1 of kernel rows, which threads may
// share.
type fills struct {
	gram     *kernel.Gram
	crew     *team.Crew
	least    int // values that are worth a thread
	from, to int
	dst      [][]float32
	rows     []int
	parts    int
	run      func(k int, _ *team.Found) // part
}

// all computes all columns.
func (f *fills) all() {
	if f.parts = f.cut(); f.parts == 1 {
		f.gram.RowsTo(f.dst, f.rows, f.from, f.to)
		return
	}
	f.crew.Do(f.parts, f.run)
}

// cut returns into how many parts to cut the columns.
func (f *fills) cut() int { return f.crew.Cut((f.to-f.from)*len(f.rows), f.least) }

func (f *fills) part(k int, _ *team.Found) {
	f.columns(edge(f.from, f.to, k, f.parts), edge(f.from, f.to, k+1, f.parts))
}

// columns computes columns begin to end-1.
func (f *fills) columns(begin, end int) {
	var dst [PartRows][]float32
	for r, d := range f.dst {
		dst[r] = d[begin-f.from : end-f.from]
	}
	f.gram.RowsTo(dst[:len(f.dst)], f.rows, begin, end)
}
