package rangefile

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// beforeMark is a text up to a line that begins a section, with which it ends.
type beforeMark struct {
	r         *bufio.Reader
	piece     []byte // of a line, yet to be given
	lineStart bool   // the next piece begins a line
	lines     int    // that are given, and the mark
	found     string // the mark; "": none yet
	err       error
}

func (b *beforeMark) Read(p []byte) (int, error) {
	if len(b.piece) == 0 && b.err == nil {
		b.next()
	}
	if len(b.piece) == 0 {
		return 0, b.err
	}
	n := copy(p, b.piece)
	b.piece = b.piece[n:]
	return n, nil
}

func (b *beforeMark) next() {
	b.piece, b.err = b.r.ReadSlice('\n')
	whole := bytes.HasSuffix(b.piece, []byte{'\n'})
	if whole {
		b.lines++
	}
	if b.lineStart && whole && len(b.piece) <= len(inputsMark)+len("\r\n") {
		if line := trimEnd(string(b.piece)); line == columnsMark || line == inputsMark {
			b.piece, b.err, b.found = nil, io.EOF, line
			return
		}
	}
	b.lineStart = whole
	if b.err == bufio.ErrBufferFull {
		b.err = nil
	}
}

// trimEnd returns a line without its end.
func trimEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}
