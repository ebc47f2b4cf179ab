package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/slimsvm/slimsvm/format"
)

// create opens the output, unless it would replace a file that is to be read.
func (o *options) create(ctx context.Context) (*format.Output, error) {
	if info, err := os.Stat(o.output); err == nil && info.Mode().IsRegular() {
		switch {
		case isFile(o.data, info):
			return nil, errors.New("it is the input file")
		case isFile(o.model, info):
			return nil, errors.New("it is the model file")
		}
	}
	return format.Create(ctx, o.output)
}

// isFile reports whether path leads to the file of info.
func isFile(path string, info fs.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}
