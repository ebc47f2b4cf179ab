package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// modelName is the model's file when none is given: in the current directory,
// by the name of the data.
func modelName(data string) string { return filepath.Base(data) + ".model" }

// checkModel returns why no model may be written where it is to be.
func (o *options) checkModel() error {
	if info, err := os.Stat(o.model); err == nil && datafile.IsRegular(o.data, info) {
		return errors.New("it is the input file")
	}
	return format.CheckOutput(o.model)
}

// tryModel returns why the model can't be written as things stand, before a training that takes long.
func (o *options) tryModel() error {
	if o.folds > 0 {
		return nil
	}
	return format.TryOutput(o.model)
}

// save writes the model file, behind the talk if that goes there too.
func (o *options) save(ctx context.Context, m *models.Model, out *messages) error {
	out.talk.flush()
	f, err := format.Create(ctx, o.model)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := models.Write(f, m); err != nil {
		return err
	}
	return f.Close()
}
