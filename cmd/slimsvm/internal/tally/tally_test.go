package tally

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/models"
)

// TestConfusionLimit: the table of confusions has all rows, or is not there.
func TestConfusionLimit(t *testing.T) {
	for _, c := range []struct {
		labels int // in the data, of which the model knows two
		stats  bool
		want   bool
	}{
		{1, false, true}, {2, false, true}, {3, true, true}, {confusionLimit, false, true}, {confusionLimit, true, true},
		{confusionLimit + 1, false, false}, {confusionLimit + 1, true, false}, {1500, false, false}, {1500, true, false},
	} {
		tally := New(models.CSVC, []string{"1", "2"}, c.stats)
		known := 0
		for range 2 {
			for i := range c.labels {
				if tally.AddClass(2, float64(i+1), "2", fmt.Sprint(i+1), 1, []float64{1, -1}) {
					known++
				}
			}
		}
		s := tally.Score()
		if s.Scored != 2*c.labels || known != 2*min(c.labels, 2) || *s.Correct != 2*(min(c.labels, 2)-1) {
			t.Errorf("%d labels: %d rows, %d known, %d correct", c.labels, s.Scored, known, *s.Correct)
		}
		if got := s.Confusion != nil; got != c.want {
			t.Errorf("%d labels: a table is %v, want %v", c.labels, got, c.want)
		}
		sum := jsonline.Number(0)
		if c.want {
			for _, row := range s.Confusion.Counts {
				for _, n := range row {
					sum += n
				}
			}
			if int(sum) != s.Scored || s.Confusion.known != 2 {
				t.Errorf("%d labels: the counts sum up to %v of %d", c.labels, sum, s.Scored)
			}
		}
		if c.stats && len(s.PerLabel) != max(c.labels, 2) {
			t.Errorf("%d labels: figures of %d", c.labels, len(s.PerLabel))
		}
		if !c.stats && len(tally.labels) > confusionLimit+1 {
			t.Errorf("%d labels are kept", len(tally.labels))
		}
	}
}
