package smo

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestExchanges: rows that make their exchanges late, by one thread or several, one row after the
// other or several together, are the same as those that made each exchange at once.
func TestExchanges(t *testing.T) {
	smallParts(t)
	for _, threads := range []int{1, 2, 3, 8} {
		ctx, stop := team.With(context.Background(), threads)
		helpers := team.NewHelpers(ctx)
		rng := rand.New(rand.NewPCG(7, uint64(threads)))
		shared := 0
		for round := range 300 {
			var x exchanges
			x.sharedBy(helpers)
			if helpers != nil && round < 50 { // on a busy machine too
				waitFor(t, func() bool { return helpers.Parts(1<<20, 1) > 1 })
			}
			if helpers.Parts(1<<20, 1) > 1 {
				shared++
			}
			testSettle(t, rng, &x)
			if t.Failed() {
				t.Fatalf("%d threads, round %d", threads, round)
			}
		}
		if helpers != nil && shared < 50 {
			t.Errorf("%d threads: only %d of 300 rounds had help", threads, shared)
		}
		helpers.End()
		stop()
	}
}

func testSettle(t *testing.T, rng *rand.Rand, x *exchanges) {
	n := 2 + rng.IntN(60)
	slots := make([][]float32, 1+rng.IntN(5))
	entries, want, valid := make([]entry, len(slots)), make([][]float32, len(slots)), make([]int, len(slots))
	for k := range slots {
		slots[k] = make([]float32, n)
		for j := range slots[k] {
			slots[k][j] = float32(k*100 + j)
		}
		want[k], valid[k] = slices.Clone(slots[k]), rng.IntN(n+1)
		entries[k] = entry{slot: slot(k), valid: int32(valid[k])}
	}
	check := func() {
		for k, e := range entries {
			if int(e.valid) != valid[k] || !slices.Equal(slots[k][:e.valid], want[k][:valid[k]]) {
				t.Errorf("row %d: %d columns %v, want %d columns %v", k, e.valid, slots[k], valid[k], want[k])
			}
		}
	}
	for range 1 + rng.IntN(6) {
		x.begin()
		i, j := 0, n-1
		for range rng.IntN(n) {
			if nested := rng.IntN(8) > 0 && i < j; !nested {
				i, j = rng.IntN(n), rng.IntN(n)
			}
			if i != j {
				x.add(i, j)
				for k, row := range want {
					switch {
					case valid[k] > max(i, j):
						row[i], row[j] = row[j], row[i]
					case valid[k] > min(i, j):
						valid[k] = min(i, j)
					}
				}
			}
			i, j = i+1, j-1
			if i > j {
				i, j = 0, n-1
			}
		}
		if rng.IntN(3) == 0 {
			k := rng.IntN(len(entries))
			x.apply(&entries[k], slots)
		}
		if rng.IntN(3) == 0 {
			var all []*entry
			for k := range entries {
				all = append(all, &entries[k])
			}
			x.applyAll(all, slots)
			check()
		}
	}
	for k := range entries {
		x.apply(&entries[k], slots)
	}
	check()
}
