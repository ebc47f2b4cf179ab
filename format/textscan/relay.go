package textscan

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// A Relay reads parts of a text at the same time and returns them in the order of the text. One
// goroutine, the owner, gives it parts and takes them back; while it waits it reads parts itself.
type Relay[P any] struct {
	reader    func() (read func(part P), end func())
	ownReader func(part P)
	end       func()
	workers   int
	team      sync.WaitGroup
	others    int // goroutines beside the owner's
	asleep    atomic.Int32
	claim     processor.Claim // the owner's
	work      chan *relayPart[P]
	busy      []*relayPart[P] // in the order of the text
	bytes     int             // of the text in these
	spare     []*relayPart[P]
}

// relayPart is a part under way.
type relayPart[P any] struct {
	part  P
	bytes int
	done  chan struct{}
}

const (
	// mostReaders keep the one goroutine busy that reads the text and joins the parts.
	mostReaders = 8

	// aheadParts is how many parts a goroutine may have before it, so that none waits for the text.
	aheadParts = 3

	// aheadBytes is how many bytes of text for each goroutine are under way when no further part
	// is taken on: with long lines, parts ahead are memory that others need.
	aheadBytes = 4 << 20

	// yieldsBeforeSleep is how often a goroutine that waits for a part offers its processor to
	// others before it falls asleep, from which it may take longer to wake than to read some
	// parts.
	yieldsBeforeSleep = 1 << 9
)

// NewRelay returns a relay with up to workers goroutines, at least one; it uses as many as help
// with reading. Each calls reader, which returns the function that reads a part and one that is
// called at the end.
func NewRelay[P any](workers int, reader func() (read func(part P), end func())) *Relay[P] {
	return NewWorkRelay(min(workers, mostReaders), reader)
}

// NewWorkRelay is [NewRelay] for goroutines that do more than read. It uses all of them.
func NewWorkRelay[P any](workers int, reader func() (read func(part P), end func())) *Relay[P] {
	r := &Relay[P]{reader: reader, workers: max(1, workers)}
	r.work = make(chan *relayPart[P], aheadParts*r.workers)
	r.ownReader, r.end = reader()
	return r
}

// Hire adds a goroutine that reads, unless there are as many as there may be.
func (r *Relay[P]) Hire() {
	if r.others+1 >= r.workers {
		return
	}
	r.others++
	r.claim.Renew()
	r.team.Go(func() {
		var claim processor.Claim
		claim.Renew()
		defer claim.Release()
		read, end := r.reader()
		for l := r.next(&claim); l != nil; l = r.next(&claim) {
			read(l.part)
			l.done <- struct{}{}
			claim.Renew()
		}
		end()
	})
	processor.StartWoken()
}

// Read reads a part in the calling goroutine.
func (r *Relay[P]) Read(part P) { r.ownReader(part) }

// Has returns how many parts have been given and not taken back.
func (r *Relay[P]) Has() int { return len(r.busy) }

// Full reports whether parts must be taken back before another can be given.
func (r *Relay[P]) Full() bool {
	return len(r.busy) == cap(r.work) || r.bytes >= aheadBytes*r.workers
}

// Give hands over a part to be read. bytes is the length of its text. The relay must not be full.
func (r *Relay[P]) Give(part P, bytes int) {
	var l *relayPart[P]
	if n := len(r.spare); n > 0 {
		l, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		l = &relayPart[P]{done: make(chan struct{}, 1)}
	}
	l.part, l.bytes = part, bytes
	r.bytes += bytes
	r.busy = append(r.busy, l)
	if r.asleep.Load() == 0 {
		r.work <- l
		return
	}
	r.claim.Renew()
	r.work <- l
	processor.StartWoken()
}

// Take returns the part that was given first, once it has been read.
func (r *Relay[P]) Take() P {
	l := r.busy[0]
	r.busy = r.busy[1:]
	r.bytes -= l.bytes
	r.wait(l)
	r.spare = append(r.spare, l)
	return l.part
}

// End waits for the goroutines to end. Parts that were not taken back may or may not have been
// read.
func (r *Relay[P]) End() {
	r.claim.Release()
	close(r.work)
	r.team.Wait()
	r.end()
}

// next returns the next part to be read, nil if there is none left.
func (r *Relay[P]) next(claim *processor.Claim) *relayPart[P] {
	for range yieldsBeforeSleep {
		select {
		case l := <-r.work:
			return l
		default:
			runtime.Gosched()
		}
	}
	r.asleep.Add(1)
	claim.Release()
	l := <-r.work
	r.asleep.Add(-1)
	claim.Renew()
	return l
}

// wait returns when a part is read, and reads others meanwhile.
func (r *Relay[P]) wait(l *relayPart[P]) {
	for looks := 0; ; looks++ {
		select {
		case <-l.done:
			return
		default:
		}
		select {
		case other := <-r.work:
			r.ownReader(other.part)
			other.done <- struct{}{}
			continue
		default:
		}
		if looks < yieldsBeforeSleep {
			runtime.Gosched()
			continue
		}
		r.claim.Release()
		select {
		case <-l.done:
			r.claim.Renew()
			return
		case other := <-r.work:
			r.claim.Renew()
			r.ownReader(other.part)
			other.done <- struct{}{}
		}
	}
}
