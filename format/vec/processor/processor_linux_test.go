package processor

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// allowed returns what the calling thread may run on.
func allowed(t *testing.T) (s unix.CPUSet) {
	t.Helper()
	if err := unix.SchedGetaffinity(0, &s); err != nil {
		t.Skip("what threads may run on is not told: ", err)
	}
	return s
}

// put has the calling thread, which may run on all of a set, run on one of them.
func put(t *testing.T, cpu int, all unix.CPUSet) {
	t.Helper()
	var one unix.CPUSet
	one.Set(cpu)
	for _, s := range []unix.CPUSet{one, all} {
		if err := unix.SchedSetaffinity(0, &s); err != nil {
			t.Skip("threads cannot be told what to run on: ", err)
		}
	}
}

// two returns two processors of a set.
func two(t *testing.T, all unix.CPUSet) (a, b int) {
	t.Helper()
	if all.Count() < 2 {
		t.Skip("there is one processor")
	}
	var found []int
	for cpu := 0; len(found) < 2; cpu++ {
		if all.IsSet(cpu) {
			found = append(found, cpu)
		}
	}
	return found[0], found[1]
}

const tries = 50 // the system moves threads as it likes, now and then

// TestTake: who is woken on the processor of its waker, or on one that is taken, is on another one
// then, which is taken, and may run on all as before.
func TestTake(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := allowed(t)
	a, _ := two(t, all)
	for _, taken := range []bool{false, true} {
		moved, kept := 0, 0
		for range tries {
			put(t, a, all)
			var from Place
			if taken {
				claim(a)
			} else {
				from.Note()
			}
			var s Seat
			s.Take(&from)
			if cpu := here(); cpu != a && int(s) == cpu+1 && !claim(cpu) {
				moved++
			}
			s.Leave()
			if taken {
				s = Seat(a + 1)
				s.Leave()
			}
			if allowed(t) == all {
				kept++
			}
		}
		if moved < tries/2 || kept != tries {
			t.Errorf("taken %v: moved %d times of %d, may run on all as before %d times", taken, moved, tries, kept)
		}
	}
}

// TestTakeFree: who is woken on another processor stays there, and so does who is woken where its waker has
// gone to sleep.
func TestTakeFree(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := allowed(t)
	a, b := two(t, all)
	for _, slept := range []bool{false, true} {
		stayed := 0
		for range tries {
			put(t, b, all)
			var from Place
			from.Note()
			if slept {
				from.Sleep()
			} else {
				put(t, a, all)
			}
			before := here()
			var s Seat
			s.Take(&from)
			if here() == before && int(s) == before+1 {
				stayed++
			}
			s.Leave()
		}
		if stayed < tries/2 {
			t.Errorf("waker asleep %v: stayed %d times of %d", slept, stayed, tries)
		}
	}
}

// TestTakeConfined: who may run on one processor only stays.
func TestTakeConfined(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := allowed(t)
	a, _ := two(t, all)
	var one unix.CPUSet
	one.Set(a)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Skip(err)
	}
	defer unix.SchedSetaffinity(0, &all)
	var from Place
	from.Note()
	var s Seat
	s.Take(&from)
	defer s.Leave()
	if here() != a || int(s) != a+1 || allowed(t) != one {
		t.Errorf("on processor %d of %d, with seat %d", here(), a, s)
	}
}
