package libsvmfmt

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Parse reads a whole data set. It reads as Reader does, several parts of the text
// at the same time where there are processors for it; the data set and the error are
// the same for any number of them.
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	return parse(ctx, r, min(runtime.GOMAXPROCS(0), mostWorkers), blockSize)
}

const (
	// mostWorkers keep the one goroutine busy that reads the text and joins the rows.
	mostWorkers = 8

	// blockSize is large against what it costs to hand a block over, and small, with
	// the numbers it becomes, against a processor's cache.
	blockSize = 64 << 10

	// aloneBlocks are read before others are called, unless it is known that there are more:
	// to start them takes as long.
	aloneBlocks = 3

	// wakefulness is how often a goroutine that waits for a block offers its processor to
	// others before it falls asleep, from which it may take longer to wake than to read some
	// blocks.
	wakefulness = 1 << 9

	// aheadBlocks is how many blocks a goroutine may have before it, so that none waits
	// for the text.
	aheadBlocks = 3

	// sampleErrors is by how many standard deviations of the mean length of rows, if that of
	// one is as large as the length, there may be more rows than the first block tells.
	sampleErrors = 3
)

// A block is a part of the text and what becomes of it.
type block struct {
	text  []byte
	first bool // of the text
	done  chan struct{}

	labels []float64
	rows   *vec.Matrix
	fault  *textscan.Fault // of the line behind the rows
}

// parse is Parse with so many goroutines that read blocks of a size; one is the
// caller's, which also reads the text and joins the rows.
func parse(ctx context.Context, r io.Reader, workers, size int) (*format.Dataset, error) {
	ahead := aheadBlocks * workers
	work := make(chan *block, ahead)
	var team sync.WaitGroup
	defer team.Wait()
	defer close(work)
	start := func() {
		team.Go(func() {
			p := new(plainRows)
			for b := next(work); b != nil; b = next(work) {
				b.parse(b.rows, p)
			}
			p.drop()
		})
	}
	h, err := new(Reader).Header()
	if err != nil {
		return nil, err
	}
	d := &format.Dataset{Header: h}
	alone := aloneBlocks
	if workers > 1 && sizeOf(r) > int64((aloneBlocks+1)*size) {
		alone = 0
		start() // it takes its time
	}
	text := textscan.NewBlocks(r)
	p := new(plainRows)
	var free, busy []*block // busy in the order of the text
	for started := 0; ; {
		for err == nil && len(busy) < ahead {
			if err = ctx.Err(); err != nil {
				return nil, err
			}
			var b *block
			if n := len(free); n > 0 {
				b, free = free[n-1], free[:n-1]
			} else {
				b = &block{done: make(chan struct{}, 1), rows: d.X.Part()}
			}
			b.first = started == 0
			if b.text, err = text.Next(b.text, size); err != nil {
				break
			}
			started++
			busy = append(busy, b)
			if workers == 1 || started <= alone {
				b.parse(&d.X, p) // nothing is before it
				break
			}
			if started > 1 && started < alone+workers {
				start()
			}
			work <- b
		}
		if len(busy) == 0 {
			break
		}
		b := busy[0]
		busy = busy[1:]
		b.wait(work, p)
		if d.Len() == 0 {
			reserve(d, b, r)
		}
		d.X.Join(b.rows)
		d.Y = append(d.Y, b.labels...)
		if b.fault != nil {
			return nil, b.fault.Locate(d.Len() + 1) // every line is a row
		}
		free = append(free, b)
	}
	if err != io.EOF {
		return nil, err
	}
	for _, b := range free { // nothing of the text is needed any more
		pages.Drop(b.text[:cap(b.text)])
	}
	p.drop()
	return d, nil
}

// next returns the next block to be read, nil if there is none left.
func next(work chan *block) *block {
	for range wakefulness {
		select {
		case b := <-work:
			return b
		default:
			runtime.Gosched()
		}
	}
	return <-work
}

// wait returns when the block is read, and reads others meanwhile.
func (b *block) wait(work chan *block, p *plainRows) {
	for looks := 0; ; looks++ {
		select {
		case <-b.done:
			return
		default:
		}
		select {
		case other := <-work:
			other.parse(other.rows, p)
			continue
		default:
		}
		if looks < wakefulness {
			runtime.Gosched()
			continue
		}
		select {
		case <-b.done:
			return
		case other := <-work:
			other.parse(other.rows, p)
		}
	}
}

// parse appends the lines of the block up to the first with a fault to rows, with the memory of p.
func (b *block) parse(rows *vec.Matrix, p *plainRows) {
	defer func() { b.done <- struct{}{} }()
	if b.labels == nil { // later blocks have about as many lines
		lines := bytes.Count(b.text, []byte{'\n'}) + 1
		rows.Reserve(lines)
		b.labels = make([]float64, 0, lines)
	}
	b.labels, b.fault = b.labels[:0], nil
	for at := 0; at < len(b.text); {
		if at > 0 && p.due() {
			if at = p.read(b.text, at); p.len() > 0 {
				b.labels = append(b.labels, p.labels...)
				rows.AppendRows(p.starts, p.index, p.value)
				continue
			}
		}
		line, skip := b.text[at:], 0
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if at == 0 && b.first && bytes.HasPrefix(line, byteOrderMark) {
			skip = len(byteOrderMark)
		}
		y, fault := p.line(line, skip)
		if fault != nil {
			b.fault = fault
			return
		}
		b.labels = append(b.labels, y)
		rows.Append(vec.Vector{Index: p.index, Value: p.value})
		at += len(line) + 1
	}
}

// reserve makes room in d for the rows of a text of known size whose first block is b.
func reserve(d *format.Dataset, b *block, r io.Reader) {
	size := sizeOf(r)
	if _, ok := r.(interface{ Len() int }); ok {
		size += int64(len(b.text))
	}
	if size <= int64(len(b.text)) || len(b.labels) == 0 {
		return
	}
	// rows vary in length, the fewer there are the more; room that is not used takes no memory
	n := float64(len(b.labels))
	rows := int(n * float64(size) / float64(len(b.text)) * (1 + sampleErrors/math.Sqrt(n)))
	d.X.Reserve(rows - d.X.Len())
	d.Y = slices.Grow(d.Y, rows)
}

// sizeOf returns the size of a file, or of what is left to read of another text, 0 if it is
// not known.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(r.Len())
	}
	return 0
}
