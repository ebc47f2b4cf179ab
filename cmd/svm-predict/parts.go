package main

import (
	"context"
	"io"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/internal/overflow"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// Problem: with long files and small models, most of the time goes into reading rows and writing
// answers. Do that on several processors, with the same output.
//
// Method: the text is cut into parts of whole lines. A worker reads the rows of a part, answers
// them and formats the answers. One goroutine reads the text and writes the results of the parts in
// order; while it would wait, it takes a part itself.

// parts is a LIBSVM text.
type parts struct {
	text  io.Reader
	watch format.Watch
	row   job // of which the bytes are counted on the way
}

// longRow is how many features vectors have, on average, whose rows are read one after the other: parts would be
// of few rows, and hold more memory than these.
const longRow = 1 << 12

// sourceOfText returns the rows of a text for a model, which are such jobs. Those of a pipe are
// read one after the other, too: whoever writes them may wait for answers, and several parts would
// be read before the first is answered.
func sourceOfText(text io.Reader, m *models.Model, watch format.Watch, j job) source {
	if !watch.Regular() || m.Vectors.NNZ()/max(m.Vectors.Len(), 1) >= longRow {
		return watched{plain{libsvmfmt.NewReader(text)}, watch}
	}
	return &parts{text, watch, j}
}

const (
	// partTerms are so many that to hand a part over takes little beside, and partBytes are long enough in any case.
	partTerms, partBytes = 1 << 24, 32 << 10

	// mostBytes is how long the rows of a batch may be at most, unless they are fewRows: with their numbers they are
	// in a processor's second cache. Exact answers have exactBytes: there the vectors take several times the memory,
	// mostly outside that cache, and pass once for each batch.
	mostBytes  = 128 << 10
	exactBytes = 8 * mostBytes
	fewRows    = kernel.EstimateRows // that are looked at together

	// longPart is how long parts may become where rows are longer than expected.
	longPart = 2 << 20
)

// lines returns how many lines a part is to have: some batches if there is little to do for them and they are handed over,
// less than one if they are long. A group of fewer than fewRows takes as long as a whole one.
func (s *parts) lines(workers int) int {
	most := mostBytes
	if s.row.exact {
		most = exactBytes
	}
	switch n := min(partTerms/s.row.terms, partBytes/s.row.bytes) / predict.BatchRows; {
	case n > 1 && workers > 1:
		return n * predict.BatchRows
	case predict.BatchRows*s.row.bytes <= most:
		return predict.BatchRows
	}
	return max(most/s.row.bytes/fewRows, 1) * fewRows
}

// A part is some lines of the text, and what becomes of them.
type part struct {
	text  []byte
	first bool

	ys, answers []float64
	lines       []byte
	limits      int
	fault       *textscan.Fault // of the row behind these
	refused     error           // why that row has no answer; nil: it is not refused
}

func (s *parts) answer(ctx context.Context, a *answers, workers int) error {
	pipeline := textscan.NewWorkPipeline(workers, func() (func(*part), func()) {
		w := &worker{lineWriter: a.newLineWriter(), overflow: a.overflow, batch: a.p.NewBatch()}
		return func(p *part) { w.answer(ctx, p) }, func() {}
	})
	defer pipeline.End()
	text, first := textscan.NewBlocks(s.text), true
	var free []*part
	var end error // of the text
	rows, bytes := 0, int64(0)
	for {
		var p *part
		for p == nil && end == nil && !pipeline.Full() && pipeline.Pending() <= workers {
			if err := ctx.Err(); err != nil {
				return err
			}
			next, lines := new(part), s.lines(workers)
			if n := len(free); n > 0 {
				next, free = free[n-1], free[:n-1]
			}
			if next.text, end = text.NextLines(next.text, lines, min(lines*s.row.bytes*9/8, longPart), longPart); end != nil {
				break
			}
			next.first, first = first, false
			if workers == 1 {
				pipeline.Read(next)
				p = next
				continue
			}
			pipeline.AddWorker()
			pipeline.Submit(next, len(next.text))
		}
		if p == nil {
			if pipeline.Pending() == 0 {
				break
			}
			p = pipeline.Next()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.write(p.lines, p.limits); err != nil {
			return err
		}
		for i, y := range p.ys {
			a.score(p.answers[i], y)
		}
		rows += len(p.ys)
		switch {
		case p.fault != nil:
			a.fault = s.watch.Check(p.fault.Locate(rows + 1)) // every line is a row
			return a.fault
		case p.refused != nil:
			a.fault = s.watch.Check(&format.Error{Line: rows + 1, Err: p.refused})
			return a.fault
		}
		bytes += int64(len(p.text))
		s.learn(bytes, rows)
		free = append(free, p)
	}
	if end = s.watch.Check(end); end != io.EOF {
		a.fault = textscan.AtLine(end, rows+1)
		return a.fault
	}
	return nil
}

// learn notes how long so many rows are. Their bytes may be more than an int of 32 bits holds.
func (s *parts) learn(bytes int64, rows int) { s.row.bytes = int(bytes/int64(rows)) + 1 }

// A worker answers parts, one after the other.
type worker struct {
	lineWriter
	overflow overflow.Check
	rows     libsvmfmt.Rows
	batch    *predict.Batch
	xs       []vec.Vector
}

// answer answers the rows of p, up to one with a fault. When ctx ends it stops somewhere.
func (w *worker) answer(ctx context.Context, p *part) {
	p.ys, p.answers, p.fault, p.refused = p.ys[:0], p.answers[:0], w.rows.Read(p.text, p.first), nil
	w.xs, w.lines, w.limits = w.xs[:0], p.lines[:0], 0
	for i := range w.rows.Len() {
		y, x := w.rows.Row(i)
		if p.refused = w.overflow.Row(x); p.refused != nil {
			p.fault = nil
			break
		}
		w.xs, p.ys = append(w.xs, x), append(p.ys, y)
	}
	for xs := range slices.Chunk(w.xs, predict.BatchRows) {
		if ctx.Err() != nil {
			break
		}
		if w.probabilities {
			w.batch.AnswerProbabilities(xs)
		} else {
			w.batch.Answer(xs)
		}
		for r := range xs {
			p.answers = append(p.answers, w.appendAnswer(w.batch, r))
		}
	}
	p.lines, p.limits = w.lines, w.limits
}
