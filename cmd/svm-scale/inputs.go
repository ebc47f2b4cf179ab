package main

import (
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/rangefile"
	"github.com/slimsvm/slimsvm/format/scale"
)

// writeFile writes a range file, with how declared columns became features.
func (s *scaling) writeFile(w io.Writer, r *scale.Ranges) error {
	f := &rangefile.File{Ranges: r}
	if s.table != nil && s.table.encoding != nil {
		var err error
		if f.Inputs, err = s.table.encoding.MarshalText(); err != nil {
			return err
		}
	}
	return f.Write(w)
}
