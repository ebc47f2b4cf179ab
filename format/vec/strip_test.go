package vec_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// sparseRows returns rows of up to nnz entries with indices below limit, many of them low, so that
// rows share columns.
func sparseRows(r *rand.Rand, rows, nnz, limit int, draw func(r *rand.Rand) float64) []vec.Vector {
	out := make([]vec.Vector, rows)
	for i := range out {
		seen := map[int32]bool{}
		for range r.IntN(nnz + 1) {
			seen[int32(float64(limit)*math.Pow(r.Float64(), 3))] = true
		}
		for k := range int32(limit) {
			if seen[k] {
				out[i].Index, out[i].Value = append(out[i].Index, k), append(out[i].Value, draw(r))
			}
		}
	}
	return out
}

// TestStrip tests strips of every number of rows, with few and many columns, against vectors with
// indices that no row has, before, between and after those of rows.
func TestStrip(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		var s vec.Strip
		for name, draw := range drawers {
			r := rand.New(rand.NewPCG(11, 12))
			for trial := range 100 {
				limit := []int{1, 5, 40, 90, 700}[trial%5]
				xs := sparseRows(r, trial%(vec.StripRows()+1), min(limit, 30), limit+trial%3*limit/4, draw)
				zs := matrix(sparseRows(r, 40, min(limit, 30), limit+limit/3, draw)...)
				s.Set(xs, zs.MaxIndex()+trial%2)
				from := r.IntN(zs.Len() + 1)
				to := from + r.IntN(zs.Len()-from+1)
				stride := s.Lanes() * (1 + trial%2)
				size := max(0, (to-from-1)*stride+s.Lanes())
				for form, sum := range map[string]func(dst []float64, stride int, zs *vec.Matrix, from, to int){"dots": s.DotsTo, "distances": s.DistancesTo} {
					lead := 1 + r.IntN(4)
					guarded := slices.Repeat([]float64{guard}, size+lead+8)
					sum(guarded[lead:lead+size], stride, zs, from, to)
					for at, got := range guarded {
						row, i := -1, 0
						if at >= lead && at < lead+size {
							row, i = (at-lead)%stride, from+(at-lead)/stride
						}
						want := float64(guard)
						switch {
						case row >= len(xs) && row < s.Lanes():
							continue
						case row >= 0 && row < len(xs) && form == "dots":
							want = vec.Dot(xs[row], zs.Row(i))
						case row >= 0 && row < len(xs):
							want = vec.SquaredDistance(xs[row], zs.Row(i))
						}
						if !samePanels(got, want) {
							t.Fatalf("%s of %s: row %d of %d %v, vector %d %v: %x, want %x", form, name, row, len(xs), xs[max(row, 0)], i, zs.Row(i), got, want)
						}
					}
				}
			}
		}
	})
}

// wide returns rows with about nnz entries, at indices up to last, most of them equally far apart.
func wide(r *rand.Rand, rows, nnz int, last int32) []vec.Vector {
	out := make([]vec.Vector, rows)
	step := max(1, last/int32(nnz))
	for i := range out {
		if r.IntN(10) == 0 {
			continue // an empty row, which may be the first
		}
		n := nnz
		if r.IntN(8) == 0 {
			n = r.IntN(5) + 1
		}
		for k, at := 0, int64(r.IntN(int(step))); k < n && at <= int64(last); k++ {
			out[i].Index, out[i].Value = append(out[i].Index, int32(at)), append(out[i].Value, r.NormFloat64())
			at += 1 + int64(r.IntN(2*int(step)))
			if r.IntN(3) == 0 { // other rows have this index too
				at = (at + 15) / 16 * 16
			}
		}
	}
	return out
}

// TestStripWide: rows with indices that are far apart, and rows with many entries, have the right
// sums, in memory that grows with neither.
func TestStripWide(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			nnz  int
			last int32
			mb   uint64
		}{
			{30, 1 << 16, 4},
			{200, math.MaxInt32, 16},
			{900, 3_000_000, 40},
			{9000, 20_000, 40},
			{9000, math.MaxInt32, 40},
			{40_000, 1_000_000, 40},
		} {
			r := rand.New(rand.NewPCG(uint64(c.nnz), uint64(c.last)))
			xs, zs := wide(r, vec.StripRows(), c.nnz, c.last-9), matrix(wide(r, max(10, 300-c.nnz/4), c.nnz/4+1, c.last-9)...)
			xs[3].Index, xs[3].Value = append(xs[3].Index, c.last), append(xs[3].Value, 7)
			if testing.Short() && c.nnz > 1000 {
				continue
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var s vec.Strip
			s.Set(xs, zs.MaxIndex())
			sums := make([]float64, zs.Len()*s.Lanes())
			for form, sum := range map[string]func(dst []float64, stride int, zs *vec.Matrix, from, to int){"dots": s.DotsTo, "distances": s.DistancesTo} {
				sum(sums, s.Lanes(), zs, 0, zs.Len())
				for i := range zs.Len() {
					for row, x := range xs {
						want := vec.Dot(x, zs.Row(i))
						if form == "distances" {
							want = vec.SquaredDistance(x, zs.Row(i))
						}
						if got := sums[i*s.Lanes()+row]; !samePanels(got, want) {
							t.Fatalf("%+v, %s: row %d, vector %d: %x, want %x", c, form, row, i, got, want)
						}
					}
				}
			}
			runtime.ReadMemStats(&after)
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > c.mb {
				t.Errorf("%+v: %d MB", c, mb)
			}
		}
	})
}

func TestStripShapes(t *testing.T) {
	var s vec.Strip
	zs := matrix(vec.Vector{Index: []int32{7}, Value: []float64{1}})
	wantPanic(t, "a row too many", func() { s.Set(make([]vec.Vector, vec.StripRows()+1), 0) })
	s.Set(nil, 6)
	wantPanic(t, "an index beyond", func() { s.DotsTo(make([]float64, 32), 32, zs, 0, 1) })
	s.Set(nil, 7)
	s.DistancesTo(make([]float64, 32), 32, zs, 0, 1)
	wantPanic(t, "too short", func() { s.DotsTo(make([]float64, 31), 32, zs, 0, 1) })
	wantPanic(t, "a small stride", func() { s.DotsTo(make([]float64, 32), 31, zs, 0, 1) })
	wantPanic(t, "vectors beyond", func() { s.DotsTo(make([]float64, 64), 32, zs, 0, 2) })
}
