package main

import (
	"context"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// A source has the rows to predict.
type source interface {
	// answer has so many workers answer all rows.
	answer(ctx context.Context, a *answers, workers int) error
}

// source returns the rows of an open data file as the model wants them, and how
// to write answers for them.
func (o *options) source(ctx context.Context, p *predict.Predictor, in io.Reader, watch format.Watch, j job, stderr io.Writer) (source, answerFormat, error) {
	f, text := datafile.DetectForeign(ctx, o.data, in, libsvmfmt.Codec.Sniff)
	m := p.Model()
	if f == nil {
		return sourceOfText(text, m, watch, j), answerFormat{}, o.checkNames(m)
	}
	if !datafile.Declares(f.Codec) {
		return watched{plain{f.Reader.(numbered)}, watch}, answerFormat{}, o.checkNames(m)
	}
	encoding, err := datafile.Inputs(m)
	if err != nil {
		return nil, answerFormat{}, fmt.Errorf("can't predict %s: %w", o.data, format.WithPath(err, o.model))
	}
	rows, err := datafile.NewRowsFor(m, f, encoding)
	if err != nil {
		return nil, answerFormat{}, wrongFormat(watch.Check(err), o.data)
	}
	rows.Unknown = datafile.Warn(o.data, encoding, stderr)
	return watched{named{rows}, watch}, answerFormat{encoding: encoding, task: m.Task}, nil
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
