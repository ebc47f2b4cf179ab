package train

import (
	"slices"
	"testing"
)

// TestRecord: the events that are sent are those that were added, and progress takes no memory for
// each event.
func TestRecord(t *testing.T) {
	var want, got []Event
	var r record
	add := func(e Event) {
		want = append(want, e)
		r.add(e)
	}
	for _, by := range []int{1000, 7, 0, -5} {
		add(GradientRebuilt{})
		for k := range 2000 {
			add(Progress{3 + k*by})
		}
		add(Progress{3})
		add(Solved{Iterations: by})
		add(Progress{by})
	}
	if n := len(r.events); n > 30 {
		t.Errorf("%d places for %d events", n, len(want))
	}
	r.send(func(e Event) { got = append(got, e) })
	if !slices.Equal(got, want) {
		t.Error("other events were sent than added")
	}
	r.send(func(e Event) { t.Errorf("%v was sent again", e) })
}
