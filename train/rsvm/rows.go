package rsvm

import (
	"context"
	"iter"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// Rows is the rows of a data set in order. It must give the same rows each time it is called. A row
// is valid until the next; an error must be the last element.
type Rows = iter.Seq2[format.Instance, error]

// A batch is up to kernel.BatchRows rows that are worked on together.
type batch struct {
	xs     []vec.Vector
	class  []int32   // of a classifier's rows
	y      []float64 // of a regression's rows
	weight []float64 // factors on cost, those of classes included; nil: all 1

	// values are the kernel values of the rows and the first vectors of the basis, vector after
	// vector, lanes apart; nil: they are not kept.
	values []float64
	lanes  int
}

func (b *batch) cost(r int) float64 {
	if b.weight == nil {
		return 1
	}
	return b.weight[r]
}

// A labeller turns labels into what batches hold.
type labeller struct {
	place  map[int]int32 // the class of each label; nil: a regression
	factor []float64     // factor on the cost of each class
	cost   float64       // cost of errors of all rows
}

// class returns the class of a label, if there is one. A label that does not fit 32 bits, or is
// NaN, has none: converted to an integer, it would depend on the processor.
func (l *labeller) class(y float64) (c int32, ok bool) {
	label, fits := train.TruncateLabel(y)
	if !fits {
		return 0, false
	}
	c, ok = l.place[label]
	return c, ok
}

// batches returns the given rows of d, or all rows if rows is nil, as batches that share memory
// with d. Labels must be those of the labeller's classes.
func (l *labeller) batches(d *format.Dataset, rows []int) []*batch {
	n := len(rows)
	if rows == nil {
		n = d.Len()
	}
	at := func(k int) int {
		if rows == nil {
			return k
		}
		return rows[k]
	}
	var all []*batch
	for from := 0; from < n; from += kernel.BatchRows {
		b := new(batch)
		for k := from; k < min(from+kernel.BatchRows, n); k++ {
			i := at(k)
			w := 1.0
			if d.Weight != nil {
				w = d.Weight[i]
			}
			l.add(b, d.X.Row(i), d.Y[i], w)
		}
		all = append(all, b)
	}
	return all
}

// checkAll returns the error of check for the first row of d that has one.
func (l *labeller) checkAll(d *format.Dataset) error {
	for i, y := range d.Y {
		w := 1.0
		if d.Weight != nil {
			w = d.Weight[i]
		}
		if err := l.check(i, y, w); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error for a row with an unusable weight, cost or target.
func (l *labeller) check(row int, y, weight float64) error {
	if l.place == nil {
		if err := checkTarget(row, y); err != nil {
			return err
		}
	}
	if err := checkWeight(row, weight); err != nil {
		return err
	}
	factor := 1.0
	if c, ok := l.class(y); ok {
		factor = l.factor[c]
	}
	if err := train.CheckCost(factor*l.cost, train.OfClass); err != nil {
		return err
	}
	if err := train.CheckCost(factor*weight*l.cost, train.OfRow); err != nil {
		return &train.RowError{Row: row, Err: err}
	}
	return nil
}

// add appends a row to a batch. It reports whether the label is known.
func (l *labeller) add(b *batch, x vec.Vector, y, weight float64) bool {
	if l.place == nil {
		b.y = append(b.y, y)
	} else {
		c, ok := l.class(y)
		if !ok {
			return false
		}
		b.class = append(b.class, c)
		weight *= l.factor[c]
	}
	if weight != 1 && b.weight == nil {
		b.weight = make([]float64, len(b.xs), kernel.BatchRows)
		for i := range b.weight {
			b.weight[i] = 1
		}
	}
	b.xs = append(b.xs, x)
	if b.weight != nil {
		b.weight = append(b.weight, weight)
	}
	return true
}

// A source gives the rows of a pass in chunks of at most size batches, all of them full except the
// last one. The batches of a source in memory are the same in every pass.
type source interface {
	chunks(ctx context.Context, size int, f func([]*batch) error) error
}

// memorySource is a source of rows in memory.
type memorySource struct {
	batches []*batch
	keep    bool // kernel values are kept from pass to pass
}

func (m *memorySource) chunks(ctx context.Context, size int, f func([]*batch) error) error {
	for from := 0; from < len(m.batches); from += size {
		if err := ended.Err(ctx); err != nil {
			return err
		}
		if err := f(m.batches[from:min(from+size, len(m.batches))]); err != nil {
			return err
		}
	}
	return ended.Err(ctx)
}

// forget drops the kernel values, because the basis changes.
func (m *memorySource) forget() {
	for _, b := range m.batches {
		b.values = nil
	}
}
