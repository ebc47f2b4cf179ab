package lp

import (
	"context"
	"math"
	"slices"
)

// A basis is the block A[B,R] of the basic columns B of t and the active rows R of the dual, with
// the inverse of the block. Vectors "by basic t" have an element for each position in B, vectors
// "by active row" one for each position in R.
type basis struct {
	basic      []int       // B, by position
	active     []int       // R, by position
	rows       [][]float64 // the rows of A of the basic t
	cols       [][]float64 // the columns of A of the active rows
	near       [][]float64 // the part of each of cols that candidates keeps
	candidates candidates
	// inv[r][b] is the element of the inverse for active row r and basic t b.
	inv [][]float64
}

func (b *basis) size() int { return len(b.basic) }

// mul sets dst, by active row, to inv v, with v by basic t.
func (b *basis) mul(dst, v []float64) {
	for r, row := range b.inv {
		dst[r] = dot(row, v)
	}
}

// mulT sets dst, by basic t, to inv' v, with v by active row.
func (b *basis) mulT(dst, v []float64) {
	clear(dst)
	addCombination(dst, b.inv, v, 0, len(dst))
}

// rank1 subtracts u v' / pivot from the inverse.
func (b *basis) rank1(u, v []float64, pivot float64) {
	for r, row := range b.inv {
		if u[r] != 0 {
			axpy(row, -u[r]/pivot, v)
		}
	}
}

// grow adds t q and row j. ag = inv A[B,j]; av = inv' A[q,R]'; pivot is A[q,j] - A[q,R] ag, the
// Schur complement.
func (b *basis) grow(q int, row []float64, j int, col []float64, ag, av []float64, pivot float64) {
	k := b.size()
	b.rank1(ag, av, -pivot)
	for r := range b.inv {
		b.inv[r] = append(b.inv[r], -ag[r]/pivot)
	}
	last := make([]float64, k+1, k+k/2+8)
	for c, v := range av[:k] {
		last[c] = -v / pivot
	}
	last[k] = 1 / pivot
	b.inv = append(b.inv, last)
	b.basic, b.rows = append(b.basic, q), append(b.rows, row)
	b.active, b.cols, b.near = append(b.active, j), append(b.cols, col), append(b.near, b.candidates.of(col))
}

// replaceRow replaces active row r by row j. It overwrites ag = inv A[B,j].
func (b *basis) replaceRow(r, j int, col []float64, ag []float64) {
	pivot := ag[r]
	ag[r]--
	v := slices.Clone(b.inv[r])
	b.rank1(ag, v, pivot)
	b.active[r], b.cols[r], b.near[r] = j, col, b.candidates.of(col)
}

// replaceBasic replaces basic p by t q. It overwrites av = inv' A[q,R]'.
func (b *basis) replaceBasic(p, q int, row []float64, av []float64) {
	pivot := av[p]
	av[p]--
	u := make([]float64, b.size())
	for r := range b.inv {
		u[r] = b.inv[r][p]
	}
	b.rank1(u, av, pivot)
	b.basic[p], b.rows[p] = q, row
}

// shrink removes basic p and active row r. The last ones take their places.
func (b *basis) shrink(p, r int) {
	k := b.size() - 1
	pivot := b.inv[r][p]
	u := make([]float64, k+1)
	for i := range b.inv {
		u[i] = b.inv[i][p]
	}
	u[r] = 0 // this row is removed
	b.rank1(u, b.inv[r], pivot)
	b.inv[r] = b.inv[k]
	b.inv = b.inv[:k]
	for i, row := range b.inv {
		row[p] = row[k]
		b.inv[i] = row[:k]
	}
	b.basic[p], b.rows[p] = b.basic[k], b.rows[k]
	b.active[r], b.cols[r], b.near[r] = b.active[k], b.cols[k], b.near[k]
	b.rows[k], b.cols[k], b.near[k] = nil, nil, nil
	b.basic, b.rows = b.basic[:k], b.rows[:k]
	b.active, b.cols, b.near = b.active[:k], b.cols[:k], b.near[:k]
}

// singular is a share of a column's largest element. If elimination leaves less, the rest counts as
// zero.
const singular = 1e-12

// invert recomputes the inverse by Gauss-Jordan elimination, with the largest element of each
// column as its pivot. If the block is singular, it returns false and the positions of the rows and
// basics that depend on others. It ends early if ctx is cancelled.
func (b *basis) invert(ctx context.Context) (ok bool, basics, rows []int) {
	k := b.size()
	// w starts as A[B,R]: row c of w belongs to basic t c
	w := make([][]float64, k)
	flat := make([]float64, k*k)
	for c := range w {
		w[c] = flat[c*k : (c+1)*k : (c+1)*k]
		for r, j := range b.active {
			w[c][r] = b.rows[c][j]
		}
	}
	most := make([]float64, k) // largest element of each column
	for _, row := range w {
		for r, v := range row {
			most[r] = max(most[r], math.Abs(v))
		}
	}
	of := make([]int, k)    // the basic whose row was the pivot of each column
	used := make([]bool, k) // whether a basic's row was a pivot
	for r := range k {
		if ctx.Err() != nil {
			return false, nil, nil
		}
		best, at := 0.0, -1
		for c := range k {
			if v := math.Abs(w[c][r]); !used[c] && v > best {
				best, at = v, c
			}
		}
		if at < 0 || best <= singular*most[r] {
			rows = append(rows, r)
			continue
		}
		of[r], used[at] = at, true
		row := w[at]
		pivot := 1 / row[r]
		row[r] = 1
		for i := range row {
			row[i] *= pivot
		}
		for c, other := range w {
			if c != at && other[r] != 0 {
				f := other[r]
				other[r] = 0
				axpy(other, -f, row)
			}
		}
	}
	if len(rows) > 0 {
		for c := range k {
			if !used[c] {
				basics = append(basics, c)
			}
		}
		return false, basics, rows
	}
	// row of[r] of w is row r of the inverse; its column r' belongs to basic of[r']
	for r := range k {
		if cap(b.inv[r]) < k {
			b.inv[r] = make([]float64, k, k+k/2+8)
		}
		b.inv[r] = b.inv[r][:k]
		for i, v := range w[of[r]] {
			b.inv[r][of[i]] = v
		}
	}
	return true, nil, nil
}

// drop removes basics and rows, the same number of each, from the block. The inverse must be
// recomputed afterwards.
func (b *basis) drop(basics, rows []int) {
	for i := len(basics) - 1; i >= 0; i-- {
		b.basic = slices.Delete(b.basic, basics[i], basics[i]+1)
		b.rows = slices.Delete(b.rows, basics[i], basics[i]+1)
		b.active = slices.Delete(b.active, rows[i], rows[i]+1)
		b.cols = slices.Delete(b.cols, rows[i], rows[i]+1)
		b.near = slices.Delete(b.near, rows[i], rows[i]+1)
	}
	b.inv = b.inv[:len(b.basic)]
}

// residual sets dst, by basic t, to v - A[B,R] x.
func (b *basis) residual(dst, v, x []float64) {
	for c, row := range b.rows {
		s := v[c]
		for r, j := range b.active {
			s -= float64(row[j] * x[r])
		}
		dst[c] = s
	}
}

// residualT sets dst, by active row, to v - A[B,R]' x.
func (b *basis) residualT(dst, v, x []float64) {
	for r, j := range b.active {
		s := v[r]
		for c, row := range b.rows {
			s -= float64(row[j] * x[c])
		}
		dst[r] = s
	}
}

const refinements = 2 // steps of iterative refinement

// solve sets x, by active row, to the solution of A[B,R] x = v.
func (b *basis) solve(x, v []float64) {
	k := b.size()
	r, dx := make([]float64, k), make([]float64, k)
	b.mul(x, v)
	for range refinements {
		b.residual(r, v, x)
		b.mul(dx, r)
		axpy(x, 1, dx)
	}
}

// solveT sets x, by basic t, to the solution of A[B,R]' x = v.
func (b *basis) solveT(x, v []float64) {
	k := b.size()
	r, dx := make([]float64, k), make([]float64, k)
	b.mulT(x, v)
	for range refinements {
		b.residualT(r, v, x)
		b.mulT(dx, r)
		axpy(x, 1, dx)
	}
}
