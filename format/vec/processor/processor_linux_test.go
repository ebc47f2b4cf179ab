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

// seatAt returns the processor of a seat, -1 for none.
func seatAt(s *Seat) int { return int(s.cpu.Load()) - 1 }

// TestKeep: a thread on a processor that is another's seat moves to another processor, which
// becomes its seat, and may run on all processors as before.
func TestKeep(t *testing.T) {
	all, a, _ := two(t)
	often(t, func() bool {
		put(t, a, all)
		claim(a)
		defer leave(a)
		var s Seat
		s.Keep()
		defer s.Leave()
		if allowed(t) != all {
			t.Error("the thread may run on other processors than before")
		}
		cpu := here()
		return cpu != a && seatAt(&s) == cpu && !claim(cpu)
	})
}

// TestKeepFree: a thread on a processor that is nobody else's seat stays there, and leaves the seat
// that it had.
func TestKeepFree(t *testing.T) {
	all, a, b := two(t)
	often(t, func() bool {
		put(t, a, all)
		var s Seat
		s.Keep()
		first := here() == a && seatAt(&s) == a
		put(t, b, all)
		s.Keep()
		defer s.Leave()
		left := claim(a)
		leave(a)
		return first && here() == b && seatAt(&s) == b && left
	})
}

// TestKeepFull: if every processor is another's seat, a thread stays where it is, without a seat.
func TestKeepFull(t *testing.T) {
	all, a, _ := two(t)
	for cpu := range mostProcessors {
		if all.IsSet(cpu) && claim(cpu) {
			defer leave(cpu)
		}
	}
	often(t, func() bool {
		put(t, a, all)
		var s Seat
		s.Keep()
		defer s.Leave()
		return here() == a && seatAt(&s) == -1 && allowed(t) == all
	})
}

// TestKeepConfined: a thread that may run on one processor only stays there.
func TestKeepConfined(t *testing.T) {
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
			defer leave(a)
			want = -1
		}
		var s Seat
		s.Keep()
		if here() != a || seatAt(&s) != want || allowed(t) != one {
			t.Errorf("taken %v: on processor %d, not %d, with seat %d", taken, here(), a, seatAt(&s))
		}
		s.Leave()
	}
}
