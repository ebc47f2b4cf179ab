package smo

import (
	"context"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestBudget: rows that are asked for once use the first memory in turn. For each row that is asked
// for again there is room for some more, up to the cache's limit.
func TestBudget(t *testing.T) {
	defer func() { firstValues, firstRows = usualValues, usualRows }()
	const n = 200
	firstValues, firstRows = 10*n, 2
	c := newCache(n, n, float64(150*n*4)/(1<<20), new(memoryPool))
	c.budget.begin(n, usualGrowth(costlyValues/2))
	if c.budget.growth != 8*(leastGrowth+2) {
		t.Fatalf("a growth of %d eighths", c.budget.growth)
	}
	room := func() int { return len(c.slots) - 1 }
	for i := range n {
		c.get(i, n)
	}
	if room() != 10 {
		t.Fatalf("room for %d rows, want 10", room())
	}
	for i := n - 10; i < n; i++ { // these rows are there
		if _, valid := c.get(i, n); valid != n {
			t.Fatalf("row %d has %d columns", i, valid)
		}
	}
	if room() != 10 {
		t.Fatalf("room for %d rows, want 10", room())
	}
	for k := range 3 {
		for i := range 6 + 1 { // the first of these is one of the lost rows
			c.get((100*k+i)%150, n)
		}
	}
	if room() < 10+3*leastGrowth || room() > 10+21*6 {
		t.Fatalf("room for %d rows after some were lost", room())
	}
	for range 5 {
		for i := range n {
			c.get(i, n)
		}
	}
	if room() != c.limit {
		t.Fatalf("room for %d rows, want the limit, %d", room(), c.limit)
	}
	c.release()
}

// TestBudgetAgain: memory that was used before is used again at once.
func TestBudgetAgain(t *testing.T) {
	defer func() { firstValues, firstRows = usualValues, usualRows }()
	const n = 1000
	firstValues, firstRows = n, 2
	free := new(memoryPool)
	defer free.Free()
	fill := func(startSmall bool) int {
		c := newCache(n, n, 100, free)
		defer c.release()
		if startSmall {
			c.budget.begin(n, usualGrowth(1))
		}
		for i := range n {
			c.get(i, n)
		}
		return len(c.slots) - 1
	}
	if rows := fill(true); rows > 100 {
		t.Fatalf("%d rows of memory that is new", rows)
	}
	if rows := fill(false); rows != n {
		t.Fatalf("%d rows, want all", rows)
	}
	if rows := fill(true); rows != n {
		t.Fatalf("%d rows of memory that is there, want all", rows)
	}
}

// TestBudgetPath: a problem takes the same steps with less memory.
func TestBudgetPath(t *testing.T) {
	defer func() { firstValues, firstRows = usualValues, usualRows }()
	lost := 0
	for seed := range seeds(60) {
		s := newSetting(seed)
		n := 60 + s.IntN(100)
		s.k, s.x = kernel.RBF{Gamma: 0.5}, randomRows(s.Rand, n, 1+s.IntN(8))
		s.opt.CacheMB = 100
		firstValues, firstRows = 1, 2*PartRows
		solve := func(startSmall bool) (*Result, int) {
			rows := newRowSource(context.Background(), kernel.NewGram(s.k, &s.x), s.opt.CacheMB)
			defer rows.release()
			rows.startSmall = startSmall
			q := newQP(newDoubledSource(rows), 2*n, nil)
			for i := range n {
				q.P[i], q.P[i+n] = 0.1-s.x.SquaredNorm(i), -(0.1 + s.x.SquaredNorm(i))
				q.Upper[i], q.Lower[i+n] = s.c, -s.c
			}
			r, err := q.Solve(context.Background(), s.opt)
			if err != nil {
				t.Fatal(err)
			}
			gone := 0
			for i := range n {
				if startSmall && rows.cache.budget.dropped.Has(i) {
					gone++
				}
			}
			return r, gone
		}
		want, _ := solve(false)
		got, gone := solve(true)
		if !slices.Equal(got.B, want.B) || got.R != want.R || got.Iterations != want.Iterations {
			t.Fatalf("seed %d: %d iterations, want %d", seed, got.Iterations, want.Iterations)
		}
		lost += gone
	}
	if lost < 100 {
		t.Errorf("%d rows were given up", lost)
	}
}

// TestCostlyMemory: where memory is costly, rows of a classification that are cheap to compute have
// little room until they have been computed again several times; others have as much as they are
// allowed.
func TestCostlyMemory(t *testing.T) {
	defer func(was func() bool) {
		firstValues, firstRows, memoryIsCostly = usualValues, usualRows, was
	}(memoryIsCostly)
	firstValues, firstRows = 1, 2*PartRows
	rand := newSetting(1).Rand
	cheap, wide := randomRows(rand, 400, 5), randomRows(rand, 400, 300)
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x    *vec.Matrix
		dear bool
		want int64 // the growth
	}{
		{"cheap", kernel.RBF{Gamma: 0.5}, &cheap, true, slowGrowth},
		{"linear", kernel.Linear{}, &cheap, true, slowGrowth},
		{"cheap, as memory is", kernel.RBF{Gamma: 0.5}, &cheap, false, 0},
		{"many columns", kernel.RBF{Gamma: 0.5}, &wide, true, 0},
		{"sigmoid", kernel.Sigmoid{Gamma: 0.5}, &cheap, true, 0},
	} {
		memoryIsCostly = func() bool { return c.dear }
		gram := kernel.NewGram(c.k, c.x)
		rows := newRowSource(context.Background(), gram, 100)
		want := c.want
		if simd.Current() == simd.Portable {
			want = 0 // nothing is cheap then
		}
		if got := rows.rowCache().budget.growth; got != want {
			t.Errorf("%s: a growth of %d eighths, want %d", c.name, got, want)
		}
		for i := range 400 {
			rows.Row(i, 400)
		}
		room := len(rows.cache.slots) - 1
		if most := 3 * PartRows; want > 0 && room > most || want == 0 && room != 400 {
			t.Errorf("%s: room for %d rows", c.name, room)
		}
		for range 40 {
			for i := range 400 {
				rows.Row(i, 400)
			}
		}
		if room := len(rows.cache.slots) - 1; room != 400 {
			t.Errorf("%s: room for %d rows when all were computed some times, want all", c.name, room)
		}
		rows.release()
	}
}
