package main

import (
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
)

// writeAtOnce is how many bytes of rows are written at a time, and some more.
const writeAtOnce = 64 << 10

// An output writes scaled rows.
type output struct {
	w       io.Writer
	printer *scale.Printer
	text    []byte // not yet written
	pairs   int64
}

func newOutput(w io.Writer, printer *scale.Printer) *output {
	return &output{w: w, printer: printer, text: make([]byte, 0, writeAtOnce+writeAtOnce/4)}
}

// scale makes a row the next one to write. An error is the row's.
func (o *output) scale(y float64, x vec.Vector) error {
	text, pairs, err := o.printer.AppendRow(o.text, y, x)
	if err != nil {
		return err
	}
	o.text = text
	o.pairs += int64(pairs)
	return nil
}

// write writes the rows, if they are many.
func (o *output) write() error {
	if len(o.text) < writeAtOnce {
		return nil
	}
	return o.flush()
}

// flush writes the rows.
func (o *output) flush() error {
	_, err := o.w.Write(o.text)
	o.text = o.text[:0]
	return err
}
