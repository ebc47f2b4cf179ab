package vec

import (
	"math"
)

// SquaredDistance returns the sum of (a[k]-b[k])^2 over all positions that either vector lists, in
// ascending order.
func SquaredDistance(a, b Vector) float64 {
	if sameIndex(a.Index, b.Index) {
		return distanceAligned(a.Value, b.Value)
	}
	ai, av, bi, bv := a.Index, a.Value, b.Index, b.Value
	av, bv = av[:len(ai)], bv[:len(bi)]
	sum := 0.0
	i, j := 0, 0
	for i < len(ai) && j < len(bi) {
		p, q := ai[i], bi[j]
		var d float64
		if p <= q {
			d = av[i]
			i++
		}
		if q <= p {
			d -= bv[j] // squared below, so the sign does not matter if only b has an entry
			j++
		}
		sum += float64(d * d)
	}
	for ; i < len(ai); i++ {
		sum += float64(av[i] * av[i])
	}
	for ; j < len(bi); j++ {
		sum += float64(bv[j] * bv[j])
	}
	return sum
}

// SquaredDistanceTo sets dst[i] to the sum of squared differences of v and row i, in ascending
// index order, for the first len(dst) rows.
//
// Four rows at a time are summed side by side if they share their index list and it is v's; each
// sum keeps its order. Between vectors of small integers, such as one-hot codes, every partial sum
// is an exact integer in any order, so norms and a dot product give the same bits faster.
func (m *Matrix) SquaredDistanceTo(dst []float64, v Vector) {
	if !m.fraction && len(dst) > 0 {
		if norm := SquaredNorm(v); integral(v, norm) {
			m.DotTo(dst, v)
			for i, dot := range dst {
				dst[i] = norm + m.norms[i] - 2*dot
			}
			return
		}
	}
	rows := m.first(len(dst))
	list := headerOf(v) // has v's indices
	for i := 0; i < len(rows); {
		r := &rows[i]
		list.share(&v, r)
		if r.lists(&list) && i+4 <= len(rows) {
			b, c, d := &rows[i+1], &rows[i+2], &rows[i+3]
			if b.lists(&list) && c.lists(&list) && d.lists(&list) {
				dst[i], dst[i+1], dst[i+2], dst[i+3] = distance4Aligned(v.Value, r.values(), b.values(), c.values(), d.values())
				i += 4
				continue
			}
		}
		dst[i] = SquaredDistance(v, r.vector())
		i++
	}
}

func distanceAligned(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for k, x := range a {
		d := x - b[k]
		sum += float64(d * d)
	}
	return sum
}

func distance4Aligned(x, a, b, c, d []float64) (s0, s1, s2, s3 float64) {
	n := len(x)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for k, v := range x {
		d0, d1, d2, d3 := v-a[k], v-b[k], v-c[k], v-d[k]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	return s0, s1, s2, s3
}

// exactNorm bounds squared norms so that all sums of squared differences of two vectors of integers
// are integers that float64 holds exactly.
const exactNorm = 1 << 50

// integral reports whether v has integer values and its squared norm, norm, is small enough for
// exact sums.
func integral(v Vector, norm float64) bool {
	if !(norm <= exactNorm) {
		return false
	}
	for _, x := range v.Value {
		if x != math.Trunc(x) {
			return false
		}
	}
	return true
}
