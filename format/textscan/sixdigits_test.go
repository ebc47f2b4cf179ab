package textscan_test

import (
	"encoding/binary"
	"math"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestSixDigits: SixDigits writes as AppendG does, many at once where numbers have no exponent, and
// with eight digits where six are enough.
func TestSixDigits(t *testing.T) {
	source := newTokens(21)
	check := func(x []float64) (left int) {
		t.Helper()
		for ; len(x) > textscan.SixDigitsLen; x = x[textscan.SixDigitsLen:] {
			left += checkSixes(t, x[:textscan.SixDigitsLen])
		}
		return left + checkSixes(t, x)
	}
	near := func(v float64) []float64 {
		return []float64{math.Nextafter(v, 0), v, math.Nextafter(v, 2*v), -v}
	}
	for _, v := range []float64{0, math.Inf(1), math.NaN(), 1e-5, 9.99999e-5, 1e4, 12345678, 5e-324, math.MaxFloat64, 0.0000999999999} {
		x := []float64{v, math.Copysign(v, -1)}
		if check(x) != 2 {
			t.Errorf("%g is written", v)
		}
	}
	for e := -4; e <= 4; e++ {
		check(near(math.Pow10(e)))
		for k := 1; k <= 9; k++ {
			check(near(float64(k) * math.Pow10(e)))
			check(near((float64(k) - 5e-6) * math.Pow10(e))) // carries
		}
	}
	for k := range 1 << 12 { // middles: six digits and a half
		for _, unit := range []float64{1e5, 1e6, 100} {
			if left := check(near((100000.5 + float64(k*219)) / unit)); left > 0 {
				t.Fatalf("%d numbers near %g are left to AppendG", left, (100000.5+float64(k*219))/unit)
			}
		}
	}
	for length := range textscan.SixDigitsLen + 1 {
		x := make([]float64, length)
		for i := range x {
			x[i] = source.value()
		}
		check(x)
	}
	total, left := 0, 0
	x := make([]float64, 1000)
	for range 200 {
		for i := range x {
			x[i] = (2*source.Float64() - 1) * []float64{1, 1, 10, 1000, 0.01}[source.IntN(5)]
			if source.IntN(4) == 0 {
				x[i] = math.Round(x[i]*1000) / 1000
			}
			if math.Abs(x[i]) < 1e-4 {
				x[i] = 1
			}
		}
		total += len(x)
		left += check(x)
	}
	if left > total/1000 {
		t.Errorf("%d of %d common numbers are left to AppendG", left, total)
	}
}

// checkSixes compares the texts of at most 64 numbers with AppendG's and returns how
// many are left to that.
func checkSixes(t *testing.T, x []float64) (left int) {
	t.Helper()
	var got, eights, whole [simd.AVX512 + 1]textscan.SixDigits
	best := simd.Best()
	defer simd.Use(best)
	var all [textscan.SixDigitsLen]float64
	copy(all[:], x)
	for l := simd.Portable; l <= best; l++ {
		simd.Use(l)
		odd := got[l].SetQuick(&all, len(x))
		for k, v := range x {
			if !odd && v != 0 && got[l].N[k] == 0 {
				t.Fatalf("%v: %x, number %d of %d, is not written, and none is said to be left", l, v, k, len(x))
			}
		}
		eights[l].SetEightDigits(&all, len(x))
		whole[l].Set(&all, len(x))
	}
	for k, v := range x {
		for l := range best + 1 {
			if got[0].N[k] != got[l].N[k] {
				t.Fatalf("%x is of length %d portably, %d with %v", v, got[0].N[k], got[l].N[k], l)
			}
		}
		text := textscan.AppendG(nil, v, 6)
		for l := range best + 1 {
			s := &eights[l]
			six, _ := strconv.ParseFloat(string(text), 64)
			switch same := s.Lo[k] == got[l].Lo[k] && s.Hi[k] == got[l].Hi[k]; {
			case s.N[k] != eights[0].N[k]:
				t.Fatalf("%x with eight digits: %d bytes portably, %d with %v", v, eights[0].N[k], s.N[k], l)
			case s.N[k] > 0 && !(same && s.N[k] == got[l].N[k] && string(text) == string(textscan.AppendG(nil, v, 8))):
				t.Fatalf("%x with eight digits, %v: %d bytes, %x %x", v, l, s.N[k], s.Lo[k], s.Hi[k])
			case s.N[k] == 0 && got[l].N[k] > 0 && six == v:
				t.Fatalf("%s is not written with eight digits, %v", text, l)
			}
		}
		for l := range best + 1 {
			s := &whole[l]
			b := binary.LittleEndian.AppendUint64(nil, s.Lo[k])
			b = binary.LittleEndian.AppendUint64(b, s.Hi[k])[:s.N[k]]
			if want := text; v == 0 || math.Abs(v) > math.MaxFloat64 || v != v {
				if len(b) > 0 {
					t.Fatalf("%v: %x is %q, want nothing", l, v, b)
				}
			} else if string(b) != string(want) {
				t.Fatalf("%v: %x, number %d of %d, is %q, want %q", l, v, k, len(x), b, want)
			}
		}
		if got[0].N[k] == 0 {
			left++
			continue
		}
		for l := range best + 1 {
			s := &got[l]
			b := binary.LittleEndian.AppendUint64(nil, s.Lo[k])
			b = binary.LittleEndian.AppendUint64(b, s.Hi[k])[:s.N[k]]
			if string(b) != string(text) {
				t.Fatalf("%x, number %d of %d, is %q, want %q", v, k, len(x), b, text)
			}
		}
	}
	return left
}

func BenchmarkSixes(b *testing.B) {
	source := newTokens(1)
	var x [textscan.SixDigitsLen]float64
	for i := range x {
		x[i] = 2*source.Float64() - 1
	}
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		b.Run(l.String(), func(b *testing.B) {
			simd.Use(l)
			var out textscan.SixDigits
			for b.Loop() {
				out.Set(&x, len(x))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/number")
		})
	}
}
