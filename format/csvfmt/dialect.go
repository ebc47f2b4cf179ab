package csvfmt

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"
)

// headBytes is how much of a text is looked at to find out what it is written
// in, and up to mostHeadBytes where fewLines are longer; sampleRecords is how many
// records of that. How lines end is looked at as far as a record may go.
const (
	headBytes     = 64 << 10
	mostHeadBytes = 4 << 20
	fewLines      = 12 // one of which may have a fault, see fewFaults
	sampleRecords = 100
)

// separators are those of one character that are found out, the most common first.
const separators = ",;\t|"

// separatorLine returns the separator that a first line sep=X names, as Excel reads
// and writes it, and the text behind that line; 0 and head where there is none.
func separatorLine(head []byte) (separator byte, rest []byte) {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, byteOrderMark), []byte{'\r'})
	if c, ok := bytes.CutPrefix(line, []byte(separatorMark)); ok && len(c) == 1 && CanSeparate(c[0]) {
		return c[0], rest
	}
	return 0, head
}

// separatorMark begins the line that names the separator.
const separatorMark = "sep="

// A sampler looks at the first records of a text that begins with head; end tells that
// this is all of it.
type sampler struct {
	head    []byte
	end     bool
	dialect // but for the separator
	first   FirstLine
}

// find returns the sample by the separator of the text.
//
// A separator fits if it gives every record of the sample the same number of cells, at least two.
// If several fit, the one without names of rows is preferred; then the one whose cells contain the
// fewest other separators, decimal commas aside; then the one with the most cells; then the most
// common. If none fits, the separator that gives the first record's number of cells most often is
// taken, because it will lead to the best error message; but blanks are taken if they fit and
// nothing else does, see sampled.isBlanks.
func (s *sampler) find() sampled {
	best := sampled{separator: separators[0]}
	for k := range len(separators) {
		if of := s.sample(separators[k]); of.better(best) {
			best = of
		}
	}
	if blanks := s.sample(Blanks); blanks.isBlanks(best) {
		return blanks
	}
	return best
}

// sampled is what a separator makes of a sample.
type sampled struct {
	separator byte
	records   int
	cells     int  // of the first record, with a name if the others have one
	agree     int  // records with as many
	broken    bool // the one behind these has a fault
	open      bool // a quote is open in the first, where the sample ends
	fits      bool // all records have as many, and none has a fault
	foreign   int  // cells that hold another separator
	apart     int  // records with a cell of several numbers
	pairs     int  // cells of a number, a colon and more, as LIBSVM's
	quoted    bool // some record has a cell in quotes and another one
	named     bool // records behind the first have another cell in front, their name
	numeric   []bool
	names     rowNames
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
	case s.named != t.named:
		return t.named
	case s.foreign != t.foreign:
		return s.foreign < t.foreign
	}
	return s.cells > t.cells
}

// fewFaults says how many records are needed for one of another number of cells.
const fewFaults = 10

// isBlanks reports whether the cells of a text are surely separated by blanks, given the best of
// other separators.
//
// Blanks must fit, except for a few faults if there is no other separator. The text must also have
// something that texts of one column do not have: a cell in quotes with another beside it, or, in
// at least three records, numbers in a column of their own. Another separator, if there is one,
// must give most records one cell, or not the first record's number of them, unless it is a tab
// between cells of which one holds several numbers.
func (s sampled) isBlanks(best sampled) bool {
	switch {
	case !s.fits && (best.cells >= 2 || fewFaults*(s.records-s.agree) >= s.records):
		return false
	case s.cells < 2 || s.pairs > 0, s.named && s.cells == 2 && !s.quoted:
		return false
	case !s.quoted && (s.records < 3 || !slices.Contains(s.numeric, true)):
		return false
	case best.cells < 2:
		return true
	case best.separator == ',' && best.apart == best.records: // "5 2" of "1,5 2,5"
		return s.foreign == 0
	case best.separator == '\t':
		return !best.fits || s.cells > best.cells && best.apart > 0 && best.apart+1 >= best.records
	}
	return !best.fits && 2*best.agree <= best.records
}

func (s *sampler) sample(separator byte) (of sampled) {
	d := s.dialect
	d.separator = separator
	r := records{dialect: d, lines: &headLines{rest: s.head, end: s.end}, most: mostColumns, bytes: mostRecord}
	of.separator = separator
	for range sampleRecords {
		err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil { // a quote that is open at the end of head is none
			of.broken = s.end || len(r.lines.(*headLines).rest) > 0
			if of.cells == 0 && errors.Is(err, ErrOpen) {
				of.cells, of.open = len(r.cells)+1, !of.broken
				of.quoted = of.open && len(r.cells) > 0
			}
			break
		}
		of.add(&r)
	}
	of.settle(s.first)
	return of
}

// add counts a record.
func (s *sampled) add(r *records) {
	if s.records++; s.records == 1 {
		s.cells = len(r.cells)
		s.names.first(r)
	} else {
		s.names.add(r)
	}
	s.looksAt(r)
	if len(r.cells) != s.cells {
		return
	}
	s.agree++
	for k := range r.cells {
		c := &r.cells[k]
		b := r.text(c)
		if !c.quoted && bytes.ContainsAny(b, separators) && r.kind(b) == text {
			s.foreign++
		}
	}
}

// looksAt notes what a record says of blanks.
func (s *sampled) looksAt(r *records) {
	if s.records == 2 {
		s.numeric = make([]bool, len(r.cells))
		for k := range s.numeric {
			s.numeric[k] = true
		}
	}
	apart := false
	for k := range r.cells {
		c := &r.cells[k]
		b := r.text(c)
		if s.records > 1 && k < len(s.numeric) && r.kind(b) == text {
			s.numeric[k] = false
		}
		s.quoted = s.quoted || c.quoted && len(r.cells) > 1
		if c.quoted {
			continue
		}
		apart = apart || areNumbers(b)
		if colon := bytes.IndexByte(b, ':'); colon > 0 && digitsOnly(b[:colon]) {
			s.pairs++
		}
	}
	if apart {
		s.apart++
	}
}

// areNumbers reports whether a cell holds several numbers, which are not one with blanks
// between thousands.
func areNumbers(b []byte) bool {
	words := bytes.Fields(b)
	thousands := true
	for k, word := range words {
		if kindOf(word) != number {
			return false
		}
		thousands = thousands && (k == 0 || len(word) == 3 && digitsOnly(word))
	}
	return len(words) > 1 && !thousands
}

// settle decides whether the records behind the first have names, and whether the
// separator fits.
func (s *sampled) settle(first FirstLine) {
	if s.named = s.names.are(s.separator, first); s.named {
		s.agree = s.names.longer + 1
		s.cells++
	}
	s.fits = !s.broken && s.agree == s.records
}

// headLines gives the lines of a text, of which rest is the beginning or, with
// end, all. A last line that is not whole is left out, unless it is the only one, and
// then a last character that is not.
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
	if !whole && !h.end {
		line = wholeCharacters(line)
	}
	h.rest = rest
	h.number++
	return line, nil
}

// wholeCharacters returns a text without the first bytes of a character at its end.
func wholeCharacters(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

func (h *headLines) Number() int { return h.number }
