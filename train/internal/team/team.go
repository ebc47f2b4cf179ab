// Package team is a group of goroutines that share work: the class pairs of a classifier, the folds
// of a cross-validation, the columns of a kernel row. Work may be nested. A goroutine that runs out
// of coarse tasks takes finer ones, and then parts of the pieces of a few microseconds that a
// goroutine shares with its Helpers.
//
// A team travels in a context, so that work started inside a task uses the team that runs the task.
// Which goroutine runs a task, and when, never changes a result.
package team

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// A team is a set of goroutines in addition to the one that created it.
type team struct {
	size       int           // goroutines that work, including the creator
	processors int           // processors available for them
	clock      Clock         // nil if there is none
	idle       atomic.Int32  // goroutines that wait for a job or to help
	left       atomic.Int32  // tasks that nobody has begun
	changes    atomic.Uint32 // counts the jobs that came or were finished
	wg         sync.WaitGroup

	mu      sync.Mutex // guards all fields below
	cond    *sync.Cond // signals that something below has changed
	jobs    []*job     // jobs with tasks that nobody has begun, oldest first
	helpers []*Helpers
	kept    map[any]any
	closed  bool
}

// A job is the tasks 0 to n-1 of one call of Do.
type job struct {
	run     func(ctx context.Context, i int)
	ctx     context.Context // the context given to Do
	inner   place           // place of the job's tasks, without a claim
	n       int
	depth   int // of nesting
	next    int // first task that nobody has begun
	running int // number of tasks begun and not done
	fault   *Panic
	left    bool // a task ended its goroutine
}

// place is the position of a context in a team's work.
type place struct {
	team  *team
	depth int
	share int              // number of such places that are worked on at once
	claim *processor.Claim // of the goroutine that works there
}

// A worker is the state of a goroutine that runs tasks.
type worker struct {
	claim *processor.Claim
	job   *job            // job of the last task
	ctx   context.Context // context of that job's tasks
}

// context returns the context for a job's tasks.
func (h *worker) context(j *job) context.Context {
	if h.job != j {
		inner := j.inner
		inner.claim = h.claim
		h.job, h.ctx = j, context.WithValue(j.ctx, key{}, inner)
	}
	return h.ctx
}

type key struct{}

// A Clock returns the time since some moment. Only who does which work depends on it, not the work
// or its results.
type Clock = func() time.Duration

type clockKey struct{}

// WithClock returns a context whose team has a clock.
func WithClock(ctx context.Context, clock Clock) context.Context {
	return context.WithValue(ctx, clockKey{}, clock)
}

func of(ctx context.Context) place {
	p, _ := ctx.Value(key{}).(place)
	return p
}

// mostIdle is the number of goroutines that a team may have even if there are fewer processors.
const mostIdle = 64

// With returns a context with a team of the given number of threads, and a function that ends the
// team. 0 or less means one thread for each processor (GOMAXPROCS). If there are more than mostIdle
// threads and more than processors, the excess is left out. A context that has a team keeps it.
func With(ctx context.Context, threads int) (context.Context, func()) {
	if of(ctx).team != nil {
		return ctx, func() {}
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, max(mostIdle, runtime.GOMAXPROCS(0)))
	t := &team{size: threads, processors: runtime.GOMAXPROCS(0)}
	t.clock, _ = ctx.Value(clockKey{}).(Clock)
	t.cond = sync.NewCond(&t.mu)
	claim := new(processor.Claim)
	claim.Renew()
	for range threads - 1 {
		t.wg.Go(t.help)
	}
	if threads > 1 {
		processor.StartWoken()
	}
	return context.WithValue(ctx, key{}, place{team: t, share: 1, claim: claim}), func() { t.close(claim) }
}

// Size returns the number of threads of the context's team, 1 without a team.
func Size(ctx context.Context) int {
	if t := of(ctx).team; t != nil {
		return t.size
	}
	return 1
}

// YieldFactor is the factor by which a goroutine that is alone yields its processor less often if
// there are other processors.
const YieldFactor = 16

// Alone reports whether ctx has no team or a team of one goroutine, and whether there is more than
// one processor. In that case each yield wakes an idle processor, which takes some microseconds on
// both.
func Alone(ctx context.Context) (alone, spare bool) {
	t := of(ctx).team
	if t == nil {
		return true, runtime.GOMAXPROCS(0) > 1
	}
	return t.size == 1, t.processors > 1
}

// Concurrency returns how many tasks like the one with this ctx may run at once and have to share memory.
// It is 1 outside of tasks.
func Concurrency(ctx context.Context) int { return max(1, of(ctx).share) }

// YieldPoint should be called in long work about every millisecond. The system may have moved the
// goroutine to the processor of another member, for instance after a garbage collection: then one
// of them moves away. YieldPoint also lets other programs that wait for this processor run.
func YieldPoint(ctx context.Context) {
	if p := of(ctx); p.team != nil && p.team.size > 1 {
		p.claim.Renew()
		processor.Yield()
	}
}

// LoadOrCreate returns the value that the context's team keeps for a key until the team ends. If there is
// none yet, it keeps what create returns. Tasks can use it to hand memory on to later tasks; the
// garbage collector would take such memory from a sync.Pool in between. If the value has a method
// Free, it is called when the team ends. Without a team, every call returns a new value.
func LoadOrCreate(ctx context.Context, key any, create func() any) any {
	t := of(ctx).team
	if t == nil {
		return create()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.kept[key]
	if !ok {
		if t.kept == nil {
			t.kept = map[any]any{}
		}
		v = create()
		t.kept[key] = v
	}
	return v
}

// Do runs f for i = 0 to n-1, several at once if ctx has a team, and returns when all are done.
// Tasks are begun in order. f gets a context for nested work.
//
// If a task panics, Do panics when the tasks already begun are done. If a task ends its goroutine
// by runtime.Goexit, as testing.T's FailNow does, Do ends its caller's goroutine.
//
// A goroutine that is alone yields its processor before each task; otherwise the runtime would
// interrupt it after 10 ms, which makes it look up half a megabyte of tables. If there are other
// processors it rarely yields it. In a team there are no yields: one might be accepted, and the work
// would continue on a processor whose cache does not hold its data.
func Do(ctx context.Context, n int, f func(ctx context.Context, i int)) {
	p := of(ctx)
	alone, spare := Alone(ctx)
	if alone || n <= 1 {
		for i := range n {
			if alone && (!spare || i%YieldFactor == YieldFactor-1) {
				runtime.Gosched()
			}
			f(ctx, i)
		}
		return
	}
	inner := place{team: p.team, depth: p.depth + 1, share: min(p.team.size, p.share*n)}
	p.team.do(&job{run: f, ctx: ctx, inner: inner, n: n, depth: p.depth}, p.claim)
}

func (t *team) do(j *job, claim *processor.Claim) {
	h := worker{claim: claim}
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		for j.running > 0 { // tasks of others may still run when a task has ended this goroutine
			t.waitForWork(j.depth+1, claim)
		}
	}()
	t.jobs = append(t.jobs, j)
	t.left.Add(int32(j.n))
	if t.notify(claim); t.idle.Load() > 0 {
		t.mu.Unlock() // the woken members need the lock
		processor.StartWoken()
		t.mu.Lock()
	}
	for j.next < j.n {
		t.begin(j, &h)
	}
	for j.running > 0 {
		// others run the last tasks: help with work nested in those
		if inner := t.find(j.depth + 1); inner != nil {
			t.begin(inner, &h)
		} else {
			t.waitForWork(j.depth+1, claim)
		}
	}
	if j.fault != nil {
		panic(j.fault)
	}
	if j.left {
		runtime.Goexit()
	}
}

// begin runs the next task of a job. It releases the lock meanwhile.
func (t *team) begin(j *job, h *worker) {
	i := j.next
	j.next++
	t.left.Add(-1)
	j.running++
	if j.next == j.n {
		t.remove(j)
	}
	t.mu.Unlock()
	returned := false
	defer func() {
		fault := Recovered(recover())
		t.mu.Lock()
		if fault != nil || !returned {
			t.abandon(j, fault)
		}
		if j.running--; j.running == 0 && j.next == j.n {
			t.notify(h.claim)
		}
	}()
	h.claim.Renew()
	j.run(h.context(j), i)
	returned = true
}

// abandon cancels the remaining tasks of a job after one has panicked, or, if fault is nil, has
// ended its goroutine.
func (t *team) abandon(j *job, fault *Panic) {
	if fault == nil {
		j.left = true
	} else if j.fault == nil {
		j.fault = fault
	}
	if j.next < j.n {
		t.left.Add(int32(j.next - j.n))
		j.next = j.n
		t.remove(j)
	}
}

// find returns a job whose depth is at least depth: the one with the least depth, because coarse
// tasks come first. It returns nil if there is none.
func (t *team) find(depth int) *job {
	var found *job
	for _, j := range t.jobs {
		if j.depth >= depth && (found == nil || j.depth < found.depth) {
			found = j
		}
	}
	return found
}

func (t *team) remove(j *job) {
	for k, other := range t.jobs {
		if other == j {
			t.jobs = append(t.jobs[:k], t.jobs[k+1:]...)
			return
		}
	}
}

// help is the main loop of a helper.
func (t *team) help() {
	h := worker{claim: new(processor.Claim)}
	h.claim.Renew()
	defer h.claim.Release()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.closed {
		if j := t.find(0); j != nil {
			t.begin(j, &h)
			continue
		}
		h.job, h.ctx = nil, nil // the context may no longer be needed
		t.waitForWork(0, h.claim)
	}
}

// close ends the helpers and frees what is kept. No work may be running.
func (t *team) close(claim *processor.Claim) {
	t.mu.Lock()
	t.closed = true
	kept := t.kept
	t.kept = nil
	t.notify(claim)
	t.mu.Unlock()
	claim.Release()
	t.wg.Wait()
	for _, v := range kept {
		if f, ok := v.(interface{ Free() }); ok {
			f.Free()
		}
	}
}
