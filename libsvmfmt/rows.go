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
	all  plainRows
}

// Read replaces r's rows with those of text, which consists of whole lines. It stops at the first
// fault and returns it. first says that text is the beginning of the data set, where a byte order
// mark may stand. Rows and fault are as a [Reader] gives them.
func (r *Rows) Read(text []byte, first bool) *textscan.Fault {
	all, p := &r.all, &r.text
	all.labels, all.starts, all.index, all.value = all.labels[:0], append(all.starts[:0], 0), all.index[:0], all.value[:0]
	if most := len(text) / leastPair; cap(all.index) < most { // else some pieces of memory are outgrown on the way
		if n := bytes.Count(text, []byte{':'}); cap(all.index) < n {
			n = min(n+n/8, most) // the next text may have some more
			all.index, all.value = make([]int32, 0, n), make([]float64, 0, n)
		}
	}
	return p.walk(text, first, func() {
		before := int32(len(all.value))
		for _, end := range p.starts[1:] {
			all.starts = append(all.starts, before+end)
		}
		all.labels, all.index, all.value = append(all.labels, p.labels...), append(all.index, p.index...), append(all.value, p.value...)
	}, func(y float64) {
		all.labels, all.index, all.value = append(all.labels, y), append(all.index, p.index...), append(all.value, p.value...)
		all.starts = append(all.starts, int32(len(all.value)))
	})
}

// leastPair is how many bytes a pair takes at least, with the blank before it.
const leastPair = 4

// Len returns the number of rows.
func (r *Rows) Len() int { return r.all.len() }

// Row returns row i, which is valid until the next Read.
func (r *Rows) Row(i int) (y float64, x vec.Vector) { return r.all.row(i) }
