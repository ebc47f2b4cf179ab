package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/rangefile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// A table are the rows of a file of another format than LIBSVM's, in memory.
// Declared columns are features as svm-train makes them.
type table struct {
	data     *format.Dataset
	encoding *encode.Encoding // nil: no columns are declared
	numbers  []int            // of the rows in the file, from 1
}

// tableRows reads a table.
type tableRows struct {
	*table
	next int
}

func (t *table) rows() *tableRows { return &tableRows{table: t} }

// Header returns an empty header.
func (r *tableRows) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Read returns the next row.
func (r *tableRows) Read() (format.Instance, error) {
	if r.next == r.data.Len() {
		return format.Instance{}, io.EOF
	}
	r.next++
	return format.Instance{X: r.data.X.Row(r.next - 1), Y: r.data.Y[r.next-1], Weight: 1}, nil
}

func (r *tableRows) place(err error) error {
	return fmt.Errorf("row %d: %w", r.numbers[r.next-1], err)
}

// load reads the file and learns from it how columns become features.
func (s *scaling) load(ctx context.Context) error {
	raw, err := format.ReadAll(ctx, s.in.foreign)
	if err != nil {
		return s.dataError(ctx, err)
	}
	p, err := datafile.Encode(ctx, raw, encode.Options{})
	if err != nil {
		return s.dataError(ctx, err)
	}
	s.table = &table{data: p.Data, encoding: p.Encoding}
	for i := range raw.Len() {
		if p.Encoding == nil || !math.IsNaN(raw.X.Row(i).At(int32(p.Encoding.Class))) {
			s.table.numbers = append(s.table.numbers, i+1)
		}
	}
	s.leftOut(raw.Len() - p.Data.Len())
	return nil
}

// loadLike reads the file; columns become features as the inputs of a range file
// say.
func (s *scaling) loadLike(ctx context.Context, file *rangefile.File) error {
	if !datafile.Declares(s.in.foreign.Codec) {
		return s.load(ctx)
	}
	e := new(encode.Encoding)
	err := errors.New("it does not say how declared columns become features: save it with -s from such data")
	switch {
	case file.Inputs != nil:
		err = e.UnmarshalText(file.Inputs)
	case file.Columns != nil:
		err = errors.New("it has the ranges of columns, not of features: slimsvm scale --restore scales columns by it")
	}
	if err != nil {
		return &failure{statusFailed, fmt.Sprintf("can't scale %s by %s: %v", s.data, *s.restore, err)}
	}
	rows, err := datafile.NewRows(s.in.foreign, e)
	if err != nil {
		return s.dataError(ctx, err)
	}
	rows.Unknown = datafile.Warn(s.data, s.stderr)
	s.table = &table{data: new(format.Dataset), encoding: e}
	unlabelled := 0
	for {
		if rows.Number()%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x, y, err := rows.Next()
		switch {
		case err == io.EOF:
			s.leftOut(unlabelled)
			return nil
		case err != nil:
			return s.dataError(ctx, err)
		case math.IsNaN(y):
			unlabelled++
			continue
		}
		s.table.data.Append(format.Instance{X: x, Y: y, Weight: 1})
		s.table.numbers = append(s.table.numbers, rows.Number())
	}
}

// leftOut warns of rows that a LIBSVM file cannot hold.
func (s *scaling) leftOut(rows int) {
	if rows > 0 {
		fmt.Fprintf(s.stderr, "WARNING: %s: rows without a label are left out: %d\n", s.data, rows)
	}
}
