package main

import (
	"context"
	"io"
	"runtime"
	"sync/atomic"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: scale long files on several processors, with the same output.
//
// Method: blocks of the text are read and packed at the same time, and in the second pass formatted
// at the same time, but taken back in order. One goroutine widens the ranges, in which the sign of
// the last zero matters, and also reads and writes; this takes little of the time.

// goroutines is how many goroutines there are at most; 0: as many as processors are used.
var goroutines int // not 0 in tests

// fewBytes is how long a text is at most that one goroutine scales: others have memory of their own to fill, and in some
// milliseconds hardly gain what that takes.
var fewBytes int64 = 4 << 20 // another number in tests

// workers returns how many goroutines are to read and scale the text: one if it is known to be short.
func (s *scaling) workers() int {
	size := s.in.size()
	if size == 0 {
		size = s.cache.read // 0: it comes from a pipe or is packed, and was not read yet
	}
	if s.in.foreign != nil || size > 0 && size <= fewBytes {
		return 1
	}
	if goroutines > 0 {
		return goroutines
	}
	return runtime.GOMAXPROCS(0)
}

// A part is a block of the text, and what becomes of it.
type part struct {
	text  []byte
	bytes int // of it, or packed
	batch batch
	fault *textscan.Fault // of the line behind the batch's rows

	packed *scale.Packed // nil: not kept, or not yet

	// once it is scaled
	out        []byte
	row, pairs int   // rows and pairs in out
	err        error // of the row behind
}

// pipelined hands parts to goroutines and takes them back in order.
type pipelined struct {
	pipeline *textscan.Pipeline[*part]
	free     []*part
	last     *part               // the one in use
	number   int                 // of rows in those before
	more     func(p *part) error // sets p to the next one
	err      error               // of more
	alone    int                 // how many parts are still to be read before others are called
	ended    bool
}

// next returns the next part; it is valid until the next call.
func (r *pipelined) next() (*part, error) {
	if r.last != nil {
		r.number += r.last.batch.len()
		r.free = append(r.free, r.last)
		r.last = nil
	}
	for r.err == nil && !r.pipeline.Full() {
		p := new(part)
		if n := len(r.free); n > 0 {
			p, r.free = r.free[n-1], r.free[:n-1]
		}
		if r.err = r.more(p); r.err != nil {
			break
		}
		if r.alone > 0 || p.bytes >= mostAhead && r.pipeline.Pending() == 0 { // the first ones, and long lines
			r.alone--
			r.pipeline.Read(p)
			return r.use(p), nil
		}
		r.pipeline.AddWorker()
		r.pipeline.Submit(p, p.bytes)
	}
	if r.pipeline.Pending() == 0 {
		return nil, textscan.AtLine(r.err, r.number+1)
	}
	return r.use(r.pipeline.Next()), nil
}

// use makes p the part in use.
func (r *pipelined) use(p *part) *part {
	r.last = p
	p.batch.number = r.number
	return p
}

// end waits for the goroutines and gives memory back. It may be called again.
func (r *pipelined) end() {
	if r.ended {
		return
	}
	r.ended = true
	r.pipeline.End()
	if r.last != nil {
		r.last.batch.drop()
	}
	for _, p := range r.free {
		p.batch.drop()
	}
}

// partsOf makes parts of a text.
func partsOf(in io.Reader) func(p *part) error {
	blocks, first := textscan.NewBlocks(in), true
	return func(p *part) (err error) {
		p.text, err = blocks.Next(p.text, blockSize)
		p.bytes = len(p.text)
		p.batch.reset(0)
		p.batch.first, first = first, false
		return err
	}
}

// read makes the part's text rows.
func (p *part) read() {
	p.fault = p.batch.parse(p.text)
	p.batch.ones = scale.AllOne(p.batch.value)
	if p.fault == nil && p.batch.oversized() {
		pages.Drop(p.text[:cap(p.text)])
	}
}

// textParts reads batches from a LIBSVM text by several goroutines.
type textParts struct {
	pipelined
	keep atomic.Bool // rows are to be packed
}

func (s *scaling) newTextParts(in io.Reader, workers int) *textParts {
	r := new(textParts)
	if s.in.size() == 0 {
		r.alone = int(fewBytes / blockSize)
	}
	r.more = partsOf(in)
	r.pipeline = textscan.NewPipeline(workers, func() (func(*part), func()) {
		var packer scale.Packer
		arena := s.cache.newArena()
		return func(p *part) {
			p.read()
			if p.packed = nil; r.keep.Load() && !p.batch.oversized() {
				p.packed = packer.Pack(p.batch.all(), arena)
			}
		}, func() {}
	})
	return r
}

func (r *textParts) next() (*batch, error) {
	p, err := r.pipelined.next()
	if err != nil {
		return nil, err
	}
	b := &p.batch
	if b.packed = p.packed; p.fault != nil {
		return nil, p.fault.Locate(b.number + b.len() + 1) // every line is a row
	}
	return b, nil
}

func (r *textParts) place(b *batch, row int, err error) error { return placeInText(b, row, err) }

func (r *textParts) read() int { return len(r.last.text) }

// useCache has the next batches packed, or not if k is nil.
func (r *textParts) useCache(k *rowCache) { r.keep.Store(k != nil) }

// newArena returns an arena for one of several goroutines.
func (k *rowCache) newArena() *pages.Arena {
	arena := newArena(longText) // together the arenas hold as much as of one text
	k.mu.Lock()
	defer k.mu.Unlock()
	k.arenas = append(k.arenas, arena)
	runtime.AddCleanup(k, (*pages.Arena).Release, arena)
	return arena
}

// mostAhead is how long a block is that is read while nothing else is, and how many bytes of text one may become for
// others to be made text meanwhile.
const mostAhead = 1 << 20

// alone reports whether one goroutine is to write the rows: blocks become so much text that only one of them
// should be in memory at a time, or there are no others.
func (s *scaling) alone(m *scale.Measure, p *scale.Printer) bool {
	if s.table != nil || s.workers() == 1 {
		return true
	}
	rows := max(int64(m.Rows()), 1)
	block := max(s.cache.read/rows, blockSize)         // bytes: a row or more
	inBlock := max(rows*block/max(s.cache.read, 1), 1) // rows
	return block > mostAhead/2 || inBlock*int64(p.Zeros()) > mostAhead
}

// writeMany is writeOne by several goroutines.
func (s *scaling) writeMany(ctx context.Context, out *output) (n int, pairs int64, err error) {
	r, usual := new(pipelined), new(atomic.Int64) // about as much text as a block becomes
	if left := s.cache.batches; len(left) > 0 {
		r.more = func(p *part) error {
			if len(left) == 0 {
				return io.EOF
			}
			p.packed, left = left[0], left[1:]
			p.bytes = p.packed.Bytes()
			return nil
		}
	} else {
		in, err := s.in.reopen()
		if err != nil {
			return 0, 0, s.dataError(ctx, err)
		}
		r.more = partsOf(in)
	}
	r.pipeline = textscan.NewPipeline(s.workers(), func() (func(*part), func()) {
		printer := out.printer.Clone()
		return func(p *part) {
			if n := int(usual.Load()); cap(p.out) < n {
				p.out = make([]byte, 0, n)
			}
			p.print(printer)
			if n := int64(len(p.out)); n > usual.Load() {
				usual.Store(n + n/8)
			}
		}, func() {}
	})
	defer r.end()
	for {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		p, err := r.next()
		if err == io.EOF {
			return n, pairs, nil
		}
		if err != nil {
			return 0, 0, s.dataError(ctx, err)
		}
		b := &p.batch
		switch {
		case p.err != nil:
			return 0, 0, s.dataError(ctx, placeInText(b, p.row, p.err))
		case p.fault != nil:
			return 0, 0, s.dataError(ctx, p.fault.Locate(b.number+b.len()+1))
		}
		out.text = append(out.text, p.out...)
		out.pairs += int64(p.pairs)
		if err := out.write(); err != nil {
			return 0, 0, cannotWrite("to standard output", err)
		}
		n += b.len()
		pairs += int64(len(b.value))
	}
}

// print makes the part text.
func (p *part) print(printer *scale.Printer) {
	if p.packed != nil {
		p.batch.unpack(p.packed)
	} else {
		p.read()
	}
	p.out, p.row, p.pairs, p.err = printer.AppendAll(p.out[:0], p.batch.all())
}
