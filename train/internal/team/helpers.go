package team

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// Problem: work comes in pieces of a few microseconds, one after the other, and each piece can be
// cut into parts. Waking a goroutine takes longer than such a piece. So team members that have
// nothing to do watch the place where the next piece will appear. Whoever claims a part first
// begins it: the owner of the pieces never waits for a helper that has not begun.

// Helpers are goroutines of a team that take parts of the short pieces of work of another one, the
// owner. Only the owner calls the methods. With nil Helpers it does everything alone.
type Helpers struct {
	team   *team
	depth  int
	claim  *processor.Claim // the owner's
	wanted atomic.Bool      // there was work since the last helper left because there was none
	ready  atomic.Int32     // changes under the team's lock
	async  atomic.Pointer[func()]
	fault  atomic.Pointer[Panic] // of a helper, in a part or a call of Async's function
	piece  *piece
	parts  []part

	_ [128]byte // the owner changes the following fields all the time, and nobody else reads them

	round  uint64
	busy   bool  // a piece is not done; if this is set when End is called, it never will be
	length int   // of the last piece, in rough microseconds
	trial  trial // measures work without help
	long   bool  // the piece is too long for trials
	alone  int   // microseconds of work that is still to be done without help
	late   int   // how often the owner recently had to wait for a helper
	timely int   // microseconds of shared work since the last wait
}

// If the system takes the processor from a helper in the middle of a part, the owner waits longer
// than all help is worth. So the owner then works without help for some time. That time doubles
// each time this happens, and becomes shorter again if it has not happened for long.
const (
	lateness  = 2 * time.Millisecond // more than it takes to get a large page of memory
	alonePart = 1 << 10              // microseconds of work; twice this after the first wait
	mostLate  = 9                    // largest number of doublings
)

// waited notes how long the owner waited for the end of a piece. In a long piece, one part may well
// take much longer than another, so the limit grows with the length.
func (h *Helpers) waited(long time.Duration) {
	switch {
	case long > lateness*time.Duration(max(1, h.length/1000)):
		h.late = min(h.late+1, mostLate)
		h.alone, h.timely = alonePart<<h.late, 0
	case h.late > 0:
		if h.timely += h.length; h.timely >= alonePart<<h.late {
			h.late--
			h.timely = 0
		}
	}
}

// A piece of work is what helpers watch. Data that one goroutine writes and others read have cache
// lines of their own: fetching a line that has changed takes as long as hundreds of operations.
type piece struct {
	word    atomic.Uint64 // the round times maxParts, plus the number of parts
	run     func(part int, result *Result)
	command Command
	_       [128 - 16 - 88]byte
}

// A Command tells all parts of a piece what to do. It is in the same two cache lines as the call, the
// first half of Values and what is before it even in the same one. Anything stored elsewhere would
// have to be fetched separately.
type Command struct {
	Kind, Count   int32
	Rows          [2]*float32
	Places        [2]int32
	Values        [4]float64
	To, From      *float32
	Length, Width int32
}

// maxParts is more than the largest number of parts.
const maxParts = 32

// part has the last rounds in which one part was begun and done.
type part struct {
	begun, done atomic.Uint64
	result      Result
	_           [128 - 2*8 - 10*8]byte
}

// A Result is what a part of a piece leaves for the owner: one result, or two.
type Result struct {
	At    [2]int
	Value [2][4]float64
}

// Problem: if other programs run too, the system may let two team members take turns on one
// processor. The one that waits then keeps the other from finishing what it waits for.
//
// Method: a member that waits longer than most pieces take yields its processor to others. If
// nobody else needs it, a yield takes less than a microsecond.

// Numbers of spins (looks at another goroutine's state), each about two nanoseconds:
//
//   - idleSpins: for the next piece, before a helper stops watching
//   - spinsPerYield: between two yields of the processor while watching
//   - spinsBeforeYield: at a part that a helper is computing, before the owner yields its processor
const (
	idleSpins        = 1 << 19
	spinsPerYield    = 1 << 13
	spinsBeforeYield = 1 << 14
)

// yieldsPerGosched is how many times a waiting owner yields its processor to other programs for each
// time it yields it to other goroutines, one of which may be the helper.
const yieldsPerGosched = 16

// yieldTime is how long a yield takes if nobody accepts the processor.
const yieldTime = time.Microsecond / 2

// wakeMicroseconds is how many microseconds a called helper may take to come. partMicroseconds is
// how many a part of long work takes, if it need not be longer.
const (
	wakeMicroseconds = 64
	partMicroseconds = 8
)

// NewHelpers returns Helpers for the goroutine that ctx was given to, nil if ctx has no team.
func NewHelpers(ctx context.Context) *Helpers {
	p := of(ctx)
	if p.team == nil || min(p.team.size, p.team.processors) == 1 {
		return nil
	}
	h := &Helpers{team: p.team, depth: p.depth, claim: p.claim, piece: new(piece), parts: make([]part, maxParts)}
	h.trial.clock = p.team.clock
	t := p.team
	t.mu.Lock()
	t.helpers = append(t.helpers, h)
	t.mu.Unlock()
	return h
}

// End sends the helpers away. If the owner did not finish a piece, because of a panic or the end of
// a goroutine, End waits until the helpers are gone: they may be computing parts of that piece.
func (h *Helpers) End() {
	if h == nil {
		return
	}
	h.dismiss()
	for v := (spinWait{}); h.busy && h.ready.Load() > 0; {
		v.spin()
	}
}

func (h *Helpers) dismiss() {
	t := h.team
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, other := range t.helpers {
		if other == h {
			t.helpers = append(t.helpers[:k], t.helpers[k+1:]...)
			break
		}
	}
	if h.ready.Load() > 0 {
		t.notify(h.claim)
	}
}

// Parts returns into how many parts to cut a piece of n elements, so that each part has at least
// least elements, which should take about a microsecond. It calls for help if more parts would be
// useful.
func (h *Helpers) Parts(n, least int) int { return h.share(n, least, 1) }

// share is Parts if least elements take each microseconds.
func (h *Helpers) share(n, least, each int) int {
	if h == nil {
		return 1
	}
	if n < 2*least {
		h.trial.small++
		return 1
	}
	h.length = n / least * each
	h.long = h.length > longPiece
	if h.alone > 0 {
		h.alone -= h.length
		h.trial.drop()
		return 1
	}
	work := n * windowParts / least * each
	if h.trial.alone && !h.long {
		h.trial.add(work)
		return 1
	}
	helpers := int(h.ready.Load())
	if helpers == 0 {
		h.trial.drop()
		if !h.trial.alone || h.length >= wakeMicroseconds {
			h.call()
		}
		return 1
	}
	if h.long {
		h.trial.pause()
	} else if h.trial.add(work); h.trial.alone { // from now on
		h.trial.far = h.callTime() > farTime
	}
	return min(helpers+1, n/least, maxParts-1)
}

// LongParts is Parts for long work, in which least elements take each microseconds. It may return more
// parts than Parts, so that nobody waits long for the last part. If a piece is so long that help
// may arrive while it runs, LongParts returns several parts even if no helper is there yet, unless there
// are tasks that a free member would begin instead. All members that are there get the same number
// of parts, because three parts take two members as long as four.
func (h *Helpers) LongParts(n, least, each int) int {
	parts := h.share(n, least, each)
	if h == nil || n < 2*least || h.alone > 0 || h.trial.alone && !h.long || parts == 1 && (h.length < wakeMicroseconds || h.team.left.Load() > 0) {
		return parts
	}
	there := max(parts, 2)
	most := min(n/least, maxParts-1) / there // for each member
	return min((max(parts, h.length/partMicroseconds)+there-1)/there, most) * there
}

func (h *Helpers) call() {
	if h.wanted.Load() {
		return
	}
	h.wanted.Store(true)
	if t := h.team; t.idle.Load() > 0 {
		t.mu.Lock()
		t.wake(h.claim)
		t.mu.Unlock()
		processor.StartWoken()
	}
}

// Do runs f for parts 0 to parts-1 and returns when all are done. parts must be below maxParts.
// The same helper takes the same part if it can. Result returns what f leaves in result, until
// the next call. If f panics, Do panics, and the helpers cannot be used any more.
func (h *Helpers) Do(parts int, f func(part int, result *Result)) {
	h.round++
	h.busy = true
	h.piece.run = f
	h.piece.word.Store(h.round*maxParts + uint64(parts))
	f(0, &h.parts[0].result)
	if parts > 1 {
		h.take(h.round, parts, 1)
		h.waited(h.wait(parts))
		if h.long {
			h.trial.resume()
		}
	}
	h.busy = false
}

// Command returns the command of the next piece, which the owner fills in, or of the current one.
func (h *Helpers) Command() *Command { return &h.piece.command }

// wait returns when all parts except the first are done. It returns for how long it has yielded the
// processor to others.
func (h *Helpers) wait(parts int) (long time.Duration) {
	v := spinWait{clock: h.team.clock}
	for k := 1; k < parts; k++ {
		for h.parts[k].done.Load() != h.round {
			h.spin(&v)
		}
	}
	return v.waited()
}

// A spinWait is a wait by spinning, and then by yielding. It counts looks that found another
// goroutine's work not done.
type spinWait struct {
	clock Clock
	spins int
	since time.Duration
}

// spin counts a look, and after many of them yields the processor.
func (v *spinWait) spin() {
	v.spins++
	if v.spins <= spinsBeforeYield {
		return
	}
	if v.spins == spinsBeforeYield+1 && v.clock != nil {
		v.since = v.clock()
	}
	if processor.Yield(); v.spins%yieldsPerGosched == 0 {
		runtime.Gosched()
	}
}

// spin counts a look of the owner at a helper's work. It panics if a helper has panicked, and ends
// the goroutine if a helper has ended its own: otherwise the owner might wait forever.
func (h *Helpers) spin(v *spinWait) {
	switch fault := h.fault.Load(); fault {
	case nil:
		v.spin()
	case exit:
		runtime.Goexit()
	default:
		panic(fault)
	}
}

// exit is the fault of a helper whose goroutine was ended.
var exit = new(Panic)

// waited returns for how long the processor was yielded to others. Without a clock, it estimates the
// time from yields that nobody accepts.
func (v *spinWait) waited() time.Duration {
	switch {
	case v.spins <= spinsBeforeYield:
		return 0
	case v.clock != nil:
		return v.clock() - v.since
	default:
		return time.Duration(v.spins-spinsBeforeYield) * yieldTime
	}
}

// Ready returns how many helpers are there for calls of Async. If there are none, it calls for help.
func (h *Helpers) Ready() int {
	if h == nil || h.alone > 0 {
		return 0
	}
	n := int(h.ready.Load())
	if n == 0 {
		h.call()
	}
	return n
}

// Await returns when a helper, in a function given to Async, has set state to value. The awaited work
// takes about the given number of microseconds.
func (h *Helpers) Await(state *atomic.Int32, value int32, microseconds int) {
	v := spinWait{clock: h.team.clock}
	for state.Load() != value {
		h.spin(&v)
	}
	h.length = microseconds
	h.waited(v.waited())
}

// Async asks a helper that has nothing else to do to call f, which prepares later pieces. If no
// helper does so before the next call of Async, f is not called.
func (h *Helpers) Async(f func()) {
	if h != nil && h.ready.Load() > 0 {
		h.async.Store(&f)
	}
}

// Result returns what a part of the last piece has left.
func (h *Helpers) Result(part int) *Result { return &h.parts[part].result }

// take runs the parts that nobody has begun: first those from first on, then those before it. It
// never takes part 0, which is the owner's.
func (h *Helpers) take(round uint64, parts, first int) {
	for n := range parts - 1 {
		k := first + n
		if k >= parts {
			k -= parts - 1
		}
		p := &h.parts[k]
		// a helper may be several rounds late; the parts of those rounds have all been begun
		if begun := p.begun.Load(); begun < round && p.begun.CompareAndSwap(begun, round) {
			h.piece.run(k, &p.result)
			p.done.Store(round)
		}
	}
}

// serve takes parts of pieces, as the nth helper, until there is no work for a long time, or until
// something changes in the team, which it reports. It records a panic, or the end of its goroutine,
// for the owner.
func (h *Helpers) serve(n int, changes uint32, claim *processor.Claim) (changed bool) {
	returned := false
	defer func() {
		fault := Recovered(recover())
		if fault == nil && !returned {
			fault = exit
		}
		if fault != nil {
			h.fault.CompareAndSwap(nil, fault)
		}
	}()
	changed = h.watch(n, changes, claim)
	returned = true
	return changed
}

// watch is serve without the handling of panics.
func (h *Helpers) watch(n int, changes uint32, claim *processor.Claim) (changed bool) {
	var last uint64
	for looks := 1; looks < idleSpins; looks++ {
		if word := h.piece.word.Load(); word != last {
			last, looks = word, 1
			parts := int(word % maxParts)
			// the owner goes on from its own part, a helper starts at its share of the parts
			h.take(word/maxParts, parts, min(max(parts*n/(int(h.ready.Load())+1), 1), parts-1))
		} else if looks%64 == 0 {
			if f := h.async.Load(); f != nil && h.async.CompareAndSwap(f, nil) {
				(*f)()
				looks = 0
			}
			if h.team.changes.Load() != changes {
				return true
			}
			if looks%spinsPerYield == 0 {
				claim.Renew()
				processor.Yield()
			}
		}
	}
	return false
}

// openHelpers returns the Helpers with the fewest goroutines, among those that want more and whose depth is
// at least depth. It returns nil if there is none.
func (t *team) openHelpers(depth int) *Helpers {
	if t.size-int(t.idle.Load()) >= t.processors {
		return nil // watching would keep others from working
	}
	var open *Helpers
	for _, h := range t.helpers {
		if h.depth >= depth && h.wanted.Load() && h.ready.Load() < maxParts-2 && (open == nil || h.ready.Load() < open.ready.Load()) {
			open = h
		}
	}
	return open
}

// waitForWork waits until something changes. If there are Helpers with at least the given depth that
// want more, it is one of them meanwhile.
func (t *team) waitForWork(depth int, claim *processor.Claim) {
	t.idle.Add(1) // before openHelpers looks at them: then either it sees a wish for help, or call sees an idle member
	h := t.openHelpers(depth)
	if h == nil {
		claim.Release()
		t.cond.Wait()
		t.idle.Add(-1)
		t.mu.Unlock()
		claim.Renew()
		t.mu.Lock()
		return
	}
	t.idle.Add(-1)
	n, changes := int(h.ready.Add(1)), t.changes.Load()
	t.mu.Unlock()
	changed := true
	defer func() { // also if a part ends this goroutine
		t.mu.Lock()
		h.ready.Add(-1)
		if !changed {
			h.wanted.Store(false)
		}
	}()
	changed = h.serve(n, changes, claim)
}

// notify tells all members that something has changed. claim is the caller's.
func (t *team) notify(claim *processor.Claim) {
	t.changes.Add(1)
	t.wake(claim)
}

// wake wakes the sleeping members. claim is the caller's. After the lock is released, processor.StartWoken
// should follow.
func (t *team) wake(claim *processor.Claim) {
	claim.Renew()
	t.cond.Broadcast()
}
