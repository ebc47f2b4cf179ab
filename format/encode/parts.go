package encode

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: large data take as long to encode as to read, which several goroutines do.
//
// Method: as each row is encoded by itself, each goroutine encodes as many rows that follow each
// other. The parts are joined in order.

// worthPart is the number of entries that justify a goroutine, some milliseconds' work.
const worthPart = 1 << 18

// Encode returns the features and labels of raw: the rows that the encoding was learned from, or
// others with such columns. Rows without a label are left out; the example of [Mapper.Row] knows
// which. Columns and labels are found as by [Encoding.Mapper]. A row that does not fit its header is a
// [*RowError]; what format.Dataset.Check finds is an error, too. Large data are encoded by as many
// goroutines as there are processors (GOMAXPROCS).
func (e *Encoding) Encode(ctx context.Context, raw *format.Dataset) (*format.Dataset, error) {
	if err := raw.Check(); err != nil {
		return nil, err
	}
	return e.encode(ctx, raw, min(runtime.GOMAXPROCS(0), raw.X.NNZ()/worthPart))
}

// encode is Encode with the given number of goroutines, at least one, of a data set that was checked.
func (e *Encoding) encode(ctx context.Context, raw *format.Dataset, workers int) (*format.Dataset, error) {
	m, err := e.Mapper(raw.Header)
	if err != nil {
		return nil, err
	}
	d := &format.Dataset{Header: &format.Header{Relation: e.Relation, Class: -1}}
	n := raw.Len()
	if workers = min(workers, n); workers <= 1 {
		if err := m.encode(ctx, d, raw, 0, n); err != nil {
			return nil, err
		}
		return d, nil
	}
	parts, faults := make([]format.Dataset, workers), make([]error, workers)
	var others sync.WaitGroup
	for i := range parts {
		parts[i].X = *d.X.Part()
		others.Go(func() {
			own := *m // with memory of its own
			own.row = nil
			faults[i] = own.encode(ctx, &parts[i], raw, i*n/workers, (i+1)*n/workers)
		})
	}
	others.Wait()
	for i := range parts {
		if faults[i] != nil {
			return nil, faults[i] // of the first row that has one
		}
		join(d, &parts[i])
	}
	return d, nil
}

// encode appends the labelled ones of the rows from first up to but not including end to d.
func (m *Mapper) encode(ctx context.Context, d, raw *format.Dataset, first, end int) error {
	out := format.Instance{Weight: 1}
	for i := first; i < end; i++ {
		if i&1023 == 0 && ctx.Err() != nil {
			return ended.Err(ctx)
		}
		x := raw.X.Row(i)
		if err := checkRow(raw.Header.Attributes, i, x); err != nil {
			return err
		}
		if raw.Weight != nil {
			out.Weight = raw.Weight[i]
		}
		if out.Y = m.Row(&out.X, x); !math.IsNaN(out.Y) {
			d.Append(out)
		}
	}
	return nil
}

// join appends the rows of p to d, and leaves p empty.
func join(d, p *format.Dataset) {
	if p.Weight != nil && d.Weight == nil {
		d.Weight = slices.Repeat([]float64{1}, len(d.Y))
	}
	if d.Weight != nil {
		if p.Weight == nil {
			p.Weight = slices.Repeat([]float64{1}, len(p.Y))
		}
		d.Weight = append(d.Weight, p.Weight...)
	}
	d.X.Join(&p.X)
	d.Y = append(d.Y, p.Y...)
	p.Y, p.Weight = nil, nil
}
