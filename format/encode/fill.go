package encode

import (
	"context"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: find what replaces missing values, with the bits of Weka, in which equally frequent
// labels may differ by rounding errors.
//
// Method: as Weka does, a row counts for a column's first label, and for the mean of its numbers,
// until it turns out not to be one of those: the weight of each such row is subtracted from the
// weight of all rows, in order. The weight of a row that has the first label and is not sparse is
// added, and subtracted again. If all weights are whole numbers, nothing is rounded, and one pass
// is enough.

// A tally is what is summed up of a column.
type tally struct {
	sum    float64   // of numbers, by weight
	labels []float64 // weights of the labels but the first; nil: numbers
	first  float64   // weight of the rows with the first label, or with a number
}

// fitFill finds what replaces missing values: the weighted mean of those that
// are not missing, or the label of the largest weight.
func (e *Encoding) fitFill(ctx context.Context, rows Rows) error {
	columns := make([]tally, len(e.Columns))
	for i, c := range e.Columns {
		if c.Type == format.Nominal {
			columns[i].labels = make([]float64, max(1, len(c.Labels)))
		}
	}
	total, whole := 0.0, true
	err := e.learn(ctx, rows, func(x vec.Vector, weight float64) {
		total += weight
		whole = whole && weight == math.Trunc(weight)
		for k, i := range x.Index {
			columns[i].add(x.Value[k], weight)
		}
	})
	switch {
	case err != nil:
		return err
	case !finite(total):
		return fmt.Errorf("weights of rows: %w", ErrOverflow)
	case whole && total <= exactWeight:
		for i := range columns {
			columns[i].first += total
		}
	default:
		for i := range columns {
			columns[i].first = total
		}
		err = e.learn(ctx, rows, func(x vec.Vector, weight float64) {
			dense := len(x.Index) == len(columns)
			for k, i := range x.Index {
				v, t := x.Value[k], &columns[i]
				if dense && v == 0 && t.labels != nil {
					t.first += weight
					t.first -= weight // which changes what is rounded
				}
				t.exclude(v, weight)
			}
		})
		if err != nil {
			return err
		}
	}
	for i := range e.Columns {
		c := &e.Columns[i]
		c.Fill = columns[i].fill()
		if !finite(c.Fill) {
			return e.overflow(rows, i)
		}
	}
	return nil
}

// exactWeight is the total up to which whole weights add up without being rounded, even with that
// of a row once more.
const exactWeight = 1 << 52

// add counts a value that a row lists.
func (t *tally) add(v, weight float64) {
	switch t.exclude(v, weight); {
	case math.IsNaN(v):
	case t.labels != nil:
		t.labels[int(v)] += weight
	default:
		t.sum += float64(weight * v)
	}
}

// exclude subtracts the weight of a row whose value is missing or not the first label.
func (t *tally) exclude(v, weight float64) {
	if math.IsNaN(v) || t.labels != nil && v != 0 {
		t.first -= weight
	}
}

// fill returns the mean, or the place of the label of the largest weight, of equal ones the first.
func (t *tally) fill() float64 {
	if t.labels == nil {
		if t.first > 0 {
			return t.sum / t.first
		}
		return 0
	}
	t.labels[0] = t.first
	best := 0
	for label, weight := range t.labels {
		if weight > t.labels[best] {
			best = label
		}
	}
	return float64(best)
}
