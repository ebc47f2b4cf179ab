package vec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestQueries: a query of several rows consists of the queries of single rows, whatever the order
// of these: side by side, across panels, or more than once. It is appended to what is there, and
// nothing is written behind its end.
func TestQueries(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 10))
		for trial := range 400 {
			n, columns := 1+r.IntN(100), r.IntN(12)
			rows := make([][]float64, n)
			for i := range rows {
				rows[i] = wholeRow(r, columns, 0, 255)
			}
			var dense vec.Panels
			dense.Reset(n, columns)
			setEach(func(i int, v vec.Vector, column []int32) { dense.Set(i, v, column) }, columns, rows)
			var narrow, wide vec.WholePanels
			narrow.ResetWithin(n, n, columns, true)
			wide.ResetWithin(n, n, columns, false)
			setEach(narrow.Set, columns, rows)
			setEach(wide.Set, columns, rows)
			which := someRows(r, n, 1+trial%23)
			checkQueries(t, "numbers", dense.QueryTo, which, 1, columns)
			checkQueries(t, "bytes", narrow.QueryTo, which, 2, (columns+1)/2)
			checkQueries(t, "words", wide.QueryTo, which, 2, (columns+1)/2)
			past := append(slices.Clone(which), n-1, n)
			for name, query := range map[string]func(){
				"numbers": func() { dense.QueryTo(nil, past) }, "bytes": func() { narrow.QueryTo(nil, past) }, "words": func() { wide.QueryTo(nil, past) },
			} {
				wantPanic(t, name, query)
			}
		}
	})
}

// someRows returns at least least of n rows, with runs of up to 20 consecutive ones.
func someRows(r *rand.Rand, n, least int) (rows []int) {
	for len(rows) < least {
		from := r.IntN(n)
		for i := from; i < min(from+1+r.IntN(20), n); i++ {
			rows = append(rows, i)
		}
	}
	return rows
}

// checkQueries compares a query with those of its rows. A row has times groups of together numbers
// each; a query has the first groups of all rows, then the second ones, and so on.
func checkQueries[T int16 | float64](t *testing.T, name string, query func(dst []T, rows []int) []T, rows []int, together, times int) {
	t.Helper()
	const mark = 123
	room := slices.Repeat([]T{mark}, 3+len(rows)*together*times+40)
	got := query(room[:3], rows)
	want := slices.Repeat([]T{mark}, len(room))
	for q, row := range rows {
		one := query(nil, []int{row})
		if len(one) != together*times {
			t.Fatalf("%s: row %d has %d numbers, want %d", name, row, len(one), together*times)
		}
		for k := range times {
			copy(want[3+(k*len(rows)+q)*together:], one[k*together:][:together])
		}
	}
	if len(got) != 3+len(rows)*together*times || !slices.Equal(room, want) {
		t.Fatalf("%s, %s: a query of %d numbers, %v, want %v", name, fmt.Sprint(rows), len(got), room, want)
	}
}
