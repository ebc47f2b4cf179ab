package textscan

import (
	"bytes"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Lines reads a text line by line. A line ends at a line feed or at the end of the text. It may
// have any bytes, up to [LongestLine] of them.
type Lines struct {
	r      io.Reader
	buf    []byte
	lo, hi int  // buf[lo:hi] is read but not yet returned
	long   bool // the last line was longer than a buffer is at first
	open   bool // of the last line there is more, as Part returned only some of it
	number int
	most   int   // bytes of a line
	longer error // what a line is that has more
	err    error // sticky error of r, io.EOF included
}

// LongestLine is the largest length of a line. A small compressed file may contain a line that is
// longer than memory; useful files do not, as a feature takes four bytes or more.
const LongestLine = 1<<30 - 1

// ErrLongLine reports a line longer than [LongestLine].
var ErrLongLine = fmt.Errorf("the line is longer than %d bytes", LongestLine)

// AtLine adds the line to err if that is ErrLongLine, as [Blocks] returns it.
func AtLine(err error, line int) error {
	if err == ErrLongLine {
		return &Error{Line: line, Err: err}
	}
	return err
}

// lineBuffer is large enough that reading costs few system calls, small enough
// to stay in the second-level cache.
const lineBuffer = 64 << 10

// NewLines returns a line reader of r.
func NewLines(r io.Reader) *Lines {
	return &Lines{r: r, buf: withSlack(lineBuffer), most: LongestLine, longer: ErrLongLine}
}

// Limit makes lines of the given number of bytes or more an error. The number must be a multiple of
// 1 MiB and at most LongestLine. Call it before Next.
func (l *Lines) Limit(bytes int) {
	l.most, l.longer = bytes-1, fmt.Errorf("the line is longer than %d MiB", bytes>>20)
}

// withSlack returns memory for n bytes with Slack behind it.
func withSlack(n int) []byte { return make([]byte, n, n+Slack) }

// Next returns the next line without its line feed, or io.EOF if there is none, or the error of the
// underlying reader. The bytes are valid until the next call. [Slack] bytes after them can be read.
func (l *Lines) Next() ([]byte, error) {
	line, _, err := l.next(false)
	return line, err
}

// Part is [Lines.Next] for lines of words that may be very long. It returns a line, or some words
// of a long line with the white space after them. more reports whether the next call continues the
// line.
func (l *Lines) Part() (part []byte, more bool, err error) { return l.next(true) }

// fetch returns the next line or, in parts, as many words of it as a buffer holds.
func (l *Lines) next(parts bool) (line []byte, more bool, err error) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.lo+searched:l.hi], '\n'); i >= 0 {
			line = l.take(searched + i)
			l.lo++
			return line, false, nil
		}
		searched = l.hi - l.lo
		if parts && searched == len(l.buf) {
			if n := wholeWords(l.buf[l.lo:l.hi]); n > 0 {
				line = l.take(n)
				l.open = true
				return line, true, nil
			}
		}
		if searched > l.most {
			number := l.number + 1
			if l.open {
				number-- // which was counted with its first part
			}
			l.err = &Error{Line: number, Err: l.longer}
		}
		if l.err != nil {
			if l.err == io.EOF && searched > 0 {
				return l.take(searched), false, nil
			}
			return nil, false, l.err
		}
		l.fill()
	}
}

// take returns the next n bytes, which are a line or a part of one.
func (l *Lines) take(n int) []byte {
	line := l.buf[l.lo : l.lo+n]
	l.lo += n
	l.long = n > lineBuffer
	if !l.open {
		l.number++
	}
	l.open = false
	return line
}

// wholeWords returns the length of what ends with the last white space.
func wholeWords(text []byte) int {
	n := len(text)
	for n > 0 && !IsSpace(text[n-1]) {
		n--
	}
	return n
}

// fill reads more bytes behind buf[lo:hi], making room first: where a long line is behind, such as
// those of a model's header, no more than there was at first.
func (l *Lines) fill() {
	switch rest := l.hi - l.lo; {
	case rest == len(l.buf):
		l.move(min(2*len(l.buf), l.most+1)) // which is read to see that it is no line feed
	case len(l.buf) > lineBuffer && !l.long && rest <= lineBuffer/2:
		l.move(lineBuffer)
	case l.lo > 0:
		copy(l.buf, l.buf[l.lo:l.hi])
		l.lo, l.hi = 0, rest
	}
	n, err := readSome(l.r, l.buf[l.hi:])
	l.hi += n
	l.err = err
}

// move puts what is not yet returned into another buffer and gives the memory of the old one back.
func (l *Lines) move(size int) {
	old := l.buf
	l.buf = withSlack(size)
	l.lo, l.hi = 0, copy(l.buf, old[l.lo:l.hi])
	pages.Drop(old)
}

// Number returns the number, from 1, of the line that Next returned last.
func (l *Lines) Number() int { return l.number }
