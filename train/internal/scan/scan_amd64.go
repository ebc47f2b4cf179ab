//go:build amd64 && !purego

package scan

import (
	"math"
	"math/bits"
	"unsafe"
)

//go:generate sh -c "cd ../../../_generate && go run ./scan -out ../train/internal/scan/scan_amd64.s -stubs ../train/internal/scan/stubs_amd64.go -pkg scan"

// implementations are the implementations by SIMD level.
var implementations = [...]implementation{portable, avx2, avx512}

var avx512 = implementation{
	step: func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
		var e Extremes
		e.I, e.Lowest, e.Highest = stepAVX512(&f[0], &x[0], &y[0], len(f), dx, dy, &up[0], &low[0])
		return e.in(f, up, find512)
	},
	look: func(f []float64, up, low Set) Extremes {
		var e Extremes
		e.I, e.Lowest, e.Highest = lookAVX512(&f[0], len(f), &up[0], &low[0])
		return e.in(f, up, find512)
	},
	find: find512,
	second: func(f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner {
		var p Partner
		if diag == nil {
			p.J, p.Gain = secondOnesAVX512(&f[0], &row[0], len(f), lowest, &low[0])
		} else {
			p.J, p.Gain = secondAVX512(&f[0], &row[0], &diag[0], len(f), d, lowest, &low[0])
		}
		return p
	},
	above: func(f []float64, row []float32, diag []float64, d, lowest, least float64, low Set) Partner {
		var p Partner
		if diag == nil {
			p.J, p.Gain = aboveOnesAVX512(&f[0], &row[0], len(f), lowest, least, &low[0])
		} else {
			p.J, p.Gain = aboveAVX512(&f[0], &row[0], &diag[0], len(f), d, lowest, least, &low[0])
		}
		return p
	},
	add:     func(f []float64, row []float32, c float64) { addAVX512(&f[0], &row[0], len(f), c) },
	addBoth: func(f []float64, x, y []float32, cx, cy float64) { addBothAVX512(&f[0], &x[0], &y[0], len(f), cx, cy) },
	gather:  gather2,
	walk:    func(w *Walk, n, most int) Stop { return w.by(walkAVX512, walkNuAVX512, n, most) },
	inverses: func(to, row []float32, diag []float64, d float64) {
		n := len(to) &^ 7
		if n > 0 {
			inversesAVX512(&to[0], &row[0], &diag[0], d, n)
		}
		invert(to[n:], row[n:], diag[n:], d)
	},
}

// The AVX2 forms process the elements up to the last multiple of eight. The portable forms process
// the rest.
var avx2 = implementation{
	step: func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
		n, e := len(f)&^7, none
		if n > 0 {
			e.I, e.Lowest, e.Highest = stepAVX2(&f[0], &x[0], &y[0], n, dx, dy, &up[0], &low[0])
			e = e.in(f[:n], up, find2)
		}
		return stepFrom(e, n, f, x, y, dx, dy, up, low)
	},
	look: func(f []float64, up, low Set) Extremes {
		n, e := len(f)&^7, none
		if n > 0 {
			e.I, e.Lowest, e.Highest = lookAVX2(&f[0], n, &up[0], &low[0])
			e = e.in(f[:n], up, find2)
		}
		return lookFrom(e, n, f, up, low)
	},
	find: find2,
	second: func(f []float64, row []float32, diag []float64, d, lowest float64, low Set) Partner {
		n, p := len(f)&^7, missingPartner
		switch {
		case n == 0:
		case diag == nil:
			p.J, p.Gain = secondOnesAVX2(&f[0], &row[0], n, lowest, &low[0])
		default:
			p.J, p.Gain = secondAVX2(&f[0], &row[0], &diag[0], n, d, lowest, &low[0])
		}
		return secondFrom(p, n, f, row, diag, d, lowest, 0, low)
	},
	above: func(f []float64, row []float32, diag []float64, d, lowest, least float64, low Set) Partner {
		n, p := len(f)&^7, missingPartner
		switch {
		case n == 0:
		case diag == nil:
			p.J, p.Gain = aboveOnesAVX2(&f[0], &row[0], n, lowest, least, &low[0])
		default:
			p.J, p.Gain = aboveAVX2(&f[0], &row[0], &diag[0], n, d, lowest, least, &low[0])
		}
		return secondFrom(p, n, f, row, diag, d, lowest, least, low)
	},
	add: func(f []float64, row []float32, c float64) {
		n := len(f) &^ 7
		if n > 0 {
			addAVX2(&f[0], &row[0], n, c)
		}
		addFrom(n, f, row, c)
	},
	addBoth: func(f []float64, x, y []float32, cx, cy float64) {
		n := len(f) &^ 7
		if n > 0 {
			addBothAVX2(&f[0], &x[0], &y[0], n, cx, cy)
		}
		addBothFrom(n, f, x, y, cx, cy)
	},
	gather: gather2,
	walk:   func(w *Walk, n, most int) Stop { return w.by(walkAVX2, walkNuAVX2, n, most) },
	inverses: func(to, row []float32, diag []float64, d float64) {
		n := len(to) &^ 7
		if n > 0 {
			inversesAVX2(&to[0], &row[0], &diag[0], d, n)
		}
		invert(to[n:], row[n:], diag[n:], d)
	},
}

// The assembly relies on these offsets, sizes and constants.
var (
	_ = [1]int{}[unsafe.Offsetof(walking{}.up)-48]
	_ = [1]int{}[unsafe.Offsetof(walking{}.gains)-128]
	_ = [1]int{}[unsafe.Offsetof(walking{}.need)-184]
	_ = [1]int{}[unsafe.Sizeof(walking{})-336]
	_ = [1]int{}[unsafe.Sizeof(Moved{})-16]
	_ = [1]int{}[guesses-2048]
	_ = [1]int{}[movedMost-64]
)

// by lets assembly make a walk: one for a single group, two for two groups.
func (w *Walk) by(one, two func(*byte) int, n, most int) Stop {
	w.enter(n)
	a, wide, words := &w.walking, PaddedLen(n), Words(n)
	if a.j < 0 {
		a.f, a.diag, a.b, a.lower, a.upper = &w.F[0], &w.Diag[0], &w.B[0], &w.Lower[0], &w.Upper[0]
		a.rows, a.guesses, a.moved = &w.rows[0], &w.guesses[0], &w.Moved[:1][0]
		a.second, a.seconds, a.gains = &w.second[0], &w.out[4*wide], &w.gains[0]
		a.n, a.stride, a.tolerance = wide, 4*w.stride, w.Tolerance
		a.lows, a.highs = [2]*float64{&w.ends[0], &w.ends[eights*words]}, &w.ends[2*eights*words]
		for g := range w.Up {
			a.up[g], a.low[g] = &w.up[g][0], &w.low[g][0]
			a.outUp[g], a.outLow[g] = &w.out[2*g*wide], &w.out[(2*g+1)*wide]
		}
	}
	a.most, a.count = most, 0
	p, done := (*byte)(unsafe.Pointer(a)), 0
	if len(w.Up) == 1 {
		done = one(p)
	} else {
		done = two(p)
	}
	w.Moved = w.Moved[:a.count]
	return Stop{done, a.i, a.j, a.need, a.count == movedMost && done < most}
}

// in returns e with the position of its lowest value, if that value is infinite: the assembly does
// not note the position then.
func (e Extremes) in(f []float64, up Set, find func([]float64, Set, float64) int) Extremes {
	if !(e.Lowest < math.Inf(1)) {
		e.I = find(f, up, e.Lowest)
	}
	return e
}

func find512(f []float64, set Set, value float64) int {
	for w := (len(f) - 1) / 64; w >= 0; w-- {
		in := set[w]
		if rest := len(f) - 64*w; rest < 64 {
			in &= 1<<rest - 1
		}
		if in == 0 {
			continue
		}
		if at := equalsAVX512(&f[64*w], in, value); at != 0 {
			return 64*w + bits.Len64(at) - 1
		}
	}
	return -1
}

func find2(f []float64, set Set, value float64) int {
	n := len(f) &^ 7
	for t := len(f) - 1; t >= n; t-- {
		if set.Has(t) && f[t] == value {
			return t
		}
	}
	for w := (n+63)/64 - 1; w >= 0; w-- {
		in, rest := set[w], n-64*w
		if rest < 64 {
			in &= 1<<rest - 1
		}
		if in == 0 {
			continue
		}
		if at := in & equalsAVX2(&f[64*w], min(rest, 64)/8, value); at != 0 {
			return 64*w + bits.Len64(at) - 1
		}
	}
	return -1
}

// gather2 is gather with AVX. AVX-512 has nothing faster.
func gather2(dst, row []float32, of []int32) {
	n := len(dst) &^ 15
	if n > 0 {
		gatherAVX2(&dst[0], &row[0], &of[0], n)
	}
	gather(dst[n:], row, of[n:])
}
