package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/models"
)

// foldOf returns the fold of each row.
func (f Folds) foldOf() []int {
	of := make([]int, len(f.Perm))
	for i := range len(f.Start) - 1 {
		for _, row := range f.fold(i) {
			of[row] = i
		}
	}
	return of
}

// TestGroupedFolds: the folds are a partition, no group is in two folds, none is empty if there are
// enough groups, and each group went where it increases the squares of the shares least, given all
// groups before it.
func TestGroupedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 1, 7, 7, 3}), 1, 80).Draw(t, "y")
		n := len(y)
		groups := rapid.SliceOfN(rapid.SampledFrom([]int{0, 4, -9, 1 << 20, 5, 6, 7, 8, 9, 10, 10, 10}), n, n).Draw(t, "groups")
		k := rapid.IntRange(1, 6).Draw(t, "k")
		var c *Classes
		if rapid.Bool().Draw(t, "classes") {
			c, _ = GroupClasses(y, nil)
		}
		before := fmt.Sprint(groups, c)
		f := GroupedFolds(groups, c, k, NewRand(3))
		if fmt.Sprint(groups, c) != before {
			t.Fatal("the arguments were changed")
		}
		f.checkPartition(t, n, k)
		of, fold := map[int]int{}, f.foldOf()
		for row, g := range groups {
			if at, seen := of[g]; seen && at != fold[row] {
				t.Fatalf("group %d is in folds %d and %d", g, at, fold[row])
			}
			of[g] = fold[row]
		}
		for i := range k {
			rows := f.fold(i)
			if len(rows) == 0 && len(of) >= k {
				t.Fatalf("fold %d of %d is empty, of %d groups", i, k, len(of))
			}
			if !slices.IsSorted(rows) {
				t.Fatalf("rows %v", rows)
			}
		}
		if again := GroupedFolds(groups, c, k, NewRand(3)); fmt.Sprint(again) != fmt.Sprint(f) {
			t.Fatal("other folds with the same seed")
		}
		names := map[int]int{} // the same groups with other numbers make the same folds
		renamed := make([]int, n)
		for row, g := range groups {
			if _, seen := names[g]; !seen {
				names[g] = 1000 - len(names)
			}
			renamed[row] = names[g]
		}
		if other := GroupedFolds(renamed, c, k, NewRand(3)); fmt.Sprint(other) != fmt.Sprint(f) {
			t.Fatal("other folds with other numbers of the groups")
		}
	})
}

// TestGroupedPartsRule compares parts with the rule that the comment of GroupedParts states, in
// fractions. All shares are powers of two, so that no sum is rounded.
func TestGroupedPartsRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var y []float64
		for class := range rapid.IntRange(1, 3).Draw(t, "classes") {
			y = append(y, slices.Repeat([]float64{float64(class)}, rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "rows"))...)
		}
		y = rapid.Permutation(y).Draw(t, "y")
		groups := rapid.SliceOfN(rapid.IntRange(0, 9), len(y), len(y)).Draw(t, "groups")
		shares := rapid.SliceOfN(rapid.SampledFrom([]float64{0.25, 0.5, 0.5, 1}), 1, 4).Draw(t, "shares")
		seed := rapid.Uint32Range(0, 9).Draw(t, "seed")
		c, _ := GroupClasses(y, nil)
		got := GroupedParts(groups, c, shares, NewRand(seed)).foldOf()
		want := partsByRule(groups, c, shares, NewRand(seed))
		for row, g := range groups {
			if got[row] != want[g] {
				t.Fatalf("groups %v, labels %v, shares %v: parts %v, want %v", groups, y, shares, got, want)
			}
		}
	})
}

// partsByRule returns the part of each group.
func partsByRule(groups []int, c *Classes, shares []float64, rng *Rand) map[int]int {
	class, names := make([]int, len(groups)), []int{}
	for i, rows := range c.Rows {
		for _, row := range rows {
			class[row] = i
		}
	}
	for _, g := range groups {
		if !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	// squares is the sum over classes of the squares of the share of the class that these groups are
	squares := func(of ...int) float64 {
		sum := 0.0
		for i, rows := range c.Rows {
			n := 0
			for row, g := range groups {
				if class[row] == i && slices.Contains(of, g) {
					n++
				}
			}
			share := float64(n) / float64(len(rows))
			sum += share * share
		}
		return sum
	}
	rng.Shuffle(names)
	slices.SortStableFunc(names, func(a, b int) int { return cmp.Compare(squares(b), squares(a)) })
	parts, rows := make([][]int, len(shares)), make([]int, len(shares))
	for _, g := range names {
		to, least := 0, math.Inf(1)
		for f, share := range shares {
			grows := (squares(append([]int{g}, parts[f]...)...) - squares(parts[f]...)) / share
			if grows < least || grows == least && rows[f] < rows[to] {
				to, least = f, grows
			}
		}
		parts[to] = append(parts[to], g)
		for _, of := range groups {
			if of == g {
				rows[to]++
			}
		}
	}
	part := map[int]int{}
	for f, of := range parts {
		for _, g := range of {
			part[g] = f
		}
	}
	for f := range parts {
		for i := len(names) - 1; i >= 0 && len(parts[f]) == 0; i-- {
			if from := part[names[i]]; len(parts[from]) > 1 {
				parts[from] = slices.DeleteFunc(parts[from], func(g int) bool { return g == names[i] })
				parts[f], part[names[i]] = []int{names[i]}, f
			}
		}
	}
	return part
}

// TestGroupedFoldsShare: groups that can be divided evenly are: each fold has its share of the
// rows, or of each class.
func TestGroupedFoldsShare(t *testing.T) {
	for seed := range uint32(20) {
		// Groups of 8, 7, 6, 5, 4, 4, 3, 2, 1 rows in two folds of 20.
		var groups []int
		for g, size := range []int{1, 4, 8, 2, 6, 5, 3, 4, 7} {
			groups = append(groups, slices.Repeat([]int{g}, size)...)
		}
		f := GroupedFolds(groups, nil, 2, NewRand(seed))
		if f.Start[1] != 20 {
			t.Errorf("seed %d: folds begin at %v", seed, f.Start)
		}
		// Nine groups of one class, three of another, six of both: a third of each class.
		groups = groups[:0]
		var y []float64
		add := func(g int, labels ...float64) {
			for _, label := range labels {
				groups, y = append(groups, g), append(y, label)
			}
		}
		for g := range 18 {
			switch {
			case g < 9:
				add(g, 1, 1)
			case g < 12:
				add(g, 2)
			default:
				add(g, 1, 2, 1)
			}
		}
		c, err := GroupClasses(y, nil)
		if err != nil {
			t.Fatal(err)
		}
		f = GroupedFolds(groups, c, 3, NewRand(seed))
		for i := range 3 {
			count := map[float64]int{}
			for _, row := range f.fold(i) {
				count[y[row]]++
			}
			if count[1] != 10 || count[2] != 3 {
				t.Errorf("seed %d: fold %d has %v", seed, i, count)
			}
		}
	}
	if a, b := GroupedFolds(ramp(30), nil, 3, NewRand(1)), GroupedFolds(ramp(30), nil, 3, NewRand(2)); fmt.Sprint(a) == fmt.Sprint(b) {
		t.Error("the seed has no part in folds of groups of the same size")
	}
}

// TestGroupedParts: parts get about their shares of each class, and none is empty.
func TestGroupedParts(t *testing.T) {
	for seed := range uint32(20) {
		rng := NewRand(seed + 1)
		var groups []int
		var y []float64
		for g := range 120 {
			for range 1 + rng.Int()%9 {
				groups, y = append(groups, g), append(y, float64(rng.Int()%3))
			}
		}
		c, err := GroupClasses(y, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := GroupedParts(groups, c, []float64{0.6, 0.3, 0.1}, NewRand(seed))
		of := f.foldOf()
		part := map[int]int{}
		var got [3][3]float64
		for row, g := range groups {
			if at, seen := part[g]; seen && at != of[row] {
				t.Fatalf("group %d is in parts %d and %d", g, at, of[row])
			}
			part[g] = of[row]
			got[of[row]][int(y[row])]++
		}
		for i, want := range []float64{0.6, 0.3, 0.1} {
			for class := range 3 {
				all := got[0][class] + got[1][class] + got[2][class]
				if share := got[i][class] / all; share < want-0.02 || share > want+0.02 {
					t.Errorf("seed %d: part %d has %v of class %d, want %v", seed, i, share, class, want)
				}
			}
		}
	}
	// One group has nearly all rows, goes to the largest part, and the small parts are not empty.
	groups := append(slices.Repeat([]int{7}, 100), 8, 9)
	for _, shares := range [][]float64{{1, 1e-3, 1e-3}, {1e-3, 1e-3, 1}, {1, 1e9, 1}} {
		f := GroupedParts(groups, nil, shares, NewRand(1))
		for i, share := range shares {
			want := 1
			if share == slices.Max(shares) {
				want = 100
			}
			if rows := f.Start[i+1] - f.Start[i]; rows != want {
				t.Errorf("shares %v: part %d has %d rows, want %d", shares, i, rows, want)
			}
		}
	}
	for _, shares := range [][]float64{{}, {1, 0}, {1, -1}, {1, math.NaN()}, {math.Inf(1)}} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "train: ") {
					t.Errorf("shares %v: %s", shares, said)
				}
			}()
			GroupedParts(groups, nil, shares, NewRand(1))
		}()
	}
}

// ramp returns 0 to n-1.
func ramp(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestCrossValidationGroupedFolds: the folds of each task, and the cases without folds.
func TestCrossValidationGroupedFolds(t *testing.T) {
	y := []float64{2, 2, 1, 1, 1, 2, 1, 2}
	groups := []int{3, 3, 3, 5, 5, 1, 1, 1}
	c, _ := GroupClasses(y, nil)
	for _, of := range []struct {
		task   models.Task
		k      int
		want   Folds
		events []Event
	}{
		{models.CSVC, 2, GroupedFolds(groups, c, 2, NewRand(1)), nil},
		{models.NuSVC, 3, GroupedFolds(groups, c, 3, NewRand(1)), nil},
		{models.CSVC, 4, GroupedFolds(groups, c, 3, NewRand(1)), []Event{GroupsLeftOut{4, 3}}},
		{models.OneClass, 2, GroupedFolds(groups, nil, 2, NewRand(1)), nil},
		{models.NuSVR, 1 << 30, GroupedFolds(groups, nil, 3, NewRand(1)), []Event{GroupsLeftOut{1 << 30, 3}}},
	} {
		var events []Event
		f, err := CrossValidationGroupedFolds(of.task, y, groups, of.k, NewRand(1), func(e Event) { events = append(events, e) })
		if err != nil || fmt.Sprint(f) != fmt.Sprint(of.want) || !slices.Equal(events, of.events) {
			t.Errorf("%v, %d folds: %v, %v, %v, want %v and %v", of.task, of.k, f, err, events, of.want, of.events)
		}
	}
	for _, of := range []struct {
		y      []float64
		groups []int
		k      int
		rng    *Rand
		want   string
	}{
		{y, groups, 1, NewRand(1), "a cross-validation of 1 folds, expected 2 or more"},
		{nil, nil, 2, NewRand(1), "the data set has no rows"},
		{y, groups[:3], 2, NewRand(1), "groups of 3 rows for 8"},
		{y, groups, 2, nil, "no random stream to draw from: NewRand makes one"},
		{y, make([]int, 8), 2, NewRand(1), "all rows are of one group, which a fold holds whole: none are left to train on"},
		{[]float64{1, 1e10}, []int{0, 1}, 2, NewRand(1), "row 2: label 1e+10 is no 32-bit integer"},
	} {
		if _, err := CrossValidationGroupedFolds(models.CSVC, of.y, of.groups, of.k, of.rng, nil); err == nil || err.Error() != of.want {
			t.Errorf("%v: error %v, want %s", of.groups, err, of.want)
		}
	}
}
