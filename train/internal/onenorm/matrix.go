package onenorm

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A matrix is [D K(S,C) diag(scale), -d].
type matrix struct {
	lp.Matrix
	k     kernel.Kernel
	s, c  *vec.Matrix
	d     []float64
	scale []float64
	bad   atomic.Bool // a value was not finite
}

// works holds *work values. Many machines are small, and would need more memory for a batch than
// for themselves.
var works = sync.Pool{New: func() any { return new(work) }}

// A work is memory for the values of a batch of rows.
type work struct {
	batch  kernel.Batch
	xs     []vec.Vector
	values []float64
}

// dense computes the whole matrix. The error is that of ctx. basis is the centres' basis, or nil.
func (a *matrix) dense(ctx context.Context, basis *kernel.Basis) (err error) {
	m, n := a.s.Len(), a.c.Len()
	a.Matrix, err = lp.NewDense(ctx, m, n+1, func(rows func(i int) []float64) {
		const part = kernel.BatchRows
		if basis == nil {
			basis = kernel.NewBasis(a.k, a.c)
		}
		team.Do(ctx, (m+part-1)/part, func(ctx context.Context, p int) {
			if ctx.Err() != nil {
				return
			}
			w := works.Get().(*work)
			defer works.Put(w)
			from, to := p*part, min((p+1)*part, m)
			w.xs = w.xs[:0]
			for i := from; i < to; i++ {
				w.xs = append(w.xs, a.s.Row(i))
			}
			w.batch.Pack(basis, w.xs)
			lanes := w.batch.Lanes()
			if cap(w.values) < n*lanes {
				w.values = make([]float64, n*lanes)
			}
			values := w.values[:n*lanes]
			w.batch.EvaluateTo(values, 0, n)
			for i := from; i < to; i++ {
				row := rows(i)
				for j := range n {
					row[j] = values[j*lanes+i-from]
				}
				a.finishRow(i, row)
			}
		})
	})
	return err
}

// finishRow turns a row of kernel values into a row of the matrix.
func (a *matrix) finishRow(i int, row []float64) {
	n := len(row) - 1
	for j, v := range row[:n] {
		row[j] = a.d[i] * a.scale[j] * v
	}
	row[n] = -a.d[i]
	a.check(row)
}

func (a *matrix) check(values []float64) {
	if !finite(values) {
		a.bad.Store(true)
	}
}

// generated sets up a matrix whose rows and columns are computed when they are needed, and that
// keeps at most keep numbers.
func (a *matrix) generated(keep int) {
	n := a.c.Len()
	a.Matrix = lp.NewGenerated(a.s.Len(), n+1, func(i int, row []float64) {
		a.k.EvaluateTo(row[:n], a.s.Row(i), a.c)
		a.finishRow(i, row)
	}, func(j int, column []float64) {
		if j == n {
			for i, d := range a.d {
				column[i] = -d
			}
			return
		}
		// the kernel is symmetric to the last bit
		a.k.EvaluateTo(column, a.c.Row(j), a.s)
		for i, v := range column {
			column[i] = a.d[i] * a.scale[j] * v
		}
		a.check(column)
	}, keep)
}
