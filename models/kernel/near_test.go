package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestRoundNear: dot products that are wrong by nearly as much as the bound of kinds of columns
// allows still give LIBSVM's values, with kernels for which that error is small and large, also
// with other instructions than those with which the rows were packed. Without correction, dozens in
// a million would be rounded otherwise.
func TestRoundNear(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		if simd.Current() == simd.Portable {
			t.Skip("plain Go has no integers of several columns at once")
		}
		r := rand.New(rand.NewPCG(3, 12))
		n := pick(900, 500)
		var codes, decimals, line vec.Matrix
		for range n {
			v := vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{20 + r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
			for k := range 40 {
				if r.IntN(3) == 0 {
					v.Index, v.Value = append(v.Index, int32(k+4)), append(v.Value, 1)
				}
			}
			codes.Append(v)
			v = vec.Vector{}
			for k := range 60 {
				v.Index, v.Value = append(v.Index, int32(k)), append(v.Value, math.Round(1.4e6+6e5*r.NormFloat64())/1e6)
			}
			decimals.Append(v)
			v = vec.Vector{}
			for k, place := 0, 2*r.Float64()-1; k < 60; k++ { // on both sides of the origin: distances are sums of lengths
				v.Index, v.Value = append(v.Index, int32(k)), append(v.Value, math.Round(1.3e6*place+1e3*r.NormFloat64())/1e6)
			}
			line.Append(v)
		}
		t.Run("codes", func(t *testing.T) { testRoundNear(t, r, &codes) })
		t.Run("decimals", func(t *testing.T) { testRoundNear(t, r, &decimals) })
		t.Run("line", func(t *testing.T) { testRoundNear(t, r, &line) })
	})
}

func testRoundNear(t *testing.T, r *rand.Rand, x *vec.Matrix) {
	n := x.Len()
	nothing := Poly{2, 1, -vec.Dot(x.Row(0), x.Row(1))} // its square of 0 lies between equal larger ones
	usual := make([]float64, n)
	x.DotTo(usual, x.Row(0))
	slices.Sort(usual)
	small := Poly{3, 1, -usual[n/2]} // of numbers that are small beside the two whose difference they are
	off := 0                         // values that would be rounded otherwise without correction
	for _, k := range []Kernel{nothing, small, Linear{}, RBF{0.01}, RBF{0.5}, Poly{3, 0.01, 0}, Poly{2, 0.01, -4.5}, Poly{3, -0.01, 1.7}, Poly{7, 0.002, 0.1}} {
		s := NewStore(x)
		g := s.Gram(k, nil)
		if g.form != asMixed {
			t.Fatalf("form %d of %T%+v", g.form, k, k)
		}
		most := 0.98 * s.kinds.dotError()
		value := func(i, j int, dot float64) float32 {
			switch k := k.(type) {
			case RBF:
				return float32(Exp(-k.Gamma * (g.norms[i] + g.norms[j] - 2*dot)))
			case Poly:
				return float32(Power(k.Gamma*dot+k.Coef0, k.Degree))
			}
			return float32(dot)
		}
		dots, dst := make([]float64, n), make([]float32, n)
		for i := range n {
			x.DotTo(dots, x.Row(i))
			for j := range dots {
				switch {
				case i+j == 1: // no error
				case r.IntN(2) == 0:
					dots[j] += most
				default:
					dots[j] -= most
				}
			}
			now := simd.Use(simd.Level(i) % (simd.Best() + 1))
			g.roundNear(dst, dots, i, 0)
			simd.Use(now)
			for j, got := range dst {
				want := value(i, j, vec.Dot(x.Row(i), x.Row(j)))
				if got != want {
					t.Fatalf("%T%+v, row %d, column %d: %x, want %x", k, k, i, j, got, want)
				}
				if value(i, j, dots[j]) != want {
					off++
				}
			}
		}
	}
	if off < n/50 {
		t.Errorf("%d values of all kernels would be rounded otherwise: the test tells nothing", off)
	}
}

// TestNearExp: for every length, values called certain are those of Exp, and nearly all are
// certain; the memory beside them does not change.
func TestNearExp(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		level, slack := simd.Current(), &slacks{*slack2, *slack512}
		if level == simd.Portable {
			t.Skip("plain Go has none")
		}
		r, certain := rand.New(rand.NewPCG(3, 15)), 0
		const trials = 130 * 20
		for trial := range trials {
			n, lead, closed := trial%130, r.IntN(8), trial/130%2 == 0
			size := 40.0 // of the arguments, which are the sum of two numbers and a small one
			if !closed {
				size = math.Exp2(10 * r.Float64())
			}
			dots, norms := make([]float64, n+lead)[lead:], make([]float64, n+lead)[lead:]
			for i := range dots {
				dots[i], norms[i] = r.Float64()-0.5, -size*r.Float64()
			}
			norm, scale, unit := -size*r.Float64(), 2*r.Float64(), nearUnit(level)
			scaled := slices.Clone(norms)
			for i := range scaled {
				scaled[i] *= unit
			}
			guarded := slices.Repeat([]float32{guard}, n+lead+17)
			got := nearExpTo(level, guarded[lead:lead+n], dots, scaled, norm*unit, scale*unit, slack, closed)
			whole := n
			if level == simd.AVX2 {
				whole = n &^ 3
			}
			if got != whole && got != 0 {
				t.Fatalf("length %d: %d are certain", n, got)
			}
			if got == whole {
				certain++
			}
			for at, v := range guarded {
				if i := at - lead; i >= 0 && i < got && v != float32(Exp(norm+norms[i]+scale*dots[i])) || (i < 0 || i >= n) && v != guard {
					t.Fatalf("length %d, place %d, close %t: %x", n, i, closed, v)
				}
			}
		}
		if certain < trials*9/10 {
			t.Errorf("%d of %d were certain", certain, trials)
		}
	})
}

// TestNearRound: for every length, numbers that are farther from the middle of two float32 than
// their error are rounded; if a number is nearer, that is reported; the memory beside them does not
// change.
func TestNearRound(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 13))
		for trial := range 130 * pick(20, 3) {
			n, lead, off := trial%130, r.IntN(8), math.Exp2(-40-20*r.Float64())
			src := make([]float64, n+lead)[lead:]
			for i := range src {
				y := float32(r.NormFloat64())
				middle := (float64(y) + float64(math.Nextafter32(y, 9))) / 2
				src[i] = middle + float64(off*(1.5+r.Float64()))
				if trial%3 == 0 && r.IntN(n) == 0 {
					src[i] = middle - float64(off*0.9*r.Float64())
				}
			}
			doubtful := func(x float64) bool { return float32(x-off) != float32(x+off) }
			guarded := slices.Repeat([]float32{guard}, n+lead+17)
			got := nearRoundTo(simd.Current(), guarded[lead:lead+n], src, off)
			want := n
			switch simd.Current() {
			case simd.Portable:
				want = 0
			case simd.AVX2:
				want = n &^ 3
			}
			if slices.ContainsFunc(src[:want], doubtful) {
				want = 0
			}
			if got != want {
				t.Fatalf("length %d: %d are certain, want %d", n, got, want)
			}
			for at, v := range guarded {
				if i := at - lead; i >= 0 && i < got && v != float32(src[i]) || (i < 0 || i >= n) && v != guard {
					t.Fatalf("length %d, place %d: %x", n, i, v)
				}
			}
		}
	})
}

// TestNearPower: for every length, powers of numbers with errors are rounded if all are certain,
// and else reported as uncertain; the memory beside them does not change.
func TestNearPower(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 14))
		certain := 0
		for trial := range 130 * pick(40, 6) {
			n, lead, degree := trial%130, r.IntN(8), 1+r.IntN(9)
			scale, offset, shift := r.NormFloat64(), r.NormFloat64(), math.Exp2(-30-30*r.Float64())
			floor := Power(2.1*shift, degree)
			dots := make([]float64, n+lead)[lead:]
			for i := range dots {
				dots[i] = r.NormFloat64()
				switch r.IntN(40 * (n + 1)) {
				case 0:
					dots[i] = (shift*r.NormFloat64() - offset) / scale // about 0
				case 1:
					dots[i] = math.NaN()
				case 2:
					dots[i] = math.Copysign(1e300, r.NormFloat64())
				}
			}
			guarded := slices.Repeat([]float32{guard}, n+lead+17)
			got := nearPowerTo(simd.Current(), guarded[lead:lead+n], dots, scale, offset, degree, shift, floor)
			want := n
			switch simd.Current() {
			case simd.Portable:
				want = 0
			case simd.AVX2:
				want = n &^ 3
			}
			power := func(i int, shift float64) float64 { return Power(float64(scale*dots[i])+offset+shift, degree) }
			for i := range want {
				a, b := power(i, -shift), power(i, shift)
				if float32(a) != float32(b) || !(math.Abs(a) > floor && math.Abs(b) > floor) {
					want = 0
					break
				}
			}
			if got != want {
				t.Fatalf("length %d: %d are certain, want %d", n, got, want)
			}
			if got > 0 {
				certain++
			}
			for at, v := range guarded {
				if i := at - lead; i >= 0 && i < got && v != float32(power(i, -shift)) || (i < 0 || i >= n) && v != guard {
					t.Fatalf("length %d, place %d: %x", n, i, v)
				}
			}
		}
		if most := 130 * pick(40, 6); simd.Current() > simd.Portable && (certain < most/4 || certain > most*9/10) {
			t.Errorf("%d of %d were certain: the test tells little", certain, most)
		}
	})
}
