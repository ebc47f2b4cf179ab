package scan

import (
	"math"
	"math/bits"
)

// portable has the plain Go forms. Other implementations also use them for the ends of vectors:
// each ...From function continues from a position with what was found before it.

var portable = implementation{
	step: func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
		return stepFrom(none, 0, f, x, y, dx, dy, up, low)
	},
	look: func(f []float64, up, low Set) Extremes { return lookFrom(none, 0, f, up, low) },
	find: find,
	second: func(f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner {
		return secondFrom(missingPartner, 0, f, row, diag, d, lowest, 0, low)
	},
	above: func(f []float64, row []float32, diag []float64, d, lowest, least float64, low Set) Partner {
		return secondFrom(missingPartner, 0, f, row, diag, d, lowest, least, low)
	},
	add:     func(f []float64, row []float32, c float64) { addFrom(0, f, row, c) },
	addBoth: func(f []float64, x, y []float32, cx, cy float64) { addBothFrom(0, f, x, y, cx, cy) },
	gather:  gather,
	walk:    walkPlain,
}

func stepFrom(e Extremes, from int, f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
	x, y = x[:len(f)], y[:len(f)]
	t := from
	for t < len(f) && t%64 != 0 {
		t = e.stepOne(t, f, x, y, dx, dy, up, low)
	}
	for ; len(f)-t >= 64; t += 64 {
		e = e.stepWord(t, (*[64]float64)(f[t:]), (*[64]float32)(x[t:]), (*[64]float32)(y[t:]), dx, dy, up[t/64], low[t/64])
	}
	for t < len(f) {
		t = e.stepOne(t, f, x, y, dx, dy, up, low)
	}
	return e.plain()
}

// stepOne processes position t.
func (e *Extremes) stepOne(t int, f []float64, x, y []float32, dx, dy float64, up, low Set) (next int) {
	v := f[t] + (float64(float64(x[t])*dx) + float64(float64(y[t])*dy))
	f[t] = v
	if v <= e.Lowest && up.Has(t) {
		e.Lowest, e.I = v, t
	}
	if v > e.Highest && low.Has(t) {
		e.Highest = v
	}
	return t + 1
}

// memberMasks[s][k] is 0 if bit k of s is set, else NaN. A value plus NaN compares neither lower
// nor higher.
var memberMasks [16][4]float64

func init() {
	for s := range memberMasks {
		for k := range memberMasks[s] {
			if s>>k&1 == 0 {
				memberMasks[s][k] = math.NaN()
			}
		}
	}
}

// stepWord processes the 64 positions from begin on, which share a word of the sets. Most values
// that would change the extremes belong to variables outside of the sets, so a branch on the value
// alone would often be predicted wrongly.
func (e Extremes) stepWord(begin int, f *[64]float64, x, y *[64]float32, dx, dy float64, up, low uint64) Extremes {
	lowest, highest, at := e.Lowest, e.Highest, -1
	for t := 0; t <= 60; t += 4 {
		v0 := f[t] + (float64(float64(x[t])*dx) + float64(float64(y[t])*dy))
		v1 := f[t+1] + (float64(float64(x[t+1])*dx) + float64(float64(y[t+1])*dy))
		v2 := f[t+2] + (float64(float64(x[t+2])*dx) + float64(float64(y[t+2])*dy))
		v3 := f[t+3] + (float64(float64(x[t+3])*dx) + float64(float64(y[t+3])*dy))
		f[t], f[t+1], f[t+2], f[t+3] = v0, v1, v2, v3
		in := &memberMasks[up&15]
		up >>= 4
		if v0+in[0] <= lowest || v1+in[1] <= lowest || v2+in[2] <= lowest || v3+in[3] <= lowest {
			for k, v := range in {
				if v += f[t+k]; v <= lowest {
					lowest, at = v, t+k
				}
			}
		}
		in = &memberMasks[low&15]
		low >>= 4
		if v0+in[0] > highest || v1+in[1] > highest || v2+in[2] > highest || v3+in[3] > highest {
			for k, v := range in {
				if v += f[t+k]; v > highest {
					highest = v
				}
			}
		}
	}
	if at >= 0 {
		e.I = begin + at
	}
	e.Lowest, e.Highest = lowest, highest
	return e
}

// lookFrom and secondFrom visit the members of a set one by one: most other variables have values
// that would often pass the test for an extreme.
func lookFrom(e Extremes, from int, f []float64, up, low Set) Extremes {
	lowest, highest, at := e.Lowest, e.Highest, e.I
	for begin := from &^ 63; begin < len(f); begin += 64 {
		word := f[begin:min(begin+64, len(f))]
		u, l := up[begin/64], low[begin/64]
		if begin < from {
			u, l = u>>(from%64)<<(from%64), l>>(from%64)<<(from%64)
		}
		for ; u != 0; u &= u - 1 {
			t := bits.TrailingZeros64(u)
			if t >= len(word) {
				break
			}
			if v := word[t]; v <= lowest {
				lowest, at = v, begin+t
			}
		}
		for ; l != 0; l &= l - 1 {
			t := bits.TrailingZeros64(l)
			if t >= len(word) {
				break
			}
			if v := word[t]; v > highest {
				highest = v
			}
		}
	}
	return Extremes{at, lowest, highest}.plain()
}

func find(f []float64, set Set, value float64) int {
	for w := (len(f) - 1) / 64; w >= 0; w-- {
		for word := set[w]; word != 0; {
			t := bits.Len64(word) - 1
			if word &^= 1 << t; 64*w+t < len(f) && f[64*w+t] == value {
				return 64*w + t
			}
		}
	}
	return -1
}

// plain returns e with +0 for -0, because the sign of a zero depends on the order in which equal
// values are met.
func (e Extremes) plain() Extremes {
	e.Lowest += 0
	e.Highest += 0
	return e
}

// secondFrom skips variables with a gain below least, unless least is 0.
func secondFrom(p Partner, from int, f []float64, row []float32, diag []float64, d, lowest, least float64, low Set) Partner {
	for begin := from &^ 63; begin < len(f); begin += 64 {
		l := low[begin/64]
		if begin < from {
			l = l >> (from % 64) << (from % 64)
		}
		if l == 0 {
			continue
		}
		end := min(begin+64, len(f))
		var of []float64
		if diag != nil {
			of = diag[begin:end]
		}
		if max(p.Gain, least) > faint && diag == nil && end-begin == 64 && bits.OnesCount64(l) > manyMembers {
			p = p.secondWord(begin, l, (*[64]float64)(f[begin:]), (*[64]float32)(row[begin:]), d, lowest, least)
		} else {
			p = secondOf(p, begin, l, f[begin:end], row[begin:end], of, d, lowest, least)
		}
	}
	return p
}

// manyMembers is the number of set bits in a word above which all its positions are visited
// instead.
const manyMembers = 16

// secondWord is secondOf for a word with many members, if all elements of the diagonal are equal
// and a gain is known that few variables reach. It squares gaps with their sign, so that gaps below
// 0 need no branch.
func (p Partner) secondWord(begin int, l uint64, f *[64]float64, row *[64]float32, d, lowest, least float64) Partner {
	limit := bar(max(p.Gain, least))
	for t := 0; t <= 60; t += 4 {
		in := &memberMasks[l>>t&15]
		g0, g1, g2, g3 := f[t]-lowest+in[0], f[t+1]-lowest+in[1], f[t+2]-lowest+in[2], f[t+3]-lowest+in[3]
		a0, a1, a2, a3 := d-float64(2*float64(row[t])), d-float64(2*float64(row[t+1])), d-float64(2*float64(row[t+2])), d-float64(2*float64(row[t+3]))
		g0, g1, g2, g3 = float64(g0*math.Abs(g0)), float64(g1*math.Abs(g1)), float64(g2*math.Abs(g2)), float64(g3*math.Abs(g3))
		if g0 >= float64(limit*a0) || g1 >= float64(limit*a1) || g2 >= float64(limit*a2) || g3 >= float64(limit*a3) {
			p = secondOf(p, begin, l&(15<<t), f[:], row[:], nil, d, lowest, least)
			limit = bar(max(p.Gain, least))
		}
	}
	return p
}

// secondOf continues with the members l of a word.
func secondOf(p Partner, begin int, l uint64, f []float64, row []float32, diag []float64, d, lowest, least float64) Partner {
	best, j, limit := p.Gain, p.J, bar(max(p.Gain, least))
	row = row[:len(f)]
	for ; l != 0; l &= l - 1 {
		t := bits.TrailingZeros64(l)
		if t >= len(f) {
			break
		}
		gap := f[t] - lowest
		if !(gap > 0) {
			continue
		}
		s := d
		if t < len(diag) {
			s += diag[t]
		}
		a := s - float64(2*float64(row[t]))
		if a <= 0 {
			a = Tau
		}
		num := float64(gap * gap)
		if num >= float64(limit*a) {
			if gain := num / a; gain >= best {
				best, j = gain, begin+t
				limit = bar(max(gain, least))
			}
		}
	}
	return Partner{j, best}
}

func addFrom(from int, f []float64, row []float32, c float64) {
	f, row = f[from:], row[from:]
	for len(f) >= 4 && len(row) >= 4 {
		f0 := f[0] + float64(c*float64(row[0]))
		f1 := f[1] + float64(c*float64(row[1]))
		f2 := f[2] + float64(c*float64(row[2]))
		f3 := f[3] + float64(c*float64(row[3]))
		f[0], f[1], f[2], f[3] = f0, f1, f2, f3
		f, row = f[4:], row[4:]
	}
	row = row[:len(f)]
	for t := range f {
		f[t] += float64(c * float64(row[t]))
	}
}

func gather(dst, row []float32, of []int32) {
	for k, t := range of[:len(dst)] {
		dst[k] = row[t]
	}
}

func addBothFrom(from int, f []float64, x, y []float32, cx, cy float64) {
	f, x, y = f[from:], x[from:], y[from:]
	x, y = x[:len(f)], y[:len(f)]
	for t := range f {
		f[t] = f[t] + float64(cx*float64(x[t])) + float64(cy*float64(y[t]))
	}
}
