package models

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// TestTexts: texts that come again are those that are made each time, whatever the values.
func TestTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e-5, 123456789, -1.2345678e-308, math.SmallestNonzeroFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, different := range []int{1, len(odd), 500, 5 * textPlaces} { // the last are too many
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
