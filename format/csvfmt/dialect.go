package csvfmt

import (
	"bytes"
	"errors"
	"io"
)

// headBytes is how much of a text is looked at to find out what it is written
// in, and mostHeadBytes where its first record is longer; sampleRecords is how many
// records of that.
const (
	headBytes     = 64 << 10
	mostHeadBytes = 4 << 20
	sampleRecords = 100
)

// separators are those that are found out, the most common first.
const separators = ",;\t|"

// findSeparator returns the separator of a text that begins with head; end tells
// that this is all of it. A separator fits when it gives every record of the
// sample the same number of cells, two at least. Of several that fit, it is the
// one whose cells hold the fewest others, decimal commas aside; then the one with
// the most cells; then the most common. If none fits, the one that gives the
// first number of cells most often will name the fault best.
func findSeparator(head []byte, end bool, quote byte) byte {
	best, bestOf := separators[0], sampled{}
	for k := range len(separators) {
		if s := sample(head, end, dialect{separators[k], quote}); s.better(bestOf) {
			best, bestOf = separators[k], s
		}
	}
	return best
}

// sampled is what a separator makes of a sample.
type sampled struct {
	cells   int  // of the first record
	agree   int  // records with as many
	fits    bool // all have
	foreign int  // cells that hold another separator
}

// better reports whether s speaks more for its separator than t for its own.
func (s sampled) better(t sampled) bool {
	switch {
	case s.cells < 2 || t.cells < 2:
		return s.cells >= 2
	case s.fits != t.fits:
		return s.fits
	case !s.fits:
		return s.agree > t.agree
	case s.foreign != t.foreign:
		return s.foreign < t.foreign
	}
	return s.cells > t.cells
}

func sample(head []byte, end bool, d dialect) (s sampled) {
	r := records{dialect: d, lines: &headLines{rest: head, end: end}, most: mostColumns}
	s.fits = true
	for range sampleRecords {
		err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil { // a quote that is open at the end of head is none
			s.fits = s.fits && !end && len(r.lines.(*headLines).rest) == 0
			if s.cells == 0 && errors.Is(err, errOpen) {
				s.cells = len(r.cells) + 1
			}
			break
		}
		if s.cells == 0 {
			s.cells = len(r.cells)
		}
		if len(r.cells) != s.cells {
			s.fits = false
			continue
		}
		s.agree++
		for k := range r.cells {
			c := &r.cells[k]
			b := r.text(c)
			if !c.quoted && bytes.ContainsAny(b, separators) && kindOf(b) != comma {
				s.foreign++
			}
		}
	}
	return s
}

// headLines gives the lines of a text, of which rest is the beginning or, with
// end, all. A last line that is not whole is left out, unless it is the only one.
type headLines struct {
	rest   []byte
	end    bool
	number int
}

func (h *headLines) Next() ([]byte, error) {
	line, rest, whole := bytes.Cut(h.rest, []byte{'\n'})
	if len(h.rest) == 0 || !whole && !h.end && h.number > 0 {
		h.rest = nil
		return nil, io.EOF
	}
	h.rest = rest
	h.number++
	return line, nil
}

func (h *headLines) Number() int { return h.number }

// returnsEnd reports whether the lines of a text that begins with head end with
// carriage returns alone, as the first does.
func returnsEnd(head []byte, quote byte) bool {
	quoted := false
	for i, c := range head {
		switch {
		case c == quote:
			quoted = !quoted
		case quoted:
		case c == '\n':
			return false
		case c == '\r':
			return i+1 < len(head) && head[i+1] != '\n'
		}
	}
	return false
}

// LineFeeds returns a text whose lines end with line feeds: text itself, unless they
// end with carriage returns alone. quote is the Reader's.
func LineFeeds(text io.Reader, quote byte) io.Reader {
	head, _ := readHead(text, quote)
	whole := io.MultiReader(bytes.NewReader(head), text)
	if returnsEnd(head, quote) {
		return &lineFeeds{r: whole}
	}
	return whole
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

// readHead returns the beginning of r and whether that is all of it. The error
// of r, if it is not its end, comes again when r is read further.
func readHead(r io.Reader, quote byte) (head []byte, end bool) {
	n, quoted := 0, false
	for size := headBytes; ; size *= 2 {
		head = append(head, make([]byte, size-n)...)
		m, err := io.ReadFull(r, head[n:])
		head = head[:n+m]
		if err != nil {
			return head, err == io.EOF || err == io.ErrUnexpectedEOF
		}
		for _, c := range head[n:] {
			switch {
			case c == quote:
				quoted = !quoted
			case !quoted && (c == '\n' || c == '\r'):
				return head, false
			}
		}
		if n = size; n >= mostHeadBytes {
			return head, false
		}
	}
}
