package main

import (
	"math"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
)

// A layout says how rows of ARFF are written.
type layout string

// The layouts.
const (
	asItIs layout = ""
	dense  layout = "dense"  // all values
	sparse layout = "sparse" // zeros and first labels left out
)

// outFormatNames returns the names of the formats of a file to write, with the layouts.
func outFormatNames() []string {
	return append(formatNames(), arff.Codec.Name+"-"+string(dense), arff.Codec.Name+"-"+string(sparse))
}

// laidOut changes the layout of rows.
type laidOut struct {
	format.Reader
	layout
	out format.Instance
}

// Read returns the next row.
func (l *laidOut) Read() (format.Instance, error) {
	in, err := l.Reader.Read()
	if err != nil || l.layout == asItIs {
		return in, err
	}
	x := l.out.X
	l.out = in
	l.out.Sparse = l.layout == sparse
	if l.out.Sparse {
		x.Index, x.Value = x.Index[:0], x.Value[:0]
		for k, v := range in.X.Value {
			if v != 0 || math.Signbit(v) {
				x.Index, x.Value = append(x.Index, in.X.Index[k]), append(x.Value, v)
			}
		}
		l.out.X = x
	}
	return l.out, nil
}
