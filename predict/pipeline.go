package predict

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/processor"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// A pipeline is a stream with several workers.
type pipeline struct {
	ctx    context.Context // ends with the stream
	cancel context.CancelFunc

	free  chan *job // jobs to be filled
	todo  chan *job // jobs for the workers
	order chan *job // the same jobs, in order, for the caller

	workers  sync.WaitGroup
	readDone chan struct{}         // closed when nothing more will be read
	fault    atomic.Pointer[fault] // the first fault
}

// newPipeline returns a pipeline with workers that call work.
func newPipeline(ctx context.Context, p *Predictor, workers int, work func(b *Batch, xs []vec.Vector)) *pipeline {
	l := &pipeline{free: make(chan *job, workers+1), todo: make(chan *job, workers+1), order: make(chan *job, workers+1), readDone: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(ctx)
	for range cap(l.free) {
		l.free <- &job{batch: p.NewBatch(), work: work, done: make(chan struct{}, 1)}
	}
	for range workers {
		l.workers.Go(l.work)
	}
	return l
}

// run reads rows with next and calls take in their order. If one of its goroutines panics or ends
// instead of returning, run does the same.
func (l *pipeline) run(next func() (vec.Vector, float64, error), take func(b *Batch, ys []float64) error) error {
	go l.read(next)
	err := l.takeAll(take)
	f := l.fault.Load()
	if f == nil {
		return err
	}
	if f.value == nil {
		runtime.Goexit()
	}
	panic(f.value)
}

// takeAll returns at the end of the stream. Afterwards, no goroutine of the pipeline runs, except
// perhaps one that waits for next.
func (l *pipeline) takeAll(take func(b *Batch, ys []float64) error) error {
	defer l.workers.Wait()
	defer l.cancel()
	for {
		select {
		case <-l.ctx.Done():
			return ended.Err(l.ctx)
		case j := <-l.order:
			select {
			case <-l.ctx.Done():
				return ended.Err(l.ctx)
			case <-j.done:
			}
			if err := ended.Err(l.ctx); err != nil {
				return err
			}
			if end, err := j.finish(take); end {
				if j.err != nil { // nothing is read after this job
					<-l.readDone
				}
				return err
			}
			l.free <- j
		}
	}
}

// read fills jobs with rows until next or the stream ends.
func (l *pipeline) read(next func() (vec.Vector, float64, error)) {
	defer close(l.readDone)
	returned := false
	defer func() { l.ended(returned, recover()) }()
	l.fill(next)
	returned = true
}

func (l *pipeline) fill(next func() (vec.Vector, float64, error)) {
	for {
		select {
		case <-l.ctx.Done():
			return
		case j := <-l.free:
			j.read(l.ctx, next)
			last := j.err != nil // j must not be used after it is sent
			l.todo <- j
			l.order <- j
			if last {
				return
			}
		}
	}
}

// work is the main loop of a worker. If it panics, it adds the stack, which shows the place in the
// library.
func (l *pipeline) work() {
	returned := false
	defer func() {
		value := recover()
		if value != nil {
			value = &panicked{value, debug.Stack()}
		}
		l.ended(returned, value)
	}()
	l.workAll()
	returned = true
}

func (l *pipeline) workAll() {
	var claim processor.Claim
	defer claim.Release()
	for {
		var j *job
		select {
		case j = <-l.todo:
		default:
			claim.Release()
			select {
			case <-l.ctx.Done():
				return
			case j = <-l.todo:
			}
		}
		if l.ctx.Err() != nil {
			return
		}
		claim.Renew()
		j.work(j.batch, j.xs)
		j.done <- struct{}{}
	}
}

// A panicked is the value of a worker's panic.
type panicked struct {
	value any
	stack []byte
}

// Error returns the value and where it came from.
func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Unwrap returns the value if it is an error.
func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// A fault is the value with which the caller's goroutine has to panic. If it is nil, the goroutine
// has to end by runtime.Goexit.
type fault struct{ value any }

// ended ends the pipeline, if one of its goroutines did not return. value is what recover gave.
func (l *pipeline) ended(returned bool, value any) {
	if returned {
		return
	}
	l.fault.CompareAndSwap(nil, &fault{value})
	l.cancel()
}
