package textscan

// A ReadAhead reads parts of a text at the same time and returns them in order, like a [Pipeline], but
// for an owner that may stop asking at any time without a word: each part is read by a goroutine of
// its own, which ends with it. So parts must be so large that starting a goroutine is nothing, some
// tens of kilobytes.
type ReadAhead[P any] struct {
	read  func(P)
	parts []partAhead[P] // in order, the oldest first
	most  int
}

// A partAhead is a part that is being read, until done is closed.
type partAhead[P any] struct {
	part P
	done chan struct{}
}

// spareParts are parts beyond one for each processor, so that none is idle while the owner is busy
// with a part or with the text.
const spareParts = 2

// NewReadAhead returns a ReadAhead that reads parts with read and keeps so many processors busy.
func NewReadAhead[P any](workers int, read func(P)) *ReadAhead[P] {
	return &ReadAhead[P]{read: read, most: max(1, workers) + spareParts}
}

// Len returns how many parts have been started and not returned.
func (a *ReadAhead[P]) Len() int { return len(a.parts) }

// Full reports whether a part must be returned before another may be started.
func (a *ReadAhead[P]) Full() bool { return len(a.parts) >= a.most }

// Start begins to read a part.
func (a *ReadAhead[P]) Start(part P) {
	done := make(chan struct{})
	a.parts = append(a.parts, partAhead[P]{part, done})
	go func() {
		a.read(part)
		close(done)
	}()
}

// Next returns the part that was started first, once it has been read. There must be one.
func (a *ReadAhead[P]) Next() P {
	first := a.parts[0]
	a.parts = append(a.parts[:0], a.parts[1:]...)
	<-first.done
	return first.part
}
