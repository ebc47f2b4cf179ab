package tally

import (
	"bytes"
	"fmt"
	"math"
	"strings"
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

// TestTargetStats: errors are relative to those of the mean in training or, if that is not known, of
// the mean of the rows that are scored, also of rows with weights and of a single one.
func TestTargetStats(t *testing.T) {
	answers, truths, weights := []float64{1, 2.5, 4, 7}, []float64{1.5, 2, 5, 9}, []float64{1, 3, 0.5, 2}
	for n := 1; n <= len(answers); n++ {
		for _, c := range []struct {
			mean *float64
			to   string
		}{{new(3.25), "the mean in training"}, {nil, "the mean of these rows"}} {
			tally := New(models.EpsilonSVR, nil, true)
			sum, all := 0.0, 0.0
			for i := range n {
				tally.AddTarget(answers[i], truths[i], weights[i], c.mean)
				sum, all = sum+weights[i]*truths[i], all+weights[i]
			}
			mean := sum / all
			if c.mean != nil {
				mean = *c.mean
			}
			absolute, squared, ofMean, squaredOfMean := 0.0, 0.0, 0.0, 0.0
			for i := range n {
				d, m := answers[i]-truths[i], mean-truths[i]
				absolute, squared = absolute+weights[i]*math.Abs(d), squared+weights[i]*d*d
				ofMean, squaredOfMean = ofMean+weights[i]*math.Abs(m), squaredOfMean+weights[i]*m*m
			}
			var got bytes.Buffer
			s := tally.Score()
			if s.targetStats == nil {
				t.Fatalf("%d rows have no figures", n)
			}
			s.targetStats.print(&got)
			want := fmt.Sprintf("relative to %s: absolute error %.6g%%, root squared error %.6g%%\n",
				c.to, 100*absolute/ofMean, 100*math.Sqrt(squared/squaredOfMean))
			if _, line, _ := strings.Cut(got.String(), "\n"); line != want {
				t.Errorf("%d rows: %q, want %q", n, line, want)
			}
		}
	}
}

// TestCountText: a number of rows has all its digits, and one that weights made a fraction has six.
func TestCountText(t *testing.T) {
	for n, want := range map[jsonline.Number]string{0: "0", 12: "12", 1234567: "1234567", 2.5: "2.5", 1.0 / 3: "0.333333", 1e16: "1e+16"} {
		if got := countText(n); got != want {
			t.Errorf("%v: %q, want %q", float64(n), got, want)
		}
	}
}
