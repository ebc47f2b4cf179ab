package main

import (
	"bufio"
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
)

// An output writes scaled rows.
type output struct {
	w       *bufio.Writer
	printer *scale.Printer
	row     []byte
	pairs   int64 // written so far
}

func newOutput(w io.Writer, printer *scale.Printer) *output {
	return &output{w: bufio.NewWriterSize(w, 64<<10), printer: printer}
}

// scale makes a row the next one to write. An error is the row's.
func (o *output) scale(y float64, x vec.Vector) error {
	text, pairs, err := o.printer.AppendRow(o.row[:0], y, x)
	o.row = text
	o.pairs += int64(pairs)
	return err
}

// write writes the row.
func (o *output) write() error {
	_, err := o.w.Write(o.row)
	return err
}
