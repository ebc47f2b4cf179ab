package smo

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/scan"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// A modelCache is a simple model of the cache: rows by variable, each with the variables of its
// valid columns, in the order of last use.
type modelCache struct {
	order      []int         // the variable at each position
	valid      map[int][]int // by variable: its valid columns, a beginning of order
	used       []int         // variables with a row, oldest first
	prefetched map[int]bool  // variables whose row nobody has asked for
}

func (m *modelCache) get(i, n int) (valid int) {
	v := m.order[i]
	valid = len(m.valid[v])
	m.valid[v] = slices.Clone(m.order[:max(valid, n)])
	if k := slices.Index(m.used, v); k >= 0 {
		m.used = slices.Delete(m.used, k, k+1)
	}
	m.used = append(m.used, v)
	delete(m.prefetched, v)
	return valid
}

// dropPrefetched forgets the rows, from a position on, that nobody has asked for.
func (m *modelCache) dropPrefetched(from int) {
	for _, v := range m.order[from:] {
		if m.prefetched[v] {
			delete(m.valid, v)
			delete(m.prefetched, v)
			m.used = slices.DeleteFunc(m.used, func(u int) bool { return u == v })
		}
	}
}

// forget forgets the oldest rows until only this many are left.
func (m *modelCache) forget(rows int) {
	for len(m.used) > rows {
		delete(m.valid, m.used[0])
		delete(m.prefetched, m.used[0])
		m.used = m.used[1:]
	}
}

func (m *modelCache) swap(i, j int) {
	m.order[i], m.order[j] = m.order[j], m.order[i]
	for v, columns := range m.valid {
		switch {
		case len(columns) > max(i, j):
			columns[i], columns[j] = columns[j], columns[i]
		case len(columns) > min(i, j):
			m.valid[v] = columns[:min(i, j)]
		}
	}
}

// code returns the value of a row in a column; both are variables.
func code(row, column int) float32 { return float32(row*100 + column) }

// compare returns how c differs from the model.
func (m *modelCache) compare(c *cache) string {
	var ring []int
	before := int32(none)
	for at := c.head.next; at != none; at = c.rows[at].link.next {
		if c.rows[at].link.prev != before {
			return fmt.Sprintf("the ring's links at %d differ", at)
		}
		if before = at; len(ring) > c.n {
			return "the ring does not end"
		}
		ring = append(ring, m.order[at])
	}
	if c.head.prev != before {
		return "the ring's last link differs"
	}
	if !slices.Equal(ring, m.used) {
		return fmt.Sprintf("rows %v by age, want %v", ring, m.used)
	}
	held, short := 0, 0
	slots := slices.Concat(c.freed, c.short)
	for _, at := range ring {
		slots = append(slots, c.rows[slices.Index(m.order, at)].slot)
	}
	for _, s := range slots {
		if held += len(c.slots[s]); len(c.slots[s]) < c.n {
			short += len(c.slots[s])
		}
	}
	if int64(held) != c.cut || c.cut > c.most || int64(2*short) > c.most+int64(2*c.n) {
		return fmt.Sprintf("%d values, %d of them of short rows, %d were cut, limit %d", held, short, c.cut, c.most)
	}
	for at := range c.rows {
		row, columns := c.rows[at], m.valid[m.order[at]]
		e := &row
		values := [][]float32{slices.Clone(c.slots[e.slot])}
		if c.have.Has(at) != (values[0] != nil) {
			return fmt.Sprintf("position %d is in the set of rows: %t", at, c.have.Has(at))
		}
		if values[0] != nil { // without the exchanges that have been put off
			e.slot = 0
			c.log.apply(e, values)
		}
		if values[0] == nil && e.valid != 0 || int(e.valid) != len(columns) {
			return fmt.Sprintf("position %d has %d valid columns, want %d", at, e.valid, len(columns))
		}
		for k, column := range columns {
			if values[0][k] != code(m.order[at], column) {
				return fmt.Sprintf("row %d holds %v in column %d, want %v", m.order[at], values[0][k], column, code(m.order[at], column))
			}
		}
	}
	return ""
}

// inUse is the largest number of rows in use at once: those of a pair, one of them with others that
// are computed beside it.
const inUse = PartRows + 1

// have returns the number of rows in the cache.
func have(c *cache) int {
	n := 0
	for at := range c.rows {
		if c.have.Has(at) {
			n++
		}
	}
	return n
}

// TestCache: the cache does what the model does. Each case uses the memory of those before it.
func TestCache(t *testing.T) {
	s := new(memoryPool)
	check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(70, 90)).Draw(t, "n")
		limit := rapid.OneOf(rapid.IntRange(2, 6), rapid.IntRange(shortFrom, 50)).Draw(t, "limit")
		c := newCache(n, n, float64(limit*4*n)/(1<<20), s)
		defer c.release()
		limit = max(2, min(limit, n))
		if c.limit != limit {
			t.Fatalf("the limit is %d rows, want %d", c.limit, limit)
		}
		m := &modelCache{valid: map[int][]int{}, prefetched: map[int]bool{}}
		for i := range n {
			m.order = append(m.order, i)
		}
		position := rapid.IntRange(0, n-1)
		get := func(t *rapid.T, i, want int) {
			expected := m.get(i, want)
			valid := expected
			var row []float32
			if ahead := valid == 0 && rapid.Bool().Draw(t, "ahead"); ahead {
				row = c.getPrefetch(i, want)
				m.prefetched[m.order[i]] = true
			} else {
				row, valid = c.get(i, want)
			}
			if valid != expected {
				t.Fatalf("row at %d has %d valid columns, want %d", i, valid, expected)
			}
			if len(row) < want {
				t.Fatalf("room for %d of %d columns", len(row), want)
			}
			if limit < shortFrom {
				m.forget(limit)
			} else {
				m.forget(max(inUse, have(c)))
			}
			for k := valid; k < want; k++ {
				row[k] = code(m.order[i], m.order[k])
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"get": func(t *rapid.T) { get(t, position.Draw(t, "i"), rapid.IntRange(1, n).Draw(t, "columns")) },
			"get many": func(t *rapid.T) {
				first, want := position.Draw(t, "first"), rapid.IntRange(1, n).Draw(t, "columns")
				for k := range limit {
					get(t, (first+k)%n, want)
				}
			},
			"drop prefetched": func(t *rapid.T) {
				from := position.Draw(t, "from")
				m.dropPrefetched(from)
				c.dropPrefetched(from)
			},
			"swap": func(t *rapid.T) {
				var pairs []Pair
				for range rapid.IntRange(0, 3).Draw(t, "swaps") {
					i, j := position.Draw(t, "i"), position.Draw(t, "j")
					m.swap(i, j)
					pairs = append(pairs, Pair{i, j})
				}
				c.swap(pairs)
			},
			"": func(t *rapid.T) {
				if fault := m.compare(c); fault != "" {
					t.Fatal(fault)
				}
			},
		})
	})
}

// TestCacheLimit: the number of rows follows the memory, between two and all.
func TestCacheLimit(t *testing.T) {
	for _, c := range []struct {
		n    int
		mb   float64
		rows int
	}{
		{0, 100, 2},
		{1, 100, 2},
		{1000, 1e-300, 2},
		{1 << 10, 1, 1 << 8},
		{1 << 10, 1.999, 511},
		{1 << 18, 63, 63},
		{1 << 18, 100, 93}, // less what the program takes apart from the cache
		{1 << 10, 1e9, 1 << 10},
		{1 << 10, 1e300, 1 << 10},
	} {
		if got := newCache(c.n, c.n, c.mb, new(memoryPool)).limit; got != c.rows {
			t.Errorf("%d rows of a kernel, %g MB: room for %d, want %d", c.n, c.mb, got, c.rows)
		}
	}
}

// TestArena: rows never share memory, neither within an arena nor between arenas in use at the same
// time, and none can grow into the next.
func TestArena(t *testing.T) {
	lengths := rapid.OneOf(
		rapid.IntRange(1, 5000),
		rapid.SampledFrom([]int{1, smallSlabLen, smallSlabLen + 1, slabLen, slabLen + 1, longRow - 1, longRow, longRow + 1}),
	)
	pools := []*memoryPool{{}, {shared: true}}
	check(t, func(t *rapid.T) {
		free := rapid.SampledFrom(pools).Draw(t, "pool")
		arenas := []arena{{pool: free}, {pool: free, tiny: true}, {pool: free, first: moreSmall}}
		rows := make([][][]float32, len(arenas))
		marks := make([][]float32, len(arenas))
		next := float32(0)
		pick := rapid.IntRange(0, len(arenas)-1)
		t.Repeat(map[string]func(*rapid.T){
			"cut": func(t *rapid.T) {
				k, n := pick.Draw(t, "arena"), lengths.Draw(t, "length")
				row := arenas[k].cut(n)
				if len(row) != n || cap(row) != n {
					t.Fatalf("a row of length %d, capacity %d, want %d", len(row), cap(row), n)
				}
				if a := &arenas[k]; n < longRow {
					slab := a.slabs[len(a.slabs)-1]
					end, most := len(slab)-len(a.rest), len(slab)
					if !a.again {
						most = min(end+pages.PrepareBytes/4, most)
					}
					if a.ready < end || a.ready > most {
						t.Fatalf("%d values of a slab are ready, want %d to %d", a.ready, end, most)
					}
				}
				next++
				// the ends are where rows could meet
				for _, at := range []int{0, n / 2, n - 1} {
					row[at] = next
				}
				rows[k], marks[k] = append(rows[k], row), append(marks[k], next)
			},
			"release": func(t *rapid.T) {
				k := pick.Draw(t, "arena")
				arenas[k].release()
				if len(arenas[k].slabs) != 0 || len(arenas[k].rest) != 0 {
					t.Fatal("a released arena keeps memory")
				}
				rows[k], marks[k] = nil, nil
			},
			"": func(t *rapid.T) {
				for k := range rows {
					for i, row := range rows[k] {
						for _, at := range []int{0, len(row) / 2, len(row) - 1} {
							if row[at] != marks[k][i] {
								t.Fatalf("row %d of arena %d was overwritten", i, k)
							}
						}
					}
				}
			},
		})
		for k := range arenas {
			arenas[k].release()
		}
		if rapid.Bool().Draw(t, "free") {
			free.Free()
		}
	})
	for _, s := range pools {
		s.Free()
	}
}

// TestArenaAgain: problems of one size, one after the other, use the memory of the first.
func TestArenaAgain(t *testing.T) {
	for _, n := range []int{100, 3000, slabLen / 2} {
		for _, rows := range []int{1, 7, 100} {
			free := new(memoryPool)
			touched := map[*float32]bool{}
			for round := range 4 {
				a := &arena{pool: free}
				for range rows {
					first := &a.cut(n)[0]
					if round > 0 && !touched[first] {
						t.Fatalf("%d rows of %d: memory is touched that the first problem did without", rows, n)
					}
					touched[first] = true
				}
				a.release()
			}
			free.Free()
		}
	}
}

// TestWorkspace: vectors are zero and do not overlap, also in memory that was used before, and also
// if there are more than the workspace has room for.
func TestWorkspace(t *testing.T) {
	free := new(memoryPool)
	for round := range 3 {
		var all [][]float64
		w := newWorkspace(5+round, 5+round, free)
		for k := range 2 * workspaceVectors {
			v := w.zeros(5 + round)
			for i, x := range v {
				if x != 0 {
					t.Fatalf("round %d: element %d of vector %d is %v", round, i, k, x)
				}
				v[i] = float64(k + 1)
			}
			all = append(all, v)
		}
		for k, v := range all {
			for _, x := range append(v, 0)[:len(v)] {
				if x != float64(k+1) {
					t.Fatalf("round %d: vector %d holds %v", round, k, x)
				}
			}
		}
		w.release()
	}
	var none *workspace
	if n := len(none.zeros(3)); n != 3 {
		t.Errorf("%d elements without a workspace", n)
	}
}

// TestWorkspaceVectors: a C-SVC, which has the most vectors, uses all of its workspace's block.
func TestWorkspaceVectors(t *testing.T) {
	ctx, stop := team.With(t.Context(), 1)
	defer stop()
	n := scan.PaddedLen(60)
	p := &train.Problem{Kernel: kernel.Linear{}}
	for i := range n {
		p.X.Append(vec.Vector{Index: []int32{1}, Value: []float64{float64(i)}})
		p.Y = append(p.Y, 1-float64(i%2*2))
	}
	if _, err := DefaultCSVC().Solve(ctx, p); err != nil {
		t.Fatal(err)
	}
	w := poolOf(ctx).workspaces[0]
	if left := len(w.rest); left > 0 || len(w.block) != workspaceVectors*n {
		t.Errorf("%d of %d elements of the block, for vectors of %d, are left", left, len(w.block), n)
	}
}
