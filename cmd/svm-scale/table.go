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
	"github.com/slimsvm/slimsvm/format/scale"
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
	batch batch
}

func (t *table) rows() *tableRows { return &tableRows{table: t} }

const (
	// tableBatch is how many rows of a table become a batch.
	tableBatch = 1 << 7

	// checkEvery is the number of rows between two looks at the context.
	checkEvery = 1 << 10
)

// next returns the next rows.
func (r *tableRows) next() (*batch, error) {
	b := &r.batch
	first := b.number + b.len()
	if first == r.data.Len() {
		return nil, io.EOF
	}
	b.reset(first)
	for i := first; i < min(first+tableBatch, r.data.Len()); i++ {
		x, list := r.data.X.Row(i), int32(len(b.index))
		b.index, b.value = append(b.index, x.Index...), append(b.value, x.Value...)
		b.end(r.data.Y[i], list)
	}
	b.ones = scale.AllOne(b.value)
	return b, nil
}

func (r *tableRows) place(b *batch, row int, err error) error {
	return fmt.Errorf("row %d: %w", r.numbers[b.number+row], err)
}

// load reads the file and learns from it how columns become features.
func (s *scaling) load(ctx context.Context) error {
	raw, err := format.ReadAll(ctx, s.in.foreign)
	if err != nil {
		return s.dataError(ctx, err)
	}
	s.in.foreign.WarnColumns(s.stderr)
	p, err := datafile.Encode(ctx, raw, encode.Options{DecimalComma: s.in.foreign.DecimalComma()})
	if err != nil {
		return s.dataError(ctx, err)
	}
	s.table = &table{data: p.Data, encoding: p.Encoding}
	if p.Encoding != nil {
		s.in.foreign.WarnRowNumbers(s.stderr, raw, p.Encoding.Class, !p.Encoding.Nominal())
	}
	for i := range raw.Len() {
		if p.Encoding == nil || !math.IsNaN(raw.X.Row(i).At(int32(p.Encoding.Class))) {
			s.table.numbers = append(s.table.numbers, i+1)
		}
	}
	s.leftOut(raw.Len() - p.Data.Len())
	if raw.Weight != nil {
		s.weightsLost()
	}
	return nil
}

// loadLike reads the file; columns become features as the inputs of a range file
// say.
func (s *scaling) loadLike(ctx context.Context, file *rangefile.File) error {
	if !datafile.Declares(s.in.foreign.Codec) {
		return s.load(ctx)
	}
	var e *encode.Encoding
	err := errors.New("it does not say how declared columns become features: save it with -s from such data")
	switch {
	case file.Inputs != nil:
		e, err = file.Encoding()
		err = format.WithPath(err, *s.restore)
	case file.Columns != nil:
		err = errors.New("it has the ranges of columns, not of features: slimsvm scale --restore scales columns by it")
	}
	if err != nil {
		return &failure{status: statusFailed, text: fmt.Sprintf("can't scale %s by %s: %v", s.data, *s.restore, err)}
	}
	rows, err := datafile.NewRows(s.in.foreign, e)
	if err != nil {
		return s.dataError(ctx, err)
	}
	rows.Unknown = datafile.Warn(s.data, e, s.stderr)
	s.table = &table{data: new(format.Dataset), encoding: e}
	unlabelled, weighted := 0, false
	for {
		if rows.Number()%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x, y, err := rows.Next()
		switch {
		case err == io.EOF:
			s.leftOut(unlabelled)
			if weighted {
				s.weightsLost()
			}
			return nil
		case err != nil:
			return s.dataError(ctx, err)
		}
		weighted = weighted || rows.Raw().Weight != 1
		if math.IsNaN(y) {
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
		fmt.Fprintf(s.stderr, "WARNING: "+datafile.LeftOut+"\n", s.data, rows)
	}
}

// weightsLost warns of weights of rows, which a LIBSVM file cannot hold: rows of weight 0, which
// teach nothing, are rows like others in it.
func (s *scaling) weightsLost() {
	fmt.Fprintf(s.stderr, "WARNING: %s: the weights of rows are left out, since the format has none; svm-train on the data themselves heeds them\n", s.data)
}
