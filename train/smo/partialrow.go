package smo

import (
	"unsafe"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// Problem: a variable reaches a bound, or leaves one, while other variables are shrunk. Its row
// must be added to far for all variables, but the cached row has only the columns of the active
// ones. The missing columns are few. If they were computed before the pass, threads would have to
// wait for each other once more, and one would fetch from another's cache what that one has
// computed.
//
// Method: each thread computes the missing columns in its own part of the row and continues with
// that part. If the cache holds enough rows, the additions of several variables are put off, and
// the missing columns of all their rows are computed together.

// partialRow is a row whose columns from position from on are still to be computed.
type partialRow struct {
	filler *rowFiller
	row    []float32
	i      int
	from   int
}

// rowForSum is Row for all variables, but the last columns may be computed only in the next sum
// that has the row among its arguments: if the first columns are there, each thread computes its
// part of the rest just before it uses it.
func (s *rowSource) rowForSum(i int) []float32 {
	n := s.Len()
	if s.passes.helpers == nil || !s.rowCache().have.Has(i) || len(s.passes.partialRows) == len(team.Command{}.Rows) {
		return s.Row(i, n)
	}
	row, valid := s.cache.get(i, n)
	s.rows = append(s.rows[:0], i)
	switch {
	case valid == n:
	case valid == 0 || s.filler.bySums(s.rows, valid, n):
		s.dst = append(s.dst[:0], row[valid:n])
		s.fill(s.dst, s.rows, valid, n)
	default:
		s.passes.partialRows = append(s.passes.partialRows, partialRow{s.filler, row[:n], i, valid})
	}
	return row[:n]
}

// rowsForSum appends what rowForSum would return for some rows, which may repeat. If there are more
// than two rows, or no other threads, the missing columns are computed at once. Rows that end at
// the same column are computed together.
func (s *rowSource) rowsForSum(rows [][]float32, which []int) [][]float32 {
	if s.passes.helpers != nil && len(which) <= 2 {
		for _, i := range which {
			rows = append(rows, s.rowForSum(i))
		}
		return rows
	}
	n, c := s.Len(), s.rowCache()
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

// retainedRows returns how many rows can be asked for some time after they were used and still be
// cached.
func (s *rowSource) retainedRows() int { return min(PartRows, s.rowCache().holds()/rowsPerRetained) }

// rowsPerRetained is the number of cached rows for which one can be relied on to be still cached
// after other rows were computed, perhaps several at a time.
var rowsPerRetained = 16 // another in tests

// extendRows makes the parts of the next pass extend rows of its command to n columns.
func (p *passes) extendRows(rows []partialRow, n int) {
	a, command := p.args, p.helpers.Command()
	command.Kind |= int32(withPartialRows)
	if gram := rows[0].filler.gram; a.gram != gram {
		a.gram = gram
	}
	a.from = [2]int32{int32(n), int32(n)}
	for k, row := range command.Rows {
		for _, l := range rows {
			if unsafe.SliceData(l.row) == row {
				a.from[k], command.Places[k] = int32(l.from), int32(l.i)
			}
		}
	}
}

// extendRows computes columns begin to end-1 of the rows of a command, as far as they are missing.
// The rows have n columns.
func (a *arguments) extendRows(command *team.Command, n, begin, end int) {
	var room [2][]float32
	var which [2]int
	count := 0
	for k, from := range a.from {
		if from := max(int(from), begin); from < end {
			room[count], which[count] = unsafe.Slice(command.Rows[k], n)[from:end], int(command.Places[k])
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
