package csvfmt

import (
	"bytes"
	"io"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: the records of a large text are to be read on all processors, but a quote may make several
// lines one record, and what the columns are depends on the order of the rows.
//
// Method: the text is cut into blocks of whole lines. Each block is read by a goroutine of its own,
// as if a record began with it, and stops at the first record that the owner has to read: one that
// goes on behind the block, has a fault, or changes what is known of a column. The owner uses a block
// only if the one before it was read to its end, because only then a record begins with it. Behind
// a block that stopped, the text is read record by record, as if there had been no blocks. After
// some records blocks are tried again, each time after twice as many.

const (
	// blockBytes is about half a millisecond's work, and with the numbers it holds stays in the
	// second-level cache.
	blockBytes = 128 << 10

	// mostWorkers is the number of processors that keep the owner busy.
	mostWorkers = 8

	// mostColumnBytes bounds the memory of all blocks for what their goroutines know of the columns.
	mostColumnBytes = 8 << 20
	columnBytes     = 400

	// firstAlone is the number of records that are read one by one before blocks are tried: most
	// columns of text are known from the first few.
	firstAlone = 256

	// worthBlocks is the number of cells from which blocks are worth it.
	worthBlocks = 1 << 16
)

// blockSizes are the constants, which tests replace.
type blockSizes struct{ bytes, alone, worth int }

// A block is some lines, and what was made of them.
type block struct {
	text  []byte
	lines int // up to the end, or before the record that was not read
	stop  int // where that one begins; -1: there is none
	rows  valueRows
	scout scout
	texts collection
}

// blocks reads blocks of a text ahead of the one that is being used.
type blocks struct {
	ahead *textscan.ReadAhead[*block]
	text  *textscan.Blocks
	make  func() *block // returns a block that read can read
	size  int           // of a block
	lines int           // before the block that next returned last
	block *block
	free  []*block
	ended bool
}

// newBlocks returns blocks of what comes behind the current record; nil if these lines are not a
// text's alone.
func newBlocks(rec *records, workers, size int, read func(b *block)) *blocks {
	lines, ok := rec.lines.(*textscan.Lines)
	if !ok {
		return nil
	}
	return &blocks{ahead: textscan.NewReadAhead(min(workers, mostWorkers), read), lines: lines.Number(), text: lines.Blocks(), size: size}
}

// next returns the next block, if the one before was read to its end, and nil behind the last.
func (b *blocks) next() *block {
	if k := b.block; k != nil {
		if k.stop >= 0 {
			return nil
		}
		b.lines += k.lines
		b.free, b.block = append(b.free, k), nil
	}
	for !b.ended && !b.ahead.Full() {
		k := b.take()
		text, err := b.text.Next(k.text, b.size)
		if b.ended = err != nil; b.ended {
			break // the error comes again
		}
		k.text = text
		b.ahead.Start(k)
	}
	if b.ahead.Len() == 0 {
		return nil
	}
	b.block = b.ahead.Next()
	return b.block
}

// take returns a block to be read.
func (b *blocks) take() *block {
	n := len(b.free)
	if n == 0 {
		return b.make()
	}
	k := b.free[n-1]
	b.free = b.free[:n-1]
	return k
}

// goOn makes what is left of the text, behind what was read of the current block, the next lines of
// rec. Do not use b afterwards.
func (b *blocks) goOn(rec *records) {
	var left []byte
	if k := b.block; k != nil {
		b.lines += k.lines
		if k.stop >= 0 {
			left = append(left, k.text[k.stop:]...)
		}
	}
	for b.ahead.Len() > 0 {
		left = append(left, b.ahead.Next().text...)
	}
	rec.lines = b.text.Lines(left, b.lines)
}

// memoryLines are the lines of a block.
type memoryLines struct {
	text   []byte
	begin  int // of the last
	at     int // of the next
	number int // of the last
}

func (m *memoryLines) Next() ([]byte, error) {
	rest := m.text[m.at:]
	if len(rest) == 0 {
		return nil, io.EOF
	}
	m.number++
	m.begin = m.at
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		m.at = len(m.text)
		return rest, nil
	}
	m.at += n + 1
	return rest[:n], nil
}

func (m *memoryLines) Number() int { return m.number }
