package arff

import (
	"bytes"
	"io"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Problem: the rows of a large file are to be read on all processors, but come from one text, in
// order, by a Reader that its user may drop at any time.
//
// Method: the text is cut into blocks of whole lines. Each block is read by a goroutine of its own,
// which ends with the block, so that none waits for a user who never comes back. A goroutine stops
// at the first line that is no row. From there on the text is read line by line, as if there had
// been no blocks, so that faults, and what comes behind them, are the same.

const (
	// blockBytes is about a third of a millisecond's work, and with the numbers it holds stays in
	// the second-level cache.
	blockBytes = 128 << 10

	// mostBytes bounds the memory of all blocks for what their goroutines know of the columns.
	mostBytes   = 16 << 20
	columnBytes = 200
)

// blocks reads the rows of blocks ahead of the ones that are being returned.
type blocks struct {
	ahead *textscan.ReadAhead[*blockRows]
	src   *lines // takes over at the end
	size  int    // of a block
	rest  []byte // read, and not yet in a block
	err   error  // of the input, io.EOF included
	over  bool   // no more blocks are cut

	current *blockRows // whose rows are being returned
	row     int        // the next one of these
}

// blockRows are the rows of a block. It implements textscan.BlockReader.
type blockRows struct {
	rows    *rows // reads them
	ends    []rowEnd
	index   []int32 // of sparse rows
	value   []float64
	strings []string
}

// A rowEnd tells where a row of a block ends. It begins where the one before ends.
type rowEnd struct {
	line                  int // in the block, from 1
	index, value, strings int
	weight                float64
	sparse                bool
}

// goParallel begins to read blocks behind the current line, which has been read, if several
// goroutines may and it is worth it: the input has more text than the buffer, and has it ready.
func (r *Reader) goParallel() {
	s := r.src
	if r.Workers <= 1 || r.Weka || r.sequential || !s.full || s.err != nil {
		return
	}
	size := 0
	for i := range r.rows.columns {
		c := &r.rows.columns[i]
		r.sequential = r.sequential || c.kind == format.Relational
		size += columnBytes + c.labels.FinderBytes()
	}
	workers := min(r.Workers, textscan.AheadWorkers(mostBytes, size))
	if r.sequential = r.sequential || workers <= 1; r.sequential {
		return
	}
	if s.afterCR && s.peek() == '\n' {
		s.next++
	}
	b := r.idle
	if b == nil {
		b = &blocks{src: s, size: r.blockBytes}
		b.ahead = textscan.NewReadAhead(workers, b.cut, r.newBlockRows)
	}
	b.ahead.Begin(s.number)
	b.rest = append(b.rest[:0], s.buf[s.next:s.hi]...)
	b.err, b.over = s.err, false
	b.current, b.row = nil, 0
	r.blocks, r.idle = b, nil
}

// newBlockRows returns rows of a block whose goroutine has all that it changes to itself.
func (r *Reader) newBlockRows() *blockRows {
	columns := slices.Clone(r.rows.columns)
	for i := range columns {
		columns[i].labels = columns[i].labels.Finder()
		columns[i].folded = nil
	}
	return &blockRows{rows: newRows(columns, lexer{latin1: r.Latin1}, r.Century)}
}

// next returns the next row and the number of its line. ok is false if the text must be read line
// by line from here on, as src then does.
func (b *blocks) next() (row format.Instance, line int, ok bool) {
	for b.current == nil || b.row == len(b.current.ends) {
		if b.current, ok = b.ahead.Next(); !ok {
			text, lines := b.ahead.Rest()
			b.src.goOn(append(text, b.rest...), lines, b.err)
			return row, 0, false
		}
		b.row = 0
	}
	k := b.current
	begin, end := rowEnd{}, k.ends[b.row]
	if b.row > 0 {
		begin = k.ends[b.row-1]
	}
	b.row++
	row.Weight, row.Sparse = end.weight, end.sparse
	row.X = vec.Vector{Index: k.rows.all, Value: k.value[begin.value:end.value:end.value]}
	if end.sparse {
		row.X.Index = k.index[begin.index:end.index:end.index]
	}
	if begin.strings < end.strings {
		row.Strings = k.strings[begin.strings:end.strings:end.strings]
	}
	return row, b.ahead.Lines() + end.line, true
}

// cut returns the next block. It returns none if the text ends, or has to be waited for, or a line
// is longer than a block.
func (b *blocks) cut(buf []byte) []byte {
	if b.over {
		return nil
	}
	text := append(buf, b.rest...)
	if have := len(text); have < b.size && b.err == nil {
		text = slices.Grow(text, b.size-have)[:b.size]
		n, err := b.src.r.Read(text[have:])
		b.over = n < len(text)-have
		text, b.err = text[:have+n], err
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	if b.err == io.EOF {
		end = len(text)
	}
	b.rest = append(b.rest[:0], text[end:]...)
	b.over = b.over || b.err != nil || end == 0
	return text[:end]
}

// ReadBlock reads rows up to the first line that is none.
func (b *blockRows) ReadBlock(text []byte) (size, lines int) {
	b.ends, b.index, b.value, b.strings = b.ends[:0], b.index[:0], b.value[:0], b.strings[:0]
	r := b.rows
	src := linesOf(text)
	for r.lex.src = src; ; {
		if r.lex.nextLine() != nil {
			return len(text), src.number
		}
		if r.lex.lineIsOver(false) {
			continue
		}
		if r.read() != nil {
			return src.start, src.number - 1
		}
		row := &r.row
		if row.Sparse {
			b.index = append(b.index, row.X.Index...)
		}
		b.value = append(b.value, row.X.Value...)
		b.strings = append(b.strings, row.Strings...)
		b.ends = append(b.ends, rowEnd{line: src.number, index: len(b.index), value: len(b.value), strings: len(b.strings),
			weight: row.Weight, sparse: row.Sparse})
	}
}
