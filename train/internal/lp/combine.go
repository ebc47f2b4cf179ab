package lp

import (
	"context"

	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// addCombination adds sum_c coef[c] xs[c][i] to dst[i] for from <= i < to. Each element sums in the
// order of c.
func addCombination(dst []float64, xs [][]float64, coef []float64, from, to int) {
	dst = dst[from:to]
	c := 0
	for ; c+4 <= len(xs); c += 4 {
		c0, c1, c2, c3 := coef[c], coef[c+1], coef[c+2], coef[c+3]
		x0, x1, x2, x3 := xs[c][from:to], xs[c+1][from:to], xs[c+2][from:to], xs[c+3][from:to]
		x0, x1, x2, x3 = x0[:len(dst)], x1[:len(dst)], x2[:len(dst)], x3[:len(dst)]
		for i, s := range dst {
			s += float64(c0 * x0[i])
			s += float64(c1 * x1[i])
			s += float64(c2 * x2[i])
			s += float64(c3 * x3[i])
			dst[i] = s
		}
	}
	for ; c < len(xs); c++ {
		axpy(dst, coef[c], xs[c][from:to])
	}
}

// axpy adds c x to dst.
func axpy(dst []float64, c float64, x []float64) { columns.Axpy(dst, c, x) }

// dot returns the sum of products, in four lanes.
func dot(a, b []float64) float64 { return columns.Dot(a, b) }

// cacheChunk is the number of elements of dst that stay in the first-level cache.
const cacheChunk = 1024

// minParallel is the number of products from which calling other threads pays.
var minParallel = 1 << 18

// combine adds to each dst its combination of the same vectors. The team of ctx shares the parts;
// the results do not depend on the parts.
func combine(ctx context.Context, dst [][]float64, xs [][]float64, coef [][]float64) {
	n := len(dst[0])
	parts := (n + cacheChunk - 1) / cacheChunk
	part := func(_ context.Context, c int) {
		from, to := c*cacheChunk, min((c+1)*cacheChunk, n)
		for k := range dst {
			addCombination(dst[k], xs, coef[k], from, to)
		}
	}
	if n*len(xs)*len(dst) >= minParallel {
		team.Do(ctx, parts, part)
		return
	}
	for c := range parts {
		part(ctx, c)
	}
}
