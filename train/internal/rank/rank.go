// Package rank adds products of the columns of a tall matrix to a symmetric one.
package rank

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: add Z'Z to the upper triangle of a symmetric matrix H, where Z has many rows.
//
// Method: each element of H receives its products in the order of Z's rows, one after the other,
// and every product is rounded. The lanes of vector registers are neighbours in a line of H, so
// that the available instructions do not change a bit. Lines of H and rows of Z are padded to a
// multiple of Width. The elements below the diagonal are undefined afterwards.

// Width divides the distance between lines.
const Width = 32

// Stride returns the distance of the lines of a matrix with n columns.
func Stride(n int) int { return (n + Width - 1) / Width * Width }

// Add adds Z'Z to lines from to to-1 of the upper triangle of h. A line of h, like a row of z, has
// Stride(n) numbers. The padding of z must hold numbers. Afterwards, the padding of h and the
// elements below its diagonal are undefined.
func Add(h, z []float64, n, from, to int) {
	s := Stride(n)
	if len(h) != n*s || len(z)%max(s, 1) != 0 || from < 0 || to > n {
		panic(fmt.Sprintf("rank: lines %d to %d of %d by %d numbers, and %d", from, to-1, n, len(h), len(z)))
	}
	if len(z) > 0 && from < to {
		addTo(simd.Current(), h, z, s, from, to)
	}
}

// portableLines is the number of lines that are updated from one load of a row.
const portableLines = 4

func addPortable(h, z []float64, s, from, to int) {
	for ; to-from >= portableLines; from += portableLines {
		left := from / Width * Width
		h0, h1, h2, h3 := h[from*s+left:][:s-left], h[(from+1)*s+left:][:s-left], h[(from+2)*s+left:][:s-left], h[(from+3)*s+left:][:s-left]
		for i := 0; i < len(z); i += s {
			a, b, c, d := z[i+from], z[i+from+1], z[i+from+2], z[i+from+3]
			row := z[i+left:][:s-left]
			h0, h1, h2, h3 := h0[:len(row)], h1[:len(row)], h2[:len(row)], h3[:len(row)]
			for k, v := range row {
				h0[k] += float64(a * v)
				h1[k] += float64(b * v)
				h2[k] += float64(c * v)
				h3[k] += float64(d * v)
			}
		}
	}
	for ; from < to; from++ {
		left := from / Width * Width
		line := h[from*s+left:][:s-left]
		for i := 0; i < len(z); i += s {
			a := z[i+from]
			for k, v := range z[i+left:][:s-left] {
				line[k] += float64(a * v)
			}
		}
	}
}
