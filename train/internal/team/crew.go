package team

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// Problem: work in pieces of a few microseconds, one after the other, each of
// which can be cut in parts. To wake a goroutine takes longer than such a piece.
// So whoever of the team has nothing to do watches the place where the next piece
// will appear. A part is begun by whoever claims it first: the owner of the pieces
// never waits for somebody who has not begun.

// A Crew shares out short pieces of work of one goroutine. The methods are its
// own; a nil Crew does everything alone.
type Crew struct {
	team    *team
	depth   int
	seat    *processor.Seat // the owner's
	wanted  atomic.Bool     // there was work since the last helper left for want of it
	helpers atomic.Int32    // changes under the team's lock
	errand  atomic.Pointer[func()]
	fault   atomic.Pointer[Panic] // of a helper, at a part or an errand
	piece   *piece
	parts   []part

	_ [128]byte // what follows the owner changes all the time, and nobody else reads

	round  uint64
	busy   bool  // with a piece that is not done; once End is called, that never will be
	length int   // of the last piece in microseconds, roughly
	trial  trial // of work without help
	long   bool  // the piece is too long for trials
	alone  int   // microseconds' work that is still to be done without help
	late   int   // how often lately a helper was waited for
	timely int   // microseconds of shared work since then
}

// A helper whose processor does something else in the middle of a part keeps the owner
// waiting for longer than all help is worth. So the owner does without help for some
// time then: longer each time that it happens, shorter again when it has not for long.
const (
	lateness  = 2 * time.Millisecond // more than it takes to get a large page of memory
	alonePart = 1 << 10              // microseconds' work; of who was kept waiting twice of it at first
	mostLate  = 9                    // times that it doubles
)

// waited notes how long the end of a piece was waited for. Of a long piece one
// part may well take much longer than another.
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

// A piece of work is what helpers watch. What one goroutine writes and others read
// has lines of the cache for itself: to fetch one that has changed takes as long as
// hundreds of operations.
type piece struct {
	word  atomic.Uint64 // the round, times crewParts, plus the number of parts
	run   func(part int, found *Found)
	order Order
	_     [48]byte
}

// An Order tells all parts of a piece what it is about. It comes with the call: what they look for
// elsewhere they have to fetch, one after the other.
type Order struct {
	Kind, Count int32
	Rows        [2]*float32
	Places      [2]int32
	Values      [4]float64
}

// crewParts is more than the largest number of parts.
const crewParts = 32

// part is one part's last rounds.
type part struct {
	begun, done atomic.Uint64
	found       Found
	_           [32]byte
}

// Found is what a part of a piece of work leaves for the owner: one thing, or two.
type Found struct {
	At    [2]int
	Value [2][4]float64
}

// Problem: where other programs run too, the system may have two of the team take turns on
// one processor, and who waits there keeps the other from what it waits for.
//
// Who waits for longer than most pieces take offers its processor to others. Nobody else
// being there, that takes less than a microsecond.

// Looks, about two nanoseconds each: at the next piece before the watch is given up; between
// two offers of the processor meanwhile; at a part that somebody else is at before such
// offers.
const (
	patience = 1 << 19
	glances  = 1 << 13
	hurry    = 1 << 14
)

// offersPerTurn is how many times a waiting owner offers the processor to other programs
// before it does so to other goroutines, of which one may be the helper.
const offersPerTurn = 16

// anOffer is how long an offer takes if nobody is there.
const anOffer = time.Microsecond / 2

// Microseconds in which somebody who is called will come, and that a part of long work takes, if
// it need not have more.
const (
	coming  = 64
	several = 8
)

// NewCrew returns a crew for the goroutine that ctx was given to, nil if it has no
// team.
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

// End sends the helpers away. Where the owner has not come to the end of a piece, since somebody has panicked at it or ended its
// goroutine, it returns when they are gone: they may be at parts of it.
func (c *Crew) End() {
	if c == nil {
		return
	}
	c.dismiss()
	for v := (vigil{}); c.busy && c.helpers.Load() > 0; {
		v.look()
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
		t.stir(c.seat)
	}
}

// Parts returns into how many parts to cut a piece of work of n elements, each part
// having at least as many as given, which take a microsecond or so. It calls for help if there
// should be more.
func (c *Crew) Parts(n, least int) int { return c.share(n, least, 1) }

// share is Parts where the least part takes so many microseconds.
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
		if !c.trial.alone || c.length >= coming {
			c.call()
		}
		return 1
	}
	if c.long {
		c.trial.pause()
	} else {
		c.trial.add(work)
	}
	return min(helpers+1, n/least, crewParts-1)
}

// Cut is Parts for long work, of which the least part takes so many microseconds: it may return
// more parts, so that nobody waits long for the last, and of a piece so long that help may come
// meanwhile there are several even if nobody is there, unless there are tasks that whoever is free
// begins instead. All who are there get as many parts as the others, since of three parts for two
// the third takes as long as two.
func (c *Crew) Cut(n, least, each int) int {
	parts := c.share(n, least, each)
	if c == nil || n < 2*least || c.alone > 0 || c.trial.alone && !c.long || parts == 1 && (c.length < coming || c.team.left.Load() > 0) {
		return parts
	}
	there := max(parts, 2)
	most := min(n/least, crewParts-1) / there // for each of them
	return min((max(parts, c.length/several)+there-1)/there, most) * there
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

// Do runs f for part 0 to parts-1, which are fewer than crewParts, and returns when
// all are done. The same helper takes the same part when it can. What f leaves in
// found is what Found returns until the next call. If f panics Do does, and the crew is of no
// more use.
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

// Order returns what the parts of the next piece are told, or those of the present one.
func (c *Crew) Order() *Order { return &c.piece.order }

// wait returns when all parts but the first are done, and for how long it has offered the
// processor to others.
func (c *Crew) wait(parts int) (long time.Duration) {
	v := vigil{clock: c.team.clock}
	for k := 1; k < parts; k++ {
		for c.parts[k].done.Load() != c.round {
			c.look(&v)
		}
	}
	return v.long()
}

// A vigil is looks, in vain, at what somebody else is at.
type vigil struct {
	clock Clock
	looks int
	since time.Duration
}

// look notes a look.
func (v *vigil) look() {
	v.looks++
	if v.looks <= hurry {
		return
	}
	if v.looks == hurry+1 && v.clock != nil {
		v.since = v.clock()
	}
	if processor.Offer(); v.looks%offersPerTurn == 0 {
		runtime.Gosched()
	}
}

// look notes a look of the owner at what helpers are at. It panics if one of them has, or ends the goroutine: what is looked
// for may never come.
func (c *Crew) look(v *vigil) {
	switch fault := c.fault.Load(); fault {
	case nil:
		v.look()
	case exit:
		runtime.Goexit()
	default:
		panic(fault)
	}
}

// exit is the fault of a helper that has ended its goroutine.
var exit = new(Panic)

// long returns for how long the processor was offered to others: by the clock, or without one as long as that
// takes if nobody is there.
func (v *vigil) long() time.Duration {
	switch {
	case v.looks <= hurry:
		return 0
	case v.clock != nil:
		return v.clock() - v.since
	default:
		return time.Duration(v.looks-hurry) * anOffer
	}
}

// Helpers returns how many are there for errands. If nobody is, it calls for help.
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

// Await returns when state has the value that a helper gives it in the course of an errand, at the end of what takes
// so many microseconds, roughly.
func (c *Crew) Await(state *atomic.Int32, value int32, microseconds int) {
	v := vigil{clock: c.team.clock}
	for state.Load() != value {
		c.look(&v)
	}
	c.length = microseconds
	c.waited(v.long())
}

// Errand has f done beside the pieces of work by a helper that is there and has just
// nothing to do, if there is one before the next errand: what makes later pieces shorter.
func (c *Crew) Errand(f func()) {
	if c != nil && c.helpers.Load() > 0 {
		c.errand.Store(&f)
	}
}

// Found returns what a part of the last piece has left.
func (c *Crew) Found(part int) *Found { return &c.parts[part].found }

// take runs the parts that nobody has begun from the given one on, and then those
// before it, but for the owner's, which is the first.
func (c *Crew) take(round uint64, parts, first int) {
	for n := range parts - 1 {
		k := first + n
		if k >= parts {
			k -= parts - 1
		}
		p := &c.parts[k]
		// a helper may be late by rounds, whose parts have all been begun
		if begun := p.begun.Load(); begun < round && p.begun.CompareAndSwap(begun, round) {
			c.piece.run(k, &p.found)
			p.done.Store(round)
		}
	}
}

// serve takes parts of pieces, as the nth helper, until there is none for long, or until something changes in
// the team, which it reports. What panics, or ends its goroutine, is the owner's to know.
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

// watch is serve where nothing panics.
func (c *Crew) watch(n int, changes uint32, seat *processor.Seat) (changed bool) {
	var last uint64
	for looks := 1; looks < patience; looks++ {
		if word := c.piece.word.Load(); word != last {
			last, looks = word, 1
			parts := int(word % crewParts)
			// the owner goes on from its part, a helper from its share
			c.take(word/crewParts, parts, min(max(parts*n/(int(c.helpers.Load())+1), 1), parts-1))
		} else if looks%64 == 0 {
			if f := c.errand.Load(); f != nil && c.errand.CompareAndSwap(f, nil) {
				(*f)()
				looks = 0
			}
			if c.team.changes.Load() != changes {
				return true
			}
			if looks%glances == 0 {
				seat.Keep()
				processor.Offer()
			}
		}
	}
	return false
}

// open returns the crew with the fewest helpers of those that want more and that a
// goroutine may serve which waits for tasks not below depth, nil if there is none.
func (t *team) open(depth int) *Crew {
	if t.size-int(t.idle.Load()) >= t.processors {
		return nil // to watch would keep others from work
	}
	var open *Crew
	for _, c := range t.crews {
		if c.depth >= depth && c.wanted.Load() && c.helpers.Load() < crewParts-2 && (open == nil || c.helpers.Load() < open.helpers.Load()) {
			open = c
		}
	}
	return open
}

// stand passes the time until something changes, in a crew that may be served by
// one who waits for tasks not below depth, if there is one.
func (t *team) stand(depth int, seat *processor.Seat) {
	t.idle.Add(1) // before the look at crews: one of the two sees the other
	c := t.open(depth)
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
	defer func() { // also where a part ends this goroutine
		t.mu.Lock()
		c.helpers.Add(-1)
		if !changed {
			c.wanted.Store(false)
		}
	}()
	changed = c.serve(n, changes, seat)
}

// stir has who has a seat tell everybody that something has changed.
func (t *team) stir(seat *processor.Seat) {
	t.changes.Add(1)
	t.wake(seat)
}

// wake has who has a seat wake who sleeps. processor.Call should follow when the lock is not held.
func (t *team) wake(seat *processor.Seat) {
	seat.Keep()
	t.cond.Broadcast()
}
