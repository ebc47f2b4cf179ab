package textscan

import (
	"sync/atomic"
	"testing"
)

// TestReadAheadKeepsTheOrder starts parts of which later ones are read sooner: each is returned
// when it is read, in the order of starting, and no more are under way than there may be.
func TestReadAheadKeepsTheOrder(t *testing.T) {
	const workers, parts, most = 3, 20, 3 + spareParts
	var turns [parts]chan struct{}
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	var under, read atomic.Int32
	a := NewReadAhead(workers, func(i int) {
		if n := under.Add(1); n > most {
			t.Errorf("%d parts are read at the same time", n)
		}
		<-turns[i]
		read.Add(1)
		under.Add(-1)
	})
	if a.Full() || a.Len() != 0 {
		t.Error("a new one is full or has parts")
	}
	for next := 0; next < parts; {
		begun := next
		for ; begun < parts && !a.Full(); begun++ {
			a.Start(begun)
		}
		if a.Len() != begun-next || begun < parts && a.Len() != most {
			t.Fatalf("%d parts under way, %d started", a.Len(), begun-next)
		}
		for i := begun - 1; i >= next; i-- {
			close(turns[i]) // the last one first
		}
		for ; next < begun; next++ {
			if i := a.Next(); i != next {
				t.Fatalf("part %d was returned in the place of %d", i, next)
			}
		}
		if int(read.Load()) != next {
			t.Errorf("%d parts were returned, %d read", next, read.Load())
		}
	}
}
