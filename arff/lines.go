package arff

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// lines reads a text line by line. A line ends with LF, CR LF or CR, or at the
// end of the text. It is kept in memory as a whole, but for what a comment says.
type lines struct {
	r    io.Reader
	most int // length of a line; a power of two
	buf  []byte
	hi   int   // buf[:hi] is read
	err  error // of r, io.EOF included
	full bool  // r gave as much as it was asked for the last time

	start, end int  // buf[start:end] is the current line
	next       int  // behind its end; == end where the text ends
	afterCR    bool // the line ended with CR: an LF behind it belongs to that
	number     int  // of the current line, from 1
	first      int  // and of the first one that extend joined to it
	broken     bool // extend met an error other than io.EOF
	dropped    int  // bytes of a comment that are not kept, at the end of the current line
	blanks     int  // that the current line is known to begin with: dropComment looks behind them

	lastLine, lastColumn int // behind the last byte, once line has returned io.EOF

	lf, cr int // first LF and CR known: valid where not before what is sought
	found  int // where the line begins that follows found last: valid where not before next
}

// lineBuffer is large enough that reading costs few system calls, small enough
// to stay in the second-level cache.
const lineBuffer = 256 << 10

// mostLine bounds the memory that a line takes, since a packed file of some kilobytes may
// hold one of gigabytes. A row of ten million values is shorter.
const mostLine = 1 << 30

func newLines(r io.Reader) *lines {
	return &lines{r: r, most: mostLine, buf: make([]byte, lineBuffer), lf: -1, cr: -1, found: -1}
}

// linesOf returns the lines of a text that is there as a whole.
func linesOf(text []byte) *lines {
	return &lines{buf: text, hi: len(text), err: io.EOF, lf: -1, cr: -1, found: -1}
}

// goOn makes text, which err ends if it is not nil, what comes next of the input, behind so many lines.
func (s *lines) goOn(text []byte, number int, err error) {
	size := max(len(s.buf), lineBuffer)
	for size < len(text) {
		size *= 2
	}
	buf := s.buf
	if size > len(buf) {
		buf = make([]byte, size)
	}
	*s = lines{r: s.r, most: s.most, buf: buf, hi: copy(buf, text), err: err, number: number, first: number, lf: -1, cr: -1, found: -1}
}

// line moves to the next line and returns it without its end, or io.EOF, or the
// error of the reader. The bytes are valid until the next call.
func (s *lines) line() ([]byte, error) {
	s.lastLine, s.lastColumn = s.number, s.end-s.start+s.dropped+1
	if s.next > s.end || s.number == 0 {
		s.lastLine, s.lastColumn = s.number+1, 1
	}
	s.start = s.next
	if s.afterCR && s.peek() == '\n' {
		s.next++
		s.start++
	}
	s.end, s.afterCR, s.dropped, s.blanks = s.start, false, 0, 0
	if err := s.seek(s.start); err != nil {
		return nil, err
	}
	s.number++
	s.first = s.number
	return s.buf[s.start:s.end], nil
}

// peek returns the byte at next, -1 where there is none.
func (s *lines) peek() int {
	for s.next == s.hi && s.err == nil {
		s.fill()
	}
	if s.next == s.hi {
		return -1
	}
	return int(s.buf[s.next])
}

// seek ends the current line at the first line end at or after from.
func (s *lines) seek(from int) error {
	for {
		lf, cr := s.find(&s.lf, '\n', from), s.find(&s.cr, '\r', from)
		if end := min(lf, cr); end < s.hi {
			s.end, s.next, s.afterCR = end, end+1, end == cr
			return nil
		}
		if s.err == io.EOF && s.hi > s.start {
			s.end, s.next = s.hi, s.hi
			return nil
		}
		if s.err != nil {
			return s.err
		}
		s.dropComment()
		from = s.hi - s.start
		s.fill()
		from += s.start
	}
}

// dropComment forgets what is read of a line that is not yet read to its end and is a long
// comment, but for its beginning. It is called for every piece that is read, and looks at no
// blank twice.
func (s *lines) dropComment() {
	if s.hi-s.start < lineBuffer/2 || s.end > s.start { // where extend joins lines, it is none
		return
	}
	at := s.start + s.blanks
	for at < s.hi && classOf[s.buf[at]] == blank {
		at++
	}
	s.blanks = at - s.start
	if at < s.hi && s.buf[at] == '%' {
		s.dropped += s.hi - (at + 1)
		s.hi = at + 1
	}
}

// find returns the position of the first c at or after from, math.MaxInt where
// there is none. known keeps it, since the two kinds of line ends do not take
// turns.
func (s *lines) find(known *int, c byte, from int) int {
	if *known < from {
		*known = math.MaxInt
		if i := bytes.IndexByte(s.buf[from:s.hi], c); i >= 0 {
			*known = from + i
		}
	}
	return *known
}

// fill reads more bytes behind buf[:hi], making room first.
func (s *lines) fill() {
	if s.start > 0 {
		copy(s.buf, s.buf[s.start:s.hi])
		s.end -= s.start
		s.next -= s.start
		s.hi -= s.start
		s.found -= s.start
		s.start = 0
	}
	if s.hi == len(s.buf) {
		if len(s.buf) >= s.most {
			s.err = &format.Error{Line: s.number + 1, Err: fmt.Errorf("the line is longer than %d MiB", s.most>>20)}
			return
		}
		more := make([]byte, 2*len(s.buf))
		pages.Move(more, s.buf)
		s.buf = more
	}
	s.lf, s.cr = -1, -1
	for range 100 {
		n, err := s.r.Read(s.buf[s.hi:])
		s.full = n == len(s.buf)-s.hi
		s.hi += n
		if err != nil {
			s.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// extend takes the end of the current line for a character of it, as Weka does
// when a backslash stands before it, and returns the line with that and what
// follows; of CR LF only the CR, since LF is an end of its own then. ok is false
// where the text ends.
func (s *lines) extend() (line []byte, ok bool) {
	if s.next == s.end {
		return s.buf[s.start:s.end], false
	}
	if s.afterCR && s.peek() == '\n' {
		s.end, s.afterCR = s.next, false
		s.next++
		return s.buf[s.start:s.end], true
	}
	s.afterCR = false
	if s.seek(s.next) != nil {
		s.broken = true
		return s.buf[s.start:s.end], false
	}
	s.number++
	return s.buf[s.start:s.end], true
}

// left returns how many of the lines behind the current one hold more than blanks and comments, as
// far as they are read, or most if there are more.
func (s *lines) left(most int) (n int) {
	for at := s.next; at < s.hi && n < most; {
		line := s.buf[at:s.hi]
		if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
			line = line[:end]
		}
		at += len(line) + 1
		if l := (lexer{line: line}); !l.lineIsOver(false) {
			n++
		}
	}
	return n
}

// lookAhead is how much of what follows a line is looked at.
const lookAhead = 64 << 10

// ahead reads some of what follows the current line and returns the line, which may
// have moved.
func (s *lines) ahead() []byte {
	for s.hi-s.next < lookAhead && s.err == nil {
		s.fill()
	}
	return s.buf[s.start:s.end]
}

// follows reports whether one of the next lines is such a line, as far as ahead has
// read. Of many lines that it is asked for, each is looked at once.
func (s *lines) follows(is func(line []byte) bool) bool {
	if s.found >= s.next {
		return true
	}
	end := min(s.hi, s.next+lookAhead)
	for at := s.next; at < end; {
		line := s.buf[at:end]
		n := bytes.IndexAny(line, "\r\n")
		cut := n < 0 && !(end == s.hi && s.err == io.EOF)
		if n < 0 {
			n = len(line)
		}
		if is(line[:n]) && (!cut || is(line[:n-1])) { // what is cut in its first word may go on otherwise
			s.found = at
			return true
		}
		at += n + 1
	}
	return false
}
