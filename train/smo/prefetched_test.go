package smo

import (
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestEvictPrefetched: rows computed ahead that nobody asks for are given up, the oldest first,
// before other rows take more memory than that of these. They are kept if most of them are asked
// for, and if memory will be full in any case.
func TestEvictPrefetched(t *testing.T) {
	const n = 9000
	few := max(fewPrefetched, fewPrefetchedValues/n)
	if kernel.MaxBlockRows >= fewPrefetched/2 {
		t.Fatalf("a block has %d rows, of which some might be given up before it is computed", kernel.MaxBlockRows)
	}
	for _, c := range []struct {
		what  string
		mb    float64
		found int // one of this many rows is asked for; 0: none
		spare bool
	}{
		{"none is asked for", 200, 0, true},
		{"one of four is asked for", 200, 4, true},
		{"one of two is asked for", 200, 2, false},
		{"there is not memory for many", n / wholeShare * n * 4 * .9 / (1 << 20), 0, false},
	} {
		k := newCache(n, n, c.mb, new(memoryPool))
		early := map[int]bool{}
		var kept []int // rows computed ahead and never asked for
		most := 0
		for i := 0; i < 8*few; i += 2 {
			k.get(i, n)
			row := k.getPrefetch(i+1, n)
			row[0], row[n-1] = float32(i), float32(i)
			early[i+1] = true
			if c.found > 0 && i/2%c.found == 0 {
				if row, valid := k.get(i+1, n); valid != n || row[0] != float32(i) || row[n-1] != float32(i) {
					t.Fatalf("%s: row %d was computed ahead and is not there", c.what, i+1)
				}
				delete(early, i+1)
			} else {
				kept = append(kept, i+1)
			}
			unasked := 0
			for at := range k.rows {
				if k.prefetched.Has(at) {
					unasked++
				}
			}
			if unasked != k.unusedCount {
				t.Fatalf("%s: %d rows that nobody has asked for are counted, there are %d", c.what, k.unusedCount, unasked)
			}
			most = max(most, unasked)
		}
		for i := 0; i < 8*few; i++ {
			if !early[i] && !k.have.Has(i) {
				t.Errorf("%s: row %d was asked for and given up", c.what, i)
			}
		}
		if c.spare {
			if most > few+1 {
				t.Errorf("%s: %d rows that nobody had asked for, want %d at most", c.what, most, few+1)
			}
			for _, i := range kept[len(kept)-few/2:] {
				if !k.have.Has(i) {
					t.Errorf("%s: row %d was given up, and is one of the youngest", c.what, i)
				}
			}
			if rows, want := len(k.slots)-1, 8*few-len(kept)+few+1; rows > want {
				t.Errorf("%s: memory for %d rows, want %d at most", c.what, rows, want)
			}
		} else if most != len(kept) {
			t.Errorf("%s: %d of %d rows were kept", c.what, most, len(kept))
		}
		k.release()
	}
}

// TestFirstSmall: rows that together need little more than what small slabs have in any case are
// cut from small slabs only.
func TestFirstSmall(t *testing.T) {
	for _, c := range []struct {
		n    int
		only bool
	}{{300, true}, {768, true}, {800, true}, {1000, false}, {5000, false}} {
		k := newCache(c.n, c.n, 100, new(memoryPool))
		for i := range c.n {
			k.get(i, c.n)
			if i*c.n > 5<<20 {
				break
			}
		}
		if only := len(k.arena.slabs) == k.arena.small; only != c.only {
			t.Errorf("%d rows: only small slabs %v, want %v", c.n, only, c.only)
		}
		k.release()
	}
}
