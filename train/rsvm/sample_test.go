package rsvm

import (
	"context"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train"
)

func TestStratify(t *testing.T) {
	for _, c := range []struct {
		counts []int
		n      int
		want   []int
	}{
		{[]int{50, 50}, 10, []int{5, 5}},
		{[]int{90, 10}, 10, []int{9, 1}},
		{[]int{97, 3}, 10, []int{9, 1}}, // the small class is not left out
		{[]int{997, 2, 1}, 4, []int{2, 1, 1}},
		{[]int{998, 1, 1}, 3, []int{1, 1, 1}},
		{[]int{997, 2, 1}, 2, []int{2, 0, 0}}, // there is not one for each
		{[]int{2, 1}, 10, []int{2, 1}},
		{[]int{0, 5}, 3, []int{0, 3}},
		{[]int{0, 0}, 3, []int{0, 0}},
		{[]int{3, 3, 3}, 4, []int{2, 1, 1}},
	} {
		if got := stratify(c.counts, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, want %v", c.n, c.counts, got, c.want)
		}
	}
}

// TestChoose: every number has the same chance.
func TestChoose(t *testing.T) {
	rng := random(1, forSet)
	times := make([]int, 20)
	const rounds = 4000
	for range rounds {
		chosen := choose(20, 5, rng)
		if len(chosen) != 5 || !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != 5 {
			t.Fatalf("%v", chosen)
		}
		for _, v := range chosen {
			times[v]++
		}
	}
	for v, n := range times { // 1000 expected, deviation 27
		if n < 850 || n > 1150 {
			t.Errorf("%d is chosen %d times in %d", v, n, rounds)
		}
	}
	if got := choose(3, 3, rng); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("all of three: %v", got)
	}
}

// TestPick: one row from each part of each list is picked: the first one if First is set.
func TestPick(t *testing.T) {
	var all []wrongRow
	for i := range 20 { // 13 of list 0, 7 of list 1
		s := wrongRow{row: i, off: float64((i * 7) % 20)}
		if i >= 13 {
			s.list, s.class = 1, 1
		}
		all = append(all, s)
	}
	s := Systematic{Parts: 5, First: true}
	var rows []int
	for _, w := range pick(all, s, random(1, forParts), 100) {
		rows = append(rows, w.row)
	}
	// list 0 by off: 0 3 6 9 12 1 4 7 10 2 5 8 11, cut before 0 2 5 7 10; list 1: 15 18 13 16 19 14
	// 17, cut before 0 1 2 4 5
	if want := []int{0, 15, 6, 18, 1, 13, 7, 19, 5, 14}; !slices.Equal(rows, want) {
		t.Errorf("%v, want %v", rows, want)
	}
	if got := pick(all, s, random(1, forParts), 3); len(got) != 3 {
		t.Errorf("%d rows where 3 fit", len(got))
	}
	s.First = false
	for seed := range uint64(50) {
		got := pick(all, s, random(seed, forParts), 100)
		if len(got) != 10 {
			t.Fatalf("%d rows", len(got))
		}
		if slices.Index([]int{0, 3}, got[0].row) < 0 || slices.Index([]int{14, 17}, got[9].row) < 0 {
			t.Errorf("%v", got)
		}
	}
	if got := pick(all[:2], s, random(1, forParts), 100); len(got) != 2 {
		t.Errorf("%d of two wrong rows", len(got))
	}
	if got := pick(nil, s, random(1, forParts), 100); len(got) != 0 {
		t.Errorf("%v of none", got)
	}
}

// TestHoldOut: the held-out rows and the rest together are all rows, and no class is lost.
func TestHoldOut(t *testing.T) {
	groups := [][]int{{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, {1, 3, 5, 7, 9}, {11}}
	held := holdOut(groups, 0.25, 3)
	rest := without(groups, held)
	n := 0
	for c := range groups {
		all := slices.Concat(held[c], rest[c])
		slices.Sort(all)
		if !slices.Equal(all, groups[c]) || len(rest[c]) == 0 {
			t.Errorf("class %d: %v held out, %v left", c, held[c], rest[c])
		}
		n += len(held[c])
	}
	if n != 4 {
		t.Errorf("%d rows held out of 16, want a quarter", n)
	}
}

// TestUndrawn: classes without a vector are reported, and only these.
func TestUndrawn(t *testing.T) {
	d := new(format.Dataset)
	for i := range 60 {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}}, Y: float64(i / 2), Weight: 1})
	}
	for vectors, want := range map[int]train.ClassesUndrawn{6: {Classes: 24, Of: 30, Vectors: 6}, 30: {}, 45: {}} {
		for _, centres := range []bool{false, true} {
			o := testOptions()
			o.Set = Random{Vectors: vectors, Even: true, Centres: centres}
			var got train.ClassesUndrawn
			o.Report = func(e train.Event) {
				if e, is := e.(train.ClassesUndrawn); is {
					got = e
				}
			}
			if _, err := (Classifier{Options: o, OneVsRest: true}).Train(context.Background(), d, nil); err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%d vectors, centres %v: %+v, want %+v", vectors, centres, got, want)
			}
		}
	}
}
