package smo

import (
	"unsafe"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: a variable reaches a bound, or leaves one, while other variables are left out by
// shrinking. Its row must be added to far for all variables, but the row has only the columns of
// the active ones. The others are few, but computing them before the next pass would make threads
// wait for each other once more, and one would fetch from the other's cache what that has computed.
//
// Method: each thread computes the columns that the row lacks in its own part and continues with
// that. If the cache holds enough rows, several variables wait, and the missing columns of all
// their rows are computed together.

// longer is a row whose columns from some on are still to be computed.
type longer struct {
	fills *fills
	row   []float32
	i     int
	from  int
}

// rowForSum is Row for all variables, but the last columns may be there only after the next sum that has
// the row among its arguments: of rows of which the others are there, threads compute their part of the rest
// just before.
func (s *rowSource) rowForSum(i int) []float32 {
	n := s.Len()
	if s.passes.crew == nil || !s.kept().have.Has(i) || len(s.passes.longer) == len(team.Order{}.Rows) {
		return s.Row(i, n)
	}
	row, valid := s.cache.get(i, n)
	s.rows = append(s.rows[:0], i)
	switch {
	case valid == n:
	case valid == 0 || s.fills.bySums(s.rows, valid, n):
		s.dst = append(s.dst[:0], row[valid:n])
		s.fill(s.dst, s.rows, valid, n)
	default:
		s.passes.longer = append(s.passes.longer, longer{s.fills, row[:n], i, valid})
	}
	return row[:n]
}

// rowsForSum appends what rowForSum would return of some rows, which may come again. Of more than two, and
// where nobody helps, what is lacking is computed at once, of rows that end at the same column together.
func (s *rowSource) rowsForSum(rows [][]float32, which []int) [][]float32 {
	if s.passes.crew != nil && len(which) <= 2 {
		for _, i := range which {
			rows = append(rows, s.rowForSum(i))
		}
		return rows
	}
	n, c := s.Len(), s.kept()
	var lacking [PartRows]struct{ i, from, at int }
	count := 0
	for _, i := range which {
		row, valid := c.get(i, n)
		rows = append(rows, row[:n])
		if valid < n {
			lacking[count].i, lacking[count].from, lacking[count].at = i, valid, len(rows)-1
			count++
		}
	}
	for left := lacking[:count]; len(left) > 0; {
		from, others := left[0].from, left[:0]
		s.rows, s.dst = s.rows[:0], s.dst[:0]
		for _, l := range left {
			if l.from == from {
				s.rows, s.dst = append(s.rows, l.i), append(s.dst, rows[l.at][from:])
			} else {
				others = append(others, l)
			}
		}
		s.fill(s.dst, s.rows, from, n)
		left = others
	}
	return rows
}

// credit returns how many rows are asked for a while after they were used and are still there then.
func (s *rowSource) credit() int { return min(PartRows, s.kept().holds()/stillThere) }

// stillThere is among how many rows that the cache holds one is there after other rows were computed,
// perhaps several at a time.
var stillThere = 16 // another in tests

// lengthen has the parts of the next pass make rows of its order longer, which then have n columns.
func (p *passes) lengthen(rows []longer, n int) {
	a, order := p.args, p.crew.Order()
	order.Kind |= int32(withLonger)
	if gram := rows[0].fills.gram; a.gram != gram {
		a.gram = gram
	}
	a.from = [2]int32{int32(n), int32(n)}
	for k, row := range order.Rows {
		for _, l := range rows {
			if unsafe.SliceData(l.row) == row {
				a.from[k], order.Places[k] = int32(l.from), int32(l.i)
			}
		}
	}
}

// lengthen computes what the rows of an order, of n columns, lack of columns begin to end-1.
func (a *arguments) lengthen(order *team.Order, n, begin, end int) {
	var room [2][]float32
	var which [2]int
	count := 0
	for k, from := range a.from {
		if from := max(int(from), begin); from < end {
			room[count], which[count] = unsafe.Slice(order.Rows[k], n)[from:end], int(order.Places[k])
			count++
		}
	}
	if count == 2 && len(room[0]) == len(room[1]) {
		a.gram.RowsTo(room[:], which[:], end-len(room[0]), end)
		return
	}
	for k, dst := range room[:count] {
		a.gram.RowsTo([][]float32{dst}, which[k:k+1], end-len(dst), end)
	}
}
