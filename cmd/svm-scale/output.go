package main

import (
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
)

// writeAtOnce is how many bytes are written at a time.
const writeAtOnce = 128 << 10

// An output writes scaled rows.
type output struct {
	w       io.Writer
	printer *scale.Printer
	text    []byte // not yet written
	pairs   int64
}

func newOutput(w io.Writer, printer *scale.Printer) *output {
	return &output{w: w, printer: printer, text: make([]byte, 0, writeAtOnce+32<<10)}
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

// write writes rows, if they are many. A file takes whole units in less time than others.
func (o *output) write() error {
	if len(o.text) < writeAtOnce {
		return nil
	}
	n := len(o.text) / writeAtOnce * writeAtOnce
	_, err := o.w.Write(o.text[:n])
	o.text = o.text[:copy(o.text, o.text[n:])]
	return err
}

// flush writes the rows.
func (o *output) flush() error {
	_, err := o.w.Write(o.text)
	o.text = o.text[:0]
	return err
}
