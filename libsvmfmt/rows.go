package libsvmfmt

import (
	"bytes"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
)

// Rows holds the rows of a part of a text and reuses its memory for the next part. It serves
// programs that read several parts of a text at once; textscan.Blocks cuts a text into such parts.
// The zero Rows is empty and ready.
type Rows struct {
	text plainRows
	all  textscan.PlainRows
}

// Read replaces r's rows with those of text, which consists of whole lines. It stops at the first
// fault and returns it. first says that text is the beginning of the data set, where a byte order
// mark may stand. Rows and fault are as a [Reader] gives them.
func (r *Rows) Read(text []byte, first bool) *textscan.Fault {
	all, p := &r.all, &r.text
	all.Reset()
	if most := len(text) / leastPair; cap(all.Index) < most { // else some pieces of memory are outgrown on the way
		if n := bytes.Count(text, []byte{':'}); cap(all.Index) < n {
			n = min(n+n/8, most) // the next text may have some more
			all.Index, all.Value = make([]int32, 0, n), make([]float64, 0, n)
		}
	}
	return p.walk(text, first, func() {
		before := int32(len(all.Value))
		for _, end := range p.Starts[1:] {
			all.Starts = append(all.Starts, before+end)
		}
		all.Labels, all.Index, all.Value = append(all.Labels, p.Labels...), append(all.Index, p.Index...), append(all.Value, p.Value...)
	}, func(y float64) {
		all.Labels, all.Index, all.Value = append(all.Labels, y), append(all.Index, p.Index...), append(all.Value, p.Value...)
		all.Starts = append(all.Starts, int32(len(all.Value)))
	})
}

// leastPair is how many bytes a pair takes at least, with the blank before it.
const leastPair = 4

// Len returns the number of rows.
func (r *Rows) Len() int { return r.all.Len() }

// Row returns row i, which is valid until the next Read.
func (r *Rows) Row(i int) (y float64, x vec.Vector) { return row(&r.all, i) }
