package main

import (
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
)

// writeAtOnce is how many bytes are written at a time.
const writeAtOnce = 256 << 10

// An output writes scaled rows.
type output struct {
	w       io.Writer
	printer *scale.Printer
	text    []byte // not yet written
	pairs   int64
}

func (s *scaling) newOutput(w io.Writer, printer *scale.Printer) *output {
	return &output{w: w, printer: printer, text: take[byte](&s.cache, writeAtOnce+32<<10)}
}

// scale makes rows from one on the next ones to write, until they are many, and returns where
// it stopped. An error is that row's.
func (o *output) scale(rows *scale.Rows, from int) (stop int, err error) {
	// room for all that a row has, once, not doubling by doubling; it is not cleared, so that memory is taken as it fills
	if row := o.printer.Zeros(); row > writeAtOnce && cap(o.text)-len(o.text) < row+row/8+writeAtOnce {
		o.text = append(make([]byte, 0, len(o.text)+row+row/8+writeAtOnce), o.text...)
	}
	text, stop, pairs, err := o.printer.AppendRows(o.text, rows, from, writeAtOnce)
	if err != nil {
		return stop, err
	}
	o.text = text
	o.pairs += int64(pairs)
	return stop, nil
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
