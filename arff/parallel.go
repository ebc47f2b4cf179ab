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

	// mostWorkers is the number of processors that keep one goroutine busy with the rows.
	mostWorkers = 8

	// mostBytes bounds the memory of all blocks for what their goroutines know of the columns.
	mostBytes   = 16 << 20
	columnBytes = 200
)

// blocks reads blocks ahead of the one whose rows are being returned.
type blocks struct {
	ahead *textscan.ReadAhead[*block]
	src   *lines // takes over at the end
	size  int    // of a block
	rest  []byte // read, and not yet in a block
	err   error  // of the input, io.EOF included
	over  bool   // no more blocks are cut

	columns []column
	lex     lexer
	century int

	block *block // whose rows are being returned
	row   int    // the next one of these
	lines int    // in the blocks before
	free  []*block
}

// A block is some lines and their rows.
type block struct {
	text  []byte
	lines int // up to the end, or before the one that is no row
	stop  int // where that one begins; -1: there is none

	ends    []rowEnd
	index   []int32 // of sparse rows
	value   []float64
	strings []string

	rows *rows
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
	if r.Workers <= 1 || r.Weka || r.alone || !s.full || s.err != nil {
		return
	}
	size := 0
	for i := range r.rows.columns {
		c := &r.rows.columns[i]
		r.alone = r.alone || c.kind == format.Relational
		size += columnBytes + c.labels.FinderBytes()
	}
	workers := min(r.Workers, mostWorkers, mostBytes/max(size, 1)-3) // of blocks there are three more
	if r.alone = r.alone || workers <= 1; r.alone {
		return
	}
	if s.afterCR && s.peek() == '\n' {
		s.next++
	}
	b := r.resting
	if b == nil {
		b = &blocks{
			ahead: textscan.NewReadAhead(workers, (*block).read), src: s, size: r.blockBytes,
			columns: r.rows.columns, lex: lexer{latin1: r.Latin1}, century: r.Century,
		}
	}
	b.rest = append(b.rest[:0], s.buf[s.next:s.hi]...)
	b.err, b.over, b.lines = s.err, false, s.number
	b.block, b.row = nil, 0
	r.blocks, r.resting = b, nil
}

// next returns the next row and the number of its line. ok is false if the text must be read line
// by line from here on, as src then does.
func (b *blocks) next() (row format.Instance, line int, ok bool) {
	for b.block == nil || b.row == len(b.block.ends) {
		if b.block != nil {
			b.lines += b.block.lines
			if b.block.stop >= 0 {
				break
			}
			b.free, b.block = append(b.free, b.block), nil
		}
		for !b.ahead.Full() && b.cut() {
		}
		if b.ahead.Len() == 0 {
			break
		}
		b.block, b.row = b.ahead.Next(), 0
	}
	k := b.block
	if k == nil || b.row == len(k.ends) {
		b.end()
		return row, 0, false
	}
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
	return row, b.lines + end.line, true
}

// cut begins to read the next block. It returns false if there is none: the text ends, or has to be
// waited for, or a line is longer than a block.
func (b *blocks) cut() bool {
	if b.over {
		return false
	}
	k := b.newBlock()
	text := append(k.text[:0], b.rest...)
	if have := len(text); have < b.size && b.err == nil {
		text = slices.Grow(text, b.size-have)[:b.size]
		n, err := b.src.r.Read(text[have:])
		b.over = n < len(text)-have
		text, b.err = text[:have+n], err
	}
	b.over = b.over || b.err != nil
	end := bytes.LastIndexByte(text, '\n') + 1
	if b.err == io.EOF {
		end = len(text)
	}
	b.rest = append(b.rest[:0], text[end:]...)
	k.text = text[:end]
	if end == 0 {
		b.over = true
		b.free = append(b.free, k)
		return false
	}
	b.ahead.Start(k)
	return true
}

func (b *blocks) newBlock() *block {
	if n := len(b.free); n > 0 {
		k := b.free[n-1]
		b.free = b.free[:n-1]
		return k
	}
	columns := slices.Clone(b.columns)
	for i := range columns {
		columns[i].labels = columns[i].labels.Finder()
		columns[i].folded = nil
	}
	return &block{rows: newRows(columns, b.lex, b.century)}
}

// end gives src what is left of the text.
func (b *blocks) end() {
	var left []byte
	if k := b.block; k != nil {
		left = append(left, k.text[k.stop:]...)
		b.free = append(b.free, k)
	}
	for b.ahead.Len() > 0 {
		k := b.ahead.Next()
		left = append(left, k.text...)
		b.free = append(b.free, k)
	}
	b.src.goOn(append(left, b.rest...), b.lines, b.err)
}

// read reads the rows of the block.
func (b *block) read() {
	b.ends, b.index, b.value, b.strings = b.ends[:0], b.index[:0], b.value[:0], b.strings[:0]
	b.stop = -1
	r := b.rows
	src := linesOf(b.text)
	for r.lex.src = src; ; {
		if r.lex.nextLine() != nil {
			b.lines = src.number
			return
		}
		if r.lex.lineIsOver(false) {
			continue
		}
		if r.read() != nil {
			b.lines, b.stop = src.number-1, src.start
			return
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
