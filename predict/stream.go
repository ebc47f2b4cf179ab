package predict

import (
	"context"
	"io"
	"runtime"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: predict rows as they are read, in order and in constant memory, on
// several processors.
//
// One goroutine reads rows into batches; workers decide full ones; the caller's
// goroutine takes them in the order of the rows. Batches go round in a ring, so
// that no more are in memory than are at work.

// A job is a batch on its way.
type job struct {
	batch *Batch
	work  func(b *Batch, xs []vec.Vector)
	xs    []vec.Vector
	ys    []float64
	index []int32 // of all xs
	value []float64
	err   error // behind these rows
	done  chan struct{}
}

// Stream reads rows with next until io.EOF and calls take for each batch of them,
// decided, in their order; ys are the second results of next. next is called by
// one goroutine at a time, and what it returns is copied; take by the caller's
// own, while next may be under way. Work is done by that many workers; with one,
// everything by the caller's goroutine. An error of next ends the stream behind
// the rows before it, one of take at once. When ctx ends, Stream returns even if
// next does not. Results do not depend on workers.
func (p *Predictor) Stream(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).Decide, next, take)
}

// StreamAnswers is Stream for those who ask the batches by Predict only.
func (p *Predictor) StreamAnswers(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).Answer, next, take)
}

// StreamProbabilities is Stream for those who ask the batches for Probabilities.
func (p *Predictor) StreamProbabilities(ctx context.Context, workers int, next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	return p.stream(ctx, workers, (*Batch).coupleEach, next, take)
}

// mostIdle is up to how many workers there may be without processors for them. Each has
// a batch of its own.
const mostIdle = 64

// MostWorkers returns how many workers can be of use: one a processor, or some more.
func MostWorkers() int { return max(mostIdle, runtime.GOMAXPROCS(0)) }

func (p *Predictor) stream(ctx context.Context, workers int, work func(b *Batch, xs []vec.Vector), next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	if workers < 2 {
		j := &job{batch: p.NewBatch(), work: work}
		for {
			j.read(ctx, next)
			j.work(j.batch, j.xs)
			if err := j.finish(take); err != nil {
				return ended(err)
			}
		}
	}
	workers = min(workers, MostWorkers())
	given := ctx
	ctx, cancel := context.WithCancel(ctx)
	free := make(chan *job, workers+1)
	for range cap(free) {
		free <- &job{batch: p.NewBatch(), work: work, done: make(chan struct{}, 1)}
	}
	todo := make(chan *job, cap(free))       // for the workers
	order := make(chan *job, cap(free))      // the same, for the caller
	finished := make(chan struct{}, workers) // a word of each worker
	wholeRead := make(chan struct{})
	go func() {
		defer close(wholeRead)
		defer close(todo)
		for {
			select {
			case <-ctx.Done():
				return
			case j := <-free:
				j.read(ctx, next)
				last := j.err != nil // before it is given away
				todo <- j
				order <- j
				if last {
					return
				}
			}
		}
	}()
	for range workers {
		go func() {
			defer func() { finished <- struct{}{} }()
			for j := range todo {
				if ctx.Err() == nil {
					j.work(j.batch, j.xs)
				}
				j.done <- struct{}{}
			}
		}()
	}
	// nothing of it outlives the call, but a next that waits for input
	defer func() {
		cancel()
		select {
		case <-wholeRead:
			for range workers {
				<-finished
			}
		case <-given.Done():
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case j := <-order:
			<-j.done
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := j.finish(take); err != nil {
				return ended(err)
			}
			free <- j
		}
	}
}

// ended is the result of a stream that an error ended.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// read fills the job with rows.
func (j *job) read(ctx context.Context, next func() (vec.Vector, float64, error)) {
	j.xs, j.ys, j.index, j.value = j.xs[:0], j.ys[:0], j.index[:0], j.value[:0]
	if j.err = ctx.Err(); j.err != nil {
		return
	}
	var ends [BatchRows]int
	for n := 0; n < BatchRows && (len(j.index) < manyEntries || n%vec.PanelRows > 0 && len(j.index) < mostEntries); n++ {
		x, y, err := next()
		if err != nil {
			j.err = err
			break
		}
		if n, k := len(j.index), len(x.Index); cap(j.index)-n < k || cap(j.value)-n < k {
			j.index, j.value = grown(j.index, k), grown(j.value, k)
		}
		j.index, j.value = append(j.index, x.Index...), append(j.value, x.Value...)
		ends[len(j.ys)] = len(j.index)
		j.ys = append(j.ys, y)
	}
	from := 0
	for _, end := range ends[:len(j.ys)] {
		j.xs = append(j.xs, vec.Vector{Index: j.index[from:end:end], Value: j.value[from:end:end]})
		from = end
	}
}

// A batch has no more rows than its first ones if these have manyEntries, and fills its panels if that
// takes fewer than mostEntries.
const manyEntries, mostEntries = 1 << 18, 1 << 22

// grown returns s with room for k more: twice as much as there is then, so that few steps leave little
// behind, but from longRows on for all that a batch will mostly have, in memory that is taken as it is
// filled.
func grown[T pages.Number](s []T, k int) []T {
	n := len(s)
	if n+k < longRows {
		return slices.Grow(s, n+k)
	}
	more := pages.Make[T](max(manyEntries, n) + 2*k)
	copy(more, s)
	return more[:n]
}

// longRows is how many entries some rows have that make a batch a large one.
const longRows = 1 << 17

// finish gives the rows away and returns the error behind them.
func (j *job) finish(take func(b *Batch, ys []float64) error) error {
	if len(j.ys) > 0 {
		if err := take(j.batch, j.ys); err != nil {
			return err
		}
	}
	return j.err
}
