package csvfmt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A survey is what the first reading of a text found.
type survey struct {
	missing missingTexts
	columns []column
	plain   []int // of each column: plain numbers, not yet counted in columns; -1: it is one of text
	class   int   // the column whose labels have no limit; -1: not known

	digits []bool      // columns whose numbers are looked at, since all are digits alone so far; nil: none are
	first  []firstCell // the first record, if it is not a row; the others are in columns
	rows   int         // records that are rows
	same   int         // cells of the present record that are like the first record's

	// rows all of whose cells are like the first record's, and where the first of them is
	repeats  int
	repeatAt place

	scout   *scout // takes what is no plain number in the survey's place; nil: none
	bare    bool   // some cell that is not missing stands without quotes
	skipped []span // lines of records with faults that are no rows
	stop    error  // why there are no more records: io.EOF or a fault
}

// A column counts cells that are not missing.
type column struct {
	cells         int  // all
	numbers       int  // numbers, those with a comma too
	commas        int  // numbers with a comma, or with a point where commas begin fractions
	decimals      int  // numbers that have a comma where it begins fractions, 1,5 and 1.234,5
	quoted        int  // cells in quotes
	quotedNumbers int  // numbers in quotes
	skipped       int  // numbers, and what held counts, that came before the first text, and are not in texts
	held          int  // words for a missing value in quotes, as long as there is no other text
	alone         int  // what was held of a column that has nothing else
	recurs        bool // some cell is like the first record's
	notDigits     bool // some number is not digits alone
	texts         texts

	// the first cell that is no number
	textAt place
	text   string

	quotedAt place // the first number in quotes

	// the first number whose digits get lost; "": none
	lossyAt place
	lossy   string
}

// A firstCell is a cell of the first record.
type firstCell struct {
	text    string
	kind    kind
	quoted  bool
	missing bool
	place   place
}

// isName reports whether the cell names a column, which one that is empty does not.
func (f *firstCell) isName() bool { return f.quoted || f.text != "" }

// begin takes the first record.
func (s *survey) begin(r *records) {
	s.columns = make([]column, len(r.cells))
	s.plain = make([]int, len(r.cells))
	s.first = make([]firstCell, len(r.cells))
	for k := range r.cells {
		s.columns[k].texts.comma = r.comma
		c := &r.cells[k]
		b := r.text(c)
		missing := s.missing.is(c, b)
		s.first[k] = firstCell{string(b), r.kind(b), c.quoted, missing, r.place(c.at)}
		s.bare = s.bare || !missing && !c.quoted
	}
	s.watchDigits()
}

// number takes a plain number of column k, which stands at an offset of the record.
func (s *survey) number(k int, b []byte, r *records, at int) {
	s.plain[k]++
	switch {
	case !mayLose(b):
	case s.scout != nil:
		s.scout.note(r, k, cell{at: at, lo: at, hi: at + len(b)}, true)
	default:
		s.noteLost(k, b, r, at)
	}
	if s.digits != nil {
		s.lookAtDigits(k, b)
	}
}

// lookAtDigits looks at a number of column k, until one is not digits alone.
func (s *survey) lookAtDigits(k int, b []byte) {
	if s.digits != nil && s.digits[k] && !digitsOnly(b) {
		s.digits[k] = false
		if s.scout == nil {
			s.columns[k].notDigits = true
		}
	}
}

// add takes another record, whole if it is plain.
func (s *survey) add(r *records) error {
	if r.plain {
		if !r.named && r.separator != Blanks && bytes.Count(r.rec, []byte{r.separator}) == len(s.plain)-1 {
			s.addPlain(r)
			s.endRow(r)
			return nil
		}
		r.split()
	}
	if err := r.checkWidth(len(s.plain)); err != nil {
		return err
	}
	for k := range r.cells {
		s.take(r, k, &r.cells[k])
	}
	s.endRow(r)
	return nil
}

// take takes a cell of column k.
func (s *survey) take(r *records, k int, c *cell) {
	switch {
	case !c.number || s.plain[k] < 0 || s.missing.likeNumbers || r.comma:
		s.addCell(r, k, c)
	case c.quoted && s.scout != nil:
		s.scout.note(r, k, *c, false)
	case c.quoted:
		s.columns[k].noteQuoted(r, c)
		s.columns[k].count(number, true)
		s.columns[k].skipped++
		s.lookAtDigits(k, r.text(c))
		s.noteLost(k, r.text(c), r, c.at)
	default:
		s.number(k, r.text(c), r, c.at)
	}
}

// endRow counts a row, all of whose cells were taken.
func (s *survey) endRow(r *records) {
	if s.scout != nil {
		s.scout.rows++
		return
	}
	s.rows++
	if s.same == len(s.columns) {
		if s.repeats++; s.repeats == 1 {
			s.repeatAt = r.place(0)
		}
	}
	s.same = 0
}

// addPlain takes a record without quotes that has the right number of cells. Most
// are numbers, and quick to tell.
func (s *survey) addPlain(r *records) {
	b := r.rec
	at := 0
	for k, n := range s.plain {
		for at < len(b) && b[at] == ' ' {
			at++
		}
		end := at
		if n >= 0 && !s.missing.likeNumbers && !r.comma {
			end = plainNumber(b, at)
		}
		if end > at && (end == len(b) || b[end] == r.separator) {
			s.number(k, b[at:end], r, at)
		} else {
			end = cellEnd(b, at, r.separator)
			c := r.trim(at, end)
			s.addCell(r, k, &c)
		}
		at = end + 1
	}
}

// addCell takes a cell of column k, unless it is missing.
func (s *survey) addCell(r *records, k int, c *cell) {
	if s.scout != nil {
		s.scout.noteOther(r, k, c)
		return
	}
	b := r.text(c)
	if s.missing.is(c, b) {
		return
	}
	s.bare = s.bare || !c.quoted
	col := &s.columns[k]
	if s.first != nil && string(b) == s.first[k].text {
		col.recurs = true
		s.same++
	}
	missing := s.missing.isAmongNumbers(c.quoted, b)
	switch {
	case s.plain[k] < 0:
		kind := col.texts.add(b, k == s.class)
		if missing {
			kind = text // as one that is released
		}
		col.count(kind, c.quoted)
		return
	case missing:
		col.hold()
		return
	}
	kind := r.kind(b)
	if kind != text && r.comma && bytes.IndexByte(b, ',') >= 0 {
		col.decimals++
	}
	if kind == number {
		s.lookAtDigits(k, b)
		s.noteLost(k, b, r, c.at)
	}
	if kind == text {
		s.settle(k)
		col.release()
		s.plain[k] = -1
		col.textAt, col.text = r.place(c.at), string(clip(b))
		col.texts.add(b, k == s.class)
	} else {
		col.skipped++
		col.noteQuoted(r, c)
	}
	col.count(kind, c.quoted)
}

// settle counts the plain numbers of column k.
func (s *survey) settle(k int) {
	if n := s.plain[k]; n > 0 {
		c := &s.columns[k]
		s.bare = true
		c.cells += n
		c.numbers += n
		c.skipped += n
		s.plain[k] = 0
	}
}

// finish ends the counts of all columns. Without a number what is held is text.
func (s *survey) finish() {
	for k := range s.columns {
		s.settle(k)
		if c := &s.columns[k]; c.cells == 0 {
			c.alone = c.held
			c.release()
		}
	}
}

// hold counts a word for a missing value in quotes, which is none if other text comes.
func (c *column) hold() {
	c.held++
	c.skipped++
}

// release makes what is held cells of text.
func (c *column) release() {
	c.cells += c.held
	c.quoted += c.held
	c.held = 0
}

// holdAgain takes back what finish has released: the first record, which counts as a row after all,
// may have a number.
func (c *column) holdAgain() {
	c.cells -= c.alone
	c.quoted -= c.alone
	c.held += c.alone
	c.alone = 0
}

// isString reports whether a column of text is String and not Nominal.
func (c *column) isString(class bool) bool {
	return !class && (c.texts.many || c.texts.len() > mostLabels || c.texts.isMany(c.cells))
}

// isText reports whether some cell is no number of any kind.
func (c *column) isText() bool { return c.numbers < c.cells }

// noteQuoted notes where the first number in quotes stands, before it is counted.
func (c *column) noteQuoted(r *records, of *cell) {
	if of.quoted && c.quotedNumbers == 0 {
		c.quotedAt = r.place(of.at)
	}
}

// count counts a cell.
func (c *column) count(kind kind, quoted bool) {
	c.cells++
	if quoted {
		c.quoted++
	}
	if kind == text {
		return
	}
	c.numbers++
	if quoted {
		c.quotedNumbers++
	}
	if kind == comma {
		c.commas++
	}
}

// checkWidth returns a fault when the record has not the given number of cells.
func (r *records) checkWidth(n int) error {
	switch {
	case len(r.cells) == n:
		return nil
	case r.named && len(r.cells) < n:
		return r.fault(r.end(), fmt.Errorf("the line ends after %s, expected %d: the row's name and one for each name in the first", cells(len(r.cells)+1), n+1))
	case r.named:
		return r.fault(r.cells[n].at, fmt.Errorf("cell %d is one too many: expected the row's name and one for each of %d names in the first line, found %s",
			n+2, n, textscan.Quote(r.text(&r.cells[n]))))
	case len(r.cells) < n:
		return r.fault(r.end(), fmt.Errorf("the line ends after %s, expected %d as in the first", cells(len(r.cells)), n))
	default:
		return r.fault(r.cells[n].at, fmt.Errorf("cell %d is one too many: expected %d as in the first line, found %s",
			n+1, n, textscan.Quote(r.text(&r.cells[n]))))
	}
}

func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

// demote makes the first record a row like the others.
func (s *survey) demote() {
	for k, f := range s.first {
		if f.missing {
			continue
		}
		col := &s.columns[k]
		col.holdAgain()
		kind, missing := f.kind, s.missing.isAmongNumbers(f.quoted, []byte(f.text))
		switch {
		case missing && !col.isText():
			col.hold()
			continue
		case missing:
			kind = text
		case kind == text:
			col.textAt, col.text = f.place, string(clip([]byte(f.text)))
			col.release()
		case f.quoted:
			col.quotedAt = f.place
		}
		col.count(kind, f.quoted)
		if col.isText() {
			s.plain[k] = -1
			col.texts.addFirst([]byte(f.text), k == s.class)
		} else {
			col.skipped++
		}
		switch {
		case kind == text:
		case strings.IndexByte(f.text, ',') >= 0:
			col.decimals++
		case kind == number && losesDigits([]byte(f.text)):
			col.lossyAt, col.lossy = f.place, string(clip([]byte(f.text)))
		}
	}
	s.rows++
	s.first = nil
}

// longestQuote is the length of text that messages quote.
const longestQuote = 40

// clip cuts a long text.
func clip(b []byte) []byte { return b[:min(len(b), longestQuote)] }
