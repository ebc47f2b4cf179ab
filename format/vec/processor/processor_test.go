package processor

import "testing"

func setOf(cpus ...int) (s set) {
	for _, cpu := range cpus {
		s[cpu/word] |= 1 << (cpu % word)
	}
	return s
}

// leave makes a processor free.
func leave(cpu int) {
	var s Seat
	s.cpu.Store(int32(cpu + 1))
	s.Leave()
}

// TestFree: a processor that is a seat is not free.
func TestFree(t *testing.T) {
	for _, c := range []struct {
		allowed, want set
		taken         []int
	}{
		{allowed: setOf(0, 1), want: setOf(0, 1)},
		{allowed: setOf(0, 1), taken: []int{0}, want: setOf(1)},
		{allowed: setOf(0, 1), taken: []int{0, 1}},
		{allowed: setOf(0), taken: []int{0}},
		{allowed: setOf(3, 70, 1023), taken: []int{3, 64}, want: setOf(70, 1023)},
	} {
		for _, cpu := range c.taken {
			if !claim(cpu) {
				t.Fatalf("processor %d is taken", cpu)
			}
		}
		got := c.allowed
		if any := free(&got); any != (c.want != set{}) || got != c.want {
			t.Errorf("of %v, with %v taken: %v, %v", c.allowed, c.taken, got, any)
		}
		for _, cpu := range c.taken {
			leave(cpu)
		}
	}
}

// TestSeats: a processor is the seat of one goroutine at a time, and free once that leaves it.
func TestSeats(t *testing.T) {
	for _, cpu := range []int{0, 63, 64, 1023} {
		if !claim(cpu) {
			t.Fatalf("processor %d is taken", cpu)
		}
		if claim(cpu) {
			t.Errorf("processor %d was taken twice", cpu)
		}
		var s Seat
		s.cpu.Store(int32(cpu + 1))
		s.Leave()
		if !claim(cpu) {
			t.Errorf("processor %d was not left", cpu)
		}
		s.Leave() // this is no longer its seat
		if claim(cpu) {
			t.Errorf("processor %d was left by another", cpu)
		}
		leave(cpu)
	}
	if claim(-1) || claim(mostProcessors) {
		t.Error("a processor was taken that there is not")
	}
}

// TestCall: a goroutine that is called begins, also with a single processor.
func TestCall(t *testing.T) {
	begun := make(chan bool)
	var s Seat
	s.Keep()
	defer s.Leave()
	go func() {
		var s Seat
		s.Keep()
		s.Leave()
		close(begun)
	}()
	Call()
	<-begun
}
