package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestLabelTexts: labels are written as printf does, however many there are, and those that come
// again are seldom made again.
func TestLabelTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		different, places int
	}{
		{2, fewLabels}, {20, fewLabels}, {300, fewLabels * moreLabels}, {2000, mostLabels}, {1 << 30, fewLabels},
	} {
		p := &Printer{labels: newLabelTexts()}
		made := 0
		const rows = 100_000
		for k := range rows {
			y := math.Sqrt(float64(r.IntN(c.different))) - 3
			before := p.labels.missed
			got := p.appendLabel([]byte("x"), y)
			if p.labels.missed != before {
				made++
			}
			if want := fmt.Sprintf("x%.17g ", y); string(got) != want {
				t.Fatalf("%d labels, row %d: %q, want %q", c.different, k, got, want)
			}
		}
		if n := len(p.labels.kept); n != c.places {
			t.Errorf("%d labels have %d places, want %d", c.different, n, c.places)
		}
		if c.different < mostLabels && made > rows/2 {
			t.Errorf("%d labels were made %d times", c.different, made)
		}
	}
}
