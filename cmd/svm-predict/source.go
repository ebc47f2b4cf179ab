package main

import (
	"context"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A source gives the rows to predict.
type source interface {
	// next returns a row's features and its label, NaN for none, or io.EOF.
	next() (x vec.Vector, y float64, err error)
	// place puts the last row's place into an error.
	place(err error) error
}

var (
	_ source = plain{}
	_ source = named{}
	_ source = watched{}
)

// source returns the rows of an open data file as the model wants them, and how
// to write answers for them.
func (o *options) source(ctx context.Context, p *predict.Predictor, in io.Reader, stderr io.Writer) (source, wording, error) {
	f, text := datafile.Foreign(ctx, o.data, in, libsvmfmt.Codec.Sniff)
	m := p.Model()
	if f == nil {
		return plain{libsvmfmt.NewReader(text)}, wording{}, o.checkNames(m)
	}
	if !datafile.Declares(f.Codec) {
		return plain{f.Reader.(numbered)}, wording{}, o.checkNames(m)
	}
	encoding, err := datafile.Inputs(m)
	if err != nil {
		return nil, wording{}, fmt.Errorf("can't predict %s: %w", o.data, format.WithPath(err, o.model))
	}
	rows, err := datafile.NewRowsFor(m, f, encoding)
	if err != nil {
		return nil, wording{}, wrongFormat(err, o.data)
	}
	rows.Unknown = datafile.Warn(o.data, encoding, stderr)
	return named{rows}, wording{encoding: encoding, task: m.Task}, nil
}

// checkNames returns an error if the names of a file of numbers say that these are
// not what a model of declared columns was trained on.
func (o *options) checkNames(m *models.Model) error {
	if m.Inputs == nil {
		return nil
	}
	path := datafile.FindNames(o.data)
	names, err := datafile.ReadNames(path)
	if err != nil {
		return nil // whatever it is, the data are LIBSVM's
	}
	if encoding, err := datafile.Inputs(m); err != nil || names.EncodedAs(encoding) {
		return nil
	}
	return fmt.Errorf("can't predict %s: %s says that its features are not encoded as the model does it; encode with slimsvm encode --like %s", o.data, path, o.model)
}

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

// watched are rows of a file that must not change.
type watched struct {
	source
	watch format.Watch
}

func (s watched) next() (vec.Vector, float64, error) {
	x, y, err := s.source.next()
	if err != nil {
		err = s.watch.Check(err)
	}
	return x, y, err
}

// named are rows with columns that have names.
type named struct{ rows *datafile.Rows }

func (s named) next() (vec.Vector, float64, error) { return s.rows.Next() }

func (s named) place(err error) error { return fmt.Errorf("row %d: %w", s.rows.Number(), err) }
