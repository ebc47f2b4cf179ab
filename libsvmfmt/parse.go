package libsvmfmt

import (
	"bytes"
	"context"
	"io"
	"runtime"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// Parse reads a whole data set. It gives the rows and the error that a [Reader] gives, but reads
// several parts of the text at once when there are several processors. Neither the data set nor the
// error depends on their number.
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	return parse(ctx, r, runtime.GOMAXPROCS(0), blockSize)
}

const (
	// blockSize is large against what it costs to hand a block over, and small, with
	// the numbers it becomes, against a processor's cache.
	blockSize = 64 << 10

	// aloneBlocks are read before other goroutines are started, unless it is known that there
	// are more blocks: to start them, and to give them memory, takes as long, and more of the
	// processors.
	aloneBlocks = 15
)

// A block is a part of the text and what becomes of it.
type block struct {
	text  []byte
	first bool // of the text

	labels []float64
	rows   *vec.Matrix     // to join
	to     *vec.Matrix     // which rows are appended to: these, or those of the data set
	fault  *textscan.Fault // of the line behind the rows
}

// parse is Parse with so many goroutines that read blocks of a size; one is the
// caller's, which also reads the text and joins the rows.
func parse(ctx context.Context, r io.Reader, workers, size int) (*format.Dataset, error) {
	pipeline := textscan.NewPipeline(workers, func() (func(*block), func()) {
		p := new(plainRows)
		return func(b *block) { b.parse(p) }, p.drop
	})
	defer pipeline.End()
	h, err := new(Reader).Header()
	if err != nil {
		return nil, err
	}
	d := &format.Dataset{Header: h}
	alone, room := aloneBlocks, rowRoom{text: r, size: sizeOf(r), block: size}
	if room.size > int64((aloneBlocks+1)*size) {
		alone = 0
		pipeline.AddWorker() // it takes its time
	}
	text := textscan.NewBlocks(r)
	var free []*block
	for started := 0; ; {
		var b *block
		for b == nil && err == nil && !pipeline.Full() {
			if err = ended.Err(ctx); err != nil {
				return nil, err
			}
			var next *block
			if n := len(free); n > 0 {
				next, free = free[n-1], free[:n-1]
			} else {
				next = &block{rows: d.X.Part()}
			}
			if next.text, err = text.Next(next.text, size); err != nil {
				break
			}
			next.first, next.to = started == 0, next.rows
			started++
			if workers == 1 || started <= alone {
				next.to = &d.X // nothing is before it
				pipeline.Read(next)
				b = next
				continue
			}
			if started > 1 {
				pipeline.AddWorker()
			}
			pipeline.Submit(next, len(next.text))
		}
		if b == nil {
			if pipeline.Pending() == 0 {
				break
			}
			b = pipeline.Next()
		}
		room.reserve(d, b)
		d.X.Join(b.rows)
		d.Y = append(d.Y, b.labels...)
		if b.fault != nil {
			return nil, b.fault.Locate(d.Len() + 1) // every line is a row
		}
		free = append(free, b)
	}
	if err != io.EOF {
		return nil, textscan.AtLine(err, d.Len()+1)
	}
	for _, b := range free { // nothing of the text is needed any more
		pages.Drop(b.text[:cap(b.text)])
	}
	return d, nil
}

// parse appends the lines of the block up to the first with a fault to b.to, with the memory of p.
func (b *block) parse(p *plainRows) {
	rows := b.to
	if b.labels == nil { // later blocks have about as many lines
		lines := bytes.Count(b.text, []byte{'\n'}) + 1
		rows.Reserve(lines)
		b.labels = make([]float64, 0, lines)
	}
	b.labels, b.fault = b.labels[:0], nil
	b.fault = p.walk(b.text, b.first, func() {
		b.labels = append(b.labels, p.Labels...)
		rows.AppendRows(p.Starts, p.Index, p.Value)
	}, func(y float64) {
		b.labels = append(b.labels, y)
		rows.Append(vec.Vector{Index: p.Index, Value: p.Value})
	})
}
