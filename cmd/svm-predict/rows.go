package main

import (
	"context"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/predict"
)

// A rowReader reads rows one after the other.
type rowReader interface {
	// next returns a row's features and its label, NaN for none, or io.EOF.
	next() (x vec.Vector, y float64, err error)
	// place puts the last row's place into an error.
	place(err error) error
}

var (
	_ rowReader = plain{}
	_ rowReader = named{}
	_ source    = watched{}
)

// numbered is a reader of rows that stand in a line each.
type numbered interface {
	format.Reader
	Line() int
}

// plain are rows of numbers as they stand.
type plain struct{ rows numbered }

func (s plain) next() (vec.Vector, float64, error) {
	row, err := s.rows.Read()
	return row.X, row.Y, err
}

func (s plain) place(err error) error { return &format.Error{Line: s.rows.Line(), Err: err} }

// named are rows with columns that have names.
type named struct{ rows *datafile.Rows }

func (s named) next() (vec.Vector, float64, error) { return s.rows.Next() }

func (s named) place(err error) error { return s.rows.Here(err) }

// watched are rows of a file that must not change.
type watched struct {
	rowReader
	watch format.Watch
}

// answer answers rows in the order in which they are read, in batches.
func (s watched) answer(ctx context.Context, a *answers, workers int) error {
	t, guard := a.newLineWriter(), a.overflow
	next := func() (vec.Vector, float64, error) {
		x, y, err := s.next()
		switch {
		case err != nil:
			err = s.watch.Check(err)
		default:
			if err = guard.Row(x); err != nil {
				err = s.watch.Check(s.place(err))
			}
		}
		if err != nil && err != io.EOF {
			a.fault = err
		}
		return x, y, err
	}
	stream := a.p.StreamAnswers
	if a.probabilities {
		stream = a.p.StreamProbabilities
	}
	return stream(ctx, workers, next, func(b *predict.Batch, ys []float64) error {
		t.lines, t.limits = t.lines[:0], 0
		for r, y := range ys {
			a.score(t.appendAnswer(b, r), y)
		}
		return a.write(t.lines, t.limits)
	})
}
