package reducedset

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/ended"
	"github.com/slimsvm/slimsvm/predict/columns"
)

// Problem: given w_1..w_L of d features and a number M, find M vectors z_j and coefficients b_lj
// with
//
//	min  sum_l |w_l - sum_j b_lj z_j|^2.
//
// Method: the z_j are the right singular vectors of the matrix W with the rows w_l, for its M
// largest singular values (Eckart and Young 1936). First, W = R Q, where the rows of Q are an
// orthonormal basis of those of W, by Gram-Schmidt, each time with the row that has the largest
// remainder. Then Hestenes's rotations V of two columns at a time (1958) make the columns of R V
// orthogonal; z_j is row j of V'Q. All sums are in a fixed order.

// A frame expresses vectors by an orthonormal basis.
type frame struct {
	basis [][]float64 // Q
	coef  [][]float64 // R, of each vector in its own unit
	unit  []int       // exponents of two
}

// level is the share of a vector's length that may be rounding.
const level = 1e-13

// newFrame returns the frame of vectors. It subtracts from these their projections on the basis,
// which leaves only rounding.
func newFrame(ctx context.Context, left [][]float64) (*frame, error) {
	f := &frame{coef: make([][]float64, len(left)), unit: make([]int, len(left))}
	least, rest := make([]float64, len(left)), make([]float64, len(left))
	for l, w := range left {
		largest := 0.0
		for _, v := range w {
			largest = max(largest, math.Abs(v))
		}
		if _, f.unit[l] = math.Frexp(largest); largest == 0 {
			f.unit[l] = math.MinInt16 // below all others
		}
		for k := range w {
			w[k] = math.Ldexp(w[k], -f.unit[l])
		}
		rest[l] = columns.Dot(w, w)
		least[l] = level * level * rest[l]
	}
	for {
		best := -1
		for l, v := range rest {
			if v > least[l] && (best < 0 || v > rest[best]) {
				best = l
			}
		}
		if best < 0 {
			return f, nil
		}
		if err := ended.Err(ctx); err != nil {
			return nil, err
		}
		q := slices.Clone(left[best])
		for _, p := range f.basis { // remove what rounding has left of these
			columns.Axpy(q, -columns.Dot(p, q), p)
		}
		length := math.Sqrt(columns.Dot(q, q))
		for k := range q {
			q[k] /= length
		}
		f.basis = append(f.basis, q)
		for l, w := range left {
			b := columns.Dot(q, w)
			columns.Axpy(w, -b, q)
			f.coef[l] = append(f.coef[l], b)
			rest[l] = columns.Dot(w, w)
		}
		rest[best] = 0
	}
}

// rounds is the largest number of rounds of rotations of all pairs; a few suffice. orthogonal is
// the cosine up to which two columns need no rotation.
const (
	rounds     = 60
	orthogonal = 1e-15
)

// leading returns up to most vectors whose combinations come nearest to the vectors of the frame.
func (f *frame) leading(ctx context.Context, most int) ([][]float64, error) {
	n, unit := len(f.basis), slices.Max(f.unit)
	r, v := make([][]float64, n), make([][]float64, n) // columns of R and of V
	for j := range n {
		r[j], v[j] = make([]float64, len(f.coef)), make([]float64, n)
		v[j][j] = 1
		for l, c := range f.coef {
			r[j][l] = math.Ldexp(c[j], f.unit[l]-unit)
		}
	}
	for turned, round := true, 0; turned && round < rounds; round++ {
		turned = false
		for i := range n {
			if err := ended.Err(ctx); err != nil {
				return nil, err
			}
			for j := i + 1; j < n; j++ {
				a, b, c := columns.Dot(r[i], r[i]), columns.Dot(r[j], r[j]), columns.Dot(r[i], r[j])
				if !(math.Abs(c) > orthogonal*math.Sqrt(a)*math.Sqrt(b)) {
					continue
				}
				turned = true
				zeta := (b - a) / (2 * c)
				tan := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Sqrt(1+float64(zeta*zeta)))
				cos := 1 / math.Sqrt(1+float64(tan*tan))
				rotate(r[i], r[j], cos, cos*tan)
				rotate(v[i], v[j], cos, cos*tan)
			}
		}
	}
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(columns.Dot(r[j], r[j]), columns.Dot(r[i], r[i]))
	})
	var zs [][]float64
	for _, j := range order[:min(most, n)] {
		z := make([]float64, len(f.basis[0]))
		for k, q := range f.basis {
			columns.Axpy(z, v[j][k], q)
		}
		zs = append(zs, z)
	}
	return zs, nil
}

// rotate rotates two vectors in their plane.
func rotate(a, b []float64, cos, sin float64) {
	for k, x := range a {
		y := b[k]
		a[k] = float64(cos*x) - float64(sin*y)
		b[k] = float64(sin*x) + float64(cos*y)
	}
}

// dense returns vectors with a value for each of the given features.
func dense(vs []vec.Vector, features []int32) [][]float64 {
	place := make(map[int32]int, len(features))
	for k, f := range features {
		place[f] = k
	}
	all := make([][]float64, len(vs))
	for l, v := range vs {
		all[l] = make([]float64, len(features))
		for k, f := range v.Index {
			all[l][place[f]] = v.Value[k]
		}
	}
	return all
}

// sparse returns the vector with the given values of features.
func sparse(values []float64, features []int32) (v vec.Vector) {
	for k, x := range values {
		if x != 0 {
			v.Index, v.Value = append(v.Index, features[k]), append(v.Value, x)
		}
	}
	return v
}
