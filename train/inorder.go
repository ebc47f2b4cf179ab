package train

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A Forker is a Trainer that can train on several parts of a data set at once.
type Forker interface {
	Trainer
	// Fork returns a trainer of the same models that sends its events to report instead.
	Fork(report Report) Trainer
	// Draws returns how many numbers Train draws from rng for a data set. Only the labels d.Y may
	// be present: it is called before the rows of a fold are put together.
	Draws(d *format.Dataset) int
	// Workers returns the number of threads; 0 means one for each processor.
	Workers() int
}

// A Chooser is a Trainer that chooses some of its settings by the rows it is given.
type Chooser interface {
	Trainer
	// Like returns a trainer with the settings that were chosen for m, one of the Chooser's models,
	// as far as they affect the scale of decision values. It is a Forker if the Chooser is.
	Like(m *models.Model) Trainer
}

// inOrder runs task for i = 0 to n-1, several at once if ctx has a team, with the effect of running
// them one after the other. What they report reaches report in the order of tasks. After the first
// task that fails, nothing more is reported, and its error is returned. If several can run, the
// largest tasks by size are begun first, so that none is left when all others are done; a nil size
// means that all are equal.
func inOrder(ctx context.Context, n int, size func(i int) int, report Report, task func(ctx context.Context, i int, report Report) error) error {
	if n == 1 {
		return task(ctx, 0, report)
	}
	alone := team.Size(ctx) == 1
	var order []int
	if size != nil && !alone {
		order = largestFirst(n, size)
	}
	at := func(k int) int {
		if order == nil {
			return k
		}
		return order[k]
	}
	ends := bunches(n, n/(manyBunches*team.Size(ctx)), size, at)
	bunch := func(b int) (from, to int) {
		if b > 0 {
			from = ends[b-1]
		}
		return from, ends[b]
	}
	if alone {
		var err error
		team.Do(ctx, len(ends), func(ctx context.Context, b int) {
			for k, to := bunch(b); k < to && err == nil; k++ {
				err = task(ctx, k, report)
			}
		})
		return err
	}
	s := &sequence{report: report, held: map[int]*held{}}
	first := team.NewFirst()
	team.Do(ctx, len(ends), func(ctx context.Context, b int) {
		from, to := bunch(b)
		if to-from > 1 {
			s.take(small(ctx, first, from, to, at, report != nil, task))
			return
		}
		i := at(from)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if !first.Begin(i, cancel) {
			return
		}
		returned := false
		defer func() { first.End(i, returned) }()
		var send Report
		if report != nil {
			send = func(e Event) { s.send(i, e) }
		}
		err := task(ctx, i, send)
		if returned = true; err != nil {
			first.Fail(i, err)
			return
		}
		s.finish(i)
	})
	return first.Err()
}

// told is what task i has reported.
type told struct {
	i int
	held
}

// small runs the tasks of a bunch, which are soon done and not cancelled meanwhile. What they report is kept until all
// are done, since others report too, and each would wait for what the other has just written.
func small(ctx context.Context, first *team.First, from, to int, at func(k int) int, heard bool, task func(ctx context.Context, i int, report Report) error) []told {
	all := make([]told, to-from)
	done := all[:0]
	for k := from; k < to; k++ {
		i := at(k)
		if !first.Begin(i, nil) {
			continue
		}
		done = done[:len(done)+1]
		t := &done[len(done)-1]
		t.i = i
		var report Report
		if heard {
			report = t.add
		}
		if err := task(ctx, i, report); err != nil {
			first.Fail(i, err)
			continue
		}
		t.done = true
	}
	return done
}

// A bunch has no more tasks when they have bunchSize rows together, of which each takes some tenths of a microsecond as it
// does to hand a task out. There are at least manyBunches for each thread, if there are so many tasks, since rows may take
// longer.
const (
	bunchSize   = 256
	manyBunches = 16
)

// bunches cuts tasks 0 to n-1, of which the one at place k is that of number at(k), into bunches of up to most small ones,
// which are done by whoever begins the first, and returns where each ends. Large ones are by themselves, and so are all where
// sizes are not known.
func bunches(n, most int, size func(i int) int, at func(k int) int) (ends []int) {
	rows, begin := 0, 0
	for k := range n {
		if size != nil {
			rows += size(at(k))
		}
		if size == nil || rows >= bunchSize || k+1-begin >= most || k+1 == n {
			rows, begin = 0, k+1
			ends = append(ends, begin)
		}
	}
	return ends
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
	s.end(i)
}

// take notes what tasks have reported, of which those that are not done have failed.
func (s *sequence) take(all []told) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range all {
		t := &all[k]
		if t.i != s.next {
			s.held[t.i] = &t.held
			continue
		}
		t.send(s.report)
		if t.done {
			s.end(t.i)
		}
	}
}

func (s *sequence) end(i int) {
	if i != s.next {
		s.of(i).done = true
		return
	}
	for done := true; done; {
		delete(s.held, s.next)
		s.next++
		h := s.held[s.next]
		if done = h != nil && h.done; h != nil {
			h.send(s.report) // what it has reported so far
		}
	}
}
