// Package cholesky solves systems of equations with symmetric positive definite matrices.
package cholesky

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/train/internal/rank"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: given a symmetric positive definite A, n by n, find the upper triangular U with U'U = A,
// and with it the x with A x = b.
//
// Method: U is computed in panels of lines. A panel changes the lines below it by a product of
// matrices,
//
//	A_ij becomes A_ij - sum_k U_ki U_kj.
//
// Package rank adds such products; therefore -A is stored, and the lines of U replace it. Each
// element receives its products in the order of k, one after the other, each rounded, so that
// neither instructions nor threads nor panels change a bit of U.

// ErrNotPositive reports a matrix that is not positive definite, or is not in float64.
var ErrNotPositive = errors.New("the matrix is not positive definite")

// panel is the number of lines that are processed together. It is a multiple of rank.Width, so that
// memory left of a panel's diagonal shares no cache line with memory right of it.
const panel = 3 * rank.Width

// bandLines is the number of lines of a task, a multiple of the lines that rank.Add takes at a
// time.
const bandLines = 48

// A Factor is the Cholesky factor of a matrix. The zero Factor is ready for Factorize, which reuses
// its memory.
type Factor struct {
	n int
	u []float64 // lines of -A, replaced by those of U, rank.Stride apart; undefined below the diagonal
}

// Factorize sets f to the factor of a matrix of n lines of n numbers, of which a has the upper
// triangle, with the threads of ctx's team. The error is ErrNotPositive or that of ctx.
func (f *Factor) Factorize(ctx context.Context, a []float64, n int) error {
	if len(a) != n*n {
		panic(fmt.Sprintf("cholesky: %d numbers for a matrix of %d lines", len(a), n))
	}
	s := rank.Stride(n)
	f.n = n
	if cap(f.u) < n*s {
		f.u = make([]float64, n*s)
	}
	f.u = f.u[:n*s]
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ended.Err(ctx)
		}
		line := f.u[i*s+i:]
		for j, v := range a[i*n+i : (i+1)*n] {
			line[j] = -v
		}
	}
	for from := 0; from < n; from += panel {
		if err := ended.Err(ctx); err != nil {
			return err
		}
		to := min(from+panel, n)
		if !f.lines(from, to) {
			return ErrNotPositive
		}
		f.below(ctx, from, to)
	}
	return ended.Err(ctx)
}

// lines replaces the lines of a panel by those of U. It returns false if the matrix is not positive
// definite.
func (f *Factor) lines(from, to int) bool {
	s := rank.Stride(f.n)
	for k := from; k < to; k++ {
		rank.Add(f.u, f.u[from*s:k*s], f.n, k, k+1)
		line := f.u[k*s+k : k*s+f.n]
		pivot := -line[0]
		if !(pivot > 0) || math.IsInf(pivot, 0) {
			return false
		}
		root := math.Sqrt(pivot)
		line[0] = root
		for j := range line[1:] {
			line[1+j] /= -root
		}
	}
	return true
}

// below subtracts from the lines below a panel the products of the panel's lines.
func (f *Factor) below(ctx context.Context, from, to int) {
	s := rank.Stride(f.n)
	rows := f.u[from*s : to*s]
	team.Do(ctx, (f.n-to+bandLines-1)/bandLines, func(ctx context.Context, band int) {
		if ctx.Err() == nil {
			first := to + band*bandLines
			rank.Add(f.u, rows, f.n, first, min(first+bandLines, f.n))
		}
	})
}

// SolveTo sets x to the solution of A x = b. x and b may be the same slice.
func (f *Factor) SolveTo(x, b []float64) {
	if len(x) != f.n || len(b) != f.n {
		panic(fmt.Sprintf("cholesky: %d unknowns and %d numbers for a matrix of %d lines", len(x), len(b), f.n))
	}
	s := rank.Stride(f.n)
	copy(x, b)
	for k := range x { // U'y = b
		line := f.u[k*s+k : k*s+f.n]
		x[k] /= line[0]
		y := x[k]
		rest := x[k+1:]
		for j, v := range line[1:] {
			rest[j] -= float64(v * y)
		}
	}
	for k := f.n - 1; k >= 0; k-- { // U x = y
		line := f.u[k*s+k : k*s+f.n]
		sum := x[k]
		rest := x[k+1:]
		for j, v := range line[1:] {
			sum -= float64(v * rest[j])
		}
		x[k] = sum / line[0]
	}
}
