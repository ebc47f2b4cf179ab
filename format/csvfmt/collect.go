package csvfmt

import "io"

// A collection is the texts of some columns in the records of a block, which are not missing. It
// implements textscan.BlockReader.
type collection struct {
	survey  *survey // says what is missing
	columns []int
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
	newCollection := func() *collection {
		c := &collection{survey: &r.survey, columns: columns}
		c.records = r.records.within(&c.lines)
		return c
	}
	b := newBlocks(r.records, r.Workers, r.sizes.bytes, newCollection)
	if b == nil {
		return 0
	}
	for c, ok := b.Next(); ok && rows < most; c, ok = b.Next() {
		start := 0
		for _, of := range c.cells {
			if rows+of.row == most {
				break // what is behind are no rows
			}
			add(of.column, c.texts[start:of.end])
			start = of.end
		}
		rows += c.rows
	}
	b.goOn(r.records)
	return min(rows, most)
}

// ReadBlock collects the texts of records, up to the first that is not like the others.
func (c *collection) ReadBlock(text []byte) (size, lines int) {
	c.lines = memoryLines{text: text}
	c.rows, c.texts, c.cells = 0, c.texts[:0], c.cells[:0]
	for {
		at, lines := c.lines.at, c.lines.number
		err := c.records.next()
		if err == io.EOF {
			return len(text), c.lines.number
		}
		if err != nil || len(c.records.cells) != len(c.survey.columns) {
			return at, lines
		}
		for _, k := range c.columns {
			of := &c.records.cells[k]
			if text := c.records.text(of); !c.survey.missing.is(of, text) {
				c.texts = append(c.texts, text...)
				c.cells = append(c.cells, collectedCell{k, c.rows, len(c.texts)})
			}
		}
		c.rows++
	}
}
