// Package team is a group of goroutines that stand ready to share work: the class
// pairs of a classifier, the folds of a cross-validation, the columns of a kernel
// row. Work may be nested; whoever runs out of coarse tasks takes finer ones, and
// then parts of the pieces of a few microseconds that a Crew shares out.
//
// A team travels in a context, so that what is started inside of a task finds
// the team that runs it. Which goroutine runs a task, and when, never shows in a
// result.
package team

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// A team is the goroutines beside the one that has set it up.
type team struct {
	size       int           // goroutines that work, its founder included
	processors int           // that there are for them
	clock      Clock         // nil if there is none
	idle       atomic.Int32  // goroutines that wait for a job or a crew
	left       atomic.Int32  // tasks that nobody has begun
	changes    atomic.Uint32 // times that jobs have come, or were done
	wg         sync.WaitGroup

	mu     sync.Mutex // guards all below
	cond   *sync.Cond // something here has changed
	jobs   []*job     // with tasks that nobody has begun, oldest first
	crews  []*Crew
	kept   map[any]any
	closed bool
}

// A job is tasks 0 to n-1 of one call of Do.
type job struct {
	run     func(ctx context.Context, i int)
	ctx     context.Context // what it was called with
	inner   place           // of tasks, but for the seat
	n       int
	depth   int // of nesting
	next    int // the first task that nobody has begun
	running int // tasks that were begun and are not done
	fault   *Panic
	left    bool // a task ended its goroutine
}

// place is where in a team's work a context stands.
type place struct {
	team  *team
	depth int
	share int             // how many such places are worked on at once
	seat  *processor.Seat // of the goroutine that works there
}

// A hand is what a goroutine works with.
type hand struct {
	seat *processor.Seat
	job  *job            // of the last task
	ctx  context.Context // of its tasks
}

// in returns the context of a job's tasks.
func (h *hand) in(j *job) context.Context {
	if h.job != j {
		inner := j.inner
		inner.seat = h.seat
		h.job, h.ctx = j, context.WithValue(j.ctx, key{}, inner)
	}
	return h.ctx
}

type key struct{}

// A Clock returns the time since some moment. What is done, and its results, do not depend
// on it, only who does it.
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

// mostIdle is up to how many goroutines a team may have without processors for them.
const mostIdle = 64

// With returns a context with a team of the given number of threads, 0 or less
// for one a processor (GOMAXPROCS), and a function that ends it. Of more threads than
// there are processors for some are left out if they are very many. A context that
// has a team keeps it.
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
	seat := new(processor.Seat)
	seat.Keep()
	for range threads - 1 {
		t.wg.Go(t.help)
	}
	if threads > 1 {
		processor.Call()
	}
	return context.WithValue(ctx, key{}, place{team: t, share: 1, seat: seat}), func() { t.close(seat) }
}

// Size returns the number of threads of the context's team, 1 without a team.
func Size(ctx context.Context) int {
	if t := of(ctx).team; t != nil {
		return t.size
	}
	return 1
}

// Seldom says how much less often a goroutine that is alone offers its processor to others if the machine has more than one.
const Seldom = 16

// Alone reports whether ctx has no team or one of a single goroutine, and whether there are more processors than one. While the
// others have nothing to do, each offer wakes one of them, which takes some microseconds on both.
func Alone(ctx context.Context) (alone, spare bool) {
	t := of(ctx).team
	if t == nil {
		return true, runtime.GOMAXPROCS(0) > 1
	}
	return t.size == 1, t.processors > 1
}

// Share returns how many tasks like the one that ctx was given to may run at
// once, and have to share memory: 1 outside of tasks.
func Share(ctx context.Context) int { return max(1, of(ctx).share) }

// Stay is for long work, every millisecond or so. The system may have put its goroutine on the processor of another
// of the team, as it does with those that the collector has stopped: then one of the two moves. And another that waits
// for this processor gets to do so.
func Stay(ctx context.Context) {
	if p := of(ctx); p.team != nil && p.team.size > 1 {
		p.seat.Keep()
		processor.Offer()
	}
}

// Keep returns the value that the context's team keeps for a key until it ends,
// what create returns if it has none: memory that tasks hand on to later ones, which
// the collector would take from a sync.Pool in between. If it has a method Free, that is
// called when the team ends. Without a team every call has a value of its own.
func Keep(ctx context.Context, key any, create func() any) any {
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

// Do runs f for i = 0 to n-1, several at once if ctx has a team, and returns when
// all are done. Tasks are begun in order. f is given a context to nest more work
// in. If a task panics, Do does, when those that were begun are done; if one ends its goroutine, by runtime.Goexit, as what
// a caller's test reports to may, that of Do's caller ends. A goroutine that is alone offers its processor before each
// task: the runtime interrupts it after 10 ms else, and looks it up in half a megabyte of tables. Where there are other
// processors it seldom does. In a team an offer
// might be taken, and the work go on in another processor's cache.
func Do(ctx context.Context, n int, f func(ctx context.Context, i int)) {
	p := of(ctx)
	alone, spare := Alone(ctx)
	if alone || n <= 1 {
		for i := range n {
			if alone && (!spare || i%Seldom == Seldom-1) {
				runtime.Gosched()
			}
			f(ctx, i)
		}
		return
	}
	inner := place{team: p.team, depth: p.depth + 1, share: min(p.team.size, p.share*n)}
	p.team.do(&job{run: f, ctx: ctx, inner: inner, n: n, depth: p.depth}, p.seat)
}

func (t *team) do(j *job, seat *processor.Seat) {
	h := hand{seat: seat}
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		for j.running > 0 { // others are not done where a task has ended this goroutine
			t.stand(j.depth+1, seat)
		}
	}()
	t.jobs = append(t.jobs, j)
	t.left.Add(int32(j.n))
	if t.stir(seat); t.idle.Load() > 0 {
		t.mu.Unlock() // which those need that are woken
		processor.Call()
		t.mu.Lock()
	}
	for j.next < j.n {
		t.begin(j, &h)
	}
	for j.running > 0 {
		// others are at the last tasks: help with what is inside of those
		if inner := t.find(j.depth + 1); inner != nil {
			t.begin(inner, &h)
		} else {
			t.stand(j.depth+1, seat)
		}
	}
	if j.fault != nil {
		panic(j.fault)
	}
	if j.left {
		runtime.Goexit()
	}
}

// begin runs the next task of a job, without the lock.
func (t *team) begin(j *job, h *hand) {
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
		fault := Caught(recover())
		t.mu.Lock()
		if fault != nil || !returned {
			t.abandon(j, fault)
		}
		if j.running--; j.running == 0 && j.next == j.n {
			t.stir(h.seat)
		}
	}()
	h.seat.Keep()
	j.run(h.in(j), i)
	returned = true
}

// abandon has no more tasks of a job begun, since one panicked, or, without a fault, ended its goroutine.
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

// find returns a job of the least depth that is not below depth, nil if there is
// none: coarse tasks first.
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

// help is the life of a helper.
func (t *team) help() {
	h := hand{seat: new(processor.Seat)}
	h.seat.Keep()
	defer h.seat.Leave()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.closed {
		if j := t.find(0); j != nil {
			t.begin(j, &h)
			continue
		}
		h.job, h.ctx = nil, nil // others may have no more use for it
		t.stand(0, h.seat)
	}
}

// close ends the helpers and frees what is kept. No work may be under way.
func (t *team) close(seat *processor.Seat) {
	t.mu.Lock()
	t.closed = true
	kept := t.kept
	t.kept = nil
	t.stir(seat)
	t.mu.Unlock()
	seat.Leave()
	t.wg.Wait()
	for _, v := range kept {
		if f, ok := v.(interface{ Free() }); ok {
			f.Free()
		}
	}
}
