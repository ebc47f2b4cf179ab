package processor

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// allowed returns the processors that the calling thread may run on.
func allowed(t *testing.T) (s unix.CPUSet) {
	t.Helper()
	if err := unix.SchedGetaffinity(0, &s); err != nil {
		t.Skip("the system does not say what threads may run on: ", err)
	}
	return s
}

// put moves the calling thread, which may run on all processors of a set, to one of them.
func put(t *testing.T, cpu int, all unix.CPUSet) {
	t.Helper()
	var one unix.CPUSet
	one.Set(cpu)
	for _, s := range []unix.CPUSet{one, all} {
		if err := unix.SchedSetaffinity(0, &s); err != nil {
			t.Skip("no thread can choose what it runs on: ", err)
		}
	}
}

// two gives the test a thread of its own, and returns the processors that it may run on and two of
// these.
func two(t *testing.T) (all unix.CPUSet, a, b int) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	all = allowed(t)
	if all.Count() < 2 {
		t.Skip("there is one processor")
	}
	var found []int
	for cpu := 0; len(found) < 2; cpu++ {
		if all.IsSet(cpu) {
			found = append(found, cpu)
		}
	}
	return all, found[0], found[1]
}

// often does something many times, and fails if it rarely succeeds: the system moves threads as it
// likes.
func often(t *testing.T, do func() bool) {
	t.Helper()
	const tries = 50
	good := 0
	for range tries {
		if do() {
			good++
		}
	}
	if good < tries/2 {
		t.Errorf("%d times of %d", good, tries)
	}
}

// claimedBy returns the processor of a claim, -1 for none.
func claimedBy(c *Claim) int { return int(c.cpu.Load()) - 1 }

// TestRenew: a thread on a processor that another goroutine claims moves to another processor, claims
// that, and may run on all processors as before.
func TestRenew(t *testing.T) {
	all, a, _ := two(t)
	often(t, func() bool {
		put(t, a, all)
		claim(a)
		defer release(a)
		var c Claim
		c.Renew()
		defer c.Release()
		if allowed(t) != all {
			t.Error("the thread may run on other processors than before")
		}
		cpu := here()
		return cpu != a && claimedBy(&c) == cpu && !claim(cpu)
	})
}

// TestRenewFree: a thread on a processor that nobody else claims stays there, and releases the one
// that it had.
func TestRenewFree(t *testing.T) {
	all, a, b := two(t)
	often(t, func() bool {
		put(t, a, all)
		var c Claim
		c.Renew()
		first := here() == a && claimedBy(&c) == a
		put(t, b, all)
		c.Renew()
		defer c.Release()
		left := claim(a)
		release(a)
		return first && here() == b && claimedBy(&c) == b && left
	})
}

// TestRenewFull: if others claim every processor, a thread stays where it is, without a claim.
func TestRenewFull(t *testing.T) {
	all, a, _ := two(t)
	for cpu := range mostProcessors {
		if all.IsSet(cpu) && claim(cpu) {
			defer release(cpu)
		}
	}
	often(t, func() bool {
		put(t, a, all)
		var c Claim
		c.Renew()
		defer c.Release()
		return here() == a && claimedBy(&c) == -1 && allowed(t) == all
	})
}

// TestRenewConfined: a thread that may run on one processor only stays there.
func TestRenewConfined(t *testing.T) {
	all, a, _ := two(t)
	var one unix.CPUSet
	one.Set(a)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Skip(err)
	}
	defer unix.SchedSetaffinity(0, &all)
	for _, taken := range []bool{false, true} {
		want := a
		if taken {
			claim(a)
			defer release(a)
			want = -1
		}
		var c Claim
		c.Renew()
		if here() != a || claimedBy(&c) != want || allowed(t) != one {
			t.Errorf("taken %v: on processor %d, not %d, with a claim to %d", taken, here(), a, claimedBy(&c))
		}
		c.Release()
	}
}
