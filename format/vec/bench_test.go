package vec_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// benchmarkRows returns rows of nnz values at random places among columns; they are dense if nnz =
// columns.
func benchmarkRows(rows, nnz, columns int) *vec.Matrix {
	r := rand.New(rand.NewPCG(uint64(nnz), uint64(columns)))
	var m vec.Matrix
	x := vec.Vector{Index: make([]int32, nnz), Value: make([]float64, nnz)}
	for range rows {
		if nnz == columns {
			for k := range x.Index {
				x.Index[k] = int32(k)
			}
		} else {
			seen := map[int32]bool{}
			for k := range x.Index {
				i := r.Int32N(int32(columns))
				for seen[i] {
					i = r.Int32N(int32(columns))
				}
				seen[i] = true
				x.Index[k] = i
			}
			slices.Sort(x.Index)
		}
		for k := range x.Value {
			x.Value[k] = r.NormFloat64()
		}
		m.Append(x)
	}
	return &m
}

var benchmarkShapes = []struct {
	name         string
	nnz, columns int
}{
	{"dense16", 16, 16},
	{"dense50", 50, 50},
	{"dense256", 256, 256},
	{"14of123", 14, 123},
	{"75of47236", 75, 47236},
}

func BenchmarkDotTo(b *testing.B) {
	benchmarkProducts(b, (*vec.Matrix).DotTo)
}

func BenchmarkSquaredDistanceTo(b *testing.B) {
	benchmarkProducts(b, (*vec.Matrix).SquaredDistanceTo)
}

// benchmarkProducts measures the time for one product; bytes are those of the values.
func benchmarkProducts(b *testing.B, f func(*vec.Matrix, []float64, vec.Vector)) {
	const rows = 1000
	for _, s := range benchmarkShapes {
		b.Run(s.name, func(b *testing.B) {
			m := benchmarkRows(rows, s.nnz, s.columns)
			dst := make([]float64, rows)
			b.SetBytes(int64(rows * s.nnz * 8))
			i := 0
			for b.Loop() {
				f(m, dst, m.Row(i%rows))
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}

// BenchmarkAppendRows measures the time for one row. Rows have the shape and number of those of a9a
// and ijcnn1, and are added as readers add them: some hundred at once.
func BenchmarkAppendRows(b *testing.B) {
	const part = 500
	for _, s := range []struct {
		name               string
		rows, nnz, columns int
		ones               bool
	}{
		{"a9a", 32561, 14, 123, true},
		{"ijcnn1", 49990, 13, 22, false},
		{"dense13", 50000, 13, 13, false},
		{"text", 5000, 75, 47236, false},
	} {
		from := benchmarkRows(part, s.nnz, s.columns)
		starts, index, value := []int32{0}, []int32(nil), []float64(nil)
		for i := range from.Len() {
			x := from.Row(i)
			index, value = append(index, x.Index...), append(value, x.Value...)
			starts = append(starts, int32(len(index)))
		}
		for k := range value {
			if s.ones {
				value[k] = 1
			}
		}
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				var m vec.Matrix
				for range s.rows / part {
					m.AppendRows(starts, index, value)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.rows), "ns/row")
		})
	}
}

// BenchmarkStrip measures the time for one row and one vector. Like texts, rows have words that are
// in many rows, and many words that are in few.
func BenchmarkStrip(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(r *rand.Rand) float64 { return r.Float64() }
	zs := matrix(sparseRows(r, 256, 120, 8000, draw)...)
	rows := vec.StripRows()
	var s vec.Strip
	s.Set(sparseRows(r, rows, 120, 8000, draw), zs.MaxIndex())
	dst := make([]float64, rows*zs.Len())
	for name, sum := range map[string]func(dst []float64, stride int, zs *vec.Matrix, from, to int){"dots": s.DotsTo, "distances": s.DistancesTo} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				sum(dst, rows, zs, 0, zs.Len())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*zs.Len()), "ns/product")
		})
	}
}
