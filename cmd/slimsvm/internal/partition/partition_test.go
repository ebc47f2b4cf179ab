package partition

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Of every label FIRST has its share of the rows, to less than one row, and all rows are in
// one file or the other.
func TestDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, 3, -0.5, math.NaN(), math.Inf(1)}), 2, 60).Draw(t, "labels")
		n := rapid.IntRange(1, len(labels)-1).Draw(t, "rows")
		d := &Plan{Rows: n, Random: rapid.Bool().Draw(t, "random"), Seed: rapid.Uint32().Draw(t, "seed")}
		keep, err := d.First(labels)
		if err != nil {
			t.Fatal(err)
		}
		all, first := map[string]int{}, map[string]int{}
		kept := 0
		for i, y := range labels {
			all[fmt.Sprint(y)]++
			if keep[i] {
				kept++
				first[fmt.Sprint(y)]++
			}
		}
		if kept != n {
			t.Fatalf("%d rows, want %d", kept, n)
		}
		for y, count := range all {
			want := float64(count) * float64(n) / float64(len(labels))
			if got := float64(first[y]); !d.Random && !(math.Abs(got-want) < 1) {
				t.Errorf("label %s: %v rows of %d, want about %v", y, got, count, want)
			}
		}
		again, err := d.First(labels)
		if err != nil || !slices.Equal(keep, again) {
			t.Errorf("another time %v, %v; first %v", again, err, keep)
		}
	})
}

// Rows of labels that all occur once are as likely in FIRST wherever they stand.
func TestDivisionIsRandom(t *testing.T) {
	labels := make([]float64, 10)
	for i := range labels {
		labels[i] = float64(i)
	}
	times := make([]int, len(labels))
	const draws = 2000
	for seed := range uint32(draws) {
		keep, err := (&Plan{Rows: 5, Seed: seed + 1}).First(labels)
		if err != nil {
			t.Fatal(err)
		}
		for i, first := range keep {
			if first {
				times[i]++
			}
		}
	}
	for i, n := range times {
		if !(math.Abs(float64(n)-draws/2) <= 5*math.Sqrt(draws)/2) {
			t.Errorf("row %d is in FIRST %d times of %d, want about half of them", i, n, draws)
		}
	}
}

// TestStrata: rows without a label are one stratum, wherever the first stands.
func TestStrata(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		labels []float64
		want   string
	}{
		{[]float64{none, none, 1, none, 2, 1}, "[[0 1 3] [2 5] [4]]"},
		{[]float64{2, none, 1, none, 2, none}, "[[0 4] [1 3 5] [2]]"},
	} {
		if got := fmt.Sprint(Strata(c.labels)); got != c.want {
			t.Errorf("%v: %s, want %s", c.labels, got, c.want)
		}
	}
}

// TestNoSuchFold: the fold behind the last is as little there as others.
func TestNoSuchFold(t *testing.T) {
	labels, groups := []float64{1, 2, 1, 2, 1, 2}, []int{0, 0, 1, 1, 2, 2}
	for _, c := range []struct {
		groups []int
		fold   int
		want   string
	}{
		{groups, 3, ""},
		{groups, 4, "3 groups make only as many folds: there is no fold 4"},
		{groups, 5, "3 groups make only as many folds: there is no fold 5"},
		{nil, 6, ""},
		{nil, 7, "6 rows with a label make only 6 folds: there is no fold 7"},
		{nil, 8, "6 rows with a label make only 6 folds: there is no fold 8"},
	} {
		said := ""
		if _, err := (&Plan{Folds: 8, Fold: c.fold, Groups: c.groups, Random: true}).First(labels); err != nil {
			said = err.Error()
		}
		if said != c.want {
			t.Errorf("fold %d with groups %v: %q, want %q", c.fold, c.groups, said, c.want)
		}
	}
}
