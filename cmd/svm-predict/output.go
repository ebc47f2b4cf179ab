package main

import (
	"context"
	"errors"
	"os"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
)

// create opens the output, unless it would replace a file that is to be read.
func (o *options) create(ctx context.Context) (*format.Output, error) {
	if info, err := os.Stat(o.output); err == nil {
		switch {
		case datafile.IsRegular(o.data, info):
			return nil, errors.New("it is the input file")
		case datafile.IsRegular(o.model, info):
			return nil, errors.New("it is the model file")
		}
	}
	return format.Create(ctx, o.output)
}
