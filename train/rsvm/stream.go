package rsvm

import (
	"context"
	"fmt"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// stream is a source of rows that are read again in every pass. The next chunk is read while one is
// processed, so two are in memory.
type stream struct {
	rows   Rows
	label  *labeller
	kernel kernel.Kernel
}

// errUnknown reports a row whose label is of no class of the problem, such as one that did not
// occur when the classes were counted.
func errUnknown(row int, y float64) error {
	return &train.RowError{Row: row, Err: fmt.Errorf("label %v is of no class of the problem", y)}
}

type read struct {
	chunk []*batch
	err   error
}

func (s *stream) chunks(ctx context.Context, size int, f func([]*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	chunks := make(chan read)
	done := make(chan struct{})
	var fault *team.Panic // of the goroutine that reads the rows
	returned := false     // that goroutine has returned; else it has panicked, or ended by runtime.Goexit
	defer func() {
		cancel()
		<-done // no rows are read after the end
		switch {
		case fault != nil:
			panic(fault)
		case !returned:
			runtime.Goexit()
		}
	}()
	go func() {
		defer close(done)
		defer func() {
			if fault = team.Recovered(recover()); !returned {
				cancel()
			}
		}()
		s.read(ctx, size, func(r read) bool {
			select {
			case chunks <- r:
				return true
			case <-ctx.Done():
				return false
			}
		})
		close(chunks)
		returned = true
	}()
	for {
		select {
		case r, ok := <-chunks:
			if !ok {
				return ended.Err(ctx)
			}
			if r.err != nil {
				return r.err
			}
			if err := f(r.chunk); err != nil {
				return err
			}
		case <-ctx.Done():
			return ended.Err(ctx)
		}
	}
}

// uneven returns an error for a row with more indices than values or fewer, which no Matrix takes.
func uneven(row int, x vec.Vector) error {
	if len(x.Index) == len(x.Value) {
		return nil
	}
	return &train.RowError{Row: row, Err: x.Check()}
}

// read reads all rows and passes them on, chunk after chunk, until send returns false.
func (s *stream) read(ctx context.Context, size int, send func(read) bool) {
	most := size * kernel.BatchRows
	n := 0
	var m vec.Matrix
	var ys, weights []float64
	flush := func() bool {
		if m.Len() == 0 {
			return true
		}
		if err := train.CheckRows(s.kernel, &m); err != nil {
			if row, ok := err.(*train.RowError); ok {
				err = &train.RowError{Row: n - m.Len() + row.Row, Err: row.Err}
			}
			return send(read{err: err}) && false
		}
		var chunk []*batch
		b := new(batch)
		for i, y := range ys {
			if err := s.label.check(n-m.Len()+i, y, weights[i]); err != nil {
				return send(read{err: err}) && false
			}
			if len(b.xs) == kernel.BatchRows {
				chunk, b = append(chunk, b), new(batch)
			}
			if !s.label.add(b, m.Row(i), y, weights[i]) {
				return send(read{err: errUnknown(n-m.Len()+i, y)}) && false
			}
		}
		m, ys, weights = vec.Matrix{}, ys[:0], weights[:0]
		return send(read{chunk: append(chunk, b)})
	}
	for in, err := range s.rows {
		if err == nil {
			if err = uneven(n, in.X); err != nil && !flush() { // an earlier row has a fault, too
				return
			}
		}
		if err != nil {
			send(read{err: err})
			return
		}
		m.Append(in.X)
		ys, weights = append(ys, in.Y), append(weights, in.Weight)
		n++
		if m.Len() == most && !flush() || ctx.Err() != nil {
			return
		}
	}
	flush()
}
