package textscan

import (
	"bytes"
	"io"
)

// Blocks cuts a text into blocks of whole lines, for parts of it to be read at the
// same time. Joined, they are the text: only the last may lack its line feed.
type Blocks struct {
	r    io.Reader
	rest []byte // of the last read, behind its last line feed
	err  error  // sticky error of r, io.EOF included
}

// NewBlocks returns a reader of the text r.
func NewBlocks(r io.Reader) *Blocks { return &Blocks{r: r} }

// Blocks returns the rest of the text, behind the line that Next returned last, in blocks. l must not be
// used any more.
func (l *Lines) Blocks() *Blocks {
	return &Blocks{r: l.r, rest: l.buf[l.lo:l.hi:l.hi], err: l.err}
}

// Lines returns the rest of the text line by line, behind line number of it: unread, with which the
// block that Next returned last ends, and what follows. b must not be used any more.
func (b *Blocks) Lines(unread []byte, number int) *Lines {
	hi := len(unread) + len(b.rest)
	l := &Lines{r: b.r, buf: withSlack(hi + lineBuffer), hi: hi, number: number, err: b.err}
	copy(l.buf[copy(l.buf, unread):], b.rest)
	return l
}

// Next reads a block of about size bytes, or of one line if that is longer, into
// memory that it takes from buf and makes larger if need be, with Slack behind the block. After the last block it
// returns io.EOF, or the error of the underlying reader; what such an error leaves
// of a line is dropped.
func (b *Blocks) Next(buf []byte, size int) ([]byte, error) {
	if cap(buf) < len(b.rest)+Slack {
		buf = withSlack(max(size, len(b.rest)))
	}
	buf = append(buf[:0], b.rest...)
	b.rest = b.rest[:0]
	searched := 0
	for b.err == nil {
		if len(buf) >= size {
			if i := bytes.LastIndexByte(buf[searched:], '\n'); i >= 0 {
				i += searched + 1
				b.rest = append(b.rest, buf[i:]...)
				return buf[:i], nil
			}
			searched = len(buf)
		}
		buf = b.fill(buf, size)
	}
	if b.err != io.EOF {
		buf = buf[:bytes.LastIndexByte(buf, '\n')+1]
	}
	if len(buf) == 0 {
		return nil, b.err
	}
	return buf, nil
}

// fill reads more bytes behind buf, which it makes larger if it is full: to size
// first, by doubling then.
func (b *Blocks) fill(buf []byte, size int) []byte {
	if len(buf)+Slack >= cap(buf) {
		buf = append(withSlack(max(size, 2*len(buf)))[:0], buf...)
	}
	n, err := readSome(b.r, buf[len(buf):cap(buf)-Slack])
	b.err = err
	return buf[:len(buf)+n]
}

// readSome reads until there is something, the end or an error.
func readSome(r io.Reader, p []byte) (n int, err error) {
	for range 100 {
		if n, err = r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
