package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Ranges widen alike with all instructions, the last zero's sign included, and nothing behind.
func TestIncludeAll(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(3, 1))
	numbers := func(n int) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = []float64{0, math.Copysign(0, -1), rnd.NormFloat64(), 1, -1, 5e-324, math.MaxFloat64}[rnd.IntN(7)]
		}
		return s
	}
	for n := range 130 {
		for range 10 {
			value, highest, lowest := numbers(n), numbers(n+8), numbers(n+8)
			var want [2][]float64
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				hi, lo := slices.Clone(highest), slices.Clone(lowest)
				includeAll(hi, lo, value)
				if l == simd.Portable {
					want = [2][]float64{hi, lo}
				}
				if !slices.EqualFunc(hi, want[0], sameBits) || !slices.EqualFunc(lo, want[1], sameBits) {
					t.Fatalf("%v, %v in %v..%v: %v..%v, want %v..%v", l, value, lowest, highest, lo, hi, want[1], want[0])
				}
			}
		}
	}
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// Values are scaled and dropped alike with all instructions, from every place and in every
// number.
func TestFormula(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(3, 2))
	const most = textscan.SixDigitsLen
	r := &Ranges{X: &Features{Limits: Limits{-1, 1}}}
	var index []int32
	for i := range int32(2 * most) {
		for {
			x := Range{-1 - rnd.Float64(), 1 + rnd.Float64()}
			if i%2 == 0 {
				x.Max = -x.Min // and 0 becomes 0
			}
			if u := r.X.Limits.newRule(x); u.plain {
				r.X.Ranges = append(r.X.Ranges, Feature{i + 1, x})
				break
			}
		}
		index = append(index, i+1)
	}
	p := NewPrinter(NewScaler(r))
	g := new(stage)
	g.set(p, index)
	if !g.plain {
		t.Fatal("the rules are not plain")
	}
	beyond, dropped := 0, 0
	for n := range most + 1 {
		for range 40 {
			at, from := rnd.IntN(len(index)-n+1), rnd.IntN(most-n+1)
			value := make([]float64, n)
			for k := range value {
				f := &r.X.Ranges[at+k]
				value[k] = []float64{f.Min, f.Max, 0, rnd.NormFloat64()}[rnd.IntN(4)]
			}
			if n > 0 && rnd.IntN(10) == 0 {
				value[rnd.IntN(n)] = math.Copysign(math.MaxFloat64, rnd.NormFloat64())
			}
			for _, all := range []bool{false, true} {
				var want piece
				wantN, wantOK := 0, false
				for l := simd.Portable; l <= simd.Best(); l++ {
					simd.Use(l)
					b := &p.piece
					b.n = from
					for k := range b.values {
						b.values[k], b.slots[k], b.names[k] = 77, 77, 77
					}
					got, ok := p.formula(g, at, value, all)
					if l == simd.Portable {
						want, wantN, wantOK = *b, got, ok
						continue
					}
					if !ok {
						beyond++ // which scaleEach can do in another way
						continue
					}
					end := from + got
					dropped += n - got
					if got != wantN || ok != wantOK || !slices.EqualFunc(b.values[:end], want.values[:end], sameBits) ||
						!slices.Equal(b.slots[:end], want.slots[:end]) || !slices.Equal(b.names[:end], want.names[:end]) {
						t.Fatalf("%v, all %v, %v from %d to %d: %d %v\n%v\nwant %d %v\n%v", l, all, value, at, from, got, ok, b.values, wantN, wantOK, want.values)
					}
					if end := from + n + 8; end < len(b.values) && (b.values[end] != 77 || b.slots[end] != 77 || b.names[end] != 77) {
						t.Fatalf("%v, %d values to %d: more than 7 behind are written", l, n, from)
					}
				}
			}
		}
	}
	if simd.Best() > simd.Portable && (beyond < 100 || dropped < 100) {
		t.Errorf("only %d out of range, %d dropped", beyond, dropped)
	}
}
