package textscan_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Parts come back in the order in which they were given, each read once; readers end.
func TestPipeline(t *testing.T) {
	type part struct{ n, read int }
	for workers := -1; workers < 12; workers++ {
		for _, added := range []int{0, 1, 20} {
			var began, ended atomic.Int32
			r := textscan.NewPipeline(workers, func() (func(*part), func()) {
				began.Add(1)
				return func(p *part) {
					if p.n%7 == 0 {
						runtime.Gosched()
					}
					if p.n%100 == 0 {
						time.Sleep(time.Millisecond / 10)
					}
					p.read++
				}, func() { ended.Add(1) }
			})
			for range added {
				r.AddWorker()
			}
			given, taken := 0, 0
			for taken < 300 {
				for given < 300 && !r.Full() {
					r.Submit(&part{n: given}, 1)
					given++
				}
				if r.Pending() != given-taken {
					t.Fatalf("%d parts under way, want %d", r.Pending(), given-taken)
				}
				if p := r.Next(); p.n != taken || p.read != 1 {
					t.Fatalf("%d readers: part %d, read %d times, want part %d, once", workers, p.n, p.read, taken)
				}
				taken++
			}
			now := &part{n: 1}
			if r.Read(now); now.read != 1 {
				t.Fatal("a part is not read at once")
			}
			r.Submit(&part{}, 1)
			r.End()
			if most := int32(max(1, min(workers, added+1))); began.Load() != ended.Load() || began.Load() < 1 || began.Load() > most {
				t.Errorf("%d readers, %d added: %d began, %d ended", workers, added, began.Load(), ended.Load())
			}
		}
	}
}

// Of long parts there are no more under way than fit into some megabytes.
func TestPipelineBytes(t *testing.T) {
	r := textscan.NewPipeline(2, func() (func(int), func()) { return func(int) {}, func() {} })
	defer r.End()
	for round := range 3 {
		given := 0
		for ; !r.Full(); given++ {
			r.Submit(given, 3<<20)
		}
		if given != 3 {
			t.Errorf("round %d: %d parts of 3 MB are under way, want 3", round, given)
		}
		for k := range given {
			if got := r.Next(); got != k {
				t.Errorf("round %d: part %d, want %d", round, got, k)
			}
		}
		r.Submit(0, 1<<30)
		if !r.Full() || r.Pending() != 1 {
			t.Errorf("round %d: more is wanted beside 1 GB", round)
		}
		r.Next()
	}
}
