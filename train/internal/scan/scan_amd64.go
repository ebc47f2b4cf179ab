//go:build amd64 && !purego

package scan

import (
	"math"
	"math/bits"
)

//go:generate sh -c "cd ../../../_generate && go run ./scan -out ../train/internal/scan/scan_amd64.s -stubs ../train/internal/scan/stubs_amd64.go -pkg scan"

// implementations are the forms by level.
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
	add:    func(f []float64, row []float32, c float64) { addAVX512(&f[0], &row[0], len(f), c) },
	gather: gather2,
	walk: func(w *Walk, ends []Extremes, most int) int {
		a, n := newWalkEnds(w, ends), len(w.F)
		var done int
		if len(ends) == 1 {
			done = walkAVX512(&w.F[0], &w.Diag[0], &w.B[0], &w.Lower[0], &w.Upper[0], &w.Rows[0], w.Stride, n, &a.sets, &w.Have[0], w.Tolerance, most, &a.first, &a.lowest, &a.highest)
		} else {
			done = walkNuAVX512(&w.F[0], &w.Diag[0], &w.B[0], &w.Lower[0], &w.Upper[0], &w.Rows[0], w.Stride, n, &a.sets, &w.Have[0], w.Tolerance, most, &a.first, &a.lowest, &a.highest)
		}
		a.to(ends)
		return done
	},
}

// The AVX2 forms take the elements up to the last multiple of eight, and leave
// the others to the portable ones.
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
		n, p := len(f)&^7, nobody
		switch {
		case n == 0:
		case diag == nil:
			p.J, p.Gain = secondOnesAVX2(&f[0], &row[0], n, d, lowest, &low[0])
		default:
			p.J, p.Gain = secondAVX2(&f[0], &row[0], &diag[0], n, d, lowest, &low[0])
		}
		return secondFrom(p, n, f, row, diag, d, lowest, low)
	},
	add: func(f []float64, row []float32, c float64) {
		n := len(f) &^ 7
		if n > 0 {
			addAVX2(&f[0], &row[0], n, c)
		}
		addFrom(n, f, row, c)
	},
	gather: gather2,
	walk: func(w *Walk, ends []Extremes, most int) int {
		a, n := newWalkEnds(w, ends), len(w.F)
		var done int
		if len(ends) == 1 {
			done = walkAVX2(&w.F[0], &w.Diag[0], &w.B[0], &w.Lower[0], &w.Upper[0], &w.Rows[0], w.Stride, n, &a.sets, &w.Have[0], w.Tolerance, most, &a.first, &a.lowest, &a.highest)
		} else {
			done = walkNuAVX2(&w.F[0], &w.Diag[0], &w.B[0], &w.Lower[0], &w.Upper[0], &w.Rows[0], w.Stride, n, &a.sets, &w.Have[0], w.Tolerance, most, &a.first, &a.lowest, &a.highest)
		}
		a.to(ends)
		return done
	},
}

// walkEnds are ends, and the sets that they are of, as a walk in assembly takes them.
type walkEnds struct {
	first           [2]int
	lowest, highest [2]float64
	sets            [4]*uint64 // up and low of each group
}

func newWalkEnds(w *Walk, ends []Extremes) (a walkEnds) {
	for g, e := range ends {
		a.first[g], a.lowest[g], a.highest[g] = e.I, e.Lowest, e.Highest
		a.sets[2*g], a.sets[2*g+1] = &w.Up[g][0], &w.Low[g][0]
	}
	return a
}

func (a *walkEnds) to(ends []Extremes) {
	for g := range ends {
		ends[g] = Extremes{a.first[g], a.lowest[g], a.highest[g]}
	}
}

// in returns e with its position where its lowest value is infinite, as no position is noted then.
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

// gather2 is gather with AVX, which AVX-512 has nothing better for.
func gather2(dst, row []float32, of []int32) {
	n := len(dst) &^ 15
	if n > 0 {
		gatherAVX2(&dst[0], &row[0], &of[0], n)
	}
	gather(dst[n:], row, of[n:])
}
