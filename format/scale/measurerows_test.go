package scale

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// AddRows finds what Add does, of rows that share few lists or many, are alike or not, with
// zeros of both signs or of one.
func TestAddRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	fast, can := 0, hasRows()
	defer simd.Use(simd.Best())
	for round := range 2000 {
		columns := 1 + rnd.IntN([]int{12, 40}[round%5/4])
		lists := make([][]int32, 1+rnd.IntN([]int{3, 100}[round%2]))
		for k := range lists {
			for i := range columns {
				if rnd.IntN(4) > 0 {
					lists[k] = append(lists[k], int32(i*(1+round%3*5000)))
				}
			}
		}
		one, all := new(Measure), new(Measure)
		for range 1 + rnd.IntN(4) {
			minus := rnd.IntN(3) == 0
			rows := Rows{Starts: []int32{0}}
			var starts []int32
			for _, l := range lists {
				starts = append(starts, int32(len(rows.Index)))
				rows.Index = append(rows.Index, l...)
			}
			for range rnd.IntN(60) {
				k := rnd.IntN(len(lists))
				rows.Labels, rows.Lists = append(rows.Labels, float64(rnd.IntN(3))), append(rows.Lists, starts[k])
				for range lists[k] {
					v := float64(rnd.IntN(5) - 2 + round%3)
					if v == 0 && minus && rnd.IntN(1+round%3) == 0 {
						v = math.Copysign(0, -1)
					}
					rows.Value = append(rows.Value, v)
				}
				rows.Starts = append(rows.Starts, int32(len(rows.Value)))
			}
			simd.Use(simd.Level(rnd.IntN(int(simd.Best()) + 1)))
			all.AddRows(&rows)
			n := len(rows.Labels)
			if lists := rows.lists(0, n); hasRows() && lists > 1 && lists*rowsOfList <= n {
				fast++
			}
			simd.Use(simd.Portable)
			for i := range rows.Labels {
				one.Add(rows.Row(i))
			}
		}
		limits := Limits{0, 1}
		want, got := fmt.Sprint(text(t, one.Ranges(limits, &limits)), one.Rows(), one.Pairs()), fmt.Sprint(text(t, all.Ranges(limits, &limits)), all.Rows(), all.Pairs())
		if got != want {
			t.Fatalf("round %d:\n%s\nwant\n%s", round, got, want)
		}
	}
	if !can {
		t.Log("no instructions for rows that share a few lists")
	}
	if can && fast < 100 {
		t.Errorf("only %d times several lists came again", fast)
	}
}

// A -0 of rows that list the same features is not the last zero where rows with several lists
// follow and have one.
func TestAddRowsAfterMinus(t *testing.T) {
	m := new(Measure)
	m.AddRows(&Rows{Labels: []float64{1, 1}, Lists: []int32{0, 0}, Starts: []int32{0, 1, 2}, Index: []int32{1}, Value: []float64{1, math.Copysign(0, -1)}})
	m.AddRows(&Rows{Labels: []float64{1, 1, 1}, Lists: []int32{0, 1, 0}, Starts: []int32{0, 1, 2, 3}, Index: []int32{1, 1}, Value: []float64{1, 1, 0}})
	if got, want := text(t, m.Ranges(Limits{0, 1}, nil)), "x/0 1/1 0 1"; got != want {
		t.Errorf("ranges %s, want %s", got, want)
	}
}

// Rows that are not where Index and Value are panic, however few they are.
func TestAddRowsPanics(t *testing.T) {
	for _, n := range []int{1, 5, 40} {
		for name, spoil := range map[string]func(r *Rows, i int){
			"list before":  func(r *Rows, i int) { r.Lists[i] = -1 },
			"list behind":  func(r *Rows, i int) { r.Lists[i] = int32(len(r.Index)) - 1 },
			"values below": func(r *Rows, i int) { r.Starts[i+1] = r.Starts[i] - 1 },
			"values above": func(r *Rows, i int) { r.Starts[i+1] = int32(len(r.Value)) + 1 },
		} {
			rows := &Rows{Starts: []int32{0}}
			for i := range n {
				rows.Labels, rows.Lists = append(rows.Labels, 1), append(rows.Lists, int32(len(rows.Index)))
				for k := range 2 + i%3 {
					rows.Index, rows.Value = append(rows.Index, int32(k+1)), append(rows.Value, float64(i+1))
				}
				rows.Starts = append(rows.Starts, int32(len(rows.Value)))
			}
			new(Measure).AddRows(rows)
			spoil(rows, n/2)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s, %d rows: no panic", name, n)
					}
				}()
				new(Measure).AddRows(rows)
			}()
		}
	}
}

// includeMany ends where include does, with zeros of both signs and what is no number.
func TestIncludeMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	some := []float64{0, math.Copysign(0, -1), 1, -1, 2, math.Inf(1), math.Inf(-1), math.NaN()}
	for round := range 20000 {
		few := 1 + rnd.IntN(len(some))
		values := make([]float64, 1+rnd.IntN(8))
		long := round%8 == 0
		if long {
			values, few = make([]float64, 1+rnd.IntN(1000)), 1+rnd.IntN(len(some)-1) // numbers
		}
		odd := rnd.IntN(3) * rnd.IntN(100) // one of so many is of some; 0: none
		for k := range values {
			if values[k] = some[rnd.IntN(few)]; long && (odd == 0 || rnd.IntN(odd) > 0) {
				values[k] = rnd.NormFloat64()
			}
		}
		all := Range{values[0], values[0]}
		one := all
		at := rnd.IntN(len(values))
		all.includeMany(values[:at])
		all.includeMany(values[at:])
		for _, v := range values {
			one.include(v)
		}
		if !sameBits(all.Min, one.Min) || !sameBits(all.Max, one.Max) {
			t.Fatalf("round %d: %v: %v, want %v", round, values, all, one)
		}
	}
}

// Rows that list nothing are no run, however many there are, and no rows are none.
func TestAddRowsEmpty(t *testing.T) {
	rows := &Rows{Starts: []int32{0}, Index: []int32{3}}
	for i := range 200000 {
		rows.Labels, rows.Lists = append(rows.Labels, float64(i%2)), append(rows.Lists, 0)
		if i%20000 == 7 {
			rows.Value = append(rows.Value, float64(i))
		}
		rows.Starts = append(rows.Starts, int32(len(rows.Value)))
	}
	one, all := new(Measure), new(Measure)
	all.AddRows(&Rows{})
	simd.Use(simd.Portable)
	defer simd.Use(simd.Best())
	all.AddRows(rows) // in seconds if each row looks for the end of those that are alike
	for i := range rows.Labels {
		one.Add(rows.Row(i))
	}
	limits := Limits{0, 1}
	if got, want := text(t, all.Ranges(limits, &limits)), text(t, one.Ranges(limits, &limits)); got != want || all.Rows() != one.Rows() || all.Pairs() != one.Pairs() {
		t.Errorf("%d rows, %d pairs:\n%s\nwant %d, %d:\n%s", all.Rows(), all.Pairs(), got, one.Rows(), one.Pairs(), want)
	}
}
