package format

import "io"

// Problem: to unpack a file takes about as long as to read what it holds, and both could be done at
// the same time.
//
// Method: while a block of the content is being read, a goroutine unpacks the next one. It ends with
// its block, so that an owner who stops reading leaves none behind.

const (
	// firstAhead is how much is unpacked before there is a goroutine: small files need none.
	firstAhead = 64 << 10

	// blockAhead is how much a goroutine unpacks, in some hundreds of microseconds.
	blockAhead = 256 << 10
)

// An aheadReader reads from r, which gives no bytes behind an error, ahead of its owner. A Read is
// short only where the content ends.
type aheadReader struct {
	r    io.Reader
	text []byte // that was read and not returned
	err  error  // behind text

	memory [2][]byte       // of the block with text, and for the next one
	next   chan aheadBlock // of the goroutine that is under way; nil: there is none
}

// An aheadBlock is what a goroutine has read.
type aheadBlock struct {
	text []byte
	err  error
}

func (a *aheadReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(a.text) == 0 {
			if a.err != nil {
				break
			}
			a.advance()
		}
		k := copy(p[n:], a.text)
		a.text = a.text[k:]
		n += k
	}
	if n == 0 && len(p) > 0 {
		return 0, a.err
	}
	return n, nil
}

// advance goes on to the next block, and has the one behind it read.
func (a *aheadReader) advance() {
	var b aheadBlock
	if a.next == nil {
		b = readBlock(a.r, make([]byte, firstAhead))
	} else {
		b = <-a.next
		a.next = nil
	}
	a.text, a.err = b.text, b.err
	if a.err != nil {
		return
	}
	a.memory[0], a.memory[1] = a.memory[1], a.memory[0]
	if a.memory[1] == nil {
		a.memory[1] = make([]byte, blockAhead)
	}
	next, r, memory := make(chan aheadBlock, 1), a.r, a.memory[1]
	a.next = next
	go func() { next <- readBlock(r, memory) }()
}

// wait waits until r is not being read.
func (a *aheadReader) wait() {
	if a.next != nil {
		a.next <- <-a.next
	}
}

// readBlock reads until memory is full or there is an error.
func readBlock(r io.Reader, memory []byte) aheadBlock {
	n := 0
	for idle := 0; n < len(memory); idle++ {
		k, err := r.Read(memory[n:])
		if n += k; err != nil {
			return aheadBlock{memory[:n], err}
		}
		if k > 0 {
			idle = 0
		} else if idle == mostIdle {
			return aheadBlock{memory[:n], io.ErrNoProgress}
		}
	}
	return aheadBlock{memory, nil}
}
