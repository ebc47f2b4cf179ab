package lbfgs

import (
	"context"
	"math"

	"github.com/slimsvm/slimsvm/predict/columns"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Sums over all variables run in index order. If there are very many variables (many vectors with
// thousands of features), columns.Dot sums blocks of them, and the blocks' sums are added in order.

const (
	many  = 1 << 18 // number of variables from which sums are made in blocks
	block = 1 << 15 // variables in a block
)

func (m *minimizer) dot(a, b []float64) float64 {
	if len(a) < many {
		return dot(a, b)
	}
	sums := make([]float64, (len(a)+block-1)/block)
	blocks(m.ctx, len(a), func(k, from, to int) { sums[k] = columns.Dot(a[from:to], b[from:to]) })
	sum := 0.0
	for _, v := range sums {
		sum += v
	}
	return sum
}

func (m *minimizer) norm(a []float64) float64 { return math.Sqrt(m.dot(a, a)) }

// add adds c*b to a.
func (m *minimizer) add(a []float64, c float64, b []float64) {
	if len(a) < many {
		columns.Axpy(a, c, b)
		return
	}
	blocks(m.ctx, len(a), func(_, from, to int) { columns.Axpy(a[from:to], c, b[from:to]) })
}

// addAndDot adds c*b to a and returns the dot product of x and a. If there are very many variables,
// it does both for one block of a after the other.
func (m *minimizer) addAndDot(a []float64, c float64, b, x []float64) float64 {
	if len(a) < many {
		columns.Axpy(a, c, b)
		return dot(x, a)
	}
	sums := make([]float64, (len(a)+block-1)/block)
	blocks(m.ctx, len(a), func(k, from, to int) {
		columns.Axpy(a[from:to], c, b[from:to])
		sums[k] = columns.Dot(x[from:to], a[from:to])
	})
	sum := 0.0
	for _, v := range sums {
		sum += v
	}
	return sum
}

// blocks calls f for each block of n variables. It does so even if the context is done, because
// sums must be complete.
func blocks(ctx context.Context, n int, f func(k, from, to int)) {
	team.Do(ctx, (n+block-1)/block, func(_ context.Context, k int) { f(k, k*block, min((k+1)*block, n)) })
}

func dot(a, b []float64) float64 {
	sum := 0.0
	b = b[:len(a)]
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
