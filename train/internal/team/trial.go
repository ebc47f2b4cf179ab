package team

import (
	"slices"
	"time"
)

// Problem: to share a piece of work, its owner tells another processor of it and hears that it
// is done. Mostly that takes a quarter of a microsecond. Between processors that have no cache in
// common it takes several times as long, more than short pieces are worth; those of a virtual
// machine are such at one time and not at another.
//
// Method: short pieces are shared for some time, and for some they are done alone. That goes on if it
// takes much less time for the same amount of work, sharing if it takes less, until the next trial of the
// other. Long ones, which are shared all the while, do not count.

// A trial compares work together with work alone. Without a clock there are none.
type trial struct {
	clock  Clock
	alone  bool // is the owner now
	better bool // is it to be alone

	since  time.Duration // when the window has begun
	paused time.Duration // when a long piece has begun
	units  int           // of work in it, of which a microsecond, roughly, is windowParts
	pieces int
	small  int // pieces too short to share

	windows int // since the owner is alone, or is not
	stay    int // how many with what is better; 0: that is not known yet
	times   [2][trialWindows]float64
}

const (
	windowUnits  = 64 * windowParts
	windowParts  = 16   // as pieces may be of two microseconds, or nearly three
	trialWindows = 3    // of a trial, of which the shortest counts: what has nothing to do with it only takes longer
	firstTrial   = 16   // windows before the first trial: until then memory is new
	firstStay    = 64   // windows before the next one;
	mostStay     = 256  // twice as many each time that nothing has changed, up to these
	muchLess     = 0.75 // of the time: what to work alone must take, as windows of the same work differ by as much
	mostSmall    = 4    // short pieces for each other: of more, the time tells nothing
	longPiece    = 16   // microseconds: longer pieces are shared whatever trials say
)

// add notes a piece of work that is about to be done.
func (t *trial) add(units int) {
	if t.clock == nil {
		return
	}
	if t.units >= windowUnits {
		if t.small <= mostSmall*t.pieces {
			t.window(float64(t.clock()-t.since) / float64(t.units))
		}
		t.units = 0
	}
	if t.units == 0 {
		t.since, t.pieces, t.small = t.clock(), 0, 0
	}
	t.units += units
	t.pieces++
}

// drop forgets the window, in which something else has taken time.
func (t *trial) drop() { t.units = 0 }

// pause takes the time until resume, that of a long piece, out of the window.
func (t *trial) pause() {
	if t.clock != nil && t.units > 0 {
		t.paused = t.clock()
	}
}

func (t *trial) resume() {
	if t.clock != nil && t.units > 0 {
		t.since += t.clock() - t.paused
	}
}

// window notes the time that a window's units have taken each.
func (t *trial) window(time float64) {
	now, other := &t.times[0], &t.times[1]
	if t.alone {
		now, other = other, now
	}
	now[t.windows%trialWindows] = time
	t.windows++
	switch {
	case t.alone == t.better: // no trial
		if t.windows < max(t.stay, firstTrial) {
			return
		}
		t.alone = !t.alone
	case t.windows < trialWindows:
		return
	case t.alone && slices.Min(now[:]) < muchLess*slices.Min(other[:]), !t.alone && slices.Min(now[:]) < slices.Min(other[:]):
		t.better, t.stay = t.alone, firstStay
	default:
		t.alone, t.stay = t.better, min(max(2*t.stay, firstStay), mostStay)
	}
	t.windows = 0
}
