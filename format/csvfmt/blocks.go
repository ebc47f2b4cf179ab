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

	// mostColumnBytes bounds the memory of all blocks for what their goroutines know of the columns.
	mostColumnBytes = 8 << 20
	columnBytes     = 80

	// firstAlone is the number of records that are read one by one before blocks are tried: most
	// columns of text are known from the first few.
	firstAlone = 256

	// worthBlocks is the number of cells from which blocks are worth it.
	worthBlocks = 1 << 16
)

// blockSizes are the constants, which tests replace.
type blockSizes struct{ bytes, alone, worth int }

// blocks reads blocks of a text ahead of the one that is being used.
type blocks[R textscan.BlockReader] struct {
	*textscan.ReadAhead[R]
	text *textscan.Blocks
}

// newBlocks returns blocks of what comes behind the current record; nil if these lines are not a
// text's alone. goOn ends them.
func newBlocks[R textscan.BlockReader](rec *records, workers, size int, newReader func() R) *blocks[R] {
	lines, ok := rec.lines.(*textscan.Lines)
	if !ok {
		return nil
	}
	text := lines.Blocks()
	cut := func(buf []byte) []byte {
		buf, _ = text.Next(buf, size) // Lines returns the error
		return buf
	}
	b := &blocks[R]{textscan.NewReadAhead(workers, cut, newReader), text}
	b.Begin(lines.Number())
	return b
}

// goOn makes what is left of the text, behind what was read of the current block, the next lines of
// rec. Do not use b afterwards.
func (b *blocks[R]) goOn(rec *records) { rec.lines = b.text.Lines(b.Rest()) }

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
