package rsvm

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// fit trains a job on rows in memory. groups has the rows of each class or, for a regression, all
// rows as one group.
func fit(ctx context.Context, j *Job, d *format.Dataset, groups [][]int) (*models.Model, error) {
	if err := j.label.checkAll(d); err != nil {
		return nil, err
	}
	if s, ok := j.o.Set.(Systematic); ok {
		return grow(ctx, j, s, d, groups)
	}
	counts := sizes(groups)
	set := j.draw(counts)
	if err := j.roomFor(set); err != nil {
		return nil, err
	}
	var rows []int
	var of []int32
	for c, chosen := range set.rows {
		for _, k := range chosen {
			rows, of = append(rows, groups[c][k]), append(of, int32(c))
		}
	}
	if err := j.reduce(ctx, set, d.X.Select(rows), rows, of); err != nil {
		return nil, err
	}
	m := &memorySource{batches: j.label.batches(d, nil), keep: j.keeps(d.Len(), j.vectors.Len())}
	if err := j.run(ctx, m, m.keep, counts); err != nil {
		return nil, err
	}
	j.solved()
	return j.Model(), nil
}

// reduce sets the reduced set to the different ones of drawn rows, or of their centres. x has the
// rows in the order of the classes, rows has their places in the data, and of has their classes.
func (j *Job) reduce(ctx context.Context, set drawn, x vec.Matrix, rows []int, of []int32) error {
	_, full := j.o.Set.(Full)
	if set.centres != nil {
		var err error
		if x, of, err = set.centresOf(ctx, &x, of, j.o.Seed); err != nil {
			return err
		}
		rows = nil
	}
	if kept := different(&x, of, full && !j.rest && len(j.classes) > 2); len(kept) < x.Len() {
		for at, i := range kept {
			of[at] = of[i]
			if rows != nil {
				rows[at] = rows[i]
			}
		}
		if x, of = x.Select(kept), of[:len(kept)]; rows != nil {
			rows = rows[:len(kept)]
		}
	}
	j.origin = rows
	return j.setBasis(x, of, full, nil)
}

// different returns the vectors that equal none before them: such a vector adds nothing to what the
// machines can represent. If apart, each class has its own, and vectors of different classes may be
// equal. of, which ascends, has the class of each vector.
func different(x *vec.Matrix, of []int32, apart bool) (kept []int) {
	var distinct vec.Distinct
	for i := range x.Len() {
		if apart && i > 0 && of[i] != of[i-1] {
			distinct = vec.Distinct{}
		}
		before := len(distinct.Vectors())
		if distinct.Number(x.Row(i)) == before {
			kept = append(kept, i)
		}
	}
	return kept
}

// keeps reports whether the kernel values of these numbers of rows and vectors fit into MemoryMB.
func (j *Job) keeps(rows, vectors int) bool {
	return 8*float64(rows)*float64(vectors) <= j.o.MemoryMB*(1<<20)
}

// order returns rows of several groups in the order of the data.
func order(groups [][]int) []int {
	all := slices.Concat(groups...)
	slices.Sort(all)
	return all
}
