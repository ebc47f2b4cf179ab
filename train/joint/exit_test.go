package joint

import (
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/train"
)

// TestReportExits: a Report that ends its goroutine ends that of who trains, whichever of several descents it
// was told of.
func TestReportExits(t *testing.T) {
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no set gauss5")
	}
	d := set.Generate(60, 1)
	told := 0
	c := small(func(train.Event) { told++ })
	if _, err := c.Train(t.Context(), d, train.NewRand(1)); err != nil {
		t.Fatal(err)
	}
	if told < 50 {
		t.Fatalf("%d events", told)
	}
	for last := 1; last <= told; last += told / 5 {
		for _, threads := range []int{1, 4} {
			events := 0
			c := small(func(train.Event) {
				if events++; events == last {
					runtime.Goexit()
				}
			})
			c.Threads = threads
			returned := make(chan bool, 1)
			go func() {
				back := false
				defer func() { returned <- back }()
				_, err := c.Train(t.Context(), d, train.NewRand(1))
				back = true
				t.Errorf("%d threads, event %d of %d: Train returns, error %v", threads, last, told, err)
			}()
			<-returned
		}
	}
}
