package main

import (
	"errors"
	"io/fs"

	"github.com/slimsvm/slimsvm/format"
)

// A rowWriter writes rows of a data file, and puts the place of a row into the error of a format that cannot hold it.
type rowWriter struct {
	format.Writer
	in *input
}

// Write implements format.Writer.
func (w rowWriter) Write(row format.Instance) error {
	err := w.Writer.Write(row)
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return err
	}
	return w.in.here(err)
}
