package models

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/vec/processor"
)

// Problem: write many lines in order, using all processors, when converting their numbers to text
// is slow.
//
// Any free goroutine, including the caller's, makes blocks of lines; the caller writes them. The
// number of buffers is limited, so that no goroutine runs far ahead: the blocks that are made and
// not yet written are neighbours.

// blockNumbers is about how many numbers a block has: some 20 microseconds' work if they have six
// digits.
const blockNumbers = 2048

// worthMaker is the number of blocks that justify another goroutine, whose buffers take new memory.
const worthMaker = 12

// spareBuffers is the number of buffers besides two for each goroutine. While one is written, and
// another is waited for, they keep the makers busy: a maker that sleeps takes long to wake.
const spareBuffers = 2

// numberBytes is at least the average length of a number. A buffer that had to grow would touch as
// much memory again.
const numberBytes = 16

// writeLines writes n lines of about numbers numbers each. It stops at the first line that cannot
// be written. Each goroutine calls maker once and uses the returned function, which appends line i to
// b, alone.
func writeLines(w io.Writer, n, numbers int, maker func() func(b []byte, i int) []byte) {
	rows := max(blockNumbers/max(numbers, 1), 1)
	l := &lines{n: n, rows: rows, blocks: (n + rows - 1) / rows, room: rows * numbers * numberBytes}
	line := maker()
	makers := min(runtime.GOMAXPROCS(0), l.blocks/worthMaker)
	if makers <= 1 {
		b := make([]byte, 0, l.room)
		for k := range l.blocks {
			b = l.block(b[:0], k, line)
			if _, err := w.Write(b); err != nil {
				return
			}
		}
		return
	}
	buffers := 2*makers + spareBuffers
	l.free = make(chan []byte, buffers)
	for range buffers {
		l.free <- nil
		l.made = append(l.made, make(chan []byte, 1))
	}
	var others sync.WaitGroup
	var claim processor.Claim
	claim.Renew()
	defer claim.Release()
	for range makers - 1 {
		others.Go(func() {
			var claim processor.Claim
			claim.Renew()
			defer claim.Release()
			line := maker()
			for b := range l.free {
				if !l.next(b, line) {
					return
				}
			}
		})
	}
	processor.StartWoken()
	for k := range l.blocks {
		made := l.made[k%buffers]
		var b []byte
		for b == nil {
			select {
			case b = <-made:
				continue
			default:
			}
			select {
			case b = <-made:
			case spare := <-l.free:
				if !l.next(spare, line) {
					b = <-made
				}
			}
		}
		if _, err := w.Write(b); err != nil {
			l.begun.Store(int64(l.blocks)) // so that no more blocks are begun
			break
		}
		l.free <- b
	}
	close(l.free)
	others.Wait()
}

// lines is the state of writing a text.
type lines struct {
	n, rows, blocks int
	room            int // buffer size for a block

	begun atomic.Int64
	free  chan []byte
	made  []chan []byte // block k goes through element k modulo the length
}

// block appends the lines of a block.
func (l *lines) block(b []byte, k int, line func(b []byte, i int) []byte) []byte {
	for i := k * l.rows; i < min((k+1)*l.rows, l.n); i++ {
		b = line(b, i)
	}
	return b
}

// next makes the next block. It returns false if there is none.
func (l *lines) next(b []byte, line func(b []byte, i int) []byte) bool {
	k := int(l.begun.Add(1)) - 1
	if k >= l.blocks {
		return false
	}
	if b == nil {
		b = make([]byte, 0, l.room)
	}
	l.made[k%len(l.made)] <- l.block(b[:0], k, line)
	return true
}
