package mkc

import (
	"cmp"
	"slices"

	"github.com/slimsvm/slimsvm/train"
)

// Limits of the default number of rows that may become vectors. The time of a programme grows with
// about the square of the number of columns, and faster than in proportion to the rows.
const (
	mostColumns  = 1000
	leastColumns = 100
	mostValues   = 5e6 // of the kernel matrix: rows times columns
)

// ColumnsOf returns how many of the given number of rows may become vectors by default: all of up
// to 1000 rows, 1000 of up to 5000, and of more 5,000,000 divided by the number of rows, but at
// least 100.
func ColumnsOf(rows int) int {
	return min(rows, mostColumns, max(leastColumns, mostValues/max(1, rows)))
}

// columns returns the rows that may become vectors, in order (remark 4.3). A random sample depends
// on the row numbers in the data set, not on the places in the problem, so that the machines of
// several classes against the rest have the same sample.
func (s Solver) columns(p *train.Problem) []int {
	m, n := len(p.Y), s.Columns
	if n == 0 {
		n = ColumnsOf(m)
	}
	rows := make([]int, m)
	for i := range rows {
		rows[i] = i
	}
	if n >= m {
		return rows
	}
	if s.Sample == Systematic {
		for k := range n {
			rows[k] = int(int64(k) * int64(m) / int64(n))
		}
		return rows[:n]
	}
	of := func(i int) uint64 {
		if p.Rows != nil {
			i = p.Rows[i]
		}
		return scramble(s.Seed ^ scramble(uint64(i)))
	}
	slices.SortFunc(rows, func(a, b int) int {
		if c := cmp.Compare(of(a), of(b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	rows = rows[:n]
	slices.Sort(rows)
	return rows
}

// scramble is splitmix64's output function of x (Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
