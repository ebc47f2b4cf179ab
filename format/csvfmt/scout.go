package csvfmt

import (
	"errors"
	"io"
	"math"
	"slices"
)

// Problem: what the columns of a text are depends on the order of its cells, in which labels are
// numbered and the first of their kind are quoted in messages. So goroutines cannot find it out.
//
// Method: nearly all cells are plain numbers, whose order does not matter. Goroutines count these,
// and note all others with their places. The owner then takes the noted cells of one block after
// the other as if it had read them.

// A scout goes over the records of a block for the survey. It counts plain numbers, whose order does
// not matter, and notes the other cells for the survey, which takes them in order. It implements
// textscan.BlockReader.
type scout struct {
	records records
	lines   memoryLines
	survey  survey // counts plain numbers, and gives other cells to the scout
	rows    int
	cells   []scoutedCell
	changes bool // some cell changes what its column is known to be
	slow    bool // all records are counted, but most of the work is still the survey's
}

// A scoutedCell is a cell that the survey has to look at.
type scoutedCell struct {
	cell
	column  int
	line    int  // of the record in the block, from 1
	at, end int  // of the record in the text of the block
	plain   bool // it is a plain number, which was counted, and may lose digits
}

// mostScouted is the number of columns up to which blocks are scouted: each counts for all columns.
const mostScouted = 1 << 14

// note takes a cell of column k for the survey.
func (c *scout) note(r *records, k int, of cell, plain bool) {
	at := c.lines.begin
	c.cells = append(c.cells, scoutedCell{cell: of, column: k, line: r.line, at: at, end: at + len(r.rec), plain: plain})
}

// noteOther takes a cell of column k that is not among the plain numbers.
func (c *scout) noteOther(r *records, k int, of *cell) {
	s := &c.survey
	b := r.text(of)
	switch {
	case s.missing.is(of, b):
	case s.plain[k] >= 0 && !s.missing.isAmongNumbers(of.quoted, b) && r.kind(b) == text:
		c.changes = true
	default:
		c.note(r, k, *of, false)
	}
}

// begin goes back to the beginning of a text.
func (c *scout) begin(text []byte) {
	c.lines = memoryLines{text: text}
	c.rows, c.cells, c.changes, c.slow = 0, c.cells[:0], false, false
	for k, n := range c.survey.plain {
		c.survey.plain[k] = min(n, 0)
	}
}

// next goes over the next record. It returns io.EOF if there is none, and errAlone or another error
// if the survey must take it itself.
func (c *scout) next() error {
	err := c.records.nextWhole()
	if err == nil && c.records.joined {
		err = errAlone
	}
	if err == nil {
		err = c.survey.add(&c.records)
	}
	if err == nil && c.changes {
		err = errAlone
	}
	return err
}

// errAlone says that a record is not for scouts.
var errAlone = errors.New("not for scouts")

// ReadBlock goes over records, up to the first that the survey must take itself.
func (c *scout) ReadBlock(text []byte) (size, lines int) {
	for c.begin(text); ; {
		at, lines, rows := c.lines.at, c.lines.number, c.rows
		switch err := c.next(); {
		case err == nil:
			continue
		case err == io.EOF:
			c.slow = len(c.cells) > c.rows*len(c.survey.plain)/4
			return len(text), c.lines.number
		}
		if c.changes { // part of the record was counted
			c.begin(text)
			for c.rows < rows {
				c.next()
			}
		}
		return at, lines
	}
}

// A scouting tells when the survey has records scouted.
type scouting struct {
	from int // the number of rows before
	wait int // rows that were last waited for
}

// scoutAhead takes the records behind the current one, as far as scouts can read them.
func (r *Reader) scoutAhead(rec *records, when *scouting) {
	s := &r.survey
	if when.from == 0 {
		when.from, when.wait = r.sizes.alone, r.sizes.alone
	}
	if r.Workers <= 1 || s.rows < when.from || len(rec.omit) > 0 || len(s.plain) > mostScouted || s.rows*len(s.plain) < r.sizes.worth/firstAlone {
		return
	}
	b := newBlocks(rec, r.Workers, r.sizes.bytes, func() *scout { return s.newScout(rec) })
	if b == nil {
		when.from = math.MaxInt
		return
	}
	for c, ok := b.Next(); ok; c, ok = b.Next() {
		s.merge(rec, c, b.Lines())
		if c.slow {
			when.wait = math.MaxInt / 2
			break
		}
	}
	b.goOn(rec)
	when.from = s.rows + when.wait
	when.wait = min(2*when.wait, math.MaxInt/4)
}

// newScout returns a scout of records like rec.
func (s *survey) newScout(rec *records) *scout {
	c := new(scout)
	c.records = rec.within(&c.lines)
	c.survey = survey{missing: s.missing, plain: slices.Clone(s.plain), digits: slices.Clone(s.digits), scout: c}
	return c
}

// merge takes what was scouted in a block behind the given number of lines.
func (s *survey) merge(rec *records, c *scout, before int) {
	for i, n := range c.survey.plain {
		if n > 0 {
			s.plain[i] += n
		}
		if s.digits != nil && s.digits[i] && !c.survey.digits[i] {
			s.columns[i].notDigits, s.digits[i] = true, false
		}
	}
	rows := 0 // that have cells
	for i := 0; i < len(c.cells); rows++ {
		first := &c.cells[i]
		rec.begun(c.lines.text[first.at:first.end], before+first.line)
		for ; i < len(c.cells) && c.cells[i].line == first.line; i++ {
			of := &c.cells[i]
			if of.plain {
				s.noteLost(of.column, rec.text(&of.cell), rec, of.cell.at)
			} else {
				s.take(rec, of.column, &of.cell)
			}
		}
		s.endRow(rec)
	}
	s.rows += c.rows - rows
}
