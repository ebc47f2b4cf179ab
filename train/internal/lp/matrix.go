package lp

import (
	"context"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Matrix is read by rows and by columns, possibly by several threads at the same time. The slices
// that it returns must not be changed, and do not change later.
type Matrix interface {
	Dims() (rows, columns int)
	Row(i int) []float64
	Column(j int) []float64
}

// A Dense matrix is kept both by rows and by columns.
type Dense struct {
	rows, columns   int
	byRow, byColumn []float64
}

var _ Matrix = (*Dense)(nil)

// NewDense returns a matrix whose values fill writes: fill gets a function that returns the memory
// of row i. The error is that of ctx.
func NewDense(ctx context.Context, rows, columns int, fill func(row func(i int) []float64)) (*Dense, error) {
	if err := ended.Err(ctx); err != nil {
		return nil, err
	}
	d := &Dense{rows, columns, make([]float64, rows*columns), make([]float64, rows*columns)}
	fill(d.Row)
	const block = 32 // squares of this size stay in the cache while they are transposed
	team.Do(ctx, (rows+block-1)/block, func(ctx context.Context, k int) {
		if ctx.Err() != nil {
			return
		}
		for j := 0; j < columns; j += block {
			d.transposeBlock(k*block, j, block)
		}
	})
	return d, ended.Err(ctx)
}

// transposeBlock transposes a square of byRow into byColumn.
func (d *Dense) transposeBlock(i0, j0, block int) {
	for i := i0; i < min(i0+block, d.rows); i++ {
		for j := j0; j < min(j0+block, d.columns); j++ {
			d.byColumn[j*d.rows+i] = d.byRow[i*d.columns+j]
		}
	}
}

// Dims returns the numbers of rows and columns.
func (d *Dense) Dims() (rows, columns int) { return d.rows, d.columns }

// Row returns row i.
func (d *Dense) Row(i int) []float64 { return d.byRow[i*d.columns : (i+1)*d.columns : (i+1)*d.columns] }

// Column returns column j.
func (d *Dense) Column(j int) []float64 { return d.byColumn[j*d.rows : (j+1)*d.rows : (j+1)*d.rows] }
