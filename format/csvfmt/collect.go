package csvfmt

import "io"

// A collection is the texts of some columns in the records of a block, which are not missing.
type collection struct {
	records records
	lines   memoryLines
	rows    int
	texts   []byte // one behind the other
	cells   []collectedCell
}

// A collectedCell is a cell of a collection.
type collectedCell struct {
	column, row int
	end         int // of its text
}

// collectAhead calls add for the texts of the given columns in up to most of the records behind the
// current one, as far as blocks of them can be read. It returns the number of records.
func (r *Reader) collectAhead(columns []int, most int, add func(k int, text []byte)) (rows int) {
	if r.Workers <= 1 || len(r.records.omit) > 0 || most*len(r.survey.columns) < r.sizes.worth {
		return 0
	}
	b := newBlocks(r.records, r.Workers, r.sizes.bytes, func(b *block) { b.collect(&r.survey, columns) })
	if b == nil {
		return 0
	}
	b.make = func() *block {
		k := new(block)
		k.texts.records = r.records.within(&k.texts.lines)
		return k
	}
	for k := b.next(); k != nil && rows < most; k = b.next() {
		start := 0
		for _, c := range k.texts.cells {
			if rows+c.row == most {
				break // what is behind are no rows
			}
			add(c.column, k.texts.texts[start:c.end])
			start = c.end
		}
		rows += k.texts.rows
	}
	b.goOn(r.records)
	return min(rows, most)
}

// collect collects the texts of the given columns.
func (b *block) collect(s *survey, columns []int) {
	c := &b.texts
	c.lines = memoryLines{text: b.text}
	c.rows, c.texts, c.cells = 0, c.texts[:0], c.cells[:0]
	b.stop = -1
	for {
		at, lines := c.lines.at, c.lines.number
		err := c.records.next()
		if err == io.EOF {
			b.lines = c.lines.number
			return
		}
		if err != nil || len(c.records.cells) != len(s.columns) {
			b.stop, b.lines = at, lines
			return
		}
		for _, k := range columns {
			of := &c.records.cells[k]
			if text := c.records.text(of); !s.isMissing(of, text) {
				c.texts = append(c.texts, text...)
				c.cells = append(c.cells, collectedCell{k, c.rows, len(c.texts)})
			}
		}
		c.rows++
	}
}
