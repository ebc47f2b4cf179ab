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

// A Crew shares out the short pieces of work of one goroutine, its owner. Only the owner calls its
// methods. A nil Crew does everything alone.
type Crew struct {
	team    *team
	depth   int
	seat    *processor.Seat // the owner's
	wanted  atomic.Bool     // there was work since the last helper left because there was none
	helpers atomic.Int32    // changes under the team's lock
	errand  atomic.Pointer[func()]
	fault   atomic.Pointer[Panic] // of a helper, in a part or an errand
	piece   *piece
	parts   []part

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
func (c *Crew) waited(long time.Duration) {
	switch {
	case long > lateness*time.Duration(max(1, c.length/1000)):
		c.late = min(c.late+1, mostLate)
		c.alone, c.timely = alonePart<<c.late, 0
	case c.late > 0:
		if c.timely += c.length; c.timely >= alonePart<<c.late {
			c.late--
			c.timely = 0
		}
	}
}

// A piece of work is what helpers watch. Data that one goroutine writes and others read have cache
// lines of their own: fetching a line that has changed takes as long as hundreds of operations.
type piece struct {
	word  atomic.Uint64 // the round times crewParts, plus the number of parts
	run   func(part int, found *Found)
	order Order
	_     [128 - 16 - 88]byte
}

// An Order tells all parts of a piece what to do. It is in the same two cache lines as the call, the
// first half of Values and what is before it even in the same one. Anything stored elsewhere would
// have to be fetched separately.
type Order struct {
	Kind, Count   int32
	Rows          [2]*float32
	Places        [2]int32
	Values        [4]float64
	To, From      *float32
	Length, Width int32
}

// crewParts is more than the largest number of parts.
const crewParts = 32

// part has the last rounds in which one part was begun and done.
type part struct {
	begun, done atomic.Uint64
	found       Found
	_           [128 - 2*8 - 10*8]byte
}

// Found is what a part of a piece leaves for the owner: one result, or two.
type Found struct {
	At    [2]int
	Value [2][4]float64
}

// Problem: if other programs run too, the system may let two team members take turns on one
// processor. The one that waits then keeps the other from finishing what it waits for.
//
// Method: a member that waits longer than most pieces take offers its processor to others. If
// nobody else needs it, an offer takes less than a microsecond.

// Numbers of spins (looks at another goroutine's state), each about two nanoseconds:
//
//   - idleSpins: for the next piece, before a helper stops watching
//   - spinsPerOffer: between two offers of the processor while watching
//   - spinsBeforeOffer: at a part that a helper is computing, before the owner offers its processor
const (
	idleSpins        = 1 << 19
	spinsPerOffer    = 1 << 13
	spinsBeforeOffer = 1 << 14
)

// offersPerGosched is how many times a waiting owner offers its processor to other programs for each
// offer to other goroutines, one of which may be the helper.
const offersPerGosched = 16

// offerTime is how long an offer takes if nobody accepts it.
const offerTime = time.Microsecond / 2

// wakeMicroseconds is how many microseconds a called helper may take to come. partMicroseconds is
// how many a part of long work takes, if it need not be longer.
const (
	wakeMicroseconds = 64
	partMicroseconds = 8
)

// NewCrew returns a crew for the goroutine that ctx was given to. It is nil if ctx has no team.
func NewCrew(ctx context.Context) *Crew {
	p := of(ctx)
	if p.team == nil || min(p.team.size, p.team.processors) == 1 {
		return nil
	}
	c := &Crew{team: p.team, depth: p.depth, seat: p.seat, piece: new(piece), parts: make([]part, crewParts)}
	c.trial.clock = p.team.clock
	t := p.team
	t.mu.Lock()
	t.crews = append(t.crews, c)
	t.mu.Unlock()
	return c
}

// End sends the helpers away. If the owner did not finish a piece, because of a panic or the end of
// a goroutine, End waits until the helpers are gone: they may be computing parts of that piece.
func (c *Crew) End() {
	if c == nil {
		return
	}
	c.dismiss()
	for v := (spinWait{}); c.busy && c.helpers.Load() > 0; {
		v.spin()
	}
}

func (c *Crew) dismiss() {
	t := c.team
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, other := range t.crews {
		if other == c {
			t.crews = append(t.crews[:k], t.crews[k+1:]...)
			break
		}
	}
	if c.helpers.Load() > 0 {
		t.notify(c.seat)
	}
}

// Parts returns into how many parts to cut a piece of n elements, so that each part has at least
// least elements, which should take about a microsecond. It calls for help if more parts would be
// useful.
func (c *Crew) Parts(n, least int) int { return c.share(n, least, 1) }

// share is Parts if least elements take each microseconds.
func (c *Crew) share(n, least, each int) int {
	if c == nil {
		return 1
	}
	if n < 2*least {
		c.trial.small++
		return 1
	}
	c.length = n / least * each
	c.long = c.length > longPiece
	if c.alone > 0 {
		c.alone -= c.length
		c.trial.drop()
		return 1
	}
	work := n * windowParts / least * each
	if c.trial.alone && !c.long {
		c.trial.add(work)
		return 1
	}
	helpers := int(c.helpers.Load())
	if helpers == 0 {
		c.trial.drop()
		if !c.trial.alone || c.length >= wakeMicroseconds {
			c.call()
		}
		return 1
	}
	if c.long {
		c.trial.pause()
	} else if c.trial.add(work); c.trial.alone { // from now on
		c.trial.far = c.callTime() > farTime
	}
	return min(helpers+1, n/least, crewParts-1)
}

// Cut is Parts for long work, in which least elements take each microseconds. It may return more
// parts than Parts, so that nobody waits long for the last part. If a piece is so long that help
// may arrive while it runs, Cut returns several parts even if no helper is there yet, unless there
// are tasks that a free member would begin instead. All members that are there get the same number
// of parts, because three parts take two members as long as four.
func (c *Crew) Cut(n, least, each int) int {
	parts := c.share(n, least, each)
	if c == nil || n < 2*least || c.alone > 0 || c.trial.alone && !c.long || parts == 1 && (c.length < wakeMicroseconds || c.team.left.Load() > 0) {
		return parts
	}
	there := max(parts, 2)
	most := min(n/least, crewParts-1) / there // for each member
	return min((max(parts, c.length/partMicroseconds)+there-1)/there, most) * there
}

func (c *Crew) call() {
	if c.wanted.Load() {
		return
	}
	c.wanted.Store(true)
	if t := c.team; t.idle.Load() > 0 {
		t.mu.Lock()
		t.wake(c.seat)
		t.mu.Unlock()
		processor.Call()
	}
}

// Do runs f for parts 0 to parts-1 and returns when all are done. parts must be below crewParts.
// The same helper takes the same part if it can. Found returns what f leaves in found, until the
// next call. If f panics, Do panics, and the crew cannot be used any more.
func (c *Crew) Do(parts int, f func(part int, found *Found)) {
	c.round++
	c.busy = true
	c.piece.run = f
	c.piece.word.Store(c.round*crewParts + uint64(parts))
	f(0, &c.parts[0].found)
	if parts > 1 {
		c.take(c.round, parts, 1)
		c.waited(c.wait(parts))
		if c.long {
			c.trial.resume()
		}
	}
	c.busy = false
}

// Order returns the order of the next piece, which the owner fills in, or of the current one.
func (c *Crew) Order() *Order { return &c.piece.order }

// wait returns when all parts except the first are done. It returns for how long it has offered the
// processor to others.
func (c *Crew) wait(parts int) (long time.Duration) {
	v := spinWait{clock: c.team.clock}
	for k := 1; k < parts; k++ {
		for c.parts[k].done.Load() != c.round {
			c.spin(&v)
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

// spin counts a look, and after many of them offers the processor.
func (v *spinWait) spin() {
	v.spins++
	if v.spins <= spinsBeforeOffer {
		return
	}
	if v.spins == spinsBeforeOffer+1 && v.clock != nil {
		v.since = v.clock()
	}
	if processor.Offer(); v.spins%offersPerGosched == 0 {
		runtime.Gosched()
	}
}

// spin counts a look of the owner at a helper's work. It panics if a helper has panicked, and ends
// the goroutine if a helper has ended its own: otherwise the owner might wait forever.
func (c *Crew) spin(v *spinWait) {
	switch fault := c.fault.Load(); fault {
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

// waited returns for how long the processor was offered to others. Without a clock, it estimates the
// time from offers that nobody accepts.
func (v *spinWait) waited() time.Duration {
	switch {
	case v.spins <= spinsBeforeOffer:
		return 0
	case v.clock != nil:
		return v.clock() - v.since
	default:
		return time.Duration(v.spins-spinsBeforeOffer) * offerTime
	}
}

// Helpers returns how many helpers are there for errands. If there are none, it calls for help.
func (c *Crew) Helpers() int {
	if c == nil || c.alone > 0 {
		return 0
	}
	n := int(c.helpers.Load())
	if n == 0 {
		c.call()
	}
	return n
}

// Await returns when a helper, in the course of an errand, has set state to value. The awaited work
// takes about the given number of microseconds.
func (c *Crew) Await(state *atomic.Int32, value int32, microseconds int) {
	v := spinWait{clock: c.team.clock}
	for state.Load() != value {
		c.spin(&v)
	}
	c.length = microseconds
	c.waited(v.waited())
}

// Errand asks a helper that has nothing else to do to call f, which prepares later pieces. If no
// helper takes it before the next call of Errand, f is not called.
func (c *Crew) Errand(f func()) {
	if c != nil && c.helpers.Load() > 0 {
		c.errand.Store(&f)
	}
}

// Found returns what a part of the last piece has left.
func (c *Crew) Found(part int) *Found { return &c.parts[part].found }

// take runs the parts that nobody has begun: first those from first on, then those before it. It
// never takes part 0, which is the owner's.
func (c *Crew) take(round uint64, parts, first int) {
	for n := range parts - 1 {
		k := first + n
		if k >= parts {
			k -= parts - 1
		}
		p := &c.parts[k]
		// a helper may be several rounds late; the parts of those rounds have all been begun
		if begun := p.begun.Load(); begun < round && p.begun.CompareAndSwap(begun, round) {
			c.piece.run(k, &p.found)
			p.done.Store(round)
		}
	}
}

// serve takes parts of pieces, as the nth helper, until there is no work for a long time, or until
// something changes in the team, which it reports. It records a panic, or the end of its goroutine,
// for the owner.
func (c *Crew) serve(n int, changes uint32, seat *processor.Seat) (changed bool) {
	returned := false
	defer func() {
		fault := Caught(recover())
		if fault == nil && !returned {
			fault = exit
		}
		if fault != nil {
			c.fault.CompareAndSwap(nil, fault)
		}
	}()
	changed = c.watch(n, changes, seat)
	returned = true
	return changed
}

// watch is serve without the handling of panics.
func (c *Crew) watch(n int, changes uint32, seat *processor.Seat) (changed bool) {
	var last uint64
	for looks := 1; looks < idleSpins; looks++ {
		if word := c.piece.word.Load(); word != last {
			last, looks = word, 1
			parts := int(word % crewParts)
			// the owner goes on from its own part, a helper starts at its share of the parts
			c.take(word/crewParts, parts, min(max(parts*n/(int(c.helpers.Load())+1), 1), parts-1))
		} else if looks%64 == 0 {
			if f := c.errand.Load(); f != nil && c.errand.CompareAndSwap(f, nil) {
				(*f)()
				looks = 0
			}
			if c.team.changes.Load() != changes {
				return true
			}
			if looks%spinsPerOffer == 0 {
				seat.Keep()
				processor.Offer()
			}
		}
	}
	return false
}

// openCrew returns the crew with the fewest helpers, among those that want more and whose depth is
// at least depth. It returns nil if there is none.
func (t *team) openCrew(depth int) *Crew {
	if t.size-int(t.idle.Load()) >= t.processors {
		return nil // watching would keep others from working
	}
	var open *Crew
	for _, c := range t.crews {
		if c.depth >= depth && c.wanted.Load() && c.helpers.Load() < crewParts-2 && (open == nil || c.helpers.Load() < open.helpers.Load()) {
			open = c
		}
	}
	return open
}

// waitForWork waits until something changes. If there is a crew with at least the given depth that
// wants helpers, it serves that crew meanwhile.
func (t *team) waitForWork(depth int, seat *processor.Seat) {
	t.idle.Add(1) // before openCrew looks at the crews: then either it sees a wish for help, or call sees an idle member
	c := t.openCrew(depth)
	if c == nil {
		seat.Leave()
		t.cond.Wait()
		t.idle.Add(-1)
		t.mu.Unlock()
		seat.Keep()
		t.mu.Lock()
		return
	}
	t.idle.Add(-1)
	n, changes := int(c.helpers.Add(1)), t.changes.Load()
	t.mu.Unlock()
	changed := true
	defer func() { // also if a part ends this goroutine
		t.mu.Lock()
		c.helpers.Add(-1)
		if !changed {
			c.wanted.Store(false)
		}
	}()
	changed = c.serve(n, changes, seat)
}

// notify tells all members that something has changed. seat is the caller's.
func (t *team) notify(seat *processor.Seat) {
	t.changes.Add(1)
	t.wake(seat)
}

// wake wakes the sleeping members. seat is the caller's. After the lock is released, processor.Call
// should follow.
func (t *team) wake(seat *processor.Seat) {
	seat.Keep()
	t.cond.Broadcast()
}
