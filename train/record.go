package train

// A record keeps events to send them later. A solver reports progress thousands of times in equal
// steps; of these only the number is kept.
type record struct{ events []Event }

// steps stands for several Progress events.
type steps struct{ first, by, more int }

func (*steps) event() {}

// add can be used as a Report.
func (r *record) add(e Event) {
	if p, ok := e.(Progress); ok && len(r.events) > 0 {
		last := &r.events[len(r.events)-1]
		switch before := (*last).(type) {
		case Progress:
			*last = &steps{before.Iterations, p.Iterations - before.Iterations, 1}
			return
		case *steps:
			if p.Iterations == before.first+(before.more+1)*before.by {
				before.more++
				return
			}
		}
	}
	r.events = append(r.events, e)
}

// send sends the events and forgets them.
func (r *record) send(to Report) {
	for _, e := range r.events {
		s, ok := e.(*steps)
		if !ok {
			to(e)
			continue
		}
		for k := range s.more + 1 {
			to(Progress{s.first + k*s.by})
		}
	}
	r.events = nil
}
