package scale

import (
	"io"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Write writes r as svm-scale does; see [Read] for the format. It panics if r is not valid.
func Write(w io.Writer, r *Ranges) error {
	if err := r.Validate(); err != nil {
		panic("scale: Write: " + err.Error())
	}
	var b []byte
	if r.Y != nil {
		b = append(b, "y\n"...)
		b = appendPair(b, r.Y.Lower, r.Y.Upper)
		b = appendPair(b, r.Y.Min, r.Y.Max)
	}
	if r.X != nil {
		b = append(b, "x\n"...)
		b = appendPair(b, r.X.Lower, r.X.Upper)
		for _, f := range r.X.Ranges {
			b = textscan.AppendInt(b, int64(f.Index))
			b = append(b, ' ')
			b = appendPair(b, f.Min, f.Max)
			if len(b) >= writeAtOnce {
				if err := writeAll(w, b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
	}
	return writeAll(w, b)
}

// writeAll writes b. A w that takes less without saying why is an error, as in package bufio.
func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

const writeAtOnce = 32 << 10

func appendPair(b []byte, lo, hi float64) []byte {
	b = textscan.AppendG(b, lo, 17)
	b = append(b, ' ')
	b = textscan.AppendG(b, hi, 17)
	return append(b, '\n')
}
