//go:build amd64 && !purego

package scale

import (
	"math"
	"unsafe"

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

// The assembly knows these by their places.
var (
	_ = [1]int{}[unsafe.Sizeof(seen{})-32]
	_ = [1]int{}[unsafe.Offsetof(seen{}.Max)-unsafe.Offsetof(seen{}.Min)-8]
	_ = [1]int{}[unsafe.Offsetof(seen{}.rows)-unsafe.Offsetof(seen{}.Min)-16]
	_ = [1]int{}[unsafe.Sizeof(term{})-32]
	_ = [1]int{}[unsafe.Offsetof(term{}.kept)-24]
)

// widen is widenPortable.
func (m *Measure) widen(list []int32, value []float64) int {
	direct := m.index.direct
	if simd.Current() < simd.AVX2 || len(list) == 0 || len(m.features) == 0 || len(direct) == 0 {
		return m.widenPortable(list, value)
	}
	return widenAVX2(&m.features[0].Min, &direct[0], len(direct), &list[0], &value[:len(list)][0], len(list))
}

// lookUp is lookUpPortable.
func (g *stage) lookUp(p *Printer, index []int32, at, kept int) (stop, more int) {
	direct, n := p.s.index.direct, len(index)
	if simd.Current() < simd.AVX2 || at >= n || len(p.terms) == 0 || len(direct) == 0 {
		return g.lookUpPortable(p, index, at, kept)
	}
	return lookUpAVX2(&g.slot[:n][0], &g.place[:n][0], &g.min[:n][0], &g.span[:n][0], (*uint64)(&g.name[:n][0]),
		&p.terms[0].min, &direct[0], len(direct), &index[0], at, n, kept)
}
