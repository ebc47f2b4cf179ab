//go:build amd64 && !purego

package scale

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./scale -out ../format/scale/scale_amd64.s -stubs ../format/scale/stubs_amd64.go -pkg scale"

// includeAll includes each value in the range of its place.
func includeAll(highest, lowest, value []float64) {
	n := len(value)
	switch {
	case n == 0:
	case simd.Text():
		includeAVX512(&highest[:n][0], &lowest[:n][0], &value[0], n)
	case simd.Current() >= simd.AVX2:
		includeAVX2(&highest[:n][0], &lowest[:n][0], &value[0], n)
	default:
		includePortable(highest, lowest, value)
	}
}

// formula is scale for values of plain rules that become finite ones by the formula.
func (p *Printer) formula(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	if simd.Current() < simd.AVX2 || len(value) == 0 {
		return p.scaleEach(g, at, value, all)
	}
	l := p.s.ranges.X.Limits
	b, end := &p.piece, at+len(value)
	_, _, _, _, _ = g.min[at:end], g.span[at:end], g.slot[at:end], g.name[at:end], b.values[b.n+len(value)+7]
	form, mask := formulaAVX2, 15
	if simd.Text() {
		form, mask = formulaAVX512, 255
	}
	if !all {
		mask = 0
	}
	n = form(&b.values[b.n], &b.slots[b.n], (*uint64)(&b.names[b.n]), &value[0], &g.min[at], &g.span[at], &g.slot[at], (*uint64)(&g.name[at]),
		len(value), l.Lower, l.Upper-l.Lower, math.MaxFloat64, mask)
	return n, n >= 0
}
