package joint

import (
	"context"
	"math"
	"slices"
)

// lost is the share of its diagonal entry up to which a pivot cannot be told from rounding.
const lost = 1e-10

// factor replaces the upper triangle of a positive semidefinite matrix A by U, with U'U = A except
// for the order of rows and columns: row i of U belongs to row order[i] of A. They keep their order
// unless a pivot is lost: it is at most the share least of its diagonal entry. If the context is
// done, factor ends early.
//
// Entries of U that are divided by a pivot made of rounding would grow from row to row, to any
// size. So if a pivot is lost, the factorisation starts again and always takes the largest pivot
// next, relative to its diagonal entry, so that the scale of a row does not matter. Then no entry
// of U is larger than the square root of its column's diagonal entry, whatever rounding has done to
// A. The last rows, whose pivots are all lost, depend on the others. They are treated as
// independent of them: U has the square root of the diagonal entry, and zeros, so that similar
// vectors share weights.
func factor(ctx context.Context, a []float64, n int, least float64) (order []int) {
	whole := slices.Clone(a)
	order = make([]int, n)
	for i := range order {
		order[i] = i
	}
	if factorInOrder(ctx, a, whole, n, least) {
		return order
	}
	copy(a, whole)
	scale := unitDiagonal(a, n)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if a[i*n+i] > a[p*n+p] {
				p = i
			}
		}
		if !(a[p*n+p] > least) || ctx.Err() != nil {
			setApart(a, n, k)
			break
		}
		swap(a, n, k, p)
		order[k], order[p] = order[p], order[k]
		eliminate(a, n, k)
	}
	for i := range n {
		for j := i; j < n; j++ {
			a[i*n+j] *= scale[order[j]]
		}
	}
	return order
}

// factorInOrder is factor without reordering. It returns false if a pivot is lost. The matrix is in
// a, which it changes, and in whole.
func factorInOrder(ctx context.Context, a, whole []float64, n int, least float64) bool {
	for k := range n {
		if !(a[k*n+k] > least*whole[k*n+k]) || ctx.Err() != nil {
			return false
		}
		eliminate(a, n, k)
	}
	return true
}

// eliminate replaces row k by that of U, and subtracts its products from the rows below.
func eliminate(a []float64, n, k int) {
	pivot := math.Sqrt(a[k*n+k])
	a[k*n+k] = pivot
	row := a[k*n+k+1 : (k+1)*n]
	for j := range row {
		row[j] /= pivot
	}
	for i := k + 1; i < n; i++ {
		f := row[i-k-1]
		if f == 0 {
			continue
		}
		to := a[i*n+i : (i+1)*n]
		for j, v := range row[i-k-1:] {
			to[j] -= float64(f * v)
		}
	}
}

// setApart replaces rows and columns from k on by those of the unit matrix.
func setApart(a []float64, n, k int) {
	for i := range n {
		clear(a[i*n+max(i, k) : (i+1)*n])
	}
	for i := k; i < n; i++ {
		a[i*n+i] = 1
	}
}

// unitDiagonal divides rows and columns of the upper triangle of a positive semidefinite matrix by
// the square roots of its diagonal, which it returns. Diagonal entries that are not above 0 count
// as small ones. A matrix that is 0, or not finite, becomes the unit matrix.
func unitDiagonal(a []float64, n int) (scale []float64) {
	scale = make([]float64, n)
	top, finite := 0.0, true
	for i := range n {
		top = max(top, a[i*n+i])
		for _, v := range a[i*n+i : (i+1)*n] {
			finite = finite && math.Abs(v) <= math.MaxFloat64
		}
	}
	if !finite || !(top > 0) {
		setApart(a, n, 0)
		for i := range scale {
			scale[i] = 1
		}
		return scale
	}
	for i := range n {
		if scale[i] = math.Sqrt(a[i*n+i]); !(scale[i] > 0) {
			scale[i] = math.Sqrt(lost * top)
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			a[i*n+j] /= scale[i] * scale[j]
		}
	}
	return scale
}

// swap exchanges rows and columns k and p >= k of the upper triangle of a symmetric matrix.
func swap(a []float64, n, k, p int) {
	if k == p {
		return
	}
	for i := range k {
		a[i*n+k], a[i*n+p] = a[i*n+p], a[i*n+k]
	}
	a[k*n+k], a[p*n+p] = a[p*n+p], a[k*n+k]
	for j := k + 1; j < p; j++ {
		a[k*n+j], a[j*n+p] = a[j*n+p], a[k*n+j]
	}
	for j := p + 1; j < n; j++ {
		a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
	}
}
