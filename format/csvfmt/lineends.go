package csvfmt

import (
	"bytes"
	"io"
)

// firstEnd looks for what ends the first line of a text, which is given to it in parts.
type firstEnd struct {
	dialect
	quoted   bool // a quote is open
	escaped  bool // the last byte was a backslash in quotes, and the next one is text
	returned bool // a carriage return was the last byte, outside quotes
	found    bool
	returns  bool // it is a carriage return alone, as at the end of all other lines then
}

// in looks at the next part of the text, unless the end is found.
func (f *firstEnd) in(part []byte) {
	for _, c := range part {
		switch {
		case f.found:
			return
		case f.returned:
			f.found, f.returns = true, c != '\n'
		case f.escaped:
			f.escaped = false
		case c == '\\' && f.quoted:
			f.escaped = f.backslash
		case c == f.quote:
			f.quoted = !f.quoted
		case f.quoted:
		case c == '\n':
			f.found = true
		case c == '\r':
			f.returned = true
		}
	}
}

// lines returns how many ends of lines a text has, in quotes too, if they are as that of the first
// line.
func (f *firstEnd) lines(text []byte) int {
	if f.returns {
		return bytes.Count(text, []byte{'\r'})
	}
	return bytes.Count(text, []byte{'\n'})
}

// end says that the text ends here, which may be behind a carriage return.
func (f *firstEnd) end() {
	if f.returned && !f.found {
		f.found, f.returns = true, true
	}
}

// returnsEnd reports whether the lines of a text that begins with head end with
// carriage returns alone, as the first does.
func returnsEnd(head []byte, quote byte) bool {
	end := firstEnd{dialect: dialect{quote: quote}}
	end.in(head)
	return end.returns
}

// LineFeeds returns text with line feeds as line ends. It returns text itself unless its lines end
// with carriage returns alone. quote and backslash are the Reader's fields; quote 0 means ".
func LineFeeds(text io.Reader, quote byte, backslash bool) io.Reader {
	if quote == 0 {
		quote = '"'
	}
	b := readBeginning(text, dialect{quote: quote, backslash: backslash}, mostRecord)
	if b.returns {
		return &lineFeeds{r: b.whole}
	}
	return b.whole
}

// lineFeeds makes line feeds of carriage returns, and of one with a line feed
// behind it.
type lineFeeds struct {
	r        io.Reader
	returned bool // the last byte was a carriage return
}

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	to := 0
	for _, c := range p[:n] {
		if c == '\n' && l.returned {
			l.returned = false
			continue
		}
		l.returned = c == '\r'
		if l.returned {
			c = '\n'
		}
		p[to] = c
		to++
	}
	return to, err
}

// A beginning is what is looked at of a text before it is read.
type beginning struct {
	head    []byte
	end     bool      // that is all of the text
	returns bool      // lines end with carriage returns alone
	whole   io.Reader // the text, from its start; an error of reading comes again, unless it is the end
}

// readBeginning reads the beginning of r, so far that it is known how its first line ends, if that
// is shorter than most, and that head has fewLines, if those are shorter than mostHeadBytes.
func readBeginning(r io.Reader, d dialect, most int) (b beginning) {
	first := firstEnd{dialect: d}
	n, err := 0, error(nil)
	for size := headBytes; err == nil && size <= mostHeadBytes && !(first.found && first.lines(b.head) >= fewLines); size *= 2 {
		b.head = append(b.head, make([]byte, size-n)...)
		var m int
		m, err = io.ReadFull(r, b.head[n:])
		b.head = b.head[:n+m]
		first.in(b.head[n:])
		n += m
	}
	b.end = err == io.EOF || err == io.ErrUnexpectedEOF
	parts := []io.Reader{bytes.NewReader(b.head)} // of which no one has to grow
	for err == nil && !first.found && n < most {
		part := make([]byte, headBytes)
		var m int
		m, err = io.ReadFull(r, part)
		first.in(part[:m])
		parts = append(parts, bytes.NewReader(part[:m]))
		n += m
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		first.end()
	}
	b.returns = first.returns
	b.whole = io.MultiReader(append(parts, r)...)
	return b
}
