package kernel

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/format/vec/simd/simdtest"
)

// million is the number of arguments, in millions, on which the vector forms of exp are compared
// with Exp, and Exp with the C library's. With 1000 it takes minutes:
//
//	go test -v -timeout 0 -run 'ManyArguments|ExpIsTheCLibrarys' ./models/kernel -million 1000
var million = flag.Int("million", 2, "millions of arguments of exp to compare")

const guard = 77

// pick returns the number of trials, which is small in short runs.
func pick(n, short int) int {
	if testing.Short() {
		return short
	}
	return n
}

var everyLevel = simdtest.EveryLevel

// odd are arguments of exp at the borders of ranges that are computed in different ways.
var odd = []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-20, -1e-20, 86.9999, 87, -86.9999, -87, -87.4, -88, -103.9, -103.97,
	-103.98, -104, -104.1, -127.9, -128, -128.1, 88, 88.7, 88.8, 89, 300, 511.9, -511.9, 512, -512, -708.4, -745.1, -745.2, -746, 709.7, 709.8, 1e4, -1e4,
	1e300, -1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// drawArguments fills x by draw, and sometimes by an odd argument.
func drawArguments(r *rand.Rand, x []float64, draw func() float64) {
	for i := range x {
		if x[i] = draw(); r.IntN(64) == 0 {
			x[i] = odd[r.IntN(len(odd))]
		}
	}
}

func TestGauss(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for trial := range 130 * pick(60, 4) {
			n, lead := trial%130, r.IntN(8)
			dots, norms := make([]float64, n+lead)[lead:], make([]float64, n+lead)[lead:]
			spread := math.Exp2(12*r.Float64() - 6)
			norm, gamma := spread*r.ExpFloat64(), r.ExpFloat64()
			for i := range dots {
				norms[i], dots[i] = spread*r.ExpFloat64(), spread*r.NormFloat64()
				switch r.IntN(256) {
				case 0:
					norms[i] = -odd[r.IntN(len(odd))]
				case 1:
					norms[i], dots[i] = math.Inf(1), 1e308 // twice this is not finite
				}
			}
			guarded := slices.Repeat([]float32{guard}, n+lead+17)
			gauss(guarded[lead:lead+n], dots, norms, norm, gamma)
			for at, got := range guarded {
				want := float32(guard)
				if i := at - lead; i >= 0 && i < n {
					want = float32(Exp(-gamma * (norm + norms[i] - float64(2*dots[i]))))
				}
				if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
					t.Fatalf("length %d, place %d: %x, want %x", n, at-lead, got, want)
				}
			}
		}
	})
}

func TestExpScaled(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for trial := range 130 * pick(20, 2) {
			n, lead := trial%130, r.IntN(8)
			src := make([]float64, n+lead)[lead:]
			spread := math.Exp2(16*r.Float64() - 6)
			drawArguments(r, src, func() float64 { return spread * r.NormFloat64() })
			scale := []float64{1, -1, -0.37}[trial%3]
			guarded := slices.Repeat([]float64{guard}, n+lead+9)
			expScaled(guarded[lead:lead+n], src, scale)
			for at, got := range guarded {
				want := float64(guard)
				if i := at - lead; i >= 0 && i < n {
					want = Exp(scale * src[i])
				}
				if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
					t.Fatalf("length %d, place %d: %x, want %x", n, at-lead, got, want)
				}
			}
		}
	})
}

// TestManyArguments compares many arguments of both forms: evenly spread, by magnitude, near
// multiples of the step of the table, those whose exponential lies next to the middle of two
// float32, and those whose exponential is nearly 0, or 0.
func TestManyArguments(t *testing.T) {
	const block = 4096
	dst, want := make([]float64, block), make([]float64, block)
	var same [16]float64
	short, wantShort := make([]float32, block+len(same)), make([]float32, block)
	zeros := make([]float64, block)
	x := make([]float64, block)
	r := rand.New(rand.NewPCG(5, 6))
	for range max(1, *million*1_000_000/(6*block)/pick(1, 10)) {
		for kind := range 6 {
			for i := range x {
				switch kind {
				case 0:
					x[i] = -110 * r.Float64()
				case 1:
					x[i] = -100 * math.Exp2(-60*r.Float64())
				case 2:
					x[i] = math.Ln2/256*math.Floor(-30000*r.Float64()) + math.Exp2(-50*r.Float64())*(r.Float64()-0.5)/64
				case 3:
					x[i] = 1000*r.Float64() - 500
				case 4: // the logarithm of such a middle, which is wrong by up to 2^-53 |x|
					y := float32(math.Exp(-86 * r.Float64()))
					if r.IntN(2) == 0 {
						y = math.Float32frombits(1 + r.Uint32N(1<<r.IntN(24)))
					}
					middle := (float64(y) + float64(math.Nextafter32(y, 1))) / 2
					x[i] = math.Log(middle) * (1 + float64(r.IntN(9)-4)*0x1p-53*math.Exp2(float64(r.IntN(14))))
				case 5:
					x[i] = -500 - 260*r.Float64()
					if r.IntN(8) == 0 { // where other computations begin, and where the result becomes subnormal, and 0
						x[i] = []float64{-512, -708.3964185322642, -745.1332191019412, -746, -800}[r.IntN(5)] * (1 + float64(r.IntN(9)-4)*0x1p-53)
					}
				}
			}
			expPortable(want, x, 1)
			for i, y := range want {
				wantShort[i] = float32(y)
			}
			for l := simd.AVX2; l <= simd.Best(); l++ {
				expTo(l, dst, x, 1)
				for i, v := range x { // one by one: if one value is doubtful, others near it are computed exactly
					for k := range same {
						same[k] = -v
					}
					for _, n := range []int{4, len(same)} { // the fewest that AVX2 computes, and a round of either loop
						gaussTo(l, short[i:i+n], zeros[:n], same[:n], 0, -1)
						if !slices.Equal(short[i:i+n], slices.Repeat(wantShort[i:i+1], n)) {
							t.Fatalf("%v: exp(%x) is %x, want %x", l, v, short[i:i+n], wantShort[i])
						}
					}
				}
				for i := range x {
					if dst[i] != want[i] {
						t.Fatalf("%v: exp(%x) is %x, want %x", l, x[i], dst[i], want[i])
					}
				}
			}
			for i := range x {
				x[i] = -x[i]
			}
			for l := simd.Portable; l <= simd.Best(); l++ {
				gaussTo(l, short[:block], zeros, x, 0, -1)
				if !slices.Equal(short[:block], wantShort) {
					t.Fatalf("%v: many at once differ", l)
				}
			}
		}
	}
}

// TestOfDots compares functions of a dot product: for every length, and for arguments that are NaN,
// infinite or large.
func TestOfDots(t *testing.T) {
	degrees := []int{3, 2, 0, 1, 5, 8, 1000, -1}
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for trial := range 130 * pick(20, 2) {
			n, lead := trial%130, r.IntN(8)
			src := make([]float64, n)
			spread := math.Exp2(16*r.Float64() - 8)
			drawArguments(r, src, func() float64 { return spread * r.NormFloat64() })
			scale, offset, degree := []float64{1, -1, -0.37, 1}[trial%4], []float64{0, math.Copysign(0, -1), 0.25, -0.5}[trial/4%4], degrees[trial/130%len(degrees)]
			check := func(name string, f func(x []float64), want func(x float64) float64) {
				guarded := slices.Repeat([]float64{guard}, n+lead+9)
				copy(guarded[lead:], src)
				f(guarded[lead : lead+n])
				for at, got := range guarded {
					w := float64(guard)
					if i := at - lead; i >= 0 && i < n {
						w = want(float64(scale*src[i]) + offset)
					}
					if math.Float64bits(got) != math.Float64bits(w) && !(got != got && w != w && math.Signbit(got) == math.Signbit(w)) {
						t.Fatalf("%s, length %d, place %d: %x, want %x", name, n, at-lead, got, w)
					}
				}
			}
			check("tanh", func(x []float64) { tanhTo(simd.Current(), x, scale, offset) }, tanh)
			rounded := slices.Repeat([]float32{guard}, n+17)
			tanhRoundTo(simd.Current(), rounded[:n], slices.Clone(src), scale, offset)
			for i, y := range rounded {
				want := float32(guard)
				if i < n {
					want = float32(tanh(float64(scale*src[i]) + offset))
				}
				if y != want && !(y != y && want != want) {
					t.Fatalf("rounded, length %d, place %d: %x, want %x", n, i, y, want)
				}
			}
			check("power", func(x []float64) { powerTo(simd.Current(), x, scale, offset, degree) }, func(x float64) float64 { return Power(x, degree) })
		}
	})
}

// TestTanhRounded compares tanh in float32 for many arguments, one by one: if one value is
// doubtful, others near it are computed exactly. Some arguments are where tanh is next to the
// middle of two float32.
func TestTanhRounded(t *testing.T) {
	const block = 4096
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		var same, lost [16]float64
		var got [16]float32
		for part := range max(1, *million*1_000_000/(8*block)/pick(1, 10)) {
			x := append(arguments(block, 23, math.Ln2/32, uint64(part)), tanhArguments(block/8, uint64(part))...)
			for i := range x[:block] {
				if i%2 == 0 { // a middle, by the inverse function, which is wrong by some units
					y := float32(math.Tanh(x[i]))
					middle := (float64(y) + float64(math.Nextafter32(y, 0))) / 2
					x[i] = math.Atanh(middle) * (1 + float64(r.IntN(9)-4)*0x1p-53*math.Exp2(float64(r.IntN(11))))
				}
				switch r.IntN(64) {
				case 0:
					x[i] = odd[r.IntN(len(odd))]
				case 1: // around the least float32
					x[i] *= math.Exp2(-120 - 35*r.Float64())
				}
			}
			for _, v := range x {
				want := float32(tanh(v + 0))
				for k := range same {
					same[k] = v
				}
				for _, n := range []int{1, 8, 16} {
					lost = same
					tanhRoundTo(simd.Current(), got[:n], lost[:n], 1, 0)
					for _, y := range got[:n] {
						if math.Float32bits(y) != math.Float32bits(want) && !(y != y && want != want) {
							t.Fatalf("%d of tanh(%x): %x, want %x", n, v, y, want)
						}
					}
				}
			}
		}
	})
}

func TestRound(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		for trial := range 130 * pick(20, 2) {
			n, lead := trial%130, r.IntN(8)
			src := make([]float64, n+lead)[lead:]
			drawArguments(r, src, func() float64 { return math.Float64frombits(r.Uint64()) })
			guarded := slices.Repeat([]float32{guard}, n+lead+17)
			roundTo(simd.Current(), guarded[lead:lead+n], src)
			for at, got := range guarded {
				want := float32(guard)
				if i := at - lead; i >= 0 && i < n {
					want = float32(src[i])
				}
				if math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("length %d, place %d: %x, want %x", n, at-lead, got, want)
				}
			}
		}
	})
}

// TestTanhOfManyArguments: vector forms choose among the same branches as tanh, also at the borders
// of tanhArguments.
func TestTanhOfManyArguments(t *testing.T) {
	const block = 1 << 16
	got, want := make([]float64, block), make([]float64, block)
	for part := range max(1, *million*1_000_000/(2*block)/pick(1, 10)) {
		for _, x := range [][]float64{arguments(block, 23, math.Ln2/2, uint64(part)), tanhArguments(block, uint64(part))} {
			copy(want, x)
			tanhPortable(want, 1, 0)
			for l := simd.AVX2; l <= simd.Best(); l++ {
				copy(got, x)
				tanhTo(l, got, 1, 0)
				for i, y := range got {
					if math.Float64bits(y) != math.Float64bits(want[i]) {
						t.Fatalf("%v: tanh(%x) is %x, want %x", l, x[i], y, want[i])
					}
				}
			}
		}
	}
}

func TestLookup(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, size := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300} {
			for _, spare := range []int{0, 128} {
				table := make([]float32, size, size+spare)
				for i := range table {
					table[i] = r.Float32()
				}
				for n := range 130 {
					lead := r.IntN(8)
					at := make([]uint32, n+lead)[lead:]
					for i := range at {
						at[i] = r.Uint32N(uint32(size))
					}
					guarded := slices.Repeat([]float32{guard}, n+lead+17)
					lookup(guarded[lead:lead+n], at, table)
					for place, got := range guarded {
						want := float32(guard)
						if i := place - lead; i >= 0 && i < n {
							want = table[at[i]]
						}
						if got != want {
							t.Fatalf("%d of a table of %d: place %d is %v, want %v", n, size, place-lead, got, want)
						}
					}
				}
			}
		}
	})
}
