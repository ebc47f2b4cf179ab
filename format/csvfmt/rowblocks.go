package csvfmt

import (
	"io"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// valueRows are the rows of a block. It implements textscan.BlockReader.
type valueRows struct {
	maker   *rowMaker
	lines   memoryLines
	ends    []valueEnd
	values  []float64 // one for each column and row
	strings []string
}

// A valueEnd tells where a row of a block begins and how many strings there are up to its end.
type valueEnd struct{ line, strings int }

// rowBlocks are blocks of the reading that returns rows.
type rowBlocks struct {
	blocks  *blocks[*valueRows]
	current *valueRows // whose rows are being returned
	row     int        // the next one of these
	behind  int        // the number of rows before the next blocks, once these end
	wait    int        // rows that were last waited for
}

// startBlocks begins to read blocks behind the current record, if that is due and worth it.
func (r *Reader) startBlocks() (ok bool) {
	b := &r.ahead
	if r.Workers <= 1 || r.read < max(b.behind, 1) || len(r.rows.kept) > 0 || len(r.records.omit) > 0 ||
		(r.survey.rows-r.read)*len(r.survey.columns) < r.sizes.worth {
		return false
	}
	size := 0
	for k := range r.rows.labels {
		size += columnBytes + r.rows.labels[k].FinderBytes()
	}
	if workers := min(r.Workers, textscan.AheadWorkers(mostColumnBytes, size)); workers > 1 {
		b.blocks = newBlocks(r.records, workers, r.sizes.bytes, r.newValueRows)
	}
	if b.blocks == nil {
		b.behind = r.survey.rows // never
	}
	return b.blocks != nil
}

// nextOfBlock makes the next row of a block the current one. It returns false if the next record
// must be read alone.
func (r *Reader) nextOfBlock() bool {
	b := &r.ahead
	if b.blocks == nil && !r.startBlocks() {
		return false
	}
	for b.current == nil || b.row == len(b.current.ends) {
		var ok bool
		if b.current, ok = b.blocks.Next(); !ok {
			b.blocks.goOn(r.records)
			b.wait = max(r.sizes.alone, 2*b.wait)
			b.blocks, b.behind = nil, r.read+b.wait
			return false
		}
		b.row = 0
	}
	rows, n := b.current, len(r.survey.columns)
	end, before := rows.ends[b.row], 0
	if b.row > 0 {
		before = rows.ends[b.row-1].strings
	}
	r.rows.row.X.Value = rows.values[b.row*n:][:n:n]
	r.rows.row.Strings = rows.strings[before:end.strings:end.strings]
	r.records.line = b.blocks.Lines() + end.line
	r.read++
	b.row++
	return true
}

// newValueRows returns rows of a block whose goroutine has all that it changes to itself.
func (r *Reader) newValueRows() *valueRows {
	v := new(valueRows)
	v.maker = r.rows.another(&v.lines)
	return v
}

// ReadBlock makes rows of records, up to the first of which it makes none.
func (v *valueRows) ReadBlock(text []byte) (size, lines int) {
	m := v.maker
	v.lines = memoryLines{text: text}
	v.ends, v.values, v.strings = v.ends[:0], v.values[:0], v.strings[:0]
	for {
		at, lines := v.lines.at, v.lines.number
		err := m.beginRow()
		if err == io.EOF {
			return len(text), v.lines.number
		}
		if err == nil {
			err = m.makeValues()
		}
		if err != nil {
			return at, lines
		}
		v.values = append(v.values, m.row.X.Value...)
		v.strings = append(v.strings, m.row.Strings...)
		v.ends = append(v.ends, valueEnd{m.records.line, len(v.strings)})
	}
}
