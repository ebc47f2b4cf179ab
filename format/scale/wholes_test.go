package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Bytes, and halves some of which are tall, are alike with all instructions, from every length, and
// write nothing behind but what they may.
func TestPackingWholes(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(41, 1))
	const guard = 77
	type outcome struct {
		bytes                []uint8
		half, tall, upper    []uint16
		lower                []uint16
		third                []uint8
		ofBytes, ofTalls     []int32
		ofThrees             []int32
		done, count, written int
		threes               int
	}
	for n := range 130 {
		for range 40 {
			sign, rare := -rnd.Int32N(2), 1+rnd.IntN(300)
			bytes, wholes, threes, small := make([]int32, n), make([]int32, n), make([]int32, n), make([]uint8, n)
			for i := range n {
				threes[i] = sign<<23 + rnd.Int32N(1<<24)
				bytes[i], wholes[i], small[i] = sign<<7+rnd.Int32N(1<<8), sign<<15+rnd.Int32N(1<<16), uint8(rnd.Uint32())
				if rnd.IntN(rare) == 0 {
					bytes[i] = []int32{sign<<7 - 1, sign<<7 + 1<<8, math.MinInt32, math.MaxInt32}[rnd.IntN(4)]
					threes[i] = []int32{sign<<23 - 1, sign<<23 + 1<<24, math.MinInt32, math.MaxInt32}[rnd.IntN(4)]
					wholes[i] = []int32{sign<<15 - 1, sign<<15 + 1<<16, math.MinInt32, math.MaxInt32, int32(rnd.Uint32())}[rnd.IntN(5)]
				}
			}
			var want outcome
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				marks := (n + tallsAtOnce - 1) / tallsAtOnce
				got := outcome{bytes: slices.Repeat([]uint8{guard}, n+64), half: slices.Repeat([]uint16{guard}, n+64), tall: slices.Repeat([]uint16{guard}, marks+64),
					upper: slices.Repeat([]uint16{guard}, n+2*tallsAtOnce), ofBytes: slices.Repeat([]int32{guard}, n+64), ofTalls: slices.Repeat([]int32{guard}, n+64),
					lower: slices.Repeat([]uint16{guard}, n+64), third: slices.Repeat([]uint8{guard}, n+64), ofThrees: slices.Repeat([]int32{guard}, n+64)}
				got.done = bytesOfWholes(got.bytes[:n], bytes, sign<<7)
				if got.done < n { // what was not done may be anything
					clear(got.bytes[got.done:n])
				}
				wholesOfBytes(got.ofBytes[:n], small, sign<<7)
				upper := got.upper[:n+tallsAtOnce]
				got.count = tallsOfWholes(got.half[:n], got.tall[:marks], upper, wholes, sign<<15)
				clear(upper[got.count:])
				got.written = wholesOfTalls(got.ofTalls[:n], got.half[:n], got.tall[:marks], upper[:got.count+tallsAtOnce], sign<<15)
				got.threes = threesOfWholes(got.lower[:n], got.third[:n], threes, sign<<23)
				clear(got.lower[got.threes:n])
				clear(got.third[got.threes:n])
				wholesOfThrees(got.ofThrees[:n], got.lower[:n], got.third[:n], sign<<23)
				if l == simd.Portable {
					want = got
				}
				if !slices.Equal(got.ofThrees[:got.threes], threes[:got.threes]) {
					t.Fatalf("%v: %v comes back as %v", l, threes[:got.threes], got.ofThrees[:got.threes])
				}
				if got.written != got.count || !slices.Equal(got.ofTalls[:n], wholes) {
					t.Fatalf("%v: %d of %d tall ones: %v comes back as %v", l, got.written, got.count, wholes, got.ofTalls[:n])
				}
				for k, b := range got.bytes[:got.done] {
					if int32(b)+sign<<7 != bytes[k] {
						t.Fatalf("%v: %d comes back as %d", l, bytes[k], int32(b)+sign<<7)
					}
				}
				if got.done != want.done || got.count != want.count || !slices.Equal(got.bytes, want.bytes) || !slices.Equal(got.half, want.half) ||
					!slices.Equal(got.tall, want.tall) || !slices.Equal(got.upper, want.upper) || !slices.Equal(got.ofBytes, want.ofBytes) || !slices.Equal(got.ofTalls, want.ofTalls) ||
					got.threes != want.threes || !slices.Equal(got.lower, want.lower) || !slices.Equal(got.third, want.third) || !slices.Equal(got.ofThrees, want.ofThrees) {
					t.Fatalf("%v, %d numbers, sign %d: of %v and %v\n got %v\nwant %v", l, n, sign, bytes, wholes, got, want)
				}
				if got.bytes[n] != guard || got.half[n] != guard || got.tall[marks] != guard || got.upper[n+tallsAtOnce] != guard || got.ofBytes[n] != guard || got.ofTalls[n] != guard ||
					got.lower[n] != guard || got.third[n] != guard || got.ofThrees[n] != guard {
					t.Fatalf("%v, %d numbers: more is written", l, n)
				}
			}
		}
	}
}

// Whole numbers take as many bits as most of them have, and come back.
func TestPackedWholes(t *testing.T) {
	defer simd.Use(simd.Best())
	const n = 4000
	numbers := func(of func(i int) int32) []int32 {
		x := make([]int32, n)
		for i := range x {
			x[i] = of(i)
		}
		return x
	}
	rnd := rand.New(rand.NewPCG(41, 2))
	odd := func(v int32, of func(i int) int32) func(i int) int32 { // one of all, behind the first ones
		return func(i int) int32 {
			if i == n-7 {
				return v
			}
			return of(i)
		}
	}
	below := func(most int32) func(i int) int32 { return func(i int) int32 { return int32(i) % most } }
	shares := func(share int) func(i int) int32 { // so many of 100 are tall
		return func(int) int32 {
			return rnd.Int32N(1<<16) + rnd.Int32N(1<<15-1)<<16*int32((99-rnd.IntN(100)+share)/100)
		}
	}
	for _, c := range []struct {
		name    string
		x       []int32
		bits    int // of each number, about
		widened int // with AVX2 and without
	}{
		{"steps", numbers(func(i int) int32 { return int32(3 * i) }), 0, 0},
		{"the same", numbers(func(int) int32 { return 5 }), 0, 0},
		{"bytes", numbers(func(i int) int32 { return int32(i*i) % 256 }), 8, 8},
		{"signs", numbers(func(i int) int32 { return int32(i*i)%256 - 128 }), 8, 8},
		{"a byte too large", numbers(odd(256, below(200))), 16, 16},
		{"a late sign", numbers(odd(-1, below(200))), 17, 16},
		{"halves", numbers(func(i int) int32 { return int32(i*i) % 65536 }), 16, 16},
		{"halves with signs", numbers(func(i int) int32 { return int32(i*i)%65536 - 32768 }), 16, 16},
		{"a half too large", numbers(odd(65536, below(40000))), 17, 32},
		{"a half too low", numbers(odd(-32769, below(40000))), 17, 32},
		{"some tall", numbers(shares(40)), 24, 32},
		{"most tall", numbers(shares(80)), 32, 32},
		{"three bytes", numbers(func(i int) int32 { return int32(i*i) % (1 << 24) }), 24, 32},
		{"three bytes with signs", numbers(func(i int) int32 { return int32(i*i)%(1<<24) - 1<<23 }), 24, 32},
		{"three bytes too large", numbers(odd(1<<24, func(i int) int32 { return int32(i*i) + 1<<16 })), 32, 32},
		{"tall behind the first ones", numbers(func(i int) int32 { return int32(i)/sampleWholes<<25 + int32(i*i)%1000 }), 32, 32},
		{"far", numbers(func(i int) int32 { return []int32{math.MinInt32, math.MaxInt32, 0}[i%3] }), 28, 32},
		{"one", []int32{70000}, 24, 32},
		{"none", nil, 0, 0},
	} {
		for l := simd.Portable; l <= simd.Best(); l++ {
			simd.Use(l)
			arena := new(pages.Arena)
			p, want := new(talls).pack(c.x, arena), c.widened
			if hasTalls() {
				want = c.bits
			}
			if bits := 8 * p.bytes(); bits > (want+1)*len(c.x) || bits < (want-1)*len(c.x) || (p.all != nil) != (want == 32) {
				t.Errorf("%s, %v: %d numbers take %d bits, want about %d each", c.name, l, len(c.x), bits, want)
			}
			if got := p.numbers(nil); !slices.Equal(got, c.x) {
				t.Errorf("%s, %v: %v comes back as %v", c.name, l, c.x, got)
			}
			if p.len() != len(c.x) {
				t.Errorf("%s, %v: %d numbers, want %d", c.name, l, p.len(), len(c.x))
			}
			// in parts, as reals are made of them
			var got []int32
			for at, used := 0, 0; at < p.len(); at += packedAtOnce {
				var some []int32
				some, used = p.some(make([]int32, packedAtOnce), at, used)
				got = append(got, some...)
			}
			if !slices.Equal(got, c.x) {
				t.Errorf("%s, %v, in parts: %v comes back as %v", c.name, l, c.x, got)
			}
			arena.Release()
		}
	}
}
