package train

import (
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// To compute decision values, sparse rows of many columns are laid out together, with every column
// that occurs in any of a few rows. That takes more memory than anything else in a small model, and
// soon more than the second-level cache, so batches of such rows are smaller. They are also smaller
// if hundreds of classes have thousands of machines, each with a value for each row.
const (
	wide     = 1024          // number of columns from which rows may be sparse
	wideFill = 8             // a sparse row has fewer than one in this many columns
	fewRows  = vec.PanelRows // one panel

	mostSums = 1 << 20 // largest number of machine values in a batch of the usual size
)

// Decide computes p's answers for the given rows of x in batches, with the threads of the training
// that ctx belongs to. For each position k in rows it calls take with the batch that has rows[k] as
// its row r. Several goroutines may call take at once. If ctx belongs to no training, the calls
// come in order from the caller's goroutine.
func Decide(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	size := batchSize(x)
	if len(p.Model().Machines) > mostSums/predict.BatchRows {
		size = fewRows
	}
	return inBatches(ctx, p, (*predict.Batch).Decide, size, x, rows, take)
}

// batchSize returns the number of rows of a batch in which kernel values are computed for all.
func batchSize(x *vec.Matrix) int {
	if x.MaxIndex() >= wide && int64(x.NNZ()) < int64(x.Len())*int64(x.MaxIndex()/wideFill) {
		return fewRows
	}
	return predict.BatchRows
}

// AnswerProbabilities is [Decide] for callers that ask the batches for Probabilities. It is faster,
// and its batches do not keep a value for each of many machines.
func AnswerProbabilities(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).AnswerProbabilities, batchSize(x), x, rows, take)
}

// Answer is [Decide] for callers that ask the batches only by Predict. It is faster.
func Answer(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).Answer, predict.BatchRows, x, rows, take)
}

// answerEvenly is Answer in smaller batches, for threads that have nothing else to do when they find
// none left.
func answerEvenly(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).Answer, predict.BatchRows/2, x, rows, take)
}

// DecideMembers is [Decide] for callers that ask the batches of an ensemble only by
// PositiveMembers, or only by LikelyMembers if likely is true.
func DecideMembers(ctx context.Context, p *predict.Predictor, likely bool, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, func(b *predict.Batch, xs []vec.Vector) { b.DecideMembers(xs, likely) }, predict.BatchRows, x, rows, take)
}

// DecideVotes is [Decide] for callers that ask the batches of an ensemble only by EachVote.
func DecideVotes(ctx context.Context, p *predict.Predictor, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	return inBatches(ctx, p, (*predict.Batch).DecideVotes, predict.BatchRows, x, rows, take)
}

// A batch is memory for rows and answers.
type batch struct {
	predict.Batch
	xs []vec.Vector
}

// batches holds unused batches.
var batches = sync.Pool{New: func() any { return new(batch) }}

// newBatch returns a batch for p with the given rows of x. size is the largest number of rows that
// a batch of this kind will have. The caller has to call free afterwards.
func newBatch(p *predict.Predictor, size int, x *vec.Matrix, rows []int) *batch {
	b := batches.Get().(*batch)
	b.xs = slices.Grow(b.xs[:0], size)
	for _, row := range rows {
		b.xs = append(b.xs, x.Row(row))
	}
	b.Use(p)
	return b
}

func (b *batch) free() {
	b.Use(nil)
	clear(b.xs)
	batches.Put(b)
}

func inBatches(ctx context.Context, p *predict.Predictor, decide func(b *predict.Batch, xs []vec.Vector), size int, x *vec.Matrix, rows []int, take func(b *predict.Batch, r, k int)) error {
	n := (len(rows) + size - 1) / size
	team.Do(ctx, n, func(ctx context.Context, c int) {
		if ctx.Err() != nil {
			return
		}
		begin := c * size
		b := newBatch(p, size, x, rows[begin:min(begin+size, len(rows))])
		decide(&b.Batch, b.xs)
		for r := range b.xs {
			take(&b.Batch, r, begin+r)
		}
		b.free()
	})
	return ended.Err(ctx)
}
