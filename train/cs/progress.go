package cs

import (
	"sync"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/outbox"
)

// A progressReporter reports the progress of tasks that run at once as if they ran one after the
// other: what comes before its turn waits. Nothing is reported after a task that does not finish.
type progressReporter struct {
	report train.Report
	out    outbox.Outbox[train.Event]
	runs   *train.RunDone // reported after each task, with Done set; nil: nothing is reported

	mu    sync.Mutex // guards what follows, and the order of out
	tasks []taskProgress
	turn  int // the task whose pivots are reported at once
	last  int // its pivots so far
	sum   int // all pivots reported so far, here and before
}

// taskProgress is what a task has to report when its turn comes.
type taskProgress struct {
	pivots []int
	done   bool
}

// newProgressReporter returns a reporter of the progress of n tasks. pivots is the number of pivots
// that were reported before them.
func newProgressReporter(report train.Report, n, pivots int) *progressReporter {
	return &progressReporter{report: report, tasks: make([]taskProgress, n), sum: pivots}
}

// progress reports how many pivots a task has taken so far.
func (t *progressReporter) progress(task, pivots int) {
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

// send reports the pivots of all tasks so far, given those of the task whose turn it is.
func (t *progressReporter) send(pivots int) {
	t.sum += pivots - t.last
	t.last = pivots
	t.out.Put(train.Progress{Iterations: t.sum})
}

// finished reports that a task is done.
func (t *progressReporter) finished(task int) {
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
