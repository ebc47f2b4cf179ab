package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/format/vec/simd/simdtest"
)

var guarded = simdtest.Guarded

func same(a, b []float64) bool {
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) && !(math.IsNaN(v) && math.IsNaN(b[i])) {
			return false
		}
	}
	return true
}

// TestLevels: every level yields the bits of the plain formulas for each row, and changes nothing
// else.
func TestLevels(t *testing.T) {
	best := simd.Best()
	defer simd.Use(simd.Current())
	special := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for level := simd.Portable; level <= best; level++ {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(8, 1))
		for n := 0; n <= 136; n += Lanes {
			for trial := range 6 {
				const stride = 144
				values, ok1 := guarded(n + 5)
				z, ok2 := guarded(n)
				size, ok3 := guarded(n)
				dst, ok4 := guarded(n)
				r, ok5 := guarded(5*stride + n)
				rows := make([]int32, n)
				for i := range values {
					values[i] = rng.NormFloat64()
					if trial%2 == 1 && rng.IntN(4) == 0 {
						values[i] = special[rng.IntN(len(special))]
					}
				}
				for k := range rows {
					rows[k] = int32(rng.IntN(n + 5))
				}
				words := []uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), 77}
				before := [4]uint64(words)
				above, offsets := slices.Clone(values), slices.Clone(values)
				rho := float64(trial/2) * rng.NormFloat64()
				Signs(words[:3], above[:n], rho)
				for k := range offsets[:n] {
					offsets[k] -= rho
				}
				if !same(above, offsets) {
					t.Fatalf("%v, %d values less %v: %v", level, n, rho, above)
				}
				for k := range 256 {
					bit := words[k/64]>>(k%64)&1 != 0
					if want := k < n && offsets[k] > 0; k < n && bit != want || k >= n && bit != (before[k/64]>>(k%64)&1 != 0) {
						t.Fatalf("%v, %d values: bit %d is %v of %v", level, n, k, bit, offsets[:n])
					}
				}
				a, b := rng.NormFloat64(), rng.NormFloat64()
				Arguments(z, size, values, rows, a, b)
				least := []float64{0, 1e-7, 0.25}[trial%3]
				exps, wantZ, wantSize, wantP := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
				for k, row := range rows {
					wantZ[k] = float64(a*values[row]) + b
					wantSize[k] = -math.Abs(wantZ[k])
					exps[k] = math.Exp(wantSize[k])
					if wantZ[k] >= 0 {
						wantP[k] = exps[k] / (1 + exps[k])
					} else {
						wantP[k] = 1 / (1 + exps[k])
					}
					if wantP[k] < least {
						wantP[k] = least
					} else if wantP[k] > 1-least {
						wantP[k] = 1 - least
					}
				}
				Logistic(dst, z, exps, least)
				if !same(z, wantZ) || !same(size, wantSize) || !same(dst, wantP) {
					t.Fatalf("%v, %d rows: arguments %v %v, want %v %v; probabilities %v, want %v", level, n, z, size, wantZ, wantSize, dst, wantP)
				}
				for i := range r {
					r[i] = min(max(1/(1+math.Exp(float64(trial*3)*rng.NormFloat64())), 1e-7), 1-1e-7)
				}
				want := make([]float64, n)
				for k := range want {
					want[k] = Three(r[k], r[stride+k], r[2*stride+k])
				}
				if ThreeTo(dst, r, stride); !same(dst, want) {
					t.Fatalf("%v, %d rows of three classes: %v, want %v", level, n, dst, want)
				}
				for k := range want {
					want[k] = Four(&[6]float64{r[k], r[stride+k], r[2*stride+k], r[3*stride+k], r[4*stride+k], r[5*stride+k]})
				}
				if FourTo(dst, r, stride); !same(dst, want) {
					t.Fatalf("%v, %d rows of four classes: %v, want %v", level, n, dst, want)
				}
				if !ok1() || !ok2() || !ok3() || !ok4() || !ok5() || words[3] != 77 {
					t.Fatalf("%v, %d rows: written beyond an end", level, n)
				}
			}
		}
	}
}

// TestCertain: Certain returns what the values and bounds of single rows say, on every level.
func TestCertain(t *testing.T) {
	defer simd.Use(simd.Current())
	special := []float64{0, math.Copysign(0, -1), 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		rng := rand.New(rand.NewPCG(4, 2))
		open := 0
		for trial := range 2000 {
			var sums, sizes, errors [64]float64
			rho, relative, absolute := rng.NormFloat64(), 0.01*rng.Float64(), 0.01*rng.Float64()
			for r := range sums {
				sums[r], sizes[r], errors[r] = rng.NormFloat64(), rng.Float64(), 0.1*rng.Float64()
				if bound := (errors[r]+relative)*more*sizes[r] + absolute; rng.IntN(2) == 0 {
					sums[r] = rho + float64(rng.IntN(5)-2)*bound/2 // at the bound, or nearly so
				}
				if trial%2 == 1 && rng.IntN(4) == 0 {
					*[]*float64{&sums[r], &sizes[r], &errors[r]}[rng.IntN(3)] = special[rng.IntN(len(special))]
				}
			}
			above, below := Certain(&sums, &sizes, &errors, rho, relative, absolute)
			if trial%4 > 1 { // of two halves, one of which may be below 0
				var a, b [64]float64
				for r, v := range sums {
					part := []float64{0.5, 1, 0, -0.5, 1.25}[rng.IntN(5)]
					a[r], b[r] = part*v, v-part*v
					sums[r], sizes[r] = a[r]+b[r], math.Abs(a[r])+math.Abs(b[r])
				}
				above, below = CertainOfTwo(&a, &b, &errors, rho, relative, absolute)
			}
			for r := range sums {
				v, bound := sums[r]-rho, float64((errors[r]+relative)*more*sizes[r])+absolute
				if yes, no := above>>r&1 == 1, below>>r&1 == 1; yes != (v > bound) || no != (-v > bound) {
					t.Fatalf("%v: of %v with a bound of %v: above %v, below %v", level, v, bound, yes, no)
				} else if !yes && !no {
					open++
				}
			}
		}
		if open < 1000 {
			t.Errorf("%v: %d open", level, open)
		}
	}
}

// TestPlaces: indices of rows that do not exist panic before anything is read.
func TestPlaces(t *testing.T) {
	for _, row := range []int32{-1, 8, math.MaxInt32, math.MinInt32} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("row %d of 8 is read", row)
				}
			}()
			buffer := make([]float64, 8)
			Arguments(buffer, buffer, make([]float64, 8), []int32{0, 1, 2, row, 4, 5, 6, 7}, 1, 0)
		}()
	}
}

// TestShapes: slices that are exactly long enough are taken, and slices that are one number too
// short panic before anything is read.
func TestShapes(t *testing.T) {
	of := func(n int) []float64 { return make([]float64, n) }
	var c Coupling
	for _, x := range []struct {
		name string
		fits bool
		f    func()
	}{
		{"three", true, func() { ThreeTo(of(8), of(24), 8) }},
		{"three, a stride of less", false, func() { ThreeTo(of(16), of(40), 8) }},
		{"three, too few", false, func() { ThreeTo(of(8), of(23), 8) }},
		{"four", true, func() { FourTo(of(8), of(48), 8) }},
		{"four, a stride of less", false, func() { FourTo(of(16), of(80), 8) }},
		{"four, too few", false, func() { FourTo(of(8), of(47), 8) }},
		{"rows", true, func() { c.Rows(of(12), make([]bool, 4), of(14), 3, 5) }},
		{"no rows", true, func() { c.Rows(nil, nil, nil, 3, 5) }},
		{"rows of one class", false, func() { c.Rows(of(4), make([]bool, 4), of(14), 1, 5) }},
		{"rows, too few probabilities", false, func() { c.Rows(of(11), make([]bool, 4), of(14), 3, 5) }},
		{"rows, a stride of less", false, func() { c.Rows(of(12), make([]bool, 4), of(14), 3, 3) }},
		{"rows, too few pairs", false, func() { c.Rows(of(12), make([]bool, 4), of(13), 3, 5) }},
	} {
		func() {
			defer func() {
				if fits := recover() == nil; fits != x.fits {
					t.Errorf("%s: %v, want %v", x.name, fits, x.fits)
				}
			}()
			x.f()
		}()
	}
}
