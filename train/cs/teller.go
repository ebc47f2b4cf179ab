package cs

import (
	"sync"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/outbox"
)

// A teller reports what tasks do that are under way at once as if one were done after the other: what
// is ahead of its turn waits. Nothing is told behind a task that does not finish.
type teller struct {
	report train.Report
	out    outbox.Outbox[train.Event]
	runs   *train.RunDone // is told of each task, but for Done; nil: nothing is

	mu    sync.Mutex // guards what follows, and the order of out
	tasks []told
	turn  int // the task whose pivots are told at once
	last  int // its pivots so far
	sum   int // of all that were told, and before
}

// told is what a task waits to tell.
type told struct {
	pivots []int
	done   bool
}

// newTeller returns a teller of n tasks, before which so many pivots were told.
func newTeller(report train.Report, n, pivots int) *teller {
	return &teller{report: report, tasks: make([]told, n), sum: pivots}
}

// progress tells how many pivots a task has taken so far.
func (t *teller) progress(task, pivots int) {
	if t.report == nil {
		return
	}
	defer t.out.Deliver(t.report.Send)
	t.mu.Lock()
	defer t.mu.Unlock()
	if task == t.turn {
		t.send(pivots)
		return
	}
	t.tasks[task].pivots = append(t.tasks[task].pivots, pivots)
}

// send reports the pivots of all tasks, those of the one whose turn it is being given.
func (t *teller) send(pivots int) {
	t.sum += pivots - t.last
	t.last = pivots
	t.out.Put(train.Progress{Iterations: t.sum})
}

// finished tells that a task is done.
func (t *teller) finished(task int) {
	defer t.out.Deliver(t.report.Send)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tasks[task].done = true
	for t.turn < len(t.tasks) && t.tasks[t.turn].done {
		if t.runs != nil {
			t.runs.Done = t.turn + 1
			t.out.Put(*t.runs)
		}
		t.turn++
		t.last = 0
		if t.turn < len(t.tasks) {
			for _, pivots := range t.tasks[t.turn].pivots {
				t.send(pivots)
			}
			t.tasks[t.turn].pivots = nil
		}
	}
}
