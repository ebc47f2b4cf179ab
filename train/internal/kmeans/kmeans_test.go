package kmeans

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestCentres: centres are the means of the rows that are nearest to them.
func TestCentres(t *testing.T) {
	d := generate.Gaussians(3, 4, 3).Generate(300, 1)
	rows := make([]int, 300)
	for i := range rows {
		rows[i] = i
	}
	for _, k := range []int{1, 5, 300} {
		zs, err := Centres(t.Context(), &d.X, rows, k, rand.New(rand.NewPCG(1, 2)))
		if err != nil || len(zs) != k {
			t.Fatalf("%d centres: %v", len(zs), err)
		}
		of := make([]int, d.Len())
		for i := range of {
			best := math.Inf(1)
			for c, z := range zs {
				if d := vec.SquaredDistance(z, d.X.Row(i)); d < best {
					best, of[i] = d, c
				}
			}
		}
		for c, z := range zs {
			if m := mean(&d.X, of, c); len(m.Index) > 0 && vec.SquaredDistance(m, z) > 1e-18 {
				t.Errorf("%d centres: number %d is not the mean of its rows", k, c)
			}
		}
	}
}

// mean returns the mean of the rows of a centre, an empty vector if there are none.
func mean(x *vec.Matrix, of []int, c int) (m vec.Vector) {
	sum, n := make([]float64, x.MaxIndex()+1), 0.0
	for i, g := range of {
		if g == c {
			n++
			row := x.Row(i)
			for k, f := range row.Index {
				sum[f] += row.Value[k]
			}
		}
	}
	for f, v := range sum {
		if n > 0 && v != 0 {
			m.Index, m.Value = append(m.Index, int32(f)), append(m.Value, v/n)
		}
	}
	return m
}

// TestBlocks: rows that are packed for each use, by any number of threads, yield the same centres.
func TestBlocks(t *testing.T) {
	d := generate.Gaussians(3, 4, 3).Generate(300, 1)
	rows := make([]int, 250)
	for i := range rows {
		rows[i] = 299 - i
	}
	g, packed := newGroup(&d.X, rows), newGroup(&d.X, rows)
	g.panels = nil
	zs := [][]float64{g.row(0), g.row(1), g.row(2), g.row(3), g.row(4), g.row(5), g.row(6), g.row(7)}
	ctx, end := team.With(t.Context(), 4)
	defer end()
	if !g.approach(ctx, zs, 0) || !packed.approach(t.Context(), zs, 0) {
		t.Error("nothing has changed at the first time")
	}
	if !slices.Equal(g.of, packed.of) || !slices.Equal(g.near, packed.near) {
		t.Error("rows that are not kept in panels have other centres")
	}
	if g.approach(ctx, zs, 0) {
		t.Error("something has changed at the second time")
	}
	for i, row := range rows {
		if want := vec.SquaredDistance(d.X.Row(row), g.vector(zs[g.of[i]])); g.near[i] != want {
			t.Errorf("row %d is %v away, want %v", row, g.near[i], want)
		}
	}
}

// TestSparse: sparse rows yield the same centres as dense ones, to the bit: rows of texts, rows of
// ones of which many are equally near, rows far from 0, empty rows, and values whose squares are
// not finite.
func TestSparse(t *testing.T) {
	for name, value := range map[string]func(r *rand.Rand, row, feature int) float64{
		"text": func(r *rand.Rand, _, _ int) float64 { return r.ExpFloat64() / 10 },
		"ones": func(*rand.Rand, int, int) float64 { return 1 },
		"far":  func(r *rand.Rand, _, f int) float64 { return 1e8*float64(f%2) + r.NormFloat64() },
		// the first feature, which all rows have, is so large that norms and dot products lose
		// small distances
		"shared": func(r *rand.Rand, _, f int) float64 { return 1e8*float64(1/f) + r.NormFloat64() },
		"huge":   func(r *rand.Rand, i, _ int) float64 { return math.Pow(1e200, float64(i%2)) * r.NormFloat64() },
	} {
		for _, shape := range [][3]int{{40, 60, 1}, {300, 90, 7}, {300, 200, 8}, {500, 40, 33}} {
			r := rand.New(rand.NewPCG(7, uint64(shape[1])))
			var x vec.Matrix
			var rows []int
			for i := range shape[0] {
				v := vec.Vector{}
				for f := 1; f <= shape[1] && i%9 != 5; f++ {
					if r.IntN(12) == 0 || name == "shared" && f == 1 {
						v.Index, v.Value = append(v.Index, int32(f)), append(v.Value, value(r, i, f))
					}
				}
				x.Append(v)
				rows = append(rows, i)
			}
			g, dense := newGroup(&x, rows), newGroup(&x, rows)
			dense.sparse = false
			dense.packAll()
			ctx, end := team.With(t.Context(), 3)
			if !g.sparse {
				t.Fatal("not sparse")
			}
			a, err := g.centres(ctx, shape[2], rand.New(rand.NewPCG(1, 2)))
			b, err2 := dense.centres(t.Context(), shape[2], rand.New(rand.NewPCG(1, 2)))
			end()
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for c := range a {
				if !slices.Equal(a[c].Index, b[c].Index) || !slices.EqualFunc(a[c].Value, b[c].Value, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Fatalf("%s, %v: centre %d differs", name, shape, c)
				}
			}
			if !slices.Equal(g.of, dense.of) {
				t.Fatalf("%s, %v: rows have other centres", name, shape)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := generate.Gaussians(2, 2, 3).Generate(20, 1)
	rows := make([]int, 20)
	for i := range rows {
		rows[i] = i
	}
	g := newGroup(&d.X, rows)
	zs := make([][]float64, vec.MaxQueries+1)
	for k := range zs {
		zs[k] = g.row(k % 20)
	}
	if g.approach(ctx, zs, 0) {
		t.Error("many centres are looked at in vain")
	}
	if _, err := Centres(ctx, &d.X, []int{1, 2, 3, 4, 5}, 2, rand.New(rand.NewPCG(1, 2))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEvenly(t *testing.T) {
	for _, c := range []struct {
		counts []int
		n      int
		want   []int
	}{
		{[]int{90, 10}, 10, []int{5, 5}},
		{[]int{90, 3}, 10, []int{7, 3}}, // the other classes get what a class is too small for
		{[]int{9, 9, 9}, 7, []int{3, 2, 2}},
		{[]int{1, 9, 9}, 9, []int{1, 4, 4}},
		{[]int{1, 2, 9}, 9, []int{1, 2, 6}},
		{[]int{2, 1}, 10, []int{2, 1}},
		{[]int{0, 5}, 3, []int{0, 3}},
		{[]int{5, 5, 5}, 2, []int{1, 1, 0}},
		{nil, 0, []int{}},
	} {
		if got := Evenly(c.counts, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, want %v", c.n, c.counts, got, c.want)
		}
	}
}
