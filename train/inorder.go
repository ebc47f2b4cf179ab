package train

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Forker is a Trainer that can train on several parts of a data set at once.
type Forker interface {
	Trainer
	// Fork returns a trainer of the same models that reports to another place.
	Fork(report Report) Trainer
	// Draws returns how many numbers Train draws from rng for a data set.
	Draws(d *format.Dataset) int
	// Workers returns the number of threads, 0 for one a processor.
	Workers() int
}

// inOrder runs task for i = 0 to n-1, several at once if ctx has a team, as if one
// ran after the other: what they report reaches report in the order of tasks, and
// after the first task that fails, whose error is returned, nothing. If several can
// run, those of the largest size are begun first, so that none is left when all
// others are done; a nil size stands for equal ones.
func inOrder(ctx context.Context, n int, size func(i int) int, report Report, task func(ctx context.Context, i int, report Report) error) error {
	if n == 1 {
		return task(ctx, 0, report)
	}
	if team.Size(ctx) == 1 {
		var err error
		team.Do(ctx, n, func(ctx context.Context, i int) {
			if err == nil {
				err = task(ctx, i, report)
			}
		})
		return err
	}
	var order []int
	if size != nil {
		order = largestFirst(n, size)
	}
	s := &sequence{report: report, held: map[int]*held{}}
	r := &run{failed: math.MaxInt, cancel: map[int]context.CancelFunc{}}
	team.Do(ctx, n, func(ctx context.Context, k int) {
		i := k
		if order != nil {
			i = order[k]
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if !r.begin(i, cancel) {
			return
		}
		defer r.end(i)
		var to Report
		if report != nil {
			to = func(e Event) { s.send(i, e) }
		}
		if err := task(ctx, i, to); err != nil {
			r.fail(i, err)
			return
		}
		s.finish(i)
	})
	return r.err
}

// largestFirst returns 0 to n-1 by size, equal ones in their order.
func largestFirst(n int, size func(i int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	return order
}

// A run is the tasks under way, and the first one that failed.
type run struct {
	mu     sync.Mutex
	failed int // no task before this one has failed
	err    error
	cancel map[int]context.CancelFunc
}

// begin reports whether task i is still of use.
func (r *run) begin(i int, cancel context.CancelFunc) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i > r.failed {
		return false
	}
	r.cancel[i] = cancel
	return true
}

func (r *run) end(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.cancel, i)
}

// fail notes the error of task i and ends the tasks behind it.
func (r *run) fail(i int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i > r.failed {
		return
	}
	r.failed, r.err = i, err
	for k, cancel := range r.cancel {
		if k > i {
			cancel()
		}
	}
}

// A sequence puts the events of tasks that run at once in the order of tasks.
type sequence struct {
	mu     sync.Mutex
	report Report
	next   int // the task whose events go on at once
	held   map[int]*held
}

// held is what a later task has reported.
type held struct {
	record
	done bool
}

func (s *sequence) of(i int) *held {
	h := s.held[i]
	if h == nil {
		h = new(held)
		s.held[i] = h
	}
	return h
}

func (s *sequence) send(i int, e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i == s.next {
		s.report(e)
		return
	}
	s.of(i).add(e)
}

// finish says that task i reports nothing more.
func (s *sequence) finish(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(i).done = true
	for h := s.held[s.next]; h != nil && h.done; h = s.held[s.next] {
		delete(s.held, s.next)
		s.next++
		// what the next one has reported so far
		if h := s.held[s.next]; h != nil {
			h.send(s.report)
		}
	}
}
