package main

import (
	"io"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/facts"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// gather reads a data file, and returns what there is to say of it.
func gather(in *input, className string) (*facts.Data, error) {
	class := -1
	if in.declared() {
		var err error
		if class, err = encode.FindClass(in.header, className); err != nil {
			return nil, in.at(err)
		}
	}
	f, err := facts.Gather(in.header, class, in.readAt)
	if err != nil {
		return nil, err
	}
	f.File, f.Format = in.path, in.Codec.Name
	if in.DecimalComma() {
		f.Decimal = ","
	}
	return f, nil
}

// readAt is Read with errors that name their place.
func (in *input) readAt() (format.Instance, error) {
	row, err := in.Read()
	if err != nil && err != io.EOF {
		err = in.at(err)
	}
	return row, err
}
