package generate

import (
	"math"
	"slices"
	"testing"
)

// TestMislabel: as many rows as asked for get another label, all rows and labels with the
// same chance; the seed decides.
func TestMislabel(t *testing.T) {
	labels := make([]float64, 997)
	for i := range labels {
		labels[i] = float64(i%3 - 1)
	}
	for _, share := range []float64{0, 0.1, 0.5, 1} {
		changed, half := 0, 0
		became := map[float64]int{}
		noisy := Mislabel(labels, share, 7)
		for i, y := range noisy {
			if y == labels[i] {
				continue
			}
			changed++
			if i < len(labels)/2 {
				half++
			}
			if labels[i] == 0 {
				became[y]++
			}
		}
		if want := int(math.Round(share * 997)); changed != want {
			t.Errorf("share %v: %d rows changed, want %d", share, changed, want)
		}
		if d := math.Abs(float64(half) - float64(changed)/2); !(d <= 4*math.Sqrt(float64(changed))) {
			t.Errorf("share %v: %d of %d changes in the first half", share, half, changed)
		}
		if d := math.Abs(float64(became[1] - became[-1])); !(d <= 4*math.Sqrt(float64(changed))) {
			t.Errorf("share %v: label 0 became %v", share, became)
		}
		if !slices.Equal(noisy, Mislabel(labels, share, 7)) || share == 0.1 && slices.Equal(noisy, Mislabel(labels, share, 8)) {
			t.Errorf("share %v: the seed does not decide", share)
		}
	}
	if one := Mislabel([]float64{2, 2}, 1, 1); !slices.Equal(one, []float64{2, 2}) {
		t.Errorf("of one label: %v", one)
	}
}
