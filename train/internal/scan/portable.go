package scan

import "math/bits"

// The portable forms, and the ends of vectors that the others leave to them:
// each goes on from a position with what was found before.

var portable = implementation{
	step: func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
		return stepFrom(none, 0, f, x, y, dx, dy, up, low)
	},
	look: func(f []float64, up, low Set) Extremes { return lookFrom(none, 0, f, up, low) },
	find: find,
	second: func(f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner {
		return secondFrom(nobody, 0, f, row, diag, d, lowest, low)
	},
	add:     func(f []float64, row []float32, c float64) { addFrom(0, f, row, c) },
	addBoth: func(f []float64, x, y []float32, cx, cy float64) { addBothFrom(0, f, x, y, cx, cy) },
	gather:  gather,
	walk:    walkPlain,
}

func stepFrom(e Extremes, from int, f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
	x, y = x[:len(f)], y[:len(f)]
	lowest, highest, at := e.Lowest, e.Highest, e.I
	for t := from; t < len(f); {
		// 64 positions, or what is left of them, share a word of the sets
		end := min((t|63)+1, len(f))
		u, l := up[t/64]>>(t%64), low[t/64]>>(t%64)
		for ; end-t >= 4; t += 4 {
			g, a, b := f[t:t+4:t+4], x[t:t+4:t+4], y[t:t+4:t+4]
			v0 := g[0] + (float64(float64(a[0])*dx) + float64(float64(b[0])*dy))
			v1 := g[1] + (float64(float64(a[1])*dx) + float64(float64(b[1])*dy))
			v2 := g[2] + (float64(float64(a[2])*dx) + float64(float64(b[2])*dy))
			v3 := g[3] + (float64(float64(a[3])*dx) + float64(float64(b[3])*dy))
			g[0], g[1], g[2], g[3] = v0, v1, v2, v3
			if v0 <= lowest && u&1 != 0 {
				lowest, at = v0, t
			}
			if v1 <= lowest && u&2 != 0 {
				lowest, at = v1, t+1
			}
			if v2 <= lowest && u&4 != 0 {
				lowest, at = v2, t+2
			}
			if v3 <= lowest && u&8 != 0 {
				lowest, at = v3, t+3
			}
			if v0 > highest && l&1 != 0 {
				highest = v0
			}
			if v1 > highest && l&2 != 0 {
				highest = v1
			}
			if v2 > highest && l&4 != 0 {
				highest = v2
			}
			if v3 > highest && l&8 != 0 {
				highest = v3
			}
			u >>= 4
			l >>= 4
		}
		for ; t < end; t++ {
			v := f[t] + (float64(float64(x[t])*dx) + float64(float64(y[t])*dy))
			f[t] = v
			if v <= lowest && u&1 != 0 {
				lowest, at = v, t
			}
			if v > highest && l&1 != 0 {
				highest = v
			}
			u >>= 1
			l >>= 1
		}
	}
	return Extremes{at, lowest, highest}.plain()
}

// lookFrom and secondFrom take the members of a set one by one: most others have values that
// would often be mistaken for what is looked for.
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

// plain returns e without negative zeros, which would tell in what order equal
// values were met.
func (e Extremes) plain() Extremes {
	e.Lowest += 0
	e.Highest += 0
	return e
}

func secondFrom(p Partner, from int, f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner {
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
		p = secondOf(p, begin, l, f[begin:end], row[begin:end], of, d, lowest)
	}
	return p
}

// secondOf goes on with the members l of a word.
func secondOf(p Partner, begin int, l uint64, f []float64, row []float32, diag []float64, d, lowest float64) Partner {
	best, j, limit := p.Gain, p.J, bar(p.Gain)
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
				limit = bar(gain)
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
