package textscan

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// A Pipeline reads parts of a text at the same time and returns them in the order of the text. One
// goroutine, the owner, submits parts and gets them back; while it waits it reads parts itself.
type Pipeline[P any] struct {
	reader    func() (read func(part P), end func())
	ownReader func(part P)
	end       func()
	workers   int
	team      sync.WaitGroup
	others    int // goroutines beside the owner's
	asleep    atomic.Int32
	claim     processor.Claim // the owner's
	work      chan *pipelinePart[P]
	busy      []*pipelinePart[P] // in the order of the text
	bytes     int                // of the text in these
	spare     []*pipelinePart[P]
}

// pipelinePart is a part under way.
type pipelinePart[P any] struct {
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

	// yieldsBeforeSleep is how often a goroutine that waits for a part yields its processor to
	// others before it falls asleep, from which it may take longer to wake than to read some
	// parts.
	yieldsBeforeSleep = 1 << 9
)

// NewPipeline returns a pipeline with up to workers goroutines, at least one; it uses as many as
// help with reading. Each calls reader, which returns the function that reads a part and one that
// is called at the end.
func NewPipeline[P any](workers int, reader func() (read func(part P), end func())) *Pipeline[P] {
	return NewWorkPipeline(min(workers, mostReaders), reader)
}

// NewWorkPipeline is [NewPipeline] for goroutines that do more than read. It uses all of them.
func NewWorkPipeline[P any](workers int, reader func() (read func(part P), end func())) *Pipeline[P] {
	r := &Pipeline[P]{reader: reader, workers: max(1, workers)}
	r.work = make(chan *pipelinePart[P], aheadParts*r.workers)
	r.ownReader, r.end = reader()
	return r
}

// AddWorker adds a goroutine that reads, unless there are as many as there may be.
func (r *Pipeline[P]) AddWorker() {
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
		for l := r.fetch(&claim); l != nil; l = r.fetch(&claim) {
			read(l.part)
			l.done <- struct{}{}
			claim.Renew()
		}
		end()
	})
	processor.StartWoken()
}

// Read reads a part in the calling goroutine.
func (r *Pipeline[P]) Read(part P) { r.ownReader(part) }

// Pending returns how many parts have been submitted and not returned.
func (r *Pipeline[P]) Pending() int { return len(r.busy) }

// Full reports whether parts must be taken by Next before another can be submitted.
func (r *Pipeline[P]) Full() bool {
	return len(r.busy) == cap(r.work) || r.bytes >= aheadBytes*r.workers
}

// Submit hands over a part to be read. bytes is the length of its text. The pipeline must not be
// full.
func (r *Pipeline[P]) Submit(part P, bytes int) {
	var l *pipelinePart[P]
	if n := len(r.spare); n > 0 {
		l, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		l = &pipelinePart[P]{done: make(chan struct{}, 1)}
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

// Next returns the part that was submitted first, once it has been read.
func (r *Pipeline[P]) Next() P {
	l := r.busy[0]
	r.busy = r.busy[1:]
	r.bytes -= l.bytes
	r.wait(l)
	r.spare = append(r.spare, l)
	return l.part
}

// End waits for the goroutines to end. Parts that Next has not returned may or may not have been
// read.
func (r *Pipeline[P]) End() {
	r.claim.Release()
	close(r.work)
	r.team.Wait()
	r.end()
}

// fetch returns the next part to be read, nil if there is none left.
func (r *Pipeline[P]) fetch(claim *processor.Claim) *pipelinePart[P] {
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
func (r *Pipeline[P]) wait(l *pipelinePart[P]) {
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
