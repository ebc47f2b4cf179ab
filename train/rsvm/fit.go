package rsvm

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// fit trains a job on rows in memory; groups are the rows of each class, or all rows
// as one.
func fit(ctx context.Context, j *Job, d *format.Dataset, groups [][]int) (*models.Model, error) {
	if s, ok := j.o.Set.(Systematic); ok {
		return grow(ctx, j, s, d, groups)
	}
	counts := make([]int, len(groups))
	for c := range groups {
		counts[c] = len(groups[c])
	}
	n := d.Len()
	_, full := j.o.Set.(Full)
	if !full {
		n = j.o.Set.(Random).size(n)
	}
	var rows []int
	var of []int32
	for c, chosen := range draw(counts, n, random(j.o.Seed, forSet)) {
		for _, k := range chosen {
			rows, of = append(rows, groups[c][k]), append(of, int32(c))
		}
	}
	j.origin = rows
	if err := j.setBasis(d.X.Select(rows), of, full, nil); err != nil {
		return nil, err
	}
	m := &memory{batches: j.label.batches(d, nil), keep: j.keeps(d.Len(), len(rows))}
	if err := j.run(ctx, m, m.keep); err != nil {
		return nil, err
	}
	j.solved()
	return j.Model(), nil
}

// keeps reports whether the kernel values of so many rows and vectors fit in the
// memory for them.
func (j *Job) keeps(rows, vectors int) bool {
	return 8*float64(rows)*float64(vectors) <= j.o.MemoryMB*(1<<20)
}

// order returns rows of several groups in the order of the data.
func order(groups [][]int) []int {
	all := slices.Concat(groups...)
	slices.Sort(all)
	return all
}
