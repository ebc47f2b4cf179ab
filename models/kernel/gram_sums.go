package kernel

import "fmt"

// Problem: compute a row that comes from lists with several goroutines.
//
// Any part of the columns needs dot products from anywhere on the lists, so each of several parts
// of RowsTo would go through all lists.
//
// Method: the two steps of such a row are divided separately: the sums by slots, which are in order
// on every list, and the values made from the sums by columns.

// SumsLen returns, for columns from to to-1 of row i, the length of the sums that SumTo needs, the
// largest number of parts, and the number of additions. It returns zeros if RowsTo does not use
// lists of rows; RowsTo may then be called for any range of columns.
func (g *Gram) SumsLen(i, from, to int) (length, parts, additions int) {
	if g.form != asLists || g.lists.none {
		return 0, 0, 0
	}
	if additions = g.lists.length(g.x.Row(i)); !g.listsPay(additions, from, to) {
		return 0, 0, 0
	}
	return g.n, g.lists.segments, additions
}

// SumTo computes part k of the given number of parts of the sums of row i. Several goroutines may
// compute different parts at once.
func (g *Gram) SumTo(sums []float64, i, k, parts int) {
	l := &g.lists
	if g.form != asLists || len(sums) != g.n || k < 0 || k >= parts || parts > l.segments {
		panic(fmt.Sprintf("kernel: part %d of %d of %d sums, expected %d in up to %d parts", k, parts, len(sums), g.n, l.segments))
	}
	first, last := k*l.segments/parts, (k+1)*l.segments/parts
	clear(sums[l.slots(first, g.n):l.slots(last, g.n)])
	l.dotsTo(sums, g.x.Row(i), first, last)
}

// slots returns how many of n slots come before a segment.
func (l *columnLists) slots(segment, n int) int { return (segment*n + l.segments - 1) / l.segments }

// SummedTo sets dst to the values of row i for the columns from position from on, as RowsTo does,
// given the row's sums.
func (g *Gram) SummedTo(dst []float32, sums []float64, i, from int) {
	if from < 0 || from+len(dst) > g.n || len(sums) != g.n {
		panic(fmt.Sprintf("kernel: columns %d to %d of %d by %d sums", from, from+len(dst)-1, g.n, len(sums)))
	}
	s := gramScratch.Get().(*scratch)
	defer gramScratch.Put(s)
	dots := room(&s.values, len(dst))
	g.lists.gather(dots, sums, from)
	g.round(dst, dots, i, from)
}

// PrefersWholeRows reports whether rows come from lists, so that several goroutines do better to
// compute one row each than to share a row.
func (g *Gram) PrefersWholeRows() bool { return g.form == asLists }
