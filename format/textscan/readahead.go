package textscan

// A BlockReader reads blocks of a text, one behind the other, and keeps what it made of the last one.
type BlockReader interface {
	// ReadBlock reads whole lines, which stay as they are until the next call. It returns how many
	// bytes and lines of text it has read: all, or those before the first line that has to be read
	// otherwise.
	ReadBlock(text []byte) (size, lines int)
}

// A ReadAhead reads blocks of a text at the same time and returns them in order, like a [Pipeline],
// but for an owner that may stop asking at any time without a word: each block is read by a
// goroutine of its own, which ends with it. So blocks must be so large that starting a goroutine is
// nothing, some tens of kilobytes.
//
// Blocks are read before it is known whether the ones before can be, and are of use only if these
// are read to their ends. Behind a block that is not, the owner goes on with Rest.
type ReadAhead[R BlockReader] struct {
	cut       func(buf []byte) []byte
	newReader func() R
	workers   int
	started   []*blockAhead[R] // in order, the oldest first
	current   *blockAhead[R]   // that Next returned last
	free      []*blockAhead[R]
	lines     int // before the current block
}

// A blockAhead is a block that is being read, or was.
type blockAhead[R BlockReader] struct {
	reader      R
	text        []byte
	done        chan struct{} // gets a value when the block has been read
	size, lines int           // of what was read
}

const (
	// mostAheadWorkers keep the owner busy with what they make of the text.
	mostAheadWorkers = 8

	// spareBlocks are blocks beyond one for each processor, so that none is idle while the owner is
	// busy with a block or with the text.
	spareBlocks = 2
)

// AheadWorkers returns how many workers a [ReadAhead] may have, perhaps none, if each of its readers
// takes so many bytes, as the owner does, and all together may take no more than most.
func AheadWorkers(most, bytes int) int {
	const owner = 1
	return max(0, most/max(1, bytes)-spareBlocks-owner)
}

// NewReadAhead returns a ReadAhead that keeps workers processors busy, up to eight. cut returns the next lines of
// the text, in buf or in memory of its own, and none if there are no more to be read ahead, then and
// later. newReader returns a reader, of which there are as many as there are blocks at a time.
func NewReadAhead[R BlockReader](workers int, cut func(buf []byte) []byte, newReader func() R) *ReadAhead[R] {
	return &ReadAhead[R]{cut: cut, newReader: newReader, workers: min(max(1, workers), mostAheadWorkers)}
}

// Begin makes what cut returns next the text behind so many lines. Nothing may be left of another,
// as after Rest. A new ReadAhead is at the beginning of a text.
func (a *ReadAhead[R]) Begin(lines int) { a.lines = lines }

// Started returns how many blocks have been started and not returned.
func (a *ReadAhead[R]) Started() int { return len(a.started) }

// Lines returns the number of lines before the block that Next returned last.
func (a *ReadAhead[R]) Lines() int { return a.lines }

// Next returns the reader of the next block, which has read it, and is the caller's until Next or
// Rest is called. ok is false, then and later, if the block before was not read to its end, or if
// there is none.
func (a *ReadAhead[R]) Next() (r R, ok bool) {
	if b := a.current; b != nil {
		if b.size < len(b.text) {
			return r, false
		}
		a.lines += b.lines
		a.free, a.current = append(a.free, b), nil
	}
	for len(a.started) < a.workers+spareBlocks && a.start() {
	}
	if len(a.started) == 0 {
		return r, false
	}
	a.current = a.oldest()
	return a.current.reader, true
}

// Rest ends the reading. It returns the text of which nothing was read, as far as cut has returned
// it, and the number of the lines before it.
func (a *ReadAhead[R]) Rest() (text []byte, lines int) {
	if b := a.current; b != nil {
		a.lines += b.lines
		text = append(text, b.text[b.size:]...)
		a.free, a.current = append(a.free, b), nil
	}
	for len(a.started) > 0 {
		b := a.oldest()
		text = append(text, b.text...)
		a.free = append(a.free, b)
	}
	return text, a.lines
}

// start begins to read a block, if there is one.
func (a *ReadAhead[R]) start() bool {
	var b *blockAhead[R]
	if n := len(a.free); n > 0 {
		b, a.free = a.free[n-1], a.free[:n-1]
	} else {
		b = &blockAhead[R]{reader: a.newReader(), done: make(chan struct{}, 1)}
	}
	text := a.cut(b.text[:0])
	if len(text) == 0 {
		a.free = append(a.free, b)
		return false
	}
	b.text = text
	a.started = append(a.started, b)
	go func() {
		b.size, b.lines = b.reader.ReadBlock(b.text)
		b.done <- struct{}{}
	}()
	return true
}

// oldest returns the block that was started first, once it has been read.
func (a *ReadAhead[R]) oldest() *blockAhead[R] {
	b := a.started[0]
	a.started = append(a.started[:0], a.started[1:]...)
	<-b.done
	return b
}
