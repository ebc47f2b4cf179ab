package main

import (
	"bufio"
	"io"
	"strconv"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// An output writes scaled rows: "%.17g " for the label, "%d:%g " for each pair,
// a line feed.
type output struct {
	w     *bufio.Writer
	row   []byte
	pairs int64 // written so far
	// The limits are the most frequent values: all that stands at an end of its
	// range, and in sparse data all that is absent. So their text is kept.
	limits scale.Limits
	lower  []byte
	upper  []byte
}

func newOutput(w io.Writer, limits scale.Limits) *output {
	return &output{
		w:      bufio.NewWriterSize(w, 64<<10),
		limits: limits,
		lower:  textscan.AppendG(nil, limits.Lower, 6),
		upper:  textscan.AppendG(nil, limits.Upper, 6),
	}
}

func (o *output) write(y float64, x vec.Vector) error {
	b := textscan.AppendG(o.row[:0], y, 17)
	b = append(b, ' ')
	for k, v := range x.Value {
		b = strconv.AppendInt(b, int64(x.Index[k]), 10)
		b = append(b, ':')
		switch v {
		case o.limits.Lower:
			b = append(b, o.lower...)
		case o.limits.Upper:
			b = append(b, o.upper...)
		default:
			b = textscan.AppendG(b, v, 6)
		}
		b = append(b, ' ')
	}
	o.pairs += int64(len(x.Value))
	o.row = append(b, '\n')
	_, err := o.w.Write(o.row)
	return err
}
