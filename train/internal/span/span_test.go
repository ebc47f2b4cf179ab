package span

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A kind describes rows: their number, that of their features, the share of values that are not 0,
// and the rank, 0 for that of random rows.
type kind struct {
	rows, features int
	share          float64
	rank           int
	noise          float64 // added to the values of that rank
	spread         float64 // lengths differ by powers of 10 up to this one
}

func (k kind) matrix(r *rand.Rand) *vec.Matrix {
	basis := make([][]float64, k.rank)
	for b := range basis {
		basis[b] = k.row(r)
	}
	m := new(vec.Matrix)
	for range k.rows {
		x := k.row(r)
		if k.rank > 0 {
			for f := range x {
				x[f] *= k.noise
			}
			for _, b := range basis {
				by := r.NormFloat64()
				for f, v := range b {
					x[f] += by * v
				}
			}
		}
		by := math.Pow(10, k.spread*(2*r.Float64()-1))
		var v vec.Vector
		for f, value := range x {
			if value != 0 {
				v.Index, v.Value = append(v.Index, int32(f+1)), append(v.Value, by*value)
			}
		}
		m.Append(v)
	}
	return m
}

func (k kind) row(r *rand.Rand) []float64 {
	x := make([]float64, k.features)
	for f := range x {
		if r.Float64() < k.share {
			x[f] = r.NormFloat64()
		}
	}
	return x
}

var kinds = []kind{
	{rows: 1, features: 3, share: 1},
	{rows: 3, features: 1, share: 1},
	{rows: 40, features: 300, share: 1},
	{rows: 40, features: 300, share: 1, rank: 5},
	{rows: 40, features: 300, share: 1, rank: 5, noise: 1e-5},
	{rows: 40, features: 300, share: 1, rank: 5, noise: 1e-8},
	{rows: 60, features: 900, share: 0.02},
	{rows: 60, features: 900, share: 0.02, spread: 100},
	{rows: 33, features: 70, share: 0.5, spread: 3},
	{rows: 700, features: 1500, share: 0.03}, // more than one segment
	{rows: 600, features: 40, share: 1},      // more rows than features
	{rows: 20, features: 50, share: 0},
}

// dense returns v by feature.
func dense(v vec.Vector, features int) []float64 {
	x := make([]float64, features)
	for k, f := range v.Index {
		x[f-1] = v.Value[k]
	}
	return x
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// TestSpan: coordinates have the dot products of rows. The vector with the coordinates of a row is
// the row, and that with a combination of coordinates is the combination of rows. There are no more
// coordinates than rows, features, and the rank.
func TestSpan(t *testing.T) {
	for _, k := range kinds {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(k.rows), uint64(k.features)))
			rows := k.matrix(r)
			s, coordinates, err := New(t.Context(), rows, k.features)
			if err != nil {
				t.Fatal(err)
			}
			most := min(k.rows, k.features)
			if k.rank > 0 && k.noise < 1e-7 {
				most = k.rank
			}
			if k.share == 0 {
				most = 0
			}
			if n := s.Dimension(); n > most || k.share == 1 && n < most {
				t.Fatalf("%d dimensions, rank %d", n, most)
			}
			for i := range k.rows {
				x, l := rows.Row(i), coordinates.Row(i)
				for j := range i + 1 {
					got, want := vec.Dot(l, coordinates.Row(j)), vec.Dot(x, rows.Row(j))
					if both := math.Sqrt(rows.SquaredNorm(i)) * math.Sqrt(rows.SquaredNorm(j)); math.Abs(got-want) > 2*explained*both {
						t.Fatalf("rows %d and %d: dot product %v, want %v", i, j, got, want)
					}
				}
				b, want := dense(l, s.Dimension()), dense(x, k.features)
				for _, b := range [][]float64{b, s.Coordinates(x)} {
					if v := s.Vector(b); !near(v, want, length(want)) {
						t.Fatalf("row %d is another one by its coordinates", i)
					}
				}
			}
			if k.spread > 0 {
				return
			}
			sum, all := make([]float64, s.Dimension()), make([]float64, k.features)
			size := 0.0
			for i := range k.rows {
				by := r.NormFloat64()
				for j, v := range dense(coordinates.Row(i), s.Dimension()) {
					sum[j] += by * v
				}
				x := dense(rows.Row(i), k.features)
				for f, v := range x {
					all[f] += by * v
				}
				size += math.Abs(by) * length(x)
			}
			if !near(s.Vector(sum), all, size) {
				t.Fatal("a combination of rows is another one by its coordinates")
			}
		})
	}
}

// near reports whether x and y differ by no more than what factorize leaves of vectors of that
// length.
func near(x, y []float64, length float64) bool {
	sum := 0.0
	for f := range y {
		sum += (x[f] - y[f]) * (x[f] - y[f])
	}
	return math.Sqrt(sum) <= 2*math.Sqrt(explained)*length
}

// TestNearest: the coordinates of a vector outside the span are those of the nearest vector in it.
func TestNearest(t *testing.T) {
	rows := new(vec.Matrix)
	rows.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 1}})
	rows.Append(vec.Vector{Index: []int32{2}, Value: []float64{3}})
	s, _, err := New(t.Context(), rows, 3)
	if err != nil {
		t.Fatal(err)
	}
	v := s.Vector(s.Coordinates(vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{5, -2, 7}}))
	if want := []float64{5, -2, 0}; !near(v, want, 1e-3) {
		t.Errorf("%v, want %v", v, want)
	}
}

// TestThreads: any number of threads yields the same bits.
func TestThreads(t *testing.T) {
	for _, k := range kinds {
		var want *vec.Matrix
		for _, threads := range []int{1, 3} {
			ctx, end := team.With(t.Context(), threads)
			_, got, err := New(ctx, k.matrix(rand.New(rand.NewPCG(1, 2))), k.features)
			end()
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; want != nil && i < k.rows; i++ {
				if a, b := got.Row(i), want.Row(i); !slices.Equal(a.Index, b.Index) || !slices.Equal(a.Value, b.Value) {
					t.Fatalf("%v: row %d differs with %d threads", k, i, threads)
				}
			}
			want = got
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := New(ctx, kinds[2].matrix(rand.New(rand.NewPCG(1, 2))), 300); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
