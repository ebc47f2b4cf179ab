package main

import (
	"context"
	"sync"
)

// A queue gives out the parts of a validation in their order, to several goroutines,
// and sums them up in the same order. It holds those that were given out and not summed
// up, and the rest of their repetition.
type queue struct {
	more func() ([]*part, error) // draws the parts of one more repetition
	left int                     // repetitions to be drawn

	mu     sync.Mutex
	parts  []*part
	taken  int // of parts
	failed bool
	fault  error // of drawing
}

// take returns the next part with a context of its own, or nil: there is none, or one
// before it failed.
func (q *queue) take(ctx context.Context) *part {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failed || ctx.Err() != nil {
		return nil
	}
	if q.taken == len(q.parts) {
		if q.left == 0 {
			return nil
		}
		q.left--
		drawn, err := q.more()
		if err != nil {
			q.failed, q.fault = true, err
			return nil
		}
		q.parts = append(q.parts, drawn...)
	}
	t := q.parts[q.taken]
	q.taken++
	t.ctx, t.cancel = context.WithCancel(ctx)
	return t
}

// end takes a part back, and calls sum with those that are done and have no other
// before them. If the part failed, those behind it are given up.
func (q *queue) end(t *part, err error, sum func(*part)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.cancel()
	t.ended, t.err = true, err
	if err != nil {
		q.failed = true
		for k := q.taken - 1; q.parts[k] != t; k-- {
			q.parts[k].cancel()
		}
	}
	for q.taken > 0 && q.parts[0].ended && q.parts[0].err == nil {
		sum(q.parts[0])
		q.parts[0] = nil
		q.parts = q.parts[1:]
		q.taken--
	}
}

// err returns the error of the first part that failed, when all have ended.
func (q *queue) err() error {
	for _, t := range q.parts[:q.taken] {
		if t.err != nil {
			return t.err
		}
	}
	return q.fault
}
