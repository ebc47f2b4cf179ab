package models

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestTexts: texts that are used again are the same as those that are made each time, for all
// values.
func TestTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e-5, 123456789, -1.2345678e-308, math.SmallestNonzeroFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, different := range []int{1, len(odd), 500, 5 * textPlaces} { // the last number is too large for the table
		values := append([]float64{}, odd[:min(different, len(odd))]...)
		for len(values) < different {
			values = append(values, math.Float64frombits(rng.Uint64()))
		}
		seen, copied := newTexts(), 0
		for k := range 20 * textPlaces {
			x := values[rng.IntN(len(values))]
			debt := seen.debt
			got, want := string(seen.append([]byte("1:"), x)), string(textscan.AppendG([]byte("1:"), x, featureDigits))
			if got != want {
				t.Fatalf("%d different values, number %d: %q, want %q", different, k, got, want)
			}
			if seen.debt < debt {
				copied++
			}
		}
		if pays := different < textPlaces; seen.pay() != pays || pays && copied < 15*textPlaces {
			t.Errorf("of %d different values %d texts were copied, and they pay: %v", different, copied, seen.pay())
		}
	}
}

// TestPairTexts: lines are the same as those that are made each time, whether or not features have
// the same value as before, with any number of digits and any distance of indices.
func TestPairTexts(t *testing.T) {
	best := simd.Best()
	defer simd.Use(best)
	for l := simd.Portable; l <= best; l++ {
		simd.Use(l)
		t.Run(l.String(), func(t *testing.T) { testPairTexts(t, l >= simd.AVX2) })
	}
}

func testPairTexts(t *testing.T, vector bool) {
	rng := rand.New(rand.NewPCG(8, 9))
	some := []float64{1, 0, math.Copysign(0, -1), 0.5, -1.2345678e-308, math.NaN(), math.Inf(-1), 1e10}
	kept, given, many := 0, 0, 0
	for round := range 150 {
		seen, changes, width := newTexts(), rng.IntN(3)*rng.IntN(60), 1+rng.IntN(60)
		if round%3 == 0 {
			width += textscan.SixDigitsLen
		}
		rounded := round%2 == 0 // to at most six digits
		far := []int32{1, 100, mostPairs / 50, 1 << 20, math.MaxInt32 / 200}[rng.IntN(5)]
		last := make([]float64, width)
		for k := range last {
			last[k] = some[rng.IntN(len(some))]
		}
		for row := range 400 {
			v := vec.Vector{}
			want := []byte("before ")
			for k := range last {
				if rng.IntN(100) < changes {
					last[k] = math.Float64frombits(rng.Uint64())
					if rounded && rng.IntN(20) > 0 {
						unit := math.Pow10(rng.IntN(7))
						last[k] = math.Round(unit*rng.NormFloat64()) / unit
					}
				}
				if rng.IntN(3) > 0 {
					index := int32(k) * far
					v.Index, v.Value = append(v.Index, index), append(v.Value, last[k])
					want = append(textscan.AppendG(append(textscan.AppendInt(want, int64(index)), ':'), last[k], featureDigits), ' ')
				}
			}
			if got := seen.appendPairs([]byte("before "), v); string(got) != string(want) {
				t.Fatalf("round %d, row %d:\n%q, want\n%q", round, row, got, want)
			}
		}
		switch {
		case len(seen.pairs) > 0:
			kept++
		case seen.pairDebt >= pairsDebt && seen.sixDebt < sixesDebt:
			many++
		case seen.pairDebt >= pairsDebt:
			given++
		}
	}
	if min(kept, given) < 20 || vector != (many > 20) {
		t.Errorf("texts are kept in %d rounds, no longer in %d, made many at once in %d", kept, given, many)
	}
}
