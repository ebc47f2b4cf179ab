package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
)

// TestCachedRows: rows that were cached come back as they were, also where those of one block lie where they are
// kept and the next ones are put into memory, and again.
func TestCachedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	var want []*scale.Rows
	for range 300 {
		rows := &scale.Rows{Starts: []int32{0}}
		kind, n := r.IntN(3), 1+r.IntN(40)
		rows.Ones = kind == 0
		for k := range 5 {
			rows.Labels = append(rows.Labels, float64(k))
			rows.Lists = append(rows.Lists, int32(len(rows.Index)))
			for index := range int32(n) {
				value := []float64{1, float64(r.IntN(500)) / 10, r.NormFloat64()}[kind]
				rows.Index, rows.Value = append(rows.Index, index+1), append(rows.Value, value)
			}
			rows.Starts = append(rows.Starts, int32(len(rows.Value)))
		}
		want = append(want, rows)
	}
	for _, room := range []bool{true, false} {
		var k rowCache
		if room {
			k.begin(0)
		}
		for _, rows := range want {
			k.batches = append(k.batches, new(scale.Packer).Pack(rows, newArena(0)))
		}
		views := 0
		for again := range 2 {
			all := k.rows()
			for n, rows := range want {
				b, err := all.next()
				if err != nil {
					t.Fatal(err)
				}
				if all.isView {
					views++
				}
				if !slices.Equal(b.value, rows.Value) || !slices.Equal(b.index, rows.Index) || !slices.Equal(b.labels, rows.Labels) || b.ones != rows.Ones {
					t.Fatalf("block %d, read %d times before: %v, want %v", n, again, b.value, rows.Value)
				}
			}
		}
		if views < 100 {
			t.Errorf("only %d of %d blocks lie where they are kept", views, 2*len(want))
		}
	}
}
