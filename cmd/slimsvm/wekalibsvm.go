package main

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: Weka's class LibSVM replaces missing values by weighted means, as an encoding does, and then
// normalizes columns by the ranges of all rows, those of weight 0 too, which teach an encoding nothing.
//
// Method: missing values are those of an encoding of the weighted rows, and ranges those of another,
// of the rows with these values in place and without weights.

// fitRows learns the encoding that a preset has of rows under the header h.
func fitRows(ctx context.Context, preset string, h *format.Header, rows encode.Rows, o encode.Options) (*encode.Encoding, error) {
	if preset != wekaLibSVM || o.Scaling != encode.Normalize {
		return encode.FitRows(ctx, h, rows, o)
	}
	unscaled := o
	unscaled.Scaling, unscaled.ColumnsFirst = encode.None, false
	weighted, err := encode.FitRows(ctx, h, rows, unscaled)
	if err != nil {
		return nil, err
	}
	e, err := encode.FitRows(ctx, h, filled(rows, fillsOf(weighted, h)), o)
	if err != nil {
		return nil, err
	}
	for i := range e.Columns {
		e.Columns[i].Fill = weighted.Columns[i].Fill
	}
	return e, nil
}

// fitEncoding does what fitRows does for rows in memory.
func fitEncoding(ctx context.Context, preset string, rows *format.Dataset, o encode.Options) (*encode.Encoding, error) {
	if preset != wekaLibSVM {
		return encode.Fit(ctx, rows, o)
	}
	if err := rows.Check(); err != nil {
		return nil, err
	}
	return fitRows(ctx, preset, rows.Header, instancesOf(ctx, rows), o)
}

// fillsOf returns what replaces missing values of each column of the header; NaN: nothing does, as in the label's column.
func fillsOf(e *encode.Encoding, h *format.Header) []float64 {
	fills := make([]float64, len(h.Attributes))
	for i, a := range h.Attributes {
		fills[i] = math.NaN()
		k := slices.IndexFunc(e.Columns, func(c encode.Column) bool { return c.Name == a.Name })
		if k >= 0 && k != e.Class {
			fills[i] = e.Columns[k].Fill
		}
	}
	return fills
}

// filled gives rows with their missing values replaced, and all of weight 1.
func filled(rows encode.Rows, fills []float64) encode.Rows {
	return func(yield func(format.Instance, error) bool) {
		var x vec.Vector
		for row, err := range rows {
			if err == nil {
				x.Index, x.Value = row.X.Index, append(x.Value[:0], row.X.Value...)
				for k, v := range x.Value {
					if at := int(x.Index[k]); math.IsNaN(v) && at < len(fills) {
						x.Value[k] = fills[at]
					}
				}
				row.X, row.Weight = x, 1
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
