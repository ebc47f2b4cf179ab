package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
)

// The references: one loop over all positions, with products and sums rounded separately.

func denseDot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		product := float64(a[i] * b[i])
		sum += product
	}
	return sum
}

func denseDistance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := a[i] - b[i]
		square := float64(d * d)
		sum += square
	}
	return sum
}

// dense returns v as a list of n values.
func dense(v vec.Vector, n int) []float64 {
	d := make([]float64, n)
	for k, i := range v.Index {
		d[i] = v.Value[k]
	}
	return d
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// same allows a difference in the sign of a sum of zeros. Otherwise it must not matter that
// products with zero are left out.
func same(a, b float64) bool { return sameBits(a, b) || a == 0 && b == 0 }

// values draws finite numbers of all sizes, zeros of both signs among them.
func values() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.5, 0.1, 1e-160, -1e-160, 1e150, -1e150, 3e-310}),
		rapid.Float64Range(-2, 2),
		rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }),
		rapid.Map(rapid.IntRange(-1<<25-1, 1<<25+1), func(i int) float64 { return float64(i) }),
	)
}

// vectors draws vectors with indices below limit.
func vectors(limit int32, value *rapid.Generator[float64]) *rapid.Generator[vec.Vector] {
	return rapid.Custom(func(t *rapid.T) vec.Vector {
		index := rapid.SliceOfNDistinct(rapid.Int32Range(0, limit-1), 0, 12, rapid.ID[int32]).Draw(t, "index")
		slices.Sort(index)
		v := vec.Vector{Index: index}
		for range index {
			v.Value = append(v.Value, value.Draw(t, "value"))
		}
		return v
	})
}

func matrix(rows ...vec.Vector) *vec.Matrix {
	var m vec.Matrix
	for _, r := range rows {
		m.Append(r)
	}
	return &m
}

// wantProducts compares all sums of x and the rows of m with the references over n positions.
func wantProducts(t interface {
	Helper()
	Errorf(string, ...any)
}, m *vec.Matrix, x vec.Vector, n int) {
	t.Helper()
	dots, distances := make([]float64, m.Len()), make([]float64, m.Len())
	for i := range dots {
		dots[i], distances[i] = math.NaN(), math.NaN()
	}
	before := fmt.Sprint(x)
	m.DotTo(dots, x)
	m.SquaredDistanceTo(distances, x)
	if after := fmt.Sprint(x); after != before {
		t.Errorf("the vector became %s, was %s", after, before)
	}
	xd := dense(x, n)
	for i := range m.Len() {
		r := m.Row(i)
		rd := dense(r, n)
		check := func(name string, got, want float64) {
			if !same(got, want) {
				t.Errorf("%s of %v and row %d %v is %v, want %v", name, x, i, r, got, want)
			}
		}
		check("Dot", vec.Dot(x, r), denseDot(xd, rd))
		check("Dot the other way round", vec.Dot(r, x), denseDot(xd, rd))
		check("DotTo", dots[i], denseDot(xd, rd))
		check("SquaredDistance", vec.SquaredDistance(x, r), denseDistance(xd, rd))
		check("SquaredDistance the other way round", vec.SquaredDistance(r, x), denseDistance(xd, rd))
		check("SquaredDistanceTo", distances[i], denseDistance(xd, rd))
		check("SquaredNorm", vec.SquaredNorm(r), denseDot(rd, rd))
		check("Matrix.SquaredNorm", m.SquaredNorm(i), denseDot(rd, rd))
	}
}

func TestProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int32{4, 20, 200}).Draw(t, "limit")
		kinds := rapid.SampledFrom([]*rapid.Generator[float64]{
			values(),
			rapid.Map(rapid.IntRange(-1<<24, 1<<24), func(i int) float64 { return float64(i) }),
		})
		value, xValue := kinds.Draw(t, "values of rows"), kinds.Draw(t, "values of x")
		rows := rapid.SliceOfN(vectors(limit, value), 0, 11).Draw(t, "rows")
		var m vec.Matrix
		for _, r := range rows {
			for range rapid.IntRange(1, 5).Draw(t, "times") { // rows that share their index list
				r = r.Clone()
				for k := range r.Value {
					r.Value[k] = value.Draw(t, "value")
				}
				m.Append(r)
			}
		}
		x := vectors(limit+3, xValue).Draw(t, "x")
		wantProducts(t, &m, x, int(limit)+3)
		if m.Len() > 0 {
			wantProducts(t, &m, m.Row(rapid.IntRange(0, m.Len()-1).Draw(t, "i")), int(limit)+3)
		}
		swapped := m.Clone()
		for range 3 * min(m.Len(), 1) {
			i := rapid.IntRange(0, m.Len()-1)
			swapped.Swap(i.Draw(t, "i"), i.Draw(t, "j"))
		}
		wantProducts(t, &swapped, x, int(limit)+3)
		if m.Len() > 0 {
			row := rapid.IntRange(0, m.Len()-1)
			selected := m.Select(rapid.SliceOfN(row, 0, 6).Draw(t, "rows"))
			wantProducts(t, &selected, x, int(limit)+3)
			lo := row.Draw(t, "lo")
			slice := m.Slice(lo, rapid.IntRange(lo, m.Len()).Draw(t, "hi"))
			wantProducts(t, &slice, x, int(limit)+3)
		}
	})
}

// TestProductsOfDistantIndices tests sizes around the one from which on no dense buffer may be as
// long as the indices.
func TestProductsOfDistantIndices(t *testing.T) {
	for _, limit := range []int{1<<16 - 1, 1 << 16, 1<<16 + 1, 90000} {
		last := float64(limit - 1)
		full := vec.Vector{}
		for i := range limit {
			full.Index = append(full.Index, int32(i))
			full.Value = append(full.Value, float64(i%17)/16-0.3)
		}
		rows := []vec.Vector{v(0, 0.1, last, 3), v(last, 0.7), v(1, 5, 2, 0.3), v(0, 0.1, last, -3), v(0, 0.4, last, 7), v(5, 1)}
		wantProducts(t, matrix(rows...), v(0, 0.3, 7, 7, last, 0.9), limit)
		wantProducts(t, matrix(append(rows, full)...), v(0, 0.3, 7, 7, last, 0.9), limit)
		wantProducts(t, matrix(append(rows, full, full, full, full)...), full, limit)
	}
}

// TestProductsOfAllLengths tests every length around the limits of unrolled loops, and every number
// of rows.
func TestProductsOfAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	vector := func(n int, share float64) vec.Vector {
		var v vec.Vector
		for i := range n {
			if r.Float64() < share {
				v.Index = append(v.Index, int32(i))
				v.Value = append(v.Value, r.NormFloat64())
			}
		}
		return v
	}
	for n := range 130 {
		var m vec.Matrix
		for i := range n%9 + 4 {
			m.Append(vector(n, []float64{1, 1, 1, 1, 1, 0.5, 0.1, 0}[i%8]))
		}
		wantProducts(t, &m, vector(n, 1), n)
		wantProducts(t, &m, vector(n, 0.5), n)
		wantProducts(t, &m, m.Row(m.Len()/2), n)
	}
	// a short dst leaves the rest of its array unchanged
	m := matrix(vector(9, 1), vector(9, 1), vector(9, 1), vector(9, 1), vector(9, 1), vector(9, 0.5), vector(9, 1))
	x := vector(9, 1)
	whole := make([]float64, 7)
	for name, f := range map[string]func([]float64, vec.Vector){"DotTo": m.DotTo, "SquaredDistanceTo": m.SquaredDistanceTo} {
		f(whole, x)
		for n := range 8 {
			part := make([]float64, 8)
			for i := range part {
				part[i] = 77
			}
			f(part[:n], x)
			for i, got := range part {
				if want := 77.0; i >= n && got != want || i < n && !sameBits(got, whole[i]) {
					t.Errorf("%s of %d rows: result %d is %v", name, n, i, got)
				}
			}
		}
	}
}

// TestDistancesOfLargeIntegers: sums of integers may be computed in another order only as long as
// they are exact.
func TestDistancesOfLargeIntegers(t *testing.T) {
	for _, e := range []int{0, 10, 20, 23, 24, 25, 26, 27, 30, 52, 60, 500} {
		big := math.Ldexp(1, e)
		for _, rows := range [][]vec.Vector{
			{{Index: []int32{0, 1}, Value: []float64{big, 1}}, {Index: []int32{0, 1}, Value: []float64{big + 1, -big}}},
			{{Index: []int32{1, 2, 3}, Value: []float64{big - 1, big - 3, 5}}, {}, {Index: []int32{0}, Value: []float64{3}}},
			{{Index: []int32{0, 1, 2, 3}, Value: []float64{big, big - 1, big - 1, -big}}},
			{{Index: []int32{1}, Value: []float64{0.5}}, {Index: []int32{2}, Value: []float64{big}}},
		} {
			m := matrix(rows...)
			for _, x := range append(rows, vec.Vector{Index: []int32{0, 2, 5}, Value: []float64{-big, big - 1, 1}}, vec.Vector{Index: []int32{1}, Value: []float64{big + 0.5}}) {
				wantProducts(t, m, x, 6)
			}
		}
	}
}

// TestHugeIndices: an index, a number from a file, does not determine how much memory is used.
func TestHugeIndices(t *testing.T) {
	huge := []vec.Vector{
		{Index: []int32{3, math.MaxInt32}, Value: []float64{2, 0.5}},
		{Index: []int32{math.MaxInt32 - 1}, Value: []float64{7}},
		{Index: []int32{0, 1 << 30, math.MaxInt32}, Value: []float64{1, 2, 3}},
		{},
		{Index: []int32{3}, Value: []float64{0.25}},
		{Index: []int32{3, math.MaxInt32}, Value: []float64{-1, 4}},
	}
	m := matrix(huge...)
	if m.MaxIndex() != math.MaxInt32 {
		t.Errorf("MaxIndex %d", m.MaxIndex())
	}
	dots, distances := make([]float64, m.Len()), make([]float64, m.Len())
	wantDots := []float64{4.25, 0, 1.5, 0, 0.5, 0}
	wantDistances := []float64{0, 53.25, 15.25, 4.25, 3.3125, 21.25}
	if used := allocated(func() {
		m.DotTo(dots, huge[0])
		m.SquaredDistanceTo(distances, huge[0])
	}); used > 1<<20 {
		t.Errorf("%d bytes for products of six short vectors", used)
	}
	if !slices.Equal(dots, wantDots) || !slices.Equal(distances, wantDistances) {
		t.Errorf("dots %v, want %v; squared distances %v, want %v", dots, wantDots, distances, wantDistances)
	}
	// a vector with indices beyond those of the matrix
	small := matrix(vec.Vector{Index: []int32{0, 2}, Value: []float64{3, 0.5}}, vec.Vector{})
	if used := allocated(func() {
		small.DotTo(dots[:2], huge[2])
		small.SquaredDistanceTo(distances[:2], huge[2])
	}); used > 1<<20 {
		t.Errorf("%d bytes for products of two short vectors", used)
	}
	if dots[0] != 3 || dots[1] != 0 || distances[0] != 17.25 || distances[1] != 14 {
		t.Errorf("dots %v, squared distances %v", dots[:2], distances[:2])
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestProductsConcurrently: products leave nothing in memory that changes later ones, and do not
// disturb each other.
func TestProductsConcurrently(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var rows []vec.Vector
	for i := range 60 {
		var v vec.Vector
		for j := range 50 + 10*i {
			if r.IntN(3) == 0 {
				v.Index = append(v.Index, int32(j))
				v.Value = append(v.Value, r.NormFloat64())
			}
		}
		rows = append(rows, v)
	}
	m, part := matrix(rows...), matrix(rows[:20]...)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			dst := make([]float64, len(rows))
			for round := range 3 * len(rows) {
				x := rows[(7*round+worker)%len(rows)]
				m.DotTo(dst, x)
				for i, got := range dst {
					if want := vec.Dot(x, rows[i]); got != want {
						t.Errorf("dot product %v, want %v", got, want)
						return
					}
				}
				part.DotTo(dst[:20], x)
			}
		})
	}
	all.Wait()
}
