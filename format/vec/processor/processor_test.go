package processor

import "testing"

func setOf(cpus ...int) (s set) {
	for _, cpu := range cpus {
		s[cpu/word] |= 1 << (cpu % word)
	}
	return s
}

// TestOthers: neither where the thread is, nor where it was woken, nor what others have; but what others have
// rather than where it was woken.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		allowed    set
		cpu, waker int
		taken      []int
		want       set
		any        bool
	}{
		{allowed: setOf(0, 1), cpu: 0, waker: 0, want: setOf(1), any: true},
		{allowed: setOf(0, 1), cpu: 0, waker: -1, want: setOf(1), any: true},
		{allowed: setOf(0, 1), cpu: 0, waker: 1},
		{allowed: setOf(0), cpu: 0, waker: 0},
		{allowed: setOf(0, 1), cpu: 0, waker: 0, taken: []int{1}, want: setOf(1), any: true},
		{allowed: setOf(0, 1), cpu: 0, waker: -1, taken: []int{0, 1}},
		{allowed: setOf(0, 1, 2, 3), cpu: 1, waker: 0, taken: []int{1, 2}, want: setOf(3), any: true},
		{allowed: setOf(3, 70, 1023), cpu: 70, waker: 70, taken: []int{3}, want: setOf(1023), any: true},
		{allowed: setOf(3, 70), cpu: 2000, waker: 2000, want: setOf(3, 70), any: true},
	} {
		func() {
			for _, cpu := range c.taken {
				if !claim(cpu) {
					t.Fatalf("processor %d is taken", cpu)
				}
				defer func() { s := Seat(cpu + 1); s.Leave() }()
			}
			got := c.allowed
			if any := others(&got, c.cpu, c.waker); any != c.any || any && got != c.want {
				t.Errorf("%+v: %v, %v", c, got, any)
			}
		}()
	}
}

// TestSeats: a processor is one goroutine's at a time, and nobody's when that leaves it, once.
func TestSeats(t *testing.T) {
	for _, cpu := range []int{0, 63, 64, 1023} {
		if !claim(cpu) {
			t.Fatalf("processor %d is taken", cpu)
		}
		if claim(cpu) {
			t.Errorf("processor %d was taken twice", cpu)
		}
		s := Seat(cpu + 1)
		s.Leave()
		if s != 0 || !claim(cpu) {
			t.Errorf("processor %d was not left", cpu)
		}
		s.Leave() // no longer its own
		if claim(cpu) {
			t.Errorf("processor %d was left by another", cpu)
		}
		s = Seat(cpu + 1)
		s.Leave()
	}
	if claim(-1) || claim(mostProcessors) {
		t.Error("a processor was taken that there is not")
	}
}

// TestCall: whoever is called begins, on one processor too.
func TestCall(t *testing.T) {
	begun := make(chan bool)
	var here Place
	here.Note()
	go func() {
		var s Seat
		s.Take(&here)
		s.Leave()
		close(begun)
	}()
	Call()
	<-begun
}
