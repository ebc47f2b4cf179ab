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
		var ends [16]float64
		var blocks [8]int64
		stepAVX512(&f[0], &x[0], &y[0], len(f), dx, dy, &up[0], &low[0], &ends, &blocks)
		return mergeBlocks(&ends, &blocks, block512, find512, f, up)
	},
	look: func(f []float64, up, low Set) Extremes {
		var ends [16]float64
		var blocks [8]int64
		lookAVX512(&f[0], len(f), &up[0], &low[0], &ends, &blocks)
		return mergeBlocks(&ends, &blocks, block512, find512, f, up)
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
}

// The AVX2 forms take the elements up to the last multiple of eight, and leave
// the others to the portable ones.
var avx2 = implementation{
	step: func(f []float64, x, y []float32, dx, dy float64, up, low Set) Extremes {
		n, e := len(f)&^7, none
		if n > 0 {
			ends, blocks := noEnds, noBlocks
			stepAVX2(&f[0], &x[0], &y[0], n, dx, dy, &up[0], &low[0], &ends, &blocks)
			e = mergeBlocks(&ends, &blocks, block2, find2, f[:n], up)
		}
		return stepFrom(e, n, f, x, y, dx, dy, up, low)
	},
	look: func(f []float64, up, low Set) Extremes {
		n, e := len(f)&^7, none
		if n > 0 {
			ends, blocks := noEnds, noBlocks
			lookAVX2(&f[0], n, &up[0], &low[0], &ends, &blocks)
			e = mergeBlocks(&ends, &blocks, block2, find2, f[:n], up)
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
}

// Elements of which a lane knows no more than which of so many have its lowest value.
const block512, block2 = 64, 32

// Of lanes that are not there.
var (
	noEnds = func() (ends [16]float64) {
		for lane := range 8 {
			ends[lane], ends[8+lane] = none.Lowest, none.Highest
		}
		return ends
	}()
	noBlocks = [8]int64{-1, -1, -1, -1, -1, -1, -1, -1}
)

// mergeBlocks is merge of lanes that know only the block of so many elements.
func mergeBlocks(ends *[16]float64, blocks *[8]int64, block int, find func([]float64, Set, float64) int, f []float64, up Set) Extremes {
	e := merge(ends, blocks)
	if !(e.Lowest < math.Inf(1)) {
		e.I = find(f, up, e.Lowest) // a block may have none
		return e
	}
	e.I = find(f[:min(block*(e.I+1), len(f))], up, e.Lowest)
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

// merge returns the extremes of eight lanes: ends holds the lowest values and
// then the highest, at the positions of the lowest.
func merge(ends *[16]float64, at *[8]int64) Extremes {
	e := none
	for lane, position := range at {
		v := ends[lane]
		if v < e.Lowest || v == e.Lowest && int(position) > e.I {
			e.Lowest, e.I = v, int(position)
		}
		e.Highest = max(e.Highest, ends[8+lane])
	}
	return e.plain()
}

// gather2 is gather with AVX, which AVX-512 has nothing better for.
func gather2(dst, row []float32, of []int32) {
	n := len(dst) &^ 15
	if n > 0 {
		gatherAVX2(&dst[0], &row[0], &of[0], n)
	}
	gather(dst[n:], row, of[n:])
}
