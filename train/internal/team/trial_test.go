package team

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// TestTrial: the way that takes less time is mostly taken, and the other one is tried again, so
// that a change is noticed. If both are nearly the same, work is done together.
func TestTrial(t *testing.T) {
	var c trial
	for _, p := range []struct {
		together, alone float64
		mostly          bool // work is done alone
	}{
		{1, 2, false},
		{2, 1, true},
		{2, 1.9, true}, // no change
		{1.8, 1.9, false},
		{2, 1.9, false},
		{3, 1, true},
		{1, 3, false},
	} {
		const many = 2000
		alone := 0
		for n := range 2 * many {
			time := p.together
			if c.alone {
				time = p.alone
			}
			if n%trialWindows == 0 {
				time *= 10 // for reasons that have nothing to do with the pieces
			}
			if n >= many && c.alone {
				alone++
			}
			c.window(time)
		}
		if p.mostly {
			if alone < many*9/10 || alone == many {
				t.Errorf("%v: alone in %d windows of %d", p, alone, many)
			}
		} else if alone > many/10 || alone == 0 {
			t.Errorf("%v: alone in %d windows of %d", p, alone, many)
		}
	}
}

// TestFarTrial: if a processor is far away, working alone need not be much better, and the first
// window, in which data come from there, does not count.
func TestFarTrial(t *testing.T) {
	for _, p := range []struct {
		alone float64 // time per unit, where sharing takes 1
		far   bool
		want  bool // work is done alone
	}{
		{0.95, false, false},
		{0.85, false, false},
		{0.7, false, true},
		{0.95, true, false},
		{0.85, true, true},
		{0.7, true, true},
	} {
		c := trial{far: p.far}
		for n := 0; c.stay == 0; n++ {
			switch {
			case !c.alone:
				c.window(1)
			case c.windows == 0 && p.far:
				c.window(2)
			default:
				c.window(p.alone)
			}
		}
		if c.better != p.want {
			t.Errorf("%v: alone is %v", p, c.better)
		}
	}
}

// TestCallTime: to measure a call changes nothing, with or without a helper.
func TestCallTime(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	begun := time.Now()
	ctx, stop := With(WithClock(context.Background(), func() time.Duration { return time.Since(begun) }), 2)
	defer stop()
	c := NewHelpers(ctx)
	defer c.End()
	for range 2 {
		if d := c.callTime(); d <= 0 || d > time.Since(begun) {
			t.Errorf("a call takes %v", d)
		}
		done := [2]int{}
		c.Do(2, func(part int, _ *Result) { done[part]++ })
		if done != [2]int{1, 1} {
			t.Errorf("parts were run %v times", done)
		}
		for c.Parts(1<<20, 1) < 2 {
			runtime.Gosched()
		}
	}
}

// TestTrialWindows: a window counts if few of its pieces are too short to share.
func TestTrialWindows(t *testing.T) {
	for _, p := range []struct {
		units, small int // of each piece, and of short ones with it
		counts       bool
	}{
		{2, 0, true},
		{longPiece, mostSmall, true},
		{2, mostSmall + 1, false},
	} {
		begun := time.Now()
		c := trial{clock: func() time.Duration { return time.Since(begun) }}
		windows := 0
		for range 1000 {
			c.small += p.small
			before := c.windows
			c.add(p.units)
			if c.windows != before {
				windows++
			}
			if c.alone && !p.counts {
				t.Errorf("%v: alone", p)
			}
		}
		if windows > 0 != p.counts {
			t.Errorf("%v: %d windows", p, windows)
		}
		c.drop()
		if c.add(1); c.units != 1 || c.pieces != 1 {
			t.Errorf("%v: %d units of %d pieces after one that begins a window", p, c.units, c.pieces)
		}
	}
}

// TestLongPieces: an owner that otherwise works alone shares long pieces, and their time does not
// count in a window.
func TestLongPieces(t *testing.T) {
	var now time.Duration
	c := &Helpers{team: new(team), trial: trial{clock: func() time.Duration { return now }, alone: true, better: true}}
	c.ready.Store(1)
	for _, p := range []struct{ units, parts int }{{2, 1}, {longPiece, 1}, {longPiece + 1, 2}, {1000, 2}} {
		if n := c.Parts(p.units, 1); n != p.parts {
			t.Errorf("%d units: %d parts, want %d", p.units, n, p.parts)
		}
		if n := c.LongParts(p.units, 1, 1); n > 1 != (p.parts > 1) {
			t.Errorf("%d units are cut in %d parts", p.units, n)
		}
	}
	c.trial.drop()
	c.Parts(2, 1)
	now += 3
	c.Parts(1000, 1)
	now += 500
	c.trial.resume()
	if now += 4; now-c.trial.since != 7 || c.trial.units != 2*windowParts {
		t.Errorf("a window of %v and %d units, want 7 ns and %d", now-c.trial.since, c.trial.units, 2*windowParts)
	}
}

// TestTrialWithoutClock: without a clock there are no windows.
func TestTrialWithoutClock(t *testing.T) {
	var c trial
	for range 1000 {
		if c.add(2); c.windows > 0 || c.units > 0 {
			t.Fatalf("%+v", c)
		}
	}
}
