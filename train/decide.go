package train

import (
	"context"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Decide computes p's answers for rows of x in batches, with the threads of the
// training that ctx belongs to. For each place k in rows it calls take with the
// batch that has rows[k] as its row r; calls may come at the same time.
func Decide(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).Decide, x, rows, take)
}

// Answer is Decide for those who ask the batches by Predict only.
func Answer(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).Answer, x, rows, take)
}

// batches are predict.Batches whose memory is free.
var batches = sync.Pool{New: func() any { return new(predict.Batch) }}

func inBatches(ctx context.Context, p *predict.Predictor, decide func(b *predict.Batch, xs []vec.Vector), x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	n := (len(rows) + predict.BatchRows - 1) / predict.BatchRows
	team.Do(ctx, n, func(ctx context.Context, c int) {
		if ctx.Err() != nil {
			return
		}
		begin := c * predict.BatchRows
		var xs []vec.Vector
		for _, row := range rows[begin:min(begin+predict.BatchRows, len(rows))] {
			xs = append(xs, x.Row(row))
		}
		b := batches.Get().(*predict.Batch)
		b.Use(p)
		decide(b, xs)
		for r := range xs {
			take(b, r, begin+r)
		}
		b.Use(nil)
		batches.Put(b)
	})
	return ctx.Err()
}
