package processor

import "testing"

func setOf(cpus ...int) (s set) {
	for _, cpu := range cpus {
		s[cpu/word] |= 1 << (cpu % word)
	}
	return s
}

// release makes a processor free.
func release(cpu int) {
	var c Claim
	c.cpu.Store(int32(cpu + 1))
	c.Release()
}

// TestFree: a processor that is claimed is not free.
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
			release(cpu)
		}
	}
}

// TestClaims: one goroutine at a time claims a processor, which is free once that releases it.
func TestClaims(t *testing.T) {
	for _, cpu := range []int{0, 63, 64, 1023} {
		if !claim(cpu) {
			t.Fatalf("processor %d is taken", cpu)
		}
		if claim(cpu) {
			t.Errorf("processor %d was taken twice", cpu)
		}
		var c Claim
		c.cpu.Store(int32(cpu + 1))
		c.Release()
		if !claim(cpu) {
			t.Errorf("processor %d was not released", cpu)
		}
		c.Release() // it no longer claims this
		if claim(cpu) {
			t.Errorf("processor %d was released by another", cpu)
		}
		release(cpu)
	}
	if claim(-1) || claim(mostProcessors) {
		t.Error("a processor was taken that there is not")
	}
}

// TestCall: a goroutine that is called begins, also with a single processor.
func TestCall(t *testing.T) {
	begun := make(chan bool)
	var c Claim
	c.Renew()
	defer c.Release()
	go func() {
		var c Claim
		c.Renew()
		c.Release()
		close(begun)
	}()
	StartWoken()
	<-begun
}
