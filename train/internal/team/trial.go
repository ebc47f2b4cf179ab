package team

import (
	"math"
	"slices"
	"time"
)

// Problem: to share a piece of work, its owner must tell another processor, and then learn that the
// other's part is done. Mostly this takes a quarter of a microsecond. Between processors without a
// common cache it takes several times as long, more than short pieces are worth. On a virtual
// machine the processors may have a common cache at one time and none at another.
//
// Method: short pieces are shared for some time, then done alone for some time. If working alone
// takes much less time for the same amount of work, the owner goes on alone; if sharing takes less
// time, it goes on sharing. If the processors are far from each other, which the owner measures by
// some calls, a little less time alone is enough. After a while the other way is tried again. Long
// pieces are always shared and do not count.

// A trial compares shared work with work done alone. Without a clock there are no trials.
type trial struct {
	clock  Clock
	alone  bool // the owner is working alone now
	better bool // working alone was better in the last trial
	far    bool // the helper's processor was far away when the last trial began

	since  time.Duration // when the window began
	paused time.Duration // when a long piece began
	units  int           // amount of work in the window; a microsecond of work is about windowParts units
	pieces int
	small  int // number of pieces too short to share

	windows int // number of windows since alone changed
	stay    int // number of windows until the next trial; 0: there was no trial yet
	times   [2][trialWindows]float64
}

const (
	windowUnits  = 64 * windowParts
	windowParts  = 16   // units in a microsecond: pieces may be of two microseconds, or nearly three
	trialWindows = 3    // windows of a trial
	firstTrial   = 16   // windows before the first trial: until then memory is new
	firstStay    = 64   // windows from the first trial to the next
	mostStay     = 256  // largest such number; it doubles with each trial that changes nothing
	muchLess     = 0.75 // working alone must take less than this share of the time, since equal work differs by as much
	less         = 0.88 // the same if a processor is far away
	mostSmall    = 4    // with more short pieces than this for each other piece, the time says nothing
	longPiece    = 16   // microseconds; longer pieces are shared whatever the trials say
)

// add records a piece of work that is about to be done.
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

// drop discards the window, because something else has taken time in it.
func (t *trial) drop() { t.units = 0 }

// pause stops the window's clock until resume, because of a long piece.
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

// window records the time per unit of a finished window, and decides whether to work alone next.
func (t *trial) window(time float64) {
	now, other := &t.times[0], &t.times[1]
	if t.alone {
		now, other = other, now
	}
	now[t.windows%trialWindows] = time
	t.windows++
	switch {
	case t.alone == t.better: // not in a trial
		if t.windows < max(t.stay, firstTrial) {
			return
		}
		t.alone = !t.alone
	case t.windows < trialWindows:
		return
	case t.wins(now, other):
		t.better, t.stay = t.alone, firstStay
	default:
		t.alone, t.stay = t.better, min(max(2*t.stay, firstStay), mostStay)
	}
	t.windows = 0
}

// wins reports whether the way that was tried is better. Disturbances only add time, so the shortest
// window of each way counts. If a processor is far away, sharing promises little and the median
// counts: the first window alone fetches what that processor has changed.
func (t *trial) wins(now, other *[trialWindows]float64) bool {
	switch least := slices.Min(now[:]) / slices.Min(other[:]); {
	case !t.alone:
		return least < 1
	case t.far && median(*now) < less*median(*other):
		return true
	default:
		return least < muchLess
	}
}

func median(times [trialWindows]float64) float64 {
	slices.Sort(times[:])
	return times[trialWindows/2]
}

// The limits of a measurement of calls.
const (
	farTime  = 350 * time.Nanosecond // with a common cache a call takes half of this, without one much more
	calls    = 4                     // the shortest of so many calls counts
	mostLook = 1 << 10               // number of spins after which the owner of a call gives up
)

// callTime measures how long it takes until a helper has noticed a piece and the owner has noticed
// that.
func (h *Helpers) callTime() time.Duration {
	least := time.Duration(math.MaxInt64)
	for range calls {
		since := h.team.clock()
		h.Do(2, func(part int, _ *Result) {
			if part > 0 {
				return
			}
			begun := &h.parts[1].begun
			for looks := 0; looks < mostLook && begun.Load() != h.round; looks++ {
			}
			least = min(least, h.team.clock()-since)
		})
	}
	return least
}
