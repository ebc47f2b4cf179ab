package textscan

import (
	"bytes"
	"io"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Blocks cuts a text into blocks of whole lines, so that parts of it can be read at the same time.
// Joined, the blocks are the text; only the last may lack its line feed.
type Blocks struct {
	r    io.Reader
	rest []byte // of the last read, behind its last line feed
	most int    // bytes of a line
	err  error  // sticky error of r, io.EOF included
}

// NewBlocks returns a reader of r.
func NewBlocks(r io.Reader) *Blocks { return &Blocks{r: r, most: LongestLine} }

// Blocks returns the rest of the text, after the line that Next returned last, in blocks. Do not
// use l afterwards.
func (l *Lines) Blocks() *Blocks {
	return &Blocks{r: l.r, rest: l.buf[l.lo:l.hi:l.hi], most: l.most, err: l.err}
}

// Lines returns the rest of the text line by line: unread, the end of the block that Next returned
// last, and what follows it. The first of these lines has the number after number. Do not use b
// afterwards.
func (b *Blocks) Lines(unread []byte, number int) *Lines {
	hi := len(unread) + len(b.rest)
	l := &Lines{r: b.r, buf: withSlack(hi + lineBuffer), hi: hi, number: number, most: b.most, longer: ErrLongLine, err: b.err}
	copy(l.buf[copy(l.buf, unread):], b.rest)
	return l
}

// Next reads a block of about size bytes, or one line if that is longer. It uses the memory of buf
// and allocates more if need be, with [Slack] after the block. After the last block it returns
// io.EOF, or the error of the underlying reader, or [ErrLongLine]; a part of a line before such an
// error is dropped.
func (b *Blocks) Next(buf []byte, size int) ([]byte, error) {
	buf = b.begin(buf, size)
	searched, most, own := 0, max(size, b.most), false
	for b.err == nil {
		if len(buf) >= size {
			if i := bytes.LastIndexByte(buf[searched:], '\n'); i >= 0 {
				i += searched + 1
				b.rest = append(b.rest, buf[i:]...)
				return buf[:i], nil
			}
			searched = len(buf)
		}
		if len(buf) > most {
			break
		}
		if len(buf)+Slack >= cap(buf) {
			buf, own = larger(buf, max(size, min(2*len(buf), most+1)), own), true // its last byte may be the line feed
		}
		n, err := readSome(b.r, buf[len(buf):min(cap(buf)-Slack, most+1)])
		buf, b.err = buf[:len(buf)+n], err
	}
	if len(buf) > most && bytes.IndexByte(buf[searched:], '\n') < 0 {
		b.err = ErrLongLine
	}
	return b.last(buf)
}

// NextLines is Next for a block of the given number of lines, which should have about size bytes.
// It returns fewer lines if they reach most bytes; the last block may also have fewer.
func (b *Blocks) NextLines(buf []byte, lines, size, most int) ([]byte, error) {
	buf = b.begin(buf, size)
	end, searched, own := 0, 0, false // end of the lines
	for n := 0; ; {
		for ; n < lines && end < most; n++ {
			i := bytes.IndexByte(buf[searched:], '\n')
			if i < 0 {
				searched = len(buf)
				break
			}
			searched += i + 1
			end = searched
		}
		switch {
		case n == lines || end >= most:
			b.rest = append(b.rest, buf[end:]...)
			return buf[:end], nil
		case len(buf)-end > b.most:
			b.err = ErrLongLine
		}
		if b.err != nil {
			return b.last(buf)
		}
		if len(buf)+Slack >= cap(buf) {
			buf, own = larger(buf, max(size, min(2*len(buf), end+b.most+1)), own), true
		}
		read, err := readSome(b.r, buf[len(buf):min(cap(buf)-Slack, end+b.most+1)])
		buf, b.err = buf[:len(buf)+read], err
	}
}

// begin returns what is left of the last read, with room for size bytes or more.
func (b *Blocks) begin(buf []byte, size int) []byte {
	if cap(buf) < len(b.rest)+Slack {
		buf = withSlack(max(size, len(b.rest)))
	}
	buf = append(buf[:0], b.rest...)
	b.rest = b.rest[:0]
	return buf
}

// last returns what an error ends: whole lines, but at the end of the text.
func (b *Blocks) last(buf []byte) ([]byte, error) {
	if b.err != io.EOF {
		buf = buf[:bytes.LastIndexByte(buf, '\n')+1]
	}
	if len(buf) == 0 {
		return nil, b.err
	}
	return buf, nil
}

// larger returns memory for size bytes that holds buf, and if that was made here, and so is nobody
// else's, gives its memory back as it goes: by doubling there would be as much again.
func larger(buf []byte, size int, own bool) []byte {
	if !own {
		return append(withSlack(size)[:0], buf...)
	}
	more := withSlack(size)[:len(buf)]
	pages.Move(more, buf)
	return more
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
