package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// The passes by their definitions, without regard to speed.

func plainStep(f []float64, x, y []float32, dx, dy float64) {
	for t := range f {
		f[t] += float64(float64(x[t])*dx) + float64(float64(y[t])*dy)
	}
}

func plainExtremes(f []float64, up, low Set) Extremes {
	e := Extremes{-1, math.Inf(1), math.Inf(-1)}
	for t, v := range f {
		if up.Has(t) && v <= e.Lowest {
			e.I, e.Lowest = t, v
		}
		if low.Has(t) && v >= e.Highest {
			e.Highest = v
		}
	}
	return e
}

func plainSecond(f []float64, row []float32, diag []float64, di, lowest float64, low Set) Partner {
	p := Partner{-1, math.Inf(-1)}
	for t, v := range f {
		gap := v - lowest
		if !low.Has(t) || !(gap > 0) {
			continue
		}
		a := 2 - 2*float64(row[t])
		if diag != nil {
			a = di + diag[t] - 2*float64(row[t])
		}
		if a <= 0 {
			a = 1e-12
		}
		if gain := gap * gap / a; gain >= p.Gain {
			p = Partner{t, gain}
		}
	}
	return p
}

// guard is the value around vectors; no pass may change it.
const guard = 1234.5

// guarded returns a copy of values between guards, behind skip of them.
func guarded[T float32 | float64](values []T, skip int) (inside, all []T) {
	all = slices.Repeat([]T{guard}, len(values)+skip+9)
	inside = all[skip : skip+len(values) : skip+len(values)]
	copy(inside, values)
	return inside, all
}

func intact[T float32 | float64](all []T, n, skip int) bool {
	other := func(v T) bool { return v != guard }
	return !slices.ContainsFunc(all[:skip], other) && !slices.ContainsFunc(all[skip+n:], other)
}

// sources are sources of numbers, each with its own kind of ties and special values.
var sources = map[string]func(r *rand.Rand) float64{
	"normal":   func(r *rand.Rand) float64 { return r.NormFloat64() },
	"all ties": func(r *rand.Rand) float64 { return 1 },
	"few":      func(r *rand.Rand) float64 { return float64(r.IntN(3)) },
	"zeros":    func(r *rand.Rand) float64 { return math.Copysign(0, r.Float64()-0.5) },
	"odd": func(r *rand.Rand) float64 {
		odd := []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1), 0, math.Copysign(0, -1), 1e300, 5e-324, 3}
		return odd[r.IntN(len(odd))]
	},
	"below half":  func(r *rand.Rand) float64 { return r.Float64() / 2 },   // no second derivative is near 0
	"either half": func(r *rand.Rand) float64 { return r.Float64() - 0.5 }, // the same, and gaps are above f
	"few of half": func(r *rand.Rand) float64 { return float64(r.IntN(3)) / 5 },
	"faint":       func(r *rand.Rand) float64 { return r.Float64() * 1e-161 },
	"bright":      func(r *rand.Rand) float64 { return r.Float64() * 1.2e154 },
	"near":        func(r *rand.Rand) float64 { return 1 + float64(r.IntN(4))*0x1p-52 },
}

func lengths() []int {
	var all []int
	for n := range 130 {
		all = append(all, n)
	}
	return append(all, 191, 192, 193, 255, 256, 257, 1000, 1023, 1025, 4165)
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestImplementations compares every implementation with the definitions, to the last bit, for all
// short lengths, any alignment, and sets of all densities.
func TestImplementations(t *testing.T) {
	// package simd tests that the best level is that of the processor
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		for name, source := range sources {
			t.Run(level.String()+"/"+name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(len(name))))
				for _, n := range lengths() {
					for trial := range 6 {
						compare(t, r, n, trial, source)
					}
					if t.Failed() {
						t.Fatalf("length %d", n)
					}
				}
			})
		}
	}
}

func compare(t *testing.T, r *rand.Rand, n, trial int, source func(*rand.Rand) float64) {
	t.Helper()
	f, diag := make([]float64, n), make([]float64, n)
	x, y := make([]float32, n), make([]float32, n)
	up, low := NewSet(n+64), NewSet(n+64) // with room, whose bits have no meaning
	density := []float64{0.5, 1, 0, 0.05, 0.95, 0.5}[trial]
	for t := range n + 64 {
		up.Put(t, r.Float64() < density)
		low.Put(t, r.Float64() < density)
	}
	for t := range n {
		f[t], diag[t] = source(r), math.Abs(source(r))
		x[t], y[t] = float32(source(r)), float32(r.NormFloat64())
		if r.IntN(4) == 0 {
			x[t] = float32(diag[t]) // a = 0 for equal vectors
		}
	}
	dx, dy := r.NormFloat64(), -r.NormFloat64()
	if trial == 5 {
		dx, dy = 0, 0
	}
	skip := r.IntN(9)

	gotF, allF := guarded(f, skip)
	gotX, allX := guarded(x, r.IntN(9))
	gotY, _ := guarded(y, r.IntN(9))
	gotDiag, _ := guarded(diag, r.IntN(9))

	wantExtremes := func(what string, got, want Extremes) {
		if got.I != want.I || got.Lowest != want.Lowest || got.Highest != want.Highest {
			t.Errorf("%s, trial %d: %+v, want %+v", what, trial, got, want)
		}
		if math.Signbit(got.Lowest) && got.Lowest == 0 || math.Signbit(got.Highest) && got.Highest == 0 {
			t.Errorf("%s, trial %d: a negative zero in %+v", what, trial, got)
		}
	}
	extremes := plainExtremes(f, up, low)
	wantExtremes("Look", FindExtremes(gotF, up, low), extremes)
	// in two parts, as by several threads
	cut := (n + 1) / 128 * 64
	parts := FindExtremes(gotF[:cut], up, low).Join(FindExtremes(gotF[cut:], up[cut/64:], low[cut/64:]), cut)
	wantExtremes("Look, joined", parts, extremes)
	for _, value := range []float64{extremes.Highest, math.Inf(1), source(r)} {
		want := n - 1
		for want >= 0 && !(f[want] == value && low.Has(want)) {
			want--
		}
		if got := Find(gotF, low, value); got != want {
			t.Errorf("Find %v: %d, want %d", value, got, want)
		}
	}

	lowest := source(r)
	if math.IsNaN(lowest) {
		lowest = 0
	}
	for _, d := range [][]float64{gotDiag, nil} {
		di := math.Abs(source(r))
		if d == nil {
			di = 1
		}
		got, want := Second(gotF, gotX, d, di, lowest, low), plainSecond(f, x, d, di, lowest, low)
		if got.J != want.J || !same(got.Gain, want.Gain) {
			t.Errorf("Second, trial %d, diagonal %t: %+v, want %+v", trial, d != nil, got, want)
		}
		var before, behind []float64
		if d != nil {
			before, behind = d[:cut], d[cut:]
		}
		got = Second(gotF[:cut], gotX[:cut], before, di, lowest, low).Join(Second(gotF[cut:], gotX[cut:], behind, di, lowest, low[cut/64:]), cut)
		if got.J != want.J || !same(got.Gain, want.Gain) {
			t.Errorf("Second, joined, trial %d, diagonal %t: %+v, want %+v", trial, d != nil, got, want)
		}
		compareAbove(t, want, func(least float64) Partner { return SecondAbove(gotF, gotX, d, di, lowest, least, low) })
	}

	want := slices.Clone(f)
	plainStep(want, x, y, dx, dy)
	wantExtremes("Step", Step(gotF, gotX, gotY, dx, dy, up, low), plainExtremes(want, up, low))
	if !slices.EqualFunc(gotF, want, same) {
		t.Errorf("Step, trial %d: f = %v, want %v", trial, gotF, want)
	}
	Add(gotF, gotX, dx)
	for t := range want {
		want[t] += float64(dx * float64(x[t]))
	}
	if !slices.EqualFunc(gotF, want, same) {
		t.Errorf("Add, trial %d: f = %v, want %v", trial, gotF, want)
	}
	AddBoth(gotF, gotX, gotY, dy, dx)
	for t := range want {
		want[t] += float64(dy * float64(x[t]))
		want[t] += float64(dx * float64(y[t]))
	}
	if !slices.EqualFunc(gotF, want, same) {
		t.Errorf("AddBoth, trial %d: f = %v, want %v", trial, gotF, want)
	}
	if !intact(allF, n, skip) || !slices.EqualFunc(gotX, x, func(a, b float32) bool { return same(float64(a), float64(b)) }) || !intact(allX, n, cap(allX)-n-9) {
		t.Errorf("trial %d: written where it must not be", trial)
	}
}

// compareAbove compares above with Second, with bounds of the gain that hold. With other bounds the
// result may be anything that shows that they do not hold.
func compareAbove(t *testing.T, want Partner, above func(least float64) Partner) {
	t.Helper()
	for _, share := range []float64{1, math.Nextafter(1, 0), 0.99, 0.5, 1e-9, 1e-40, 0, math.NaN(), math.Inf(1), math.Nextafter(1, 2), 1.5, 1e9} {
		least := want.Gain * share
		got := above(least)
		if least > want.Gain && got.Gain < least {
			continue
		}
		if got.J != want.J || !same(got.Gain, want.Gain) {
			t.Errorf("SecondAbove %v: %+v, want %+v", least, got, want)
		}
	}
}

func TestGather(t *testing.T) {
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		r := rand.New(rand.NewPCG(3, 3))
		for _, n := range lengths() {
			row, of, want := make([]float32, 1+r.IntN(n+1)), make([]int32, n), make([]float32, n)
			for k := range row {
				row[k] = r.Float32()
			}
			for k := range of {
				of[k] = int32(r.IntN(len(row)))
				want[k] = row[of[k]]
			}
			dst, all := guarded(make([]float32, n), 5)
			if Gather(dst, row, of); !slices.Equal(dst, want) || !intact(all, n, 5) {
				t.Fatalf("%v, length %d: %v, want %v", level, n, all, want)
			}
		}
	}
}

func TestSet(t *testing.T) {
	s := NewSet(130)
	for _, i := range []int{0, 63, 64, 129} {
		s.Put(i, true)
		for k := range 130 {
			if s.Has(k) != (k == i) {
				t.Errorf("of %d, %d is in the set: %t", i, k, s.Has(k))
			}
		}
		if s.Put(i, false); s.Has(i) {
			t.Errorf("%d is still in the set", i)
		}
	}
}

// TestSwap: two positions exchange whether they are in the set, and no others change.
func TestSwap(t *testing.T) {
	for _, in := range [][]int{{}, {5}, {70}, {5, 70}} {
		s := NewSet(130)
		for _, i := range append(in, 64, 129) {
			s.Put(i, true)
		}
		s.Swap(5, 70)
		for k := range 130 {
			of := map[int]int{5: 70, 70: 5}[k]
			if want := k == 64 || k == 129 || of > 0 && slices.Contains(in, of); s.Has(k) != want {
				t.Errorf("of %v after 5 and 70 are swapped: %d is in the set: %t", in, k, !want)
			}
		}
	}
}

// TestShapes: shapes that do not fit are the programmer's error.
func TestShapes(t *testing.T) {
	f, short, set := make([]float64, 65), make([]float32, 64), NewSet(64)
	wide, row := NewSet(65), make([]float32, 65)
	for name, call := range map[string]func(){
		"Step, x":      func() { Step(f, short, row, 1, 1, wide, wide) },
		"Step, y":      func() { Step(f, row, short, 1, 1, wide, wide) },
		"Step, up":     func() { Step(f, row, row, 1, 1, set, wide) },
		"Step, low":    func() { Step(f, row, row, 1, 1, wide, set) },
		"Look":         func() { FindExtremes(f, set, wide) },
		"Second, row":  func() { Second(f, short, nil, 1, 0, wide) },
		"Second, diag": func() { Second(f, row, f[:1], 1, 0, wide) },
		"Second, low":  func() { Second(f, row, nil, 1, 0, set) },
		"Add":          func() { Add(f, short, 1) },
		"AddBoth":      func() { AddBoth(f, row, short, 1, 1) },
		"Gather":       func() { Gather(short, row, make([]int32, 63)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "scan: ") {
					t.Errorf("panic %q", r)
				}
			}()
			call()
		})
	}
}

// TestExactShapes: sets need no more words than their positions take.
func TestExactShapes(t *testing.T) {
	defer simd.Use(simd.Current())
	for level := simd.Portable; level <= simd.Best(); level++ {
		simd.Use(level)
		for _, n := range []int{0, 1, 63, 64, 65, 128} {
			f, row, set := make([]float64, n), make([]float32, n), NewSet(n)
			for t := range n {
				f[t] = 1
				set.Put(t, true)
			}
			want := Extremes{I: n - 1, Lowest: 1, Highest: 1}
			if n == 0 {
				want = none
			}
			if got := FindExtremes(f, set, set); got != want {
				t.Errorf("%v, %d positions: Look gives %+v, want %+v", level, n, got, want)
			}
			if got := Step(f, row, row, 1, 1, set, set); got != want {
				t.Errorf("%v, %d positions: Step gives %+v, want %+v", level, n, got, want)
			}
			if got := Second(f, row, nil, 1, 0, set); got.J != n-1 || n > 0 && got.Gain != 0.5 {
				t.Errorf("%v, %d positions: Second gives %+v", level, n, got)
			}
			if got := Find(f, set, 1); got != n-1 {
				t.Errorf("%v, %d positions: Find gives %d", level, n, got)
			}
		}
	}
}
