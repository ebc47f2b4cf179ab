package train

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/internal/outbox"
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
	// WithSettingsOf returns a trainer with the settings that were chosen for m, one of the
	// Chooser's models, as far as they affect the scale of decision values. It is a Forker if the
	// Chooser is.
	WithSettingsOf(m *models.Model) Trainer
}

// inOrder runs task for i = 0 to n-1, several at once if ctx has a team, with the same effect as
// one after the other. Events reach report in the order of the tasks. After the first task that
// fails, in that order, nothing more is reported, and its error is returned. If several tasks can
// run at once, the largest are begun first, so that no large one is left when all others are done.
// If size is nil, all tasks are equal.
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
	ends := groupTasks(n, n/(manyBunches*team.Size(ctx)), size, at)
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
	s := newSequence(n, report)
	first := team.NewFirstError()
	team.Do(ctx, len(ends), func(ctx context.Context, b int) {
		from, to := bunch(b)
		if to-from > 1 {
			d := bunches.Get().(*bunchDone)
			d.from, d.to, d.at, d.failed, d.told = from, to, at, nil, nil // s may keep what others have told
			d.runSmall(ctx, first, report != nil, task)
			s.take(d)
			d.at = nil
			bunches.Put(d)
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

// A bunchDone has what became of the tasks of a bunch, at(from) to at(to-1).
type bunchDone struct {
	from, to int
	at       func(k int) int
	failed   []int        // the tasks that failed or were not begun
	told     []taskEvents // of the tasks that have sent events; most have sent none

	task   int    // the present one
	report Report // adds to told
}

// bunches holds unused memory for bunches.
var bunches = sync.Pool{New: func() any {
	d := new(bunchDone)
	d.report = d.add
	return d
}}

// add is the Report of the present task.
func (d *bunchDone) add(e Event) {
	if n := len(d.told); n == 0 || d.told[n-1].i != d.task {
		d.told = append(d.told, taskEvents{i: d.task})
	}
	d.told[len(d.told)-1].add(e)
}

// taskEvents has the events of task i.
type taskEvents struct {
	i int
	record
}

// runSmall runs the tasks of the bunch, unless ctx has ended. They are so short that they are not
// cancelled. It keeps their events until all are done: if several threads reported at once, each
// would wait for memory that another has just written.
func (d *bunchDone) runSmall(ctx context.Context, first *team.FirstError, heard bool, task func(ctx context.Context, i int, report Report) error) {
	if err := ended.Err(ctx); err != nil { // there may be millions of tasks
		first.Fail(d.at(d.from), err)
		d.to = d.from
		return
	}
	var report Report
	if heard {
		report = d.report
	}
	for k := d.from; k < d.to; k++ {
		i := d.at(k)
		if !first.Begin(i, nil) {
			d.failed = append(d.failed, i)
			continue
		}
		d.task = i
		if err := task(ctx, i, report); err != nil {
			first.Fail(i, err)
			d.failed = append(d.failed, i)
		}
	}
}

// A bunch ends when its tasks have bunchSize rows together. A row takes some tenths of a
// microsecond, about as long as handing out a task. There are at least manyBunches bunches for each
// thread, if there are that many tasks, because rows may take longer.
const (
	bunchSize   = 256
	manyBunches = 16
)

// groupTasks cuts the tasks, in the order at(0) to at(n-1), into bunches of up to most small tasks.
// One thread runs the whole bunch. It returns the end of each bunch. A large task is a bunch of its
// own. If size is nil, each task is.
func groupTasks(n, most int, size func(i int) int, at func(k int) int) (ends []int) {
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

// largestFirst returns 0 to n-1, largest size first, equal sizes in ascending order. Tasks of which a
// bunch has several count as equal. So pairs with parts of [kernel.Classes] stay in ascending order,
// in which few of the shared values are needed at once. It returns nil if all stay in ascending
// order: of 50 million pairs, a list would take 400 MB, and a second in which nobody can stop it.
func largestFirst(n int, size func(i int) int) []int {
	of := func(i int) int { return max(size(i), bunchSize/2) }
	k := 1
	for k < n && of(k) <= of(k-1) {
		k++
	}
	if k >= n {
		return nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of(b), of(a)) })
	return order
}

// A sequence puts the events of tasks that run at once into the order of the tasks.
type sequence struct {
	report Report
	out    outbox.Outbox[Event]

	mu   sync.Mutex      // guards what follows, and the order of out
	next int             // the task whose events are passed on at once
	done []uint64        // a bit for each task: it sends no more events
	held map[int]*record // the events that later tasks have sent, if any
}

// newSequence returns a sequence of n tasks.
func newSequence(n int, report Report) *sequence {
	return &sequence{report: report, done: make([]uint64, n/64+1), held: map[int]*record{}}
}

func (s *sequence) send(i int, e Event) {
	defer s.out.Deliver(s.report)
	s.mu.Lock()
	defer s.mu.Unlock()
	if i == s.next {
		s.out.Put(e)
		return
	}
	h := s.held[i]
	if h == nil {
		h = new(record)
		s.held[i] = h
	}
	h.add(e)
}

// finish says that task i sends no more events.
func (s *sequence) finish(i int) {
	defer s.out.Deliver(s.report)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(i)
	s.advance()
}

// take takes the events of the tasks of a bunch. None of them sends more, except those that failed,
// behind which nothing counts.
func (s *sequence) take(d *bunchDone) {
	defer s.out.Deliver(s.report)
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range d.told {
		t := &d.told[k]
		if t.i == s.next {
			t.send(s.out.Put)
		} else {
			s.held[t.i] = &t.record
		}
	}
	failed := d.failed
	for k := d.from; k < d.to; k++ {
		i := d.at(k)
		if len(failed) > 0 && failed[0] == i {
			failed = failed[1:]
			continue
		}
		s.end(i)
	}
	s.advance()
}

// end marks task i as done.
func (s *sequence) end(i int) { s.done[i/64] |= 1 << (i % 64) }

// advance passes on the events of the tasks behind those that are done, up to one that is not.
func (s *sequence) advance() {
	for s.done[s.next/64]>>(s.next%64)&1 != 0 {
		s.next++
		if h := s.held[s.next]; h != nil {
			h.send(s.out.Put) // the events that it has sent so far
			delete(s.held, s.next)
		}
	}
}
