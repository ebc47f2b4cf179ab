//go:build amd64 && !purego

package scale

import (
	"math"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./scale -out ../format/scale/scale_amd64.s -stubs ../format/scale/stubs_amd64.go -pkg scale"

// includeAll includes each value in the range of its place.
func includeAll(highest, lowest, value []float64) {
	if !simd.Text() || len(value) == 0 {
		includePortable(highest, lowest, value)
		return
	}
	includeAVX512(&highest[:len(value)][0], &lowest[:len(value)][0], &value[0], len(value))
}

// formula is scale for a plain piece whose values become finite ones by the formula.
func (p *Printer) formula(g *stage, value []float64, zeros bool) (n int, ok bool) {
	if !simd.Text() || len(value) == 0 {
		return p.scaleEach(g, value, zeros)
	}
	l := p.s.ranges.X.Limits
	mask := 0
	if zeros {
		mask = 255
	}
	_, _, _ = g.min[:len(value)], g.span[:len(value)], g.slot[:len(value)]
	n = formulaAVX512(&p.values[0], &p.slots[0], &value[0], &g.min[0], &g.span[0], &g.slot[0], len(value),
		l.Lower, l.Upper-l.Lower, math.MaxFloat64, mask)
	return n, n >= 0
}
