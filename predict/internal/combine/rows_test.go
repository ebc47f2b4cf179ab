package combine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestAddRows: every form is as near to the sums as it claims, or has their bits, for all numbers
// of sums and of rows, and changes nothing else.
func TestAddRows(t *testing.T) {
	defer simd.Use(simd.Current())
	rng := rand.New(rand.NewPCG(8, 7))
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		for lanes := range 130 {
			for _, n := range []int{0, 1, 2, 3, 17, lanes} {
				rows := make([]float64, 20*lanes)
				for i := range rows {
					rows[i] = rng.NormFloat64()
				}
				index, coef := make([]int32, n), make([]float64, n)
				for k := range index {
					index[k], coef[k] = int32(rng.IntN(20)), rng.NormFloat64()
				}
				sums, intact := guarded(lanes)
				before := make([]float64, lanes)
				for j := range sums {
					before[j] = rng.NormFloat64()
					sums[j] = before[j]
				}
				exact, intactToo := guarded(lanes)
				copy(exact, before)
				AddRowsTo(sums, rows, index, coef)
				AddRowsInOrder(exact, rows, index, coef)
				if !intact() || !intactToo() {
					t.Fatalf("%v: %d sums of %d rows: written outside", level, lanes, n)
				}
				for j, got := range exact {
					want := before[j]
					for k, i := range index {
						want += float64(coef[k] * rows[int(i)*lanes+j])
					}
					if got != want {
						t.Fatalf("%v: sum %d of %d, %d rows in order: %v, want %v", level, j, lanes, n, got, want)
					}
				}
				for j, got := range sums {
					want, size := before[j], math.Abs(before[j])
					for k, i := range index {
						x := coef[k] * rows[int(i)*lanes+j]
						want += x
						size += math.Abs(x)
					}
					// want has such an error too
					if bound := 2 * float64(n+1) * 0x1p-53 * size; !(math.Abs(got-want) <= bound) {
						t.Fatalf("%v: sum %d of %d, %d rows: %v, want %v within %v", level, j, lanes, n, got, want, bound)
					}
				}
			}
		}
	}
}

func TestAddRowsToShapes(t *testing.T) {
	for name, f := range map[string]func(){
		"numbers":  func() { AddRowsTo([]float64{0}, []float64{1}, []int32{0}, nil) },
		"row":      func() { AddRowsTo(make([]float64, 8), make([]float64, 23), []int32{0, 2}, []float64{1, 1}) },
		"negative": func() { AddRowsTo(make([]float64, 8), make([]float64, 24), []int32{-1}, []float64{1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
