package predict

import (
	"context"
	"io"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: predict rows as they are read, in order and in constant memory, on several processors.
//
// Method: one goroutine reads rows into batches, workers compute full batches, and the caller's
// goroutine takes them in the order of the rows. Batches are reused, so that there are never more
// in memory than are needed.

// A job is a batch on its way through the stream.
type job struct {
	batch *Batch
	work  func(b *Batch, xs []vec.Vector)
	xs    []vec.Vector
	ys    []float64
	rows  rows  // memory of the copied rows
	err   error // the error that came after these rows
	done  chan struct{}
}

// Stream reads rows with next until it returns io.EOF, and calls take for each batch of them,
// decided as by [Batch.Decide], in the order of the rows. ys are the second results of next for the
// rows of the batch.
//
//   - workers is the number of goroutines that compute, such as runtime.GOMAXPROCS(0); values above
//     [MostWorkers] count as that. 0 does not mean all processors, as it does in Threads of
//     trainers, but the caller's goroutine alone, as 1 does. The results do not depend on it.
//   - next is called by one goroutine at a time. What it returns is copied. An error from next ends
//     the stream after the rows before it were taken.
//   - take is called by the goroutine that called Stream, while next may be running. An error from
//     take ends the stream at once, and so does the end of ctx.
//
// With two or more workers, Stream does not wait for next when take fails or ctx ends: a call that
// waits for input may still be running after Stream has returned, but next is not called again.
// With one worker or none, the caller's goroutine does everything, so Stream returns only after
// next has.
//
// take waits for a full batch: [BatchRows] rows, fewer if they are long, or the last ones. For an
// answer to each row as soon as it is there, call [Predictor.Predict].
//
// If next panics, Stream panics with the same value; with two or more workers the stack is not that
// of next. If next ends its goroutine, by runtime.Goexit or a test's FailNow, the goroutine of
// Stream's caller ends. If a worker panics, in a kernel of the caller's for example, Stream panics
// too. With two or more workers, the value is then an error that has the text and place of the
// panic, and unwraps to its value if that is an error.
func (p *Predictor) Stream(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).Decide, next, take)
}

// StreamAnswers is [Predictor.Stream] for callers that ask the batches only by [Batch.Predict]. It
// is faster.
func (p *Predictor) StreamAnswers(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).Answer, next, take)
}

// StreamProbabilities is [Predictor.Stream] for callers that ask the batches for
// [Batch.Probabilities]. It is faster.
func (p *Predictor) StreamProbabilities(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).AnswerProbabilities, next, take)
}

// mostIdle is the number of workers allowed even if there are fewer processors. Each worker has a
// batch of its own.
const mostIdle = 64

// MostWorkers returns the largest number of workers that a stream uses: at least one for each
// processor.
func MostWorkers() int { return max(mostIdle, runtime.GOMAXPROCS(0)) }

func (p *Predictor) stream(ctx context.Context, workers int, work func(b *Batch, xs []vec.Vector), next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	p.checkModel() // before there are goroutines
	if workers >= 2 {
		l := newPipeline(ctx, p, min(workers, MostWorkers()), work)
		return l.run(next, take)
	}
	j := &job{batch: p.NewBatch(), work: work}
	for {
		j.read(ctx, next)
		j.work(j.batch, j.xs)
		if end, err := j.finish(take); end {
			return err
		}
	}
}

// read fills the job with rows. If ctx ends, the job has no rows.
func (j *job) read(ctx context.Context, next func() (vec.Vector, float64, error)) {
	j.xs, j.ys = j.xs[:0], j.ys[:0]
	j.rows.empty()
	j.err = nil
	entries := 0
	for n := 0; n < BatchRows && (entries < manyEntries || n%vec.PanelRows > 0 && entries < mostEntries); n++ {
		if j.err = ended.Err(ctx); j.err != nil {
			j.xs, j.ys = j.xs[:0], j.ys[:0]
			return
		}
		x, y, err := next()
		if err != nil {
			j.err = err
			break
		}
		entries += len(x.Index)
		j.xs, j.ys = append(j.xs, j.rows.copy(x)), append(j.ys, y)
	}
}

// A batch ends early when its rows have manyEntries entries. It first fills its panels, unless that
// would take mostEntries.
const manyEntries, mostEntries = 1 << 18, 1 << 22

// rows has copies of rows. When it needs more memory, earlier rows stay where they are.
type rows struct {
	blocks []vec.Vector // memory for entries, reused
	at     int          // the block in use
	n      int          // number of entries used in it
	last   []int32      // the indices of the last row
}

// empty forgets the rows and keeps the memory.
func (r *rows) empty() { r.at, r.n, r.last = 0, 0, nil }

// copy returns a copy of x. Consecutive long rows with the same indices share one list of indices.
func (r *rows) copy(x vec.Vector) vec.Vector {
	k := len(x.Index)
	shared := k >= longRow && vec.EqualIndices(r.last, x.Index)
	if r.at < len(r.blocks) && r.n > 0 && len(r.blocks[r.at].Value)-r.n < k {
		r.at, r.n = r.at+1, 0
	}
	if r.at == len(r.blocks) {
		r.blocks = append(r.blocks, r.block(k))
	} else if b := &r.blocks[r.at]; len(b.Value)-r.n < k { // the block is empty and too short
		pages.Drop(b.Index)
		pages.Drop(b.Value)
		*b = r.block(k + k/4)
	}
	b, from, to := &r.blocks[r.at], r.n, r.n+k
	r.n = to
	copied := vec.Vector{Index: r.last, Value: b.Value[from:to:to]}
	copy(copied.Value, x.Value)
	if !shared {
		copied.Index = b.Index[from:to:to]
		copy(copied.Index, x.Index)
	}
	r.last = copied.Index
	return copied
}

// block returns memory for at least k entries. It doubles the total, so that there are few blocks;
// but rows with at least longRow entries have blocks of their own.
func (r *rows) block(k int) vec.Vector {
	n := leastBlock
	for _, b := range r.blocks {
		n += len(b.Value)
	}
	if n = max(k, min(n, longRow)); n < longRow {
		return vec.Vector{Index: make([]int32, n), Value: make([]float64, n)}
	}
	return vec.Vector{Index: pages.Make[int32](n), Value: pages.Make[float64](n)}
}

// leastBlock is the least number of entries in a block. Rows with at least longRow entries have
// blocks of their own.
const leastBlock, longRow = 1 << 9, 1 << 14

// finish passes the rows to take. It reports whether the stream ends after them, and with which
// error: io.EOF from next is not an error.
func (j *job) finish(take func(b *Batch, ys []float64) error) (end bool, err error) {
	if len(j.ys) > 0 {
		err := take(j.batch, j.ys)
		j.batch.dropValues() // which other batches of the stream can use
		if err != nil {
			return true, err
		}
	}
	if j.err == io.EOF {
		return true, nil
	}
	return j.err != nil, j.err
}
